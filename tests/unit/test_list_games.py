"""`seqform games` and `seqform games NAME` fit a terminal, and tell what the catalogue knows."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import seqform
from seqform.base.errors import UnknownNameError
from seqform.cli import app
from seqform.game.catalogue import described, explained


def printed(*arguments: str, columns: int = 80) -> str:
    """Return what `seqform games` prints in a terminal of so many columns."""
    done = CliRunner().invoke(app, ["games", *arguments], env={"COLUMNS": str(columns)})
    if done.exception:
        raise done.exception
    return done.stdout


@pytest.mark.parametrize("columns", [80, 60])
def test_the_list_fits_and_breaks_no_word(columns: int) -> None:
    text = printed(columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    for entry in seqform.GAMES:
        assert entry.name in text
        assert set(entry.summary.split()) <= set(text.split())
        assert {f"{name}=" for name in entry.parameters} <= {
            word.partition("=")[0] + "=" for word in text.split()
        }


@pytest.mark.parametrize("name", ["kuhn", "connect-four", "random", "chicken"])
def test_one_game_fits(name: str) -> None:
    text = printed(name)
    entry = seqform.GAMES.get(name)
    assert max(map(len, text.splitlines())) <= 80
    assert "sizes with the default parameters" in text
    assert ("parameters" in text.splitlines()) == bool(entry.parameters)
    for known in entry.known:
        assert set(known.source.split()) <= set(text.split())


def test_what_parameters_mean_and_how_large_the_game_is() -> None:
    record = json.loads(printed("kuhn", "--json"))
    assert record["known_values"][0]["value"] == "-1/18"
    assert record["sizes"] == seqform.describe(seqform.make("kuhn"))
    assert record["meanings"]["cards"].startswith("Ranks, one card of each")
    assert record["about"].startswith("Kuhn poker; ante 1, one bet of 1.")


def test_trees_too_large_to_build_here() -> None:
    assert json.loads(printed("tic-tac-toe", "--json"))["sizes"]["nodes"] == 549_946
    assert "549,946" in printed("tic-tac-toe")
    assert 18 < json.loads(printed("connect-four", "--json"))["sizes"]["log10_nodes"] < 40
    assert "nodes by batches" in printed("connect-four")


def test_there_is_no_such_game() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean 'kuhn'"):
        printed("khun")


def documented() -> None:
    """Return a ``thing``.

    It has
    two lines.

    Parameters
    ----------
    first, second
        Of both,
        shared.
    third
        Alone.

    Raises
    ------
    ValueError
        Never.
    """


def bare() -> None:
    pass


def test_docstrings_are_read() -> None:
    assert described(documented) == "A `thing`.\nIt has two lines."
    both = "Of both, shared."
    assert explained(documented) == {"first": both, "second": both, "third": "Alone."}
    assert (described(bare), explained(bare)) == ("", {})
