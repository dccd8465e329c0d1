"""Sheriff: a smuggler bargains with the sheriff about a bribe; not zero-sum.

References
----------
Farina, Ling, Fang & Sandholm, "Correlation in extensive-form games: saddle-point formulation and
benchmarks", NeurIPS 2019. The rules are those of OpenSpiel's ``sheriff``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

from games.parameters import require
from seqform.game.catalogue import GameEntry
from seqform.game.rules import TERMINAL

MAX_CHOICES = 10_000
"""Items and bribes that there are to choose from; all of them are written down at once."""


class Talks(NamedTuple):
    """What was done so far."""

    items: int = -1
    """Loaded by the smuggler; -1 before."""
    bribes: tuple[int, ...] = ()
    """Offered, one each round."""
    answers: tuple[bool, ...] = ()
    """Whether the sheriff wanted to inspect, one each round."""


@dataclass(frozen=True)
class Sheriff:
    """The smuggler, player 0, loads illegal items in secret. Then there are rounds of bargaining.

    In each round the smuggler offers a bribe, and the sheriff says whether the cargo would be
    inspected. Only the last round counts. If the cargo passes, its value goes to the smuggler, and
    the bribe from the smuggler to the sheriff. If it is inspected, the smuggler pays a fine for
    each item; without any items the sheriff pays the smuggler.
    """

    items: int
    bribes: int
    rounds: int
    value: int
    fine: int
    compensation: int
    num_players: int = 2
    unit: str = "coins"

    def root(self) -> Talks:
        """Return the state before anything is loaded."""
        return Talks()

    def player(self, state: Talks) -> int:
        """Return who moves."""
        if len(state.answers) == self.rounds:
            return TERMINAL
        return 1 if len(state.bribes) > len(state.answers) else 0

    def chance(self, state: Talks) -> tuple[tuple[Hashable, int], ...]:
        """There is no chance in this game."""
        return ()

    def actions(self, state: Talks) -> tuple[str, ...]:
        """Return items to load, bribes to offer, or the sheriff's answers."""
        if self.player(state) == 1:
            return "pass", "inspect"
        if state.items < 0:
            return tuple(f"load {items}" for items in range(self.items + 1))
        return tuple(f"offer {bribe}" for bribe in range(self.bribes + 1))

    def child(self, state: Talks, action: str) -> Talks:
        """Return the state after a move."""
        word, _, number = action.partition(" ")
        if word == "load":
            return state._replace(items=int(number))
        if word == "offer":
            return state._replace(bribes=(*state.bribes, int(number)))
        return state._replace(answers=(*state.answers, action == "inspect"))

    def infoset(self, state: Talks) -> Hashable:
        """Return all that was said, and for the smuggler the items."""
        talk = "".join(
            f"/{bribe}{'' if answer is None else '!' if answer else '.'}"
            for bribe, answer in zip(
                state.bribes, (*state.answers, *[None] * self.rounds), strict=False
            )
        )
        if self.player(state) == 1:
            return f"sheriff:{talk}"
        return f"smuggler: {state.items}{talk}" if state.items >= 0 else "smuggler"

    def payoffs(self, state: Talks) -> tuple[int, int]:
        """Return what the last round leads to."""
        if state.answers[-1]:
            paid = state.items * self.fine if state.items else -self.compensation
            return -paid, paid
        bribe = state.bribes[-1]
        return state.items * self.value - bribe, bribe


def sheriff(
    items: int = 3,
    bribes: int = 3,
    rounds: int = 2,
    value: int = 5,
    fine: int = 1,
    compensation: int = 1,
) -> Sheriff:
    """Return the game with up to `items` items and bribes up to `bribes`, in `rounds` rounds.

    Parameters
    ----------
    items
        The most that the smuggler can load.
    bribes
        The highest bribe.
    rounds
        Of bargaining.
    value
        What an item is worth to the smuggler.
    fine
        What each item costs that is found.
    compensation
        What the sheriff pays for a search in vain.
    """
    require("items", items, 0, MAX_CHOICES)
    require("bribes", bribes, 0, MAX_CHOICES)
    require("rounds", rounds, 1)
    for name, amount in (("value", value), ("fine", fine), ("compensation", compensation)):
        require(name, amount, 0)
    return Sheriff(items, bribes, rounds, value, fine, compensation)


SHERIFF = GameEntry("sheriff", "A smuggler bribes a sheriff; not zero-sum", sheriff)
