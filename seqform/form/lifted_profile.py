"""LiftedProfile: a profile of a smaller game, and the way that it came by."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from seqform.base.arrays import Floats
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm

if TYPE_CHECKING:
    from seqform.form.signal_strategy import SignalStrategy


class Way(Protocol):
    """How a profile of a smaller game became one of the game that was reduced."""

    @property
    def reduced(self) -> SequenceForm:
        """The smaller game."""

    @property
    def small(self) -> Profile:
        """The profile of it."""

    @property
    def by_classes(self) -> SignalStrategy | None:
        """The strategies by classes of observations, where these are the way."""

    def lifted(self, form: SequenceForm) -> Profile:
        """Return the vectors over the sequences of the game that was reduced."""


class ByVectors(NamedTuple):
    """A way that was gone at once."""

    small: Profile
    reduced: SequenceForm
    made: Profile

    @property
    def by_classes(self) -> None:
        """There are none."""
        return

    def lifted(self, form: SequenceForm) -> Profile:
        """Return what was made."""
        return self.made


class LiftedProfile(Profile):
    """A profile that plays like one of a smaller game, which can be kept in its place.

    Its vectors are made when they are asked for.

    Parameters
    ----------
    form
        The game that was reduced.
    way
        The smaller profile, and how it is lifted.
    """

    def __init__(self, form: SequenceForm, way: Way) -> None:
        self._form, self._whole, self._way = form, form, way

    @cached_property
    def _made(self) -> Profile:
        return self._way.lifted(self._whole)

    @property
    def behaviors(self) -> tuple[Floats, ...]:
        """Behaviour strategies of the whole game, made now."""
        return self._made.behaviors

    @property
    def plans(self) -> tuple[Floats, ...]:
        """Realization plans of the whole game, made now."""
        return self._made.plans

    @property
    def reduced(self) -> SequenceForm:
        """The smaller game."""
        return self._way.reduced

    @property
    def small(self) -> Profile:
        """The profile of that game."""
        return self._way.small

    @property
    def by_classes(self) -> SignalStrategy | None:
        """The strategies by classes of observations, where the profile is kept by these."""
        return self._way.by_classes

    @property
    def in_signals(self) -> tuple[SequenceForm, Profile] | None:
        """That game and its profile, where it is a signal game by classes of observations."""
        return None if self.reduced.signals is None else (self.reduced, self.small)

    def of(self, form: Any) -> Self:
        """Return the same profile asked by the names of another form, with the same sequences."""
        if form is self.form:
            return self
        other = super().of(form)
        if isinstance(form, SequenceForm):
            other._whole = form
        return other
