"""What a game needs so that a person can play it: what is seen, what may be done, what it costs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isnan
from typing import Any, NamedTuple, Protocol

import numpy as np

from seqform.base.number import amount

ROUNDING = 1e-9
"""A smaller cost is not told."""


class Verdict(NamedTuple):
    """What an equilibrium says of a decision."""

    where: str
    """The situation, for people."""
    actions: tuple[Hashable, ...]
    probabilities: tuple[float, ...]
    """With which the equilibrium takes each action."""
    chosen: int
    """The place of what was done among the actions."""
    cost: float
    """What that gives up in expectation, against the best action; NaN if that is not known."""

    def text(self, unit: str) -> str:
        """Return the verdict as a line."""
        mixed = ", ".join(
            f"{action} {p:.0%}" for action, p in zip(self.actions, self.probabilities, strict=True)
        )
        known = (
            f"costs {amount(f'{self.cost:.3g}', unit)}" if self.cost > ROUNDING else "costs nothing"
        )
        cost = "what that costs was not proven in time" if isnan(self.cost) else known
        done = self.actions[self.chosen]
        return f"{self.where}, the other strategy plays {mixed}. You played {done}: {cost}."


class Table(Protocol):
    """A game at which somebody plays against an equilibrium; states are its own."""

    num_players: int
    unit: str

    def deal(self, rng: np.random.Generator) -> Any:
        """Return the state in which a hand begins."""

    def player(self, state: Any) -> int:
        """Return who moves; `CHANCE` or `TERMINAL` as in rules."""

    def actions(self, state: Any) -> Sequence[Hashable]:
        """Return what whoever moves may do."""

    def after(self, state: Any, place: int) -> Any:
        """Return the state after an action, given by its place."""

    def by_chance(self, state: Any, rng: np.random.Generator) -> Any:
        """Return the state after a move of chance."""

    def policy(self, state: Any) -> Sequence[float]:
        """Return the probability with which the equilibrium takes each action."""

    def news(self, before: Any, state: Any, seat: int) -> str:
        """Return what somebody in a seat learns when one state follows another; '' if nothing."""

    def view(self, state: Any, seat: int) -> str:
        """Return what somebody who has to decide sees; '' if the news said all."""

    def payoffs(self, state: Any) -> Sequence[float]:
        """Return what everybody gets in a state in which the game is over."""

    def reveal(self, state: Any) -> str:
        """Return what was hidden until the game was over; '' if nothing was."""

    def verdict(self, state: Any, place: int) -> Verdict:
        """Return what the equilibrium says of an action that was taken in a state."""
