"""Tournaments: hands of a poker game between two players, until one has all the chips.

Players change seats after each hand, as the blinds of hold'em do. Who has all the chips at the end
wins 1; if nobody ever has, each wins half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.parameters import require
from seqform.base.errors import InvalidGameError, InvalidParameterError
from seqform.base.number import Number, plain
from seqform.game.recursive import End, Leaf, Next

SWAPPED = (1, 0)

Won = Callable[[int, int, Leaf], Number]
"""What seat 0 wins of the other's chips at a leaf, from the chips of seats 0 and 1."""


def as_paid(mine: int, theirs: int, leaf: Leaf) -> Number:
    """Return what the hand pays seat 0, whatever the stacks are."""
    return leaf.payoffs[0]


def won_by(mine: Number, chips: int) -> End | None:
    """Return how a tournament ends if a seat has `mine` of all chips; None if it goes on.

    Examples
    --------
    >>> won_by(8, 8), won_by(3, 8)
    (End(payoffs=(1, 0)), None)
    """
    return End((int(mine > 0), int(mine == 0))) if mine in (0, chips) else None


@dataclass(frozen=True)
class ChipTournament:
    """A tournament of two players.

    A stage is a hand; its key is the chips of seat 0, which acts first. Any game for two players
    that pays chips can be the hand. One of your own needs a function of the chips of both seats
    that returns it; nobody may win more there than the other has::

        ChipTournament(lambda mine, theirs: MyGame(stack=min(mine, theirs)), chips=10, first=5)

    Hands that are alike should be one object, as what is made of a hand is then made once: keep
    them in a dictionary, or decorate the function with `functools.cache`.

    Parameters
    ----------
    hand
        Returns the game of a hand, for the chips of seats 0 and 1.
    chips
        All that are on the table.
    first
        Those of the player in seat 0 of the first hand.
    won
        What seat 0 wins at a leaf. By default what the hand pays there. Hands that differ in
        nothing but what is at stake can so be one object.
    unit_of_chips
        What all bets and stacks are multiples of.
    """

    hand: Callable[[int, int], Any]
    chips: int
    first: int
    won: Won = as_paid
    unit_of_chips: int = 1

    num_players = 2
    endless = (Fraction(1, 2), Fraction(1, 2))
    pays_chips = True
    unit = "tournaments"

    def start(self) -> int:
        """Return the chips of seat 0 in the first hand."""
        return self.first

    def keys(self) -> Iterator[int]:
        """Return all chips that seat 0 may have."""
        return iter(range(self.unit_of_chips, self.chips, self.unit_of_chips))

    def stage(self, key: int) -> Any:
        """Return the hand at these stacks."""
        return self.hand(key, self.chips - key)

    def leads_to(self, key: int, leaf: Leaf) -> Next | End:
        """Return the next hand, in which the players have changed seats, or who has won.

        Raises
        ------
        InvalidGameError
            If more is won than the other player has, or no whole number of chips.
        """
        mine = key + self.won(key, self.chips - key, leaf)
        if not 0 <= mine <= self.chips or mine % self.unit_of_chips:
            raise InvalidGameError(
                f"stage {plain(key)}, leaf {plain(leaf.at)}: seat 0 wins {mine - key} chips of "
                f"{self.chips - key}, with {key} of its own; what is won has to be a multiple of "
                f"{self.unit_of_chips}, and nobody wins more than the other has"
            )
        return won_by(mine, self.chips) or Next(int(self.chips - mine), SWAPPED)

    def stage_label(self, key: int) -> str:
        """Write the stacks."""
        return f"{key} against {self.chips - key} chips"


MOST_CHIPS = 10**9
"""On a table, in any unit."""


def stacks(chips: int, first: int, unit: int = 1) -> int:
    """Return the chips of the player who acts first, for parameters that users give.

    Parameters
    ----------
    chips
        All that are on the table.
    first
        Those of the player who acts first; 0 for half of all, rounded down to a multiple.
    unit
        What stacks are multiples of.

    Raises
    ------
    InvalidParameterError
        If there are no such stacks.
    """
    require("unit", unit, 1, MOST_CHIPS)
    require("chips", chips, 2 * unit, MOST_CHIPS)
    if chips % unit or first % unit:
        raise InvalidParameterError(
            f"chips={chips} and first={first} have to be multiples of unit={unit}"
        )
    if first:
        require("first", first, unit, chips - unit)
    return first or chips // (2 * unit) * unit
