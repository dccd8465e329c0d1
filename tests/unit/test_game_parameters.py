"""Parameters that no game has are refused by name, before anything is built."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from seqform import make
from seqform.base.errors import InvalidParameterError

TOO_SMALL = [
    ("kuhn", {"cards": 1}, "cards=1"),
    ("leduc", {"ranks": -1}, "ranks=-1"),
    ("leduc", {"suits": 0}, "suits=0"),
    ("leduc", {"ranks": 2, "suits": 1}, r"ranks \* suits=2"),
    ("leduc", {"max_bets": -1}, "max_bets=-1"),
    ("liars-dice", {"dice": 0}, "dice=0"),
    ("liars-dice", {"sides": 1}, "sides=1"),
    ("goofspiel", {"cards": 1}, "cards=1"),
    ("random", {"players": 0}, "players=0"),
    ("random", {"depth": -1}, "depth=-1"),
    ("random", {"branching": 0}, "branching=0"),
    ("random", {"max_payoff": -1}, "max_payoff=-1"),
]


TOO_LARGE = [
    ("kuhn", {"cards": 10**20}, "cards=1"),
    ("leduc", {"ranks": 10**9, "suits": 10**9}, r"ranks \* suits=1"),
    ("rhode-island", {"suits": 10**9}, r"ranks \* suits=13"),
    ("goofspiel", {"cards": 10**9}, "cards=1000000000"),
    ("liars-dice", {"dice": 10**9}, "dice=1"),
    ("liars-dice", {"dice": 50, "sides": 50}, "rolls of one player"),
    ("nim", {"heaps": "1000000000"}, "objects in all heaps=1000000000"),
    ("mnk", {"rows": 10**9}, "rows=1"),
    ("mnk", {"in_a_row": 10**9}, "in_a_row=1"),
    ("connect-four", {"columns": 10**9}, "columns=1"),
    ("connect-four", {"connect": 10**9}, "connect=1"),
    ("random", {"branching": 10**9}, "branching=1"),
    ("ultimatum", {"coins": 10**12}, "coins=1"),
]


@pytest.mark.parametrize(("name", "parameters", "word"), TOO_SMALL + TOO_LARGE)
def test_a_parameter_out_of_bounds_is_named(
    name: str, parameters: dict[str, Any], word: str
) -> None:
    with pytest.raises(InvalidParameterError, match=word):
        make(name, **parameters)


@pytest.mark.parametrize("value", [True, Decimal("0.5"), None, "half", 1j])
def test_a_parameter_that_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"chance=.* is no number \(type float\)"):
        make("random", chance=value)


@pytest.mark.parametrize("value", ["maybe", "", 1, None])
def test_a_parameter_that_is_no_truth_value_is_refused(value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"merge_suits=.* is neither true nor false"):
        make("leduc", merge_suits=value)
