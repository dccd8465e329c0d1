"""The registry: names, parameters, suggestions, and known values that solvers confirm."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry
from seqform import GameTree, solve
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.number import Number
from seqform.perfect_information import backward_induction
from seqform.tree.as_rules import TreeGame

CHEAP = [  # seconds to minutes are left to the benchmarks
    (entry, known)
    for entry in registry.ENTRIES
    for known in entry.known
    if not (entry.name == "liars-dice" and known.parameters.get("sides", 6) == 6)
    and not (entry.name == "leduc" and known.parameters.get("ranks", 0) >= 10)  # type: ignore[operator]
    and not (
        entry.name == "mnk" and known.parameters.get("rows") == 4
    )  # alpha-beta solves them in test_perfect_games.py
    and entry.name
    != "connect-four"  # its own search solves them in tests/published/test_connect_four.py
]


@pytest.mark.parametrize(
    ("entry", "known"),
    CHEAP,
    ids=lambda item: getattr(item, "name", None) or str(getattr(item, "value", item)),
)
def test_known_values_are_what_the_solver_finds(
    entry: registry.Entry, known: registry.KnownValue
) -> None:
    game = registry.make(entry.name, known.parameters)
    if getattr(game, "perfect_information", False):
        assert value_by_backward_induction(game) == known.value
        return
    solution = solve(game)
    assert solution.lower <= known.value <= solution.upper
    assert solution.nash_gap < 1e-9
    if entry.name != "rhode-island":
        found = solve(game, exact=True).exact
        assert found is not None
        assert found.value == known.value


def value_by_backward_induction(game: Any) -> Number:
    rules = TreeGame(game) if isinstance(game, GameTree) else game
    return backward_induction(rules).value[0]


@pytest.mark.parametrize("entry", registry.ENTRIES, ids=lambda entry: entry.name)
def test_every_entry_makes_a_game_with_its_defaults(entry: registry.Entry) -> None:
    assert registry.make(entry.name).num_players == 2
    assert entry.summary


def test_names_may_be_written_with_underscores() -> None:
    assert registry.entry("liars_dice").name == "liars-dice"


def test_strings_become_the_types_of_the_factory() -> None:
    given = {"ranks": "4", "merge_suits": "yes"}
    assert registry.parse(registry.entry("leduc"), given) == {"ranks": 4, "merge_suits": True}


def test_unknown_names_come_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'leduc'"):
        registry.make("ledoc")
    with pytest.raises(UnknownNameError, match="'sides'"):
        registry.make("liars-dice", {"side": 3})
    with pytest.raises(UnknownNameError, match="it has none"):
        registry.make("matching-pennies", {"coins": 3})


def test_wrong_values_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="int"):
        registry.make("kuhn", {"cards": "many"})
    with pytest.raises(InvalidParameterError, match="2 or more"):
        registry.make("goofspiel", {"cards": 1})


def test_known_values_depend_on_the_parameters() -> None:
    kuhn = registry.entry("kuhn")
    assert kuhn.known_value({}) is kuhn.known[0]
    assert kuhn.known_value({"cards": 3}) is kuhn.known[0]
    assert kuhn.known_value({"cards": 4}) is None
