"""A public state of no-limit betting."""

from __future__ import annotations

from typing import NamedTuple

from games.betting_edits import Edit

CHECK, FOLD, CALL = "check", "fold", "call"

PASSIVE = {CHECK, FOLD, CALL}

DEAL, FOLDED, SHOWN = "deal", "folded", "shown"
"""What is next where nobody acts."""


class Spot(NamedTuple):
    """A public state; amounts are in chips of the smallest kind.

    Parameters
    ----------
    street
        Streets played before this one.
    before
        What each player put in on earlier streets.
    put
        What each player has put in on this street.
    actor
        Who acts.
    step
        By how much the last bet or raise of this street went above the one before.
    bets
        Bets and raises of this street.
    aggressor
        Who made the last bet or raise of the street before; None if nobody did.
    next_is
        Empty where a player acts, else `DEAL`, `FOLDED` or `SHOWN`.
    edits
        Edits here and below, by the path from here.
    """

    street: int = 0
    before: int = 0
    put: tuple[int, int] = (0, 0)
    actor: int = 0
    step: int = 0
    bets: int = 0
    aggressor: int | None = None
    next_is: str = ""
    edits: tuple[Edit, ...] = ()

    @property
    def facing(self) -> int:
        """What the other player has put in on this street."""
        return self.put[1 - self.actor]

    @property
    def dealt(self) -> int:
        """Cards that were dealt face up on the way."""
        return self.street

    @property
    def matched(self) -> int:
        """What both players have put in, all streets together."""
        return self.before + min(self.put)
