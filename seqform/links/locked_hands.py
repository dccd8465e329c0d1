"""A locked game of hands, by boards, and the way back.

Strategies of the locked game are kept by public nodes, boards and hands, as those of the game are.
So the way back writes what is locked, and nothing else changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, cast

import numpy as np

from seqform.base.errors import GameTooLargeError, InvalidStrategyError, VerificationError
from seqform.form.hand_form import GeneralHandForm, HandForm
from seqform.form.hand_lock import HandLock
from seqform.form.hand_strategy import HandStrategy
from seqform.form.locked_hands import kept_to, locked_hands

if TYPE_CHECKING:
    from seqform.base.arrays import Ints
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm

ROUNDING = 1e-6
"""By how much what is saved may differ from what is locked: it may be in single precision."""


@dataclass(frozen=True, eq=False)
class LockedHandsMap:
    """The way back from a locked game of hands.

    Parameters
    ----------
    original
        The game.
    lock
        What was locked.
    """

    original: HandForm | GeneralHandForm
    lock: HandLock

    @property
    def sequences(self) -> tuple[Ints, ...]:
        """Refuse: sequences of the locked game are counted, not listed."""
        _refuse()

    def lifted(self, profile: Profile, smaller: SequenceForm) -> Profile:
        """Return a profile of the locked game as one of the game.

        Raises
        ------
        InvalidStrategyError
            If it is not kept by boards and hands.
        """
        return self._kept(profile).in_form(self.original)

    def _kept(self, profile: Profile) -> HandStrategy:
        """Return strategies in which players do what is locked."""
        kept = profile.kept
        if not isinstance(kept, HandStrategy) or not kept.is_of(self.original.structure):
            raise InvalidStrategyError("the profile is of another game")
        return HandStrategy(kept.structure, kept_to(self.lock, kept))

    def locked(self, profile: Profile, smaller: SequenceForm) -> Profile:
        """Return a profile of the game that keeps to the lock as one of the locked game.

        Raises
        ------
        VerificationError
            If it does not keep to the lock, up to rounding.
        """
        found = self._kept(profile)
        saved = cast(HandStrategy, profile.kept)
        betting = self.original.structure.game.betting
        for player, nodes in enumerate(self.lock.nodes):
            for node in nodes:
                off = np.abs(saved.behaviors[player][node] - found.behaviors[player][node])
                if not (off <= ROUNDING).all():
                    raise VerificationError(
                        f"player {player}, after {betting.lines[node]!r}: the saved strategy does "
                        "not play what was locked"
                    )
        return found.in_form(smaller)


def _refuse() -> NoReturn:
    raise GameTooLargeError(
        "a locked game of hands of this size is no step of a chain: lock the game as it is"
    )


def lock_hands(form: SequenceForm, lock: HandLock) -> tuple[SequenceForm, LockedHandsMap]:
    """Return the game in which players do what is locked, by boards, and the way back.

    Raises
    ------
    InvalidStrategyError
        If it is no game of hands as it is.
    """
    if not isinstance(form, (HandForm, GeneralHandForm)):
        raise InvalidStrategyError("this lock is of a game of hands, and the game is another")
    return locked_hands(form, lock), LockedHandsMap(form, lock)
