"""Logit paths that end early: at a time limit, and where floats end."""

from __future__ import annotations

from math import isfinite

import pytest
from typer.testing import CliRunner

import seqform.methods.on_support as support
from seqform import Status, TreeBuilder, make, solve
from seqform.base.errors import InvalidParameterError, OutOfTimeError
from seqform.cli import app
from seqform.tree.tree import GameTree


def coordination(large: int) -> GameTree:
    """Return a game of which each player likes another meeting, one by far."""
    b = TreeBuilder(2)
    for mine, node in enumerate(b.decision(b.root, 0, "row", ["a", "b"])):
        for theirs, end in enumerate(b.decision(node, 1, "column", ["a", "b"])):
            b.terminal(end, [(large, 1), (0, 0), (1, large)][mine + theirs])
    return b.freeze()


def test_a_time_limit_keeps_the_last_point() -> None:
    found = solve(make("kuhn"), method="qre", lambda_end=1e12, time_limit=0.5)
    assert found.status is Status.LIMIT
    assert "stopped by the limit of time" in found.message
    assert isfinite(found.gap)


def test_a_time_limit_while_an_equilibrium_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: object) -> None:
        raise OutOfTimeError("the time is over")

    monkeypatch.setattr(support, "on_support", too_late)
    found = solve(make("chicken"), method="qre")
    assert found.status is Status.LIMIT
    assert "stopped by the limit of time" in found.message
    assert isfinite(found.gap)


@pytest.mark.parametrize("lam", [1e20, 1e200])
def test_a_path_ends_where_floats_do(lam: float) -> None:
    found = solve(coordination(10**30), method="qre", lambda_end=lam)
    assert isfinite(found.gap)
    assert "the path has no more digits" in found.message


def test_a_lambda_that_is_no_float_in_shares_of_the_stakes() -> None:
    with pytest.raises(InvalidParameterError, match="lambda_end=1e\\+300: times the largest"):
        solve(coordination(10**30), method="qre", lambda_end=1e300)


def test_a_gap_below_what_shares_of_the_stakes_can_say() -> None:
    found = solve(coordination(10**30), method="qre", gap=1e-300)
    assert found.tolerance == 0
    assert isfinite(found.gap)


def test_a_lambda_that_was_reached_is_what_was_asked_for() -> None:
    """It was LIMIT, as if the path had been cut short."""
    found = solve(make("kuhn"), method="qre", lambda_end=1)
    assert found.status is Status.REACHED
    assert "logit path to lambda 1" in found.message
    assert (
        CliRunner().invoke(app, ["solve", "kuhn", "--method", "qre", "--lambda-end", "1"]).exit_code
        == 0
    )
    cut = solve(make("kuhn"), method="qre", lambda_end=1e6, steps=3)
    assert cut.status is Status.LIMIT
