"""Refusals below the level of a whole game: handles of a builder, cells of a column, vectors of a
profile."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abstraction.color_refinement import refine_colors
from games.kuhn import kuhn
from games.random_games import random_game
from seqform import TreeBuilder, build_sequence_form, build_tree
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    InvalidStrategyError,
    NotForThisGameError,
    ResultFileError,
)
from seqform.concepts.nash import NASH
from seqform.form.profile import Profile
from seqform.game.deals import Deck
from seqform.game.public_tree import PublicTree
from seqform.game.rules import TERMINAL
from seqform.tree.tree import NODE_COLUMNS
from seqform.tree.validate import validate

MISUSE: dict[str, Callable[[TreeBuilder], Any]] = {
    "a node that is not there": lambda b: b.terminal(99, (0, 0)),
    "a node counted from the end": lambda b: b.terminal(-1, (0, 0)),
    "a reward for a node that is not there": lambda b: b.reward(99, (0, 0)),
    "a player that is a word": lambda b: b.decision(b.root, "me", "h", ["a"]),  # type: ignore[arg-type]
    "half a player": lambda b: b.decision(b.root, 0.5, "h", ["a"]),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", MISUSE)
def test_the_builder_refuses_misuse_at_once(name: str) -> None:
    with pytest.raises(InvalidGameError):
        MISUSE[name](TreeBuilder(2))


@pytest.mark.parametrize("pay_again", [TreeBuilder.reward, TreeBuilder.terminal])
def test_the_builder_loses_no_payoff(pay_again: Callable[..., None]) -> None:
    """A node that is told to pay twice pays both or is refused; docs/data-model.md says that
    payoffs add up along the path."""
    b = TreeBuilder(2)
    b.reward(b.root, (1, -1))
    try:
        pay_again(b, b.root, (3, -3))
    except InvalidGameError:
        return
    if pay_again is TreeBuilder.reward:
        b.terminal(*b.decision(b.root, 0, "h", ["on"]), (0, 0))
    assert build_sequence_form(b.freeze()).payoffs.weights.sum(axis=0).tolist() == [4, -4]


@pytest.mark.parametrize("column", ["label", "probability", "payoff", "infoset"])
@pytest.mark.parametrize("value", [-5, -2, 99])
def test_columns_hold_rows_of_their_table_or_the_null_value(column: str, value: int) -> None:
    """Null is -1 and nothing else (docs/data-model.md): numpy would take -2 for the last row but
    one."""
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


@pytest.mark.parametrize(
    "change",
    [lambda plan: plan[:-1], lambda plan: np.append(plan, 0.0), lambda plan: plan * np.nan],
)
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


def test_a_number_of_players_that_is_none_is_refused() -> None:
    game = TwoEnds()
    game.num_players = "two"
    with pytest.raises(InvalidGameError, match="num_players"):
        build_tree(game)


class Betting:
    """Players name numbers in turn, as long as they like; only where they are says who is next."""

    num_players, deck = 2, Deck(("a", "b"), (1, 1))

    def __init__(self, endless: int) -> None:
        self.endless = endless

    def root(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> list[str]:
        return ["on"]

    def child(self, state: int, action: object) -> int:
        return (state + 1) % self.endless

    recipient = outcome = stake = payoffs = player


@pytest.mark.parametrize(
    ("endless", "said"), [(4, "cyclic: [0-3] comes after itself"), (10**9, "smaller")]
)
def test_a_public_tree_without_end_is_refused(endless: int, said: str) -> None:
    with pytest.raises(GameTooLargeError, match=said):
        PublicTree(Betting(endless), 1000)


def test_profiles_of_a_quotient_are_not_read_from_files(tmp_path: Path) -> None:
    """They are saved in the game that it is of."""
    form = build_sequence_form(build_tree(kuhn()))
    smaller, _ = refine_colors(form)
    with pytest.raises(ResultFileError, match="neither a tree nor a game of signals"):
        NASH.load(smaller, tmp_path, {})


def test_a_sequence_form_is_certified_as_it_is() -> None:
    form = build_sequence_form(build_tree(kuhn()))
    assert NASH.prepare(form) is form


def test_the_first_state_that_comes_again_is_found() -> None:
    with pytest.raises(GameTooLargeError, match=r"within 3 public states.*cyclic: 0 comes after"):
        PublicTree(Betting(4), 3)
    with pytest.raises(GameTooLargeError, match="these are 4 nodes; use smaller parameters"):
        PublicTree(Betting(4), 2)


@pytest.mark.parametrize(
    ("last", "where"), [(0, "the first public state"), (2, "the public state after 'on-on'")]
)
def test_a_mistake_in_the_rules_is_placed(last: int, where: str) -> None:
    class Wrong(Betting):
        mistake: type[BaseException] = KeyError

        def actions(self, state: int) -> list[str]:
            if state == last:
                raise self.mistake
            return ["on"]

    with pytest.raises(InvalidGameError, match=f"the rules raised KeyError: , at {where}"):
        PublicTree(Wrong(9))
    Wrong.mistake = MemoryError
    with pytest.raises(MemoryError):
        PublicTree(Wrong(9))


@pytest.mark.parametrize("players", [2, 3])
def test_a_form_says_why_it_is_no_zero_sum_form(players: int) -> None:
    form = build_sequence_form(build_tree(random_game(players=players, zero_sum=players == 3)))
    why = {2: "add up to different amounts", 3: "for 2 players and the game has 3"}[players]
    with pytest.raises(NotForThisGameError, match=f"R10: this method is .*{why}"):
        form.zero_sum_operator()
