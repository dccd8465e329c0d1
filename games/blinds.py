"""Blinds of tournaments of push or fold: which hand is played at which stacks, and for what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.chip_tournament import ChipTournament, stacks
from games.parameters import require
from games.push_fold_stages import BIG_FOLDS, LIMP_FOLDS, LOSS, SMALL_FOLDS, WIN, HandPairs
from seqform.base.errors import InvalidParameterError
from seqform.game.recursive import Leaf

if TYPE_CHECKING:
    from seqform.recursive.stage_form import StageForm


@dataclass(frozen=True)
class Blinds:
    """What a tournament of push or fold is played for.

    Parameters
    ----------
    small, big
        Chips.
    unit
        What they are multiples of, as stacks are.

    Raises
    ------
    InvalidParameterError
        If the blinds are not multiples of the unit, or the small one is above the big one.
    """

    small: int
    big: int
    unit: int = 1

    def __post_init__(self) -> None:
        require("unit", self.unit, 1)
        require("small_blind", self.small, 0)
        require("big_blind", self.big, max(1, self.small))
        if self.small % self.unit or self.big % self.unit:
            raise InvalidParameterError(
                f"small_blind={self.small} and big_blind={self.big} have to be multiples of "
                f"unit={self.unit}"
            )

    def tournament(self, hands: HandPairs, chips: int, first: int) -> ChipTournament:
        """Return the tournament of some hands."""

        def hand(mine: int, theirs: int) -> StageForm:
            return self.hand(hands, min(mine, theirs))

        return ChipTournament(hand, chips, stacks(chips, first, self.unit), self.won, self.unit)

    def hand(self, hands: HandPairs, effective: int, limps: bool = False) -> StageForm:
        """Return the hand for an effective stack.

        Parameters
        ----------
        limps
            Whether the small blind may limp.
        """
        if effective <= self.small:
            return hands.shown
        if effective <= self.big:
            return hands.unanswered
        return hands.limped if limps else hands.answered

    def won(self, mine: int, theirs: int, leaf: Leaf) -> int:
        """Return what the small blind wins, from the chips of both."""
        effective = min(mine, theirs)
        paid = {
            SMALL_FOLDS: -self.small,
            BIG_FOLDS: self.big,
            LIMP_FOLDS: -self.big,
            WIN: effective,
            LOSS: -effective,
        }
        return paid.get(str(leaf.at), 0)
