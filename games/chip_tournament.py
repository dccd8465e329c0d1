"""Tournaments: hands of a poker game between two players, until one has all the chips.

Players change seats after each hand, as the blinds of hold'em do. Who has all the chips at the end
wins 1. A hand in which both can bet all that the rules allow is one game, whatever the stacks are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from seqform.game.recursive import End, Leaf, Next

SWAPPED = (1, 0)


@dataclass(frozen=True)
class ChipTournament:
    """A tournament of two players.

    A stage is a hand; its key is the chips of seat 0, which acts first.

    Parameters
    ----------
    hand
        Returns the game of a hand, which pays chips, for the chips of seats 0 and 1, and the same
        object for hands that are alike.
    chips
        All that are on the table.
    first
        Those of the player in seat 0 of the first hand.
    """

    hand: Callable[[int, int], Any]
    chips: int
    first: int

    num_players = 2
    endless = (Fraction(1, 2), Fraction(1, 2))
    pays_chips = True
    unit = "tournaments"

    def start(self) -> int:
        """Return the chips of seat 0 in the first hand."""
        return self.first

    def keys(self) -> Iterator[int]:
        """Return all chips that seat 0 may have."""
        return iter(range(1, self.chips))

    def stage(self, key: int) -> Any:
        """Return the hand at these stacks."""
        return self.hand(key, self.chips - key)

    def leads_to(self, key: int, leaf: Leaf) -> Next | End:
        """Return the next hand, in which the players have changed seats, or who has won."""
        mine = key + int(leaf.payoffs[0])
        if mine in (0, self.chips):
            return End((int(mine > 0), int(mine == 0)))
        return Next(self.chips - mine, SWAPPED)

    def stage_label(self, key: int) -> str:
        """Write the stacks."""
        return f"{key} against {self.chips - key} chips"
