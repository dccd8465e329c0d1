"""Profiles whose vectors are made when they are asked for: of what is kept in their place."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from seqform.base.arrays import Floats
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm

if TYPE_CHECKING:
    from seqform.form.keeping import Kept


class Way(Protocol):
    """How a profile of a smaller game became one of the game that was reduced."""

    @property
    def reduced(self) -> SequenceForm:
        """The smaller game."""

    @property
    def small(self) -> Profile:
        """The profile of it."""

    @property
    def kept(self) -> Kept | None:
        """What the profile is kept by, where that is the way."""

    def lifted(self, form: SequenceForm) -> Profile:
        """Return the vectors over the sequences of the game that was reduced."""


class ByVectors(NamedTuple):
    """A way that was gone at once; with what the profile is kept by, where that is not vectors."""

    small: Profile
    reduced: SequenceForm
    made: Profile
    kept: Kept | None = None

    def lifted(self, form: SequenceForm) -> Profile:
        """Return what was made."""
        return self.made


class Lifted(Protocol):
    """What vectors over all sequences can be made of."""

    @property
    def kept(self) -> Kept | None:
        """What the profile is kept by, if that is known."""

    def lifted(self, form: SequenceForm) -> Profile:
        """Return the vectors over the sequences of a form."""


class KeptProfile(Profile):
    """A profile that is kept by something smaller than its vectors.

    These are made when they are asked for.

    Parameters
    ----------
    form
        The game.
    way
        What they are made of.
    """

    def __init__(self, form: SequenceForm, way: Lifted) -> None:
        self._form, self._whole, self._lifted = form, form, way

    @cached_property
    def _made(self) -> Profile:
        return self._lifted.lifted(self._whole)

    @property
    def behaviors(self) -> tuple[Floats, ...]:
        """Behaviour strategies of the whole game, made now."""
        return self._made.behaviors

    @property
    def plans(self) -> tuple[Floats, ...]:
        """Realization plans of the whole game, made now."""
        return self._made.plans

    @property
    def num_sequences(self) -> list[int]:
        """How many sequences each player's plan has, counted."""
        return [treeplex.num_sequences for treeplex in self._whole.treeplexes]

    @property
    def kept(self) -> Kept | None:
        """What the profile is kept by, if that is known."""
        return self._lifted.kept

    def of(self, form: Any) -> Self:
        """Return the same profile asked by the names of another form, with the same sequences."""
        if form is self.form:
            return self
        other = super().of(form)
        if isinstance(form, SequenceForm):
            other._whole = form
        return other


class LiftedProfile(KeptProfile):
    """A profile that plays like one of a smaller game, which can be kept in its place.

    Parameters
    ----------
    form
        The game that was reduced.
    way
        The smaller profile, and how it is lifted.
    """

    def __init__(self, form: SequenceForm, way: Way) -> None:
        super().__init__(form, way)
        self._way = way

    @property
    def reduced(self) -> SequenceForm:
        """The smaller game."""
        return self._way.reduced

    @property
    def small(self) -> Profile:
        """The profile of that game."""
        return self._way.small

    @property
    def in_signals(self) -> tuple[SequenceForm, Profile] | None:
        """That game and its profile, where it is a signal game by classes of observations."""
        return None if self.reduced.signals is None else (self.reduced, self.small)
