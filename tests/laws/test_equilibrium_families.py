"""All equilibria of a zero-sum game: how far each action's probability can go."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import TreeBuilder, build_sequence_form, load, make, solve, verify
from seqform.base.errors import (
    InvalidParameterError,
    NotForThisGameError,
    OutOfTimeError,
    SolverError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.base.whole_folder import checksum
from seqform.methods import when_exact
from seqform.solvers.linear import equilibrium_family as families
from seqform.solvers.linear.equilibrium_family import Family
from seqform.solvers.linear.optimal_face import OptimalFace
from tests.float_games import float_game
from tests.reference.optimal_plans import optimal_plans
from tests.reference.pure_plans import pure_plans

Ranges = dict[tuple[int, int, int], tuple[Fraction, Fraction]]


def expected(form: Any, player: int) -> tuple[Ranges, set[int]]:
    """Return the ranges, and the information sets never come to, from all extreme optimal plans."""
    treeplex, vertices = form.treeplexes[player], optimal_plans(form, player)
    ranges, never = {}, set()
    for h in range(treeplex.num_infosets):
        above = int(treeplex.parent_sequence[h])
        coming = [plan for plan in vertices if plan[above]]
        if not coming:
            never.add(h)
            continue
        for position in range(int(treeplex.num_actions[h])):
            sequence = int(treeplex.first_sequence[h]) + position
            shares = [plan[sequence] / plan[above] for plan in coming]
            ranges[player, h, position] = min(shares), max(shares)
    return ranges, never


@given(st.integers(0, 10**6))
def test_ranges_are_those_of_all_extreme_optimal_plans(seed: int) -> None:
    form = build_sequence_form(random_game(seed, depth=4, branching=2, max_payoff=3))
    assume(max(len(pure_plans(form, player)) for player in (0, 1)) <= 6)
    family = solve(form, family=True).family
    assert family is not None
    is_unique = True
    for player in (0, 1):
        ranges, never = expected(form, player)
        found = {r[:3]: r[3:] for r in family.ranges if r.player == player}
        assert found == ranges
        assert set(family.unreached[player]) == never
        is_unique &= all(least == greatest for least, greatest in ranges.values())
    assert family.is_unique == is_unique


def ranges_of(family: Family | None) -> dict[str, tuple[Fraction, Fraction]]:
    """Return what varies, by the names that people read."""
    assert family is not None
    return {
        " ".join(family.names(found)): found[3:] for found in family.ranges if not found.is_fixed
    }


def test_kuhn_s_family() -> None:
    """Kuhn, "A simplified two-person poker", 1950: player 0 bets a jack with probability alpha from
    0 to 1/3, a king with 3 alpha, and calls a bet with the queen with alpha + 1/3; player 1's
    strategy is unique."""
    third = Fraction(1, 3)
    assert ranges_of(solve(make("kuhn"), family=True).family) == {
        "J: check": (1 - third, 1),
        "J: bet": (0, third),
        "K: check": (0, 1),
        "K: bet": (0, 1),
        "Q:check-bet fold": (third, 1 - third),
        "Q:check-bet call": (third, 1 - third),
    }


def test_three_actions() -> None:
    """Rock, paper, scissors has one equilibrium; with a second rock the two share its third."""
    assert solve(make("rock-paper-scissors"), family=True).family.is_unique
    b, wins = TreeBuilder(2), [[0, -1, 1], [1, 0, -1], [-1, 1, 0], [0, -1, 1]]
    rows = b.decision(b.root, 0, "row", ["rock", "paper", "scissors", "stone"])
    for node, row in zip(rows, wins, strict=True):
        for child, win in zip(b.decision(node, 1, "column", "rps"), row, strict=True):
            b.terminal(child, (win, -win))
    family = solve(b.freeze(), family=True).family
    assert ranges_of(family) == {"row rock": (0, Fraction(1, 3)), "row stone": (0, Fraction(1, 3))}
    assert dict(family.rows())["rock at row"] == "0 to 1/3"


def test_families_are_saved_and_found_again(tmp_path: Path) -> None:
    solution = solve(make("kuhn"), family=True)
    solution.save(tmp_path / "kuhn", "kuhn")
    assert "infinitely many" in dict(verify(tmp_path / "kuhn").rows())["equilibria"]
    assert ranges_of(load(tmp_path / "kuhn").family) == ranges_of(solution.family)
    path = tmp_path / "kuhn" / "result.json"
    claims = json.loads(path.read_text())
    claims["family"]["ranges"][1]["greatest"] = "1/2"
    path.write_text(json.dumps(claims | {"checksum": checksum(claims)}))
    with pytest.raises(VerificationError, match="claims family"):
        verify(tmp_path / "kuhn")


def test_a_family_is_of_its_game() -> None:
    family = solve(make("kuhn"), family=True).family
    again = build_sequence_form(family.game.tree)
    assert family.on(again).game is again
    with pytest.raises(VerificationError, match="of the game"):
        family.on(build_sequence_form(random_game(1)))


def test_what_has_no_family_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="leave out exact"):
        solve(make("kuhn"), family=True, exact=False)
    with pytest.raises(InvalidParameterError, match="leave out polish"):
        solve(make("kuhn"), family=True, polish=True)
    with pytest.raises(UnsupportedGameError, match="floats"):
        solve(float_game(1), family=True)
    with pytest.raises(NotForThisGameError, match="zero-sum"):
        solve(make("two-player-tree"), method="lp", family=True)
    with pytest.raises(InvalidParameterError, match="'family' is an option of lp"):
        solve(make("kuhn"), method="dcfr", family=True)


def test_where_no_basis_is_optimal_the_equilibrium_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Family:
        raise SolverError("no basis")

    monkeypatch.setattr(families, "equilibrium_family", refuse)
    solution = solve(make("kuhn"), family=True)
    assert (solution.exact.value, solution.family) == (Fraction(-1, 18), None)
    assert "not all equilibria: no basis" in solution.message
    assert solution.status.name == "LIMIT"


@pytest.mark.parametrize("options", [{"family": True}, {"exact": True}])
def test_a_time_limit_before_what_was_asked_for_is_a_limit(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, bool]
) -> None:
    """It was SOLVED, beside an exit status of 1."""

    def too_late(*_: Any) -> None:
        raise OutOfTimeError("the time limit was over")

    monkeypatch.setattr(when_exact, "proven_equilibrium", too_late)
    solution = solve(make("kuhn"), **options)
    assert (solution.status.name, solution.exact, solution.family) == ("LIMIT", None, None)
    assert "the time limit was over" in solution.message
    assert solve(make("kuhn")).status.name == "SOLVED"  # where nothing was asked for


def test_a_basis_that_is_not_optimal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    face = OptimalFace(solve(make("kuhn")).exact, 0)
    assert face.range(2) == (0, Fraction(1, 3))
    right = OptimalFace._solve
    monkeypatch.setattr(
        OptimalFace, "_solve", lambda self, matrix, objective: right(self, matrix, -objective)
    )
    with pytest.raises(SolverError, match="not optimal in exact arithmetic"):
        OptimalFace(solve(make("kuhn")).exact, 0).range(2)
