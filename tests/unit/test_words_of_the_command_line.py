"""Messages of the library, as the command line says them: with options that one can type."""

from __future__ import annotations

import click
import pytest
from typer.main import get_command

from seqform.base.number import amount
from seqform.cli.command import in_flags
from seqform.cli.commands import application
from seqform.experiment.runner import Finished, run_experiment
from seqform.links.link import REDUCTIONS


def context(command: str) -> click.Context:
    group = get_command(application())
    above = click.Context(group, info_name="seqform")
    assert isinstance(group, click.Group)
    found = group.get_command(above, command)
    assert found is not None
    return click.Context(found, parent=above, info_name=command)


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        ("or raise max_nodes if it is meant", "or raise --max-nodes if it is meant"),
        ("raise max_nodes= if", "raise --max-nodes if"),
        ("a coarser abstraction (abstract=)", "a coarser abstraction (--abstract)"),
        ("use method='lcp'", "use --method lcp"),
        ("over while building: raise time_limit=", "over while building: raise --time-limit"),
        ("time_limit=30, or leave it out", "--time-limit 30, or leave it out"),
        ("the method exact values", "the method exact values"),
        ("'max_nodes' is an option", "'max_nodes' is an option"),
        ("cards=1 is too small", "cards=1 is too small"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "info", "show", "shrink"])
def test_arguments_are_said_as_options(command: str, message: str, typed: str) -> None:
    assert in_flags(message, context(command)) == typed


@pytest.mark.parametrize(
    ("number", "unit", "words"),
    [
        ("1", "games", "1 game"),
        ("-1", "chips", "-1 chip"),
        ("+1", "chips", "+1 chip"),
        ("0", "chips", "0 chips"),
        ("1, -1", "chips", "1, -1 chips"),
        ("11", "chips", "11 chips"),
        ("1", "utility", "1 utility"),
        ("1", "loss", "1 loss"),
    ],
)
def test_one_chip_is_no_chips(number: str, unit: str, words: str) -> None:
    assert amount(number, unit) == words


def test_refusals_may_be_what_an_experiment_asks_for(tmp_path) -> None:  # type: ignore[no-untyped-def]
    axes = {"game": "chicken,kuhn", "reduction": "equitable"}
    found: Finished = run_experiment("reductions", axes, out=tmp_path)
    assert [row["status"] for row in found.rows].count("refused") == 1
    assert len(found.without_result) == 1
    assert found.unfinished == ()
    assert "equitable" in REDUCTIONS.names()
