"""The catalogue of games: names, parameters, suggestions, known values that solvers confirm."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from games.kuhn import KUHN
from games.leduc import LEDUC
from seqform import GameTree, make, solve
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.number import Number
from seqform.game.catalogue import GAMES, GameEntry, KnownValue
from seqform.perfect_information import backward_induction
from seqform.tree.as_rules import TreeGame

HEAVY = {"numba", "scipy", "highspy", "clarabel", "cvxpy", "networkx", "igraph", "matplotlib"}


def is_cheap(entry: GameEntry, known: KnownValue) -> bool:
    """Seconds to minutes are left to the benchmarks."""
    parameters: Any = known.parameters
    if entry.name == "liars-dice":
        return parameters.get("sides", 6) != 6
    if entry.name == "leduc":
        return parameters.get("ranks", 0) < 10
    if entry.name == "mnk":  # alpha-beta solves these in test_perfect_games.py
        return parameters.get("rows") != 4
    # its own search solves it in tests/published/test_connect_four.py
    return entry.name != "connect-four"


CHEAP = [(entry, known) for entry in GAMES for known in entry.known if is_cheap(entry, known)]


@pytest.mark.parametrize(
    ("entry", "known"),
    CHEAP,
    ids=lambda item: getattr(item, "name", None) or str(getattr(item, "value", item)),
)
def test_known_values_are_what_the_solver_finds(entry: GameEntry, known: KnownValue) -> None:
    game = entry.make(**known.parameters)
    if getattr(game, "perfect_information", False):
        assert value_by_backward_induction(game) == known.value
        return
    is_large = entry.name == "rhode-island"
    solution = solve(game) if is_large else solve(game, exact=True)
    assert solution.lower <= known.value <= solution.upper
    assert solution.nash_gap < 1e-9
    if not is_large:
        assert solution.exact is not None
        assert solution.exact.value == known.value


def value_by_backward_induction(game: Any) -> Number:
    rules = TreeGame(game) if isinstance(game, GameTree) else game
    return backward_induction(rules).value[0]


@pytest.mark.parametrize("entry", list(GAMES), ids=lambda entry: entry.name)
def test_every_entry_makes_a_game_with_its_defaults(entry: GameEntry) -> None:
    players = 3 if entry.name.startswith("three-handed") else 2
    assert make(entry.name).num_players == players
    assert entry.summary


@pytest.mark.parametrize("name", GAMES.names())
def test_the_entry_point_has_the_name_of_its_entry(name: str) -> None:
    assert GAMES.get(name).name == name


def test_names_may_be_written_with_underscores() -> None:
    assert GAMES.get("liars_dice").name == "liars-dice"


def test_strings_become_the_types_of_the_factory() -> None:
    given = {"ranks": "4", "merge_suits": "yes"}
    assert LEDUC.parse(given) == {"ranks": 4, "merge_suits": True}


def test_unknown_names_come_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'leduc'"):
        make("ledoc")
    with pytest.raises(UnknownNameError, match="'sides'"):
        make("liars-dice", side=3)
    with pytest.raises(UnknownNameError, match="it has none"):
        make("matching-pennies", coins=3)


def test_wrong_values_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="int"):
        make("kuhn", cards="many")
    with pytest.raises(InvalidParameterError, match="2 or more"):
        make("goofspiel", cards=1)


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("leduc", {"ranks": 4.5}, r"ranks=4\.5 is no whole number"),
        ("leduc", {"ranks": True}, "ranks=True is no whole number"),
        ("leduc", {"ranks": None}, "ranks=None is no whole number"),
        ("leduc", {"merge_suits": 1}, "merge_suits=1 is neither true nor false"),
        ("random", {"chance": "often"}, "chance='often' is no number"),
        ("random", {"chance": [1]}, r"chance=\[1\] is no number"),
        ("nim", {"heaps": 3}, "heaps=3 is no text"),
    ],
)
def test_values_of_another_type(name: str, parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameterError, match=said):
        make(name, **parameters)


def test_numbers_of_other_libraries_become_pythons() -> None:
    assert [type(x) for x in LEDUC.parse({"ranks": np.int64(4)}).values()] == [int]
    assert GAMES.get("random").parse({"chance": Fraction(1, 2)}) == {"chance": 0.5}


def test_a_factory_without_a_default() -> None:
    def factory(size: int) -> None:
        return None

    with pytest.raises(InvalidParameterError, match="'mine' must give its parameter 'size'"):
        GameEntry("mine", "", factory).make()


def test_known_values_depend_on_the_parameters() -> None:
    assert KUHN.known_value({}) is KUHN.known[0]
    assert KUHN.known_value({"cards": 3}) is KUHN.known[1]
    assert KUHN.known_value({"cards": 4}) is None


def test_listing_the_games_loads_nothing_heavy() -> None:
    code = (
        "import sys; from seqform.game.catalogue import GAMES\n"
        "for entry in GAMES: entry.parameters\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & HEAVY
