"""What a search found, as a certificate: what is said of it, and what damaged records are."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pytest

from games.textbook import king_queen_jack
from seqform import TreeBuilder, build_sequence_form
from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.concepts.game_value import GAME_VALUE, RESULT
from seqform.concepts.line_of_play import finite, values_record
from seqform.game.rules import TERMINAL
from seqform.perfect_information import SearchResult
from seqform.tree.as_rules import TreeGame
from tests.spoiled_games import spoiled

WHOLE = SearchResult("mine", -1, -1, "check", ("check", "check"))
"""The solution of king, queen, jack, as a search that ended would find it."""

BLUFF = SearchResult("mine", -1, 1, "bet", ("bet", "fold"))
"""A line of play whose second action is none at the root."""

BROKEN_OFF = SearchResult(
    "mine", -2, Fraction(1, 2), "check", ("check",), Fraction(-1, 4), 3, message="(interrupted)"
)
"""What is known when the time is over."""


def over(paid: Any) -> Any:
    """Return a game that is over at once."""
    return spoiled(player=lambda s: TERMINAL, payoffs=lambda s: (paid, -paid))


OWN_WORD = "the bounds are the search's own"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (
            WHOLE,
            {
                "proven": "the value is in [-1, -1]",
                "best line of play": "check > check",
                "checked": "the line of play is legal and pays player 0 -1 chip, the value; "
                "that no other play is better is the search's own word",
            },
        ),
        (
            WHOLE._replace(lower=-2),
            {
                "proven": "the value is in [-2, -1]",
                "best line of play": "check > check",
                "checked": "the line of play is legal and pays player 0 -1 chip, within the "
                "bounds; that no other play is better is the search's own word",
            },
        ),
        (
            BROKEN_OFF,
            {
                "proven": "the value is in [-2, 1/2] (interrupted)",
                "estimate": "-0.25 to player 0, looking 3 moves deep",
                "best line of play": "check",
                "checked": f"the line of play is legal; {OWN_WORD}",
            },
        ),
        (
            SearchResult("mine"),
            {
                "proven": "the value is in [-infinity, +infinity]",
                "best line of play": "(none known)",
                "checked": f"nothing: there is no line of play; {OWN_WORD}",
            },
        ),
    ],
)
def test_what_is_said_of_a_search(found: SearchResult, expected: dict[str, str]) -> None:
    assert dict(GAME_VALUE.certify(king_queen_jack(), found).rows("chips")) == expected


def test_a_game_that_is_over_has_a_line_without_moves() -> None:
    certificate = GAME_VALUE.certify(over(3), SearchResult("mine", 3, 3))
    assert "legal and pays player 0 3 chips" in dict(certificate.rows("chips"))["checked"]
    assert certificate.record()["checked"] == "the line of play, to its end"


@pytest.mark.parametrize("found", [WHOLE, BLUFF, BROKEN_OFF, SearchResult("mine")])
def test_a_record_says_all_that_is_loaded_again(found: SearchResult, tmp_path: Path) -> None:
    game = king_queen_jack()
    record = GAME_VALUE.certify(game, found).record()
    (tmp_path / RESULT).write_text(json.dumps(record | {"method": "mine"}))
    loaded = GAME_VALUE.load(game, tmp_path)
    assert loaded == found
    assert GAME_VALUE.certify(game, loaded).record() == record
    assert isnan(loaded.value) == (found is not WHOLE)


@pytest.mark.parametrize(
    ("lower", "upper", "paid", "agrees"),
    [
        (Fraction(10**12 + 1, 10**12), 2, 1, False),  # exact numbers are compared exactly
        (0, Fraction(10**12 - 1, 10**12), 1, False),
        (1 + 1e-12, 2, 1, True),
        (0, 1 - 1e-12, 1, True),
        (1e-9, 1, 0.0, True),  # a billionth of 1 at least
        (-1, -1e-9, 0.0, True),
        (2e-9, 1, 0.0, False),
        (-1, -2e-9, 0.0, False),
        (-1e6 + 5e-4, 0, -1e6, True),  # and of what is paid
        (-1e6 + 2e-3, 0, -1e6, False),
        (0, 1e6 - 5e-4, 1e6, True),
        (0, 1e6 - 2e-3, 1e6, False),
    ],
)
def test_only_rounding_may_lie_between_bounds_and_what_is_paid(
    lower: Any, upper: Any, paid: Any, agrees: bool
) -> None:
    game, found = over(paid), SearchResult("mine", lower, upper)
    if agrees:
        assert GAME_VALUE.certify(game, found).paid == paid
    else:
        with pytest.raises(InvalidStrategyError, match="the search claims a value in"):
            GAME_VALUE.certify(game, found)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bounds": None},
        {"bounds": "12"},
        {"bounds": ["1"]},
        {"bounds": ["1", "x"]},
        {"bounds": ["1", 1]},
        {"bounds": ["1", "1/0"]},
        {"bounds": ["1", "0x1p99999"]},
        {"principal_variation": None},
        {"principal_variation": "check"},
        {"principal_variation": {"check": 1}},
        {"principal_variation": [1]},
        {"principal_variation": ["check", "fold"]},
        {"message": 3},
        {"depth": 0.5},
        {"depth": True},
        {"estimate": "1"},
        {"estimate": [1]},
        {"estimate": 10**400},
    ],
    ids=lambda wrong: str(wrong)[:50],
)
def test_damaged_records_are_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    game = king_queen_jack()
    record = GAME_VALUE.certify(game, BROKEN_OFF).record()
    with pytest.raises(ResultFileError, match=RESULT):
        GAME_VALUE.load(game, tmp_path, record | wrong)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: None, "cannot be read"),
        (lambda path: path.mkdir(), "cannot be read"),
        (lambda path: path.write_bytes(b"\xff"), "cannot be read"),
        (lambda path: path.write_text("{"), "cannot be read"),
        (lambda path: path.write_text("[" * 100_000), "cannot be read"),
        (lambda path: path.write_text("[]"), "holds no record"),
    ],
)
def test_files_that_hold_no_record_are_refused(
    spoil: Callable[[Path], Any], reason: str, tmp_path: Path
) -> None:
    spoil(tmp_path / RESULT)
    with pytest.raises(ResultFileError, match=reason):
        GAME_VALUE.load(king_queen_jack(), tmp_path)


def test_bounds_may_be_beyond_floats() -> None:
    claimed = {"bounds": [str(-(10**400)), str(10**400)], "principal_variation": []}
    loaded = GAME_VALUE.load(king_queen_jack(), Path("nowhere"), claimed)
    assert (loaded.lower, loaded.upper) == (-(10**400), 10**400)
    certificate = GAME_VALUE.certify(king_queen_jack(), loaded)
    assert certificate.gap == inf
    assert (certificate.record()["lower"], certificate.record()["upper"]) == (None, None)


def test_bounds_that_are_not_known_are_infinite() -> None:
    record = GAME_VALUE.certify(king_queen_jack(), SearchResult("mine")).record()
    assert (record["bounds"], record["lower"], record["upper"]) == ([None, None], None, None)
    loaded = GAME_VALUE.load(king_queen_jack(), Path("nowhere"), record)
    assert (loaded.lower, loaded.upper) == (-inf, inf)


def test_a_search_proves_bounds_by_its_own_word() -> None:
    certificate = GAME_VALUE.certify(king_queen_jack(), WHOLE)
    assert not certificate.is_proof
    assert certificate.is_constant_sum
    assert (certificate.gap, type(certificate.gap)) == (0, float)


def test_an_estimate_may_be_written_as_an_integer() -> None:
    record = GAME_VALUE.certify(king_queen_jack(), BROKEN_OFF).record()
    loaded = GAME_VALUE.load(king_queen_jack(), Path("nowhere"), record | {"estimate": 2})
    assert loaded.estimate == 2


@pytest.mark.parametrize("prepare", [build_sequence_form, TreeGame, lambda tree: tree])
def test_lines_of_play_are_checked_on_every_form_of_a_game(prepare: Callable[[Any], Any]) -> None:
    game = prepare(king_queen_jack())
    assert GAME_VALUE.certify(game, WHOLE).paid == -1
    with pytest.raises(InvalidStrategyError, match="move 2 of the line of play is 'call', where"):
        GAME_VALUE.certify(game, WHOLE._replace(principal_variation=("check", "call")))
    with pytest.raises(InvalidStrategyError, match="float is not an answer of a search"):
        GAME_VALUE.certify(game, -1.0)  # type: ignore[arg-type]


def test_what_is_paid_on_the_way_counts() -> None:
    b = TreeBuilder(2)
    [node] = b.decision(b.root, 0, "h", ["on"])
    b.reward(node, (5, -5))
    [leaf] = b.decision(node, 1, "k", ["end"])
    b.terminal(leaf, (-2, 2))
    found = SearchResult("mine", 3, 3, "on", ("on", "end"))
    assert GAME_VALUE.certify(b.freeze(), found).paid == 3


def test_values_are_exact_together_and_finite_in_floats() -> None:
    assert values_record((1, -1), True)["exact_values"] == ["1", "-1"]
    assert values_record((1, -1.0), True)["exact_values"] is None
    largest = sys.float_info.max
    assert [finite(value) for value in (largest, -largest)] == [largest, -largest]
    assert [finite(value) for value in (inf, -inf, nan, int(largest) + 1)] == [None] * 4
