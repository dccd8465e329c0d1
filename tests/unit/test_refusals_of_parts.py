"""Refusals below the level of a whole game: handles of a builder, cells of a column, vectors of a profile."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.random_games import random_game
from seqform import TreeBuilder, build_sequence_form, build_tree, expand
from seqform.errors import InvalidGameError, InvalidStrategyError
from seqform.protocol import TERMINAL
from seqform.strategy import Profile
from seqform.tree import NODE_COLUMNS
from seqform.validate import validate

MISUSE: dict[str, Callable[[TreeBuilder], Any]] = {
    "a node that is not there": lambda b: b.terminal(99, (0, 0)),
    "a node counted from the end": lambda b: b.terminal(-1, (0, 0)),
    "a reward for a node that is not there": lambda b: b.reward(99, (0, 0)),
    "a player that is a word": lambda b: b.decision(b.root, "me", "h", ["a"]),  # type: ignore[arg-type]
    "half a player": lambda b: b.decision(b.root, 0.5, "h", ["a"]),  # type: ignore[arg-type]
    "a key that cannot be hashed": lambda b: b.decision(b.root, 0, ["h"], ["a"]),  # type: ignore[arg-type]
    "a label that cannot be hashed": lambda b: b.decision(b.root, 0, "h", [["a"]]),  # type: ignore[list-item]
    "a second reward": lambda b: (b.reward(b.root, (1, -1)), b.reward(b.root, (2, -2))),
    "a reward and then the end": lambda b: (b.reward(b.root, (1, -1)), b.terminal(b.root, (2, -2))),
}


@pytest.mark.parametrize("name", MISUSE)
def test_the_builder_refuses_misuse_at_once(name: str) -> None:
    with pytest.raises(InvalidGameError):
        MISUSE[name](TreeBuilder(2))


@pytest.mark.parametrize("column", ["label", "probability", "payoff", "infoset"])
@pytest.mark.parametrize("value", [-5, -2, 99])
def test_columns_hold_rows_of_their_table_or_the_null_value(column: str, value: int) -> None:
    """Null is -1 and nothing else (docs/data-model.md): numpy would take -2 for the last row but one."""
    tree = random_game(1, depth=3, rewards=True)
    assert column in NODE_COLUMNS
    for node in range(tree.num_nodes):
        changed = getattr(tree, column).copy()
        changed[node] = value
        with pytest.raises(InvalidGameError):
            validate(dataclasses.replace(tree, **{column: changed}))


@pytest.mark.parametrize(("column", "value"), [("first_child", 2), ("num_children", -3)])
def test_a_terminal_has_no_children_in_any_column(column: str, value: int) -> None:
    tree = random_game(1, depth=3)
    for node in np.flatnonzero(tree.player == TERMINAL).tolist():
        changed = getattr(tree, column).copy()
        changed[node] = value
        with pytest.raises(InvalidGameError):
            validate(dataclasses.replace(tree, **{column: changed}))


@pytest.mark.parametrize("change", [lambda plan: plan[:-1], lambda plan: np.append(plan, 0.0), lambda plan: plan * np.nan])
def test_plans_that_are_none_are_refused(change: Callable[[Any], Any]) -> None:
    form = build_sequence_form(build_tree(kuhn()))
    one, two = Profile.uniform(form.treeplexes).plans
    with pytest.raises(InvalidStrategyError):
        Profile.from_plans(form.treeplexes, [change(one), two])


def test_plans_for_another_number_of_players_are_refused() -> None:
    form = build_sequence_form(build_tree(kuhn()))
    with pytest.raises(InvalidStrategyError):
        Profile.from_plans(form.treeplexes, Profile.uniform(form.treeplexes).plans[:1])


class TwoEnds:
    """Player 0 chooses; the second end pays in truth values."""

    num_players: Any = 2

    def root(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return TERMINAL if state else 0

    def actions(self, state: str) -> tuple[str, str]:
        return ("a", "b")

    def chance(self, state: str) -> tuple[()]:
        return ()

    def child(self, state: str, action: Any) -> str:
        return str(action)

    def infoset(self, state: str) -> str:
        return "h"

    def payoffs(self, state: str) -> Any:
        return (1, 0) if state == "a" else (True, False)


def test_truth_values_are_refused_even_where_equal_numbers_were_paid_before() -> None:
    with pytest.raises(InvalidGameError, match="not a number"):
        expand(TwoEnds())


def test_a_number_of_players_that_is_none_is_refused() -> None:
    game = TwoEnds()
    game.num_players = "two"
    with pytest.raises(InvalidGameError, match="num_players"):
        build_tree(game)
