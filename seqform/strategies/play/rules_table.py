"""A game of perfect information as a table: against backward induction, or a search in time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import cached_property
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np

from seqform.base.errors import GameTooLargeError
from seqform.base.summary import counted
from seqform.game.below import Below
from seqform.game.rules import CHANCE, Game
from seqform.perfect_information.game_methods import game_methods, solve_by
from seqform.perfect_information.game_tree_search import alpha_beta
from seqform.perfect_information.induction import Induction, backward_induction
from seqform.strategies.play.table import Verdict

MAX_STATES = 30_000
"""States of a game that is solved from its end before it begins; about a second."""

THINK = 2.0
"""Seconds of search for a position in larger games."""


class Bounds(NamedTuple):
    """What is proven of the worth of a move to whoever makes it."""

    lower: float
    upper: float

    @property
    def is_known(self) -> bool:
        """Whether the worth is proven."""
        return self.lower == self.upper


class RulesTable:
    """A table of a game of perfect information; states are pairs of a state and what was paid.

    Parameters
    ----------
    game
        The rules.
    think
        Seconds to search a position in a game too large for backward induction.

    Raises
    ------
    UnsupportedGameError
        If information is hidden.
    """

    def __init__(self, game: Game, think: float = THINK) -> None:
        self.game, self.think = game, think
        self.num_players, self.unit = game.num_players, str(getattr(game, "unit", "units"))
        self._known: dict[Any, list[Bounds]] = {}
        self._induction: Induction | None = None
        with suppress(GameTooLargeError):
            self._induction = backward_induction(game, max_nodes=MAX_STATES)

    def deal(self, rng: np.random.Generator) -> tuple[Any, tuple[float, ...]]:
        """Return the root, and what it pays."""
        return self._arrive(self.game.root(), (0.0,) * self.num_players)

    def player(self, state: Any) -> int:
        """Return who moves."""
        return int(self.game.player(state[0]))

    def actions(self, state: Any) -> tuple[Hashable, ...]:
        """Return the actions of the rules."""
        return tuple(self.game.actions(state[0]))

    def after(self, state: Any, place: int) -> Any:
        """Return the state after an action."""
        return self._arrive(self.game.child(state[0], self.actions(state)[place]), state[1])

    def by_chance(self, state: Any, rng: np.random.Generator) -> Any:
        """Return the state after an outcome, drawn by its probability."""
        outcomes = self.game.chance(state[0])
        weights = np.array([float(p) for _, p in outcomes])
        place = int(rng.choice(len(outcomes), p=weights / weights.sum()))
        return self._arrive(self.game.child(state[0], outcomes[place][0]), state[1])

    def policy(self, state: Any) -> list[float]:
        """Return equal probabilities for the moves that are best as far as is known."""
        found = self._bounds(state[0])
        grades = [_grade(bounds) for bounds in found]
        best = [grade == max(grades) for grade in grades]
        return [is_best / sum(best) for is_best in best]

    def news(self, before: Any, state: Any, seat: int) -> str:
        """Say what others or chance did."""
        mover = self.player(before)
        if mover == seat:
            return ""
        labels = (
            [label for label, _ in self.game.chance(before[0])]
            if mover == CHANCE
            else self.game.actions(before[0])
        )
        done = next(a for a in labels if self.game.child(before[0], a) == state[0])
        return f"Chance: {done}." if mover == CHANCE else f"Player {mover}: {done}."

    def view(self, state: Any, seat: int) -> str:
        """Return the board, if the game draws one."""
        return self._board(state)

    def payoffs(self, state: Any) -> tuple[float, ...]:
        """Return what was paid on the way, and at the end."""
        return state[1]  # type: ignore[no-any-return]

    def reveal(self, state: Any) -> str:
        """Return the last position."""
        return self._board(state)

    def verdict(self, state: Any, place: int) -> Verdict:
        """Return the best moves, and what another one gives up; NaN where that is not proven."""
        found, actions = self._bounds(state[0]), self.actions(state)
        best = max(bounds.lower for bounds in found)
        is_best = all(bounds.upper <= best for bounds in found)
        known = is_best and found[place].is_known
        cost = best - found[place].lower if known else nan
        where = f"with {counted(len(actions), 'move')} to choose from"
        return Verdict(where, actions, tuple(self.policy(state)), place, cost)

    def _board(self, state: Any) -> str:
        draw = getattr(self.game, "draw", None)
        return str(draw(state[0])) if draw else ""

    def _arrive(self, state: Any, paid: Sequence[float]) -> tuple[Any, tuple[float, ...]]:
        """Return a state with what was paid up to it, and there."""
        over = self.game.player(state) < CHANCE
        rewards = getattr(self.game, "rewards", None)
        here = self.game.payoffs(state) if over else rewards(state) if rewards else None
        if here is None:
            return state, tuple(paid)
        return state, tuple(float(before + now) for before, now in zip(paid, here, strict=True))

    def _bounds(self, state: Any) -> list[Bounds]:
        """Return what is proven of each move's worth to whoever moves."""
        if state not in self._known:
            mover, actions = self.game.player(state), self.game.actions(state)
            children = [self.game.child(state, action) for action in actions]
            self._known[state] = [
                self._bounds_of(child, mover, self.think / len(children)) for child in children
            ]
        return self._known[state]

    def _bounds_of(self, state: Any, mover: int, seconds: float) -> Bounds:
        """Return what is proven of a position's worth to a player."""
        if self._induction is not None:
            value = float(self._induction.values_of(state)[mover])
            return Bounds(value, value)
        if self.game.player(state) < CHANCE:
            value = float(self.game.payoffs(state)[mover])
            return Bounds(value, value)
        below = Below(self.game, state)
        if self._own is not None:
            found = solve_by(below, self._own, time_limit=seconds)
        else:
            found = alpha_beta(below, time_limit=seconds)
        lower, upper = float(found.lower), float(found.upper)
        return Bounds(lower, upper) if mover == 0 else Bounds(-upper, -lower)

    @cached_property
    def _own(self) -> str | None:
        """The game's own method, which is faster than any for all games."""
        return next(iter(game_methods(self.game)), None)


def _grade(bounds: Bounds) -> tuple[float, bool]:
    """Return how good a move seems: the middle of what is proven; then whether all of it is."""
    if bounds.is_known:
        return bounds.lower, True
    if bounds.lower == -inf or bounds.upper == inf:
        one_sided = bounds.lower if bounds.lower > -inf else bounds.upper
        return (0.0 if abs(one_sided) == inf else one_sided / 2), False
    return (bounds.lower + bounds.upper) / 2, False
