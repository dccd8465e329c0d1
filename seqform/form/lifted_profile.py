"""LiftedProfile: a profile that was lifted from a smaller game."""

from __future__ import annotations

from dataclasses import dataclass, field

from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class LiftedProfile(Profile):
    """A profile that plays like one of a smaller game, which can be kept in its place.

    Parameters
    ----------
    small
        The profile of the smaller game.
    reduced
        That game's sequence form.
    """

    small: Profile
    reduced: SequenceForm = field(repr=False)

    @property
    def in_signals(self) -> tuple[SequenceForm, Profile] | None:
        """That game and its profile, where it is a signal game by classes of observations."""
        return None if self.reduced.signals is None else (self.reduced, self.small)
