"""Link: one step from a game to a smaller one, and the way back from its solutions.

A reduction is one file of the package `abstraction`, or of anybody's, and one line of
pyproject.toml under ``seqform.reductions``. What it did to a game, once, is `Applied`. A chain
(`seqform.links.chain`) is a tuple of these.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from seqform.base.registry import Registry

if TYPE_CHECKING:  # the names of reductions are listed without loading numpy
    from seqform.base.arrays import Floats, Ints
    from seqform.form.hand_lock import HandLock
    from seqform.form.lock import Lock
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm


class Inverse(Protocol):
    """The way back: which sequence of the reduced game each sequence of the original plays like."""

    @property
    def original(self) -> SequenceForm:
        """The game that was reduced."""

    @property
    def sequences(self) -> tuple[Ints, ...]:
        """For each player, the reduced game's sequence for each of the original's.

        int32 (num_sequences of the original,); all sequences of the reduced game occur. An action
        that is never played has -1, and one that is always played, where it can be, has 0.
        """


@runtime_checkable
class LiftsByClasses(Protocol):
    """What an inverse can do that lifts profiles without vectors over the original's sequences."""

    def lifted(self, profile: Profile, smaller: SequenceForm) -> Profile:
        """Return a profile of the smaller game as one of the original."""


@dataclass(frozen=True, eq=False)
class SequenceMap:
    """An inverse that is written down; see `Inverse` for what the first two fields hold.

    Parameters
    ----------
    shares
        For each player float64 (num_sequences of the original,): by what to multiply the behaviour
        that is copied; None for 1 everywhere.
    copies_plans
        Whether a plan of the reduced game, copied from sequence to sequence, is one of the game:
        so is an equilibrium in fractions, then.
    """

    original: SequenceForm
    sequences: tuple[Ints, ...]
    shares: tuple[Floats, ...] | None = None
    copies_plans: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class ReductionOptions:
    """How a game is to be reduced.

    Parameters
    ----------
    threshold
        Merge what is alike up to this much; 0 is exact. For reductions that take one.
    max_nodes
        Largest tree to build; None for the default.
    """

    threshold: float = 0.0
    max_nodes: int | None = None


EXACTLY = ReductionOptions()
"""Merge only what is alike, and build trees of at most the default size."""


class Reduction(Protocol):
    """A way to make games smaller."""

    name: str
    """What users call it."""
    lossless: bool = False
    """Whether equilibria of the smaller game are equilibria once lifted, by a theorem.

    With a threshold above 0, no reduction is lossless."""
    theorem: str = "its own proof"
    """By what, in a few words, if it is lossless."""
    takes_threshold: bool = False
    """Whether it can merge what is alike up to a threshold."""

    @abstractmethod
    def accepts(self, game: Any) -> str | None:
        """Return None if the reduction can take the game; else why not, and what to use."""

    @abstractmethod
    def apply(self, game: Any, options: ReductionOptions = EXACTLY) -> tuple[SequenceForm, Inverse]:
        """Return the smaller game and the way back.

        Raises
        ------
        UnsupportedGameError
            If the game is not accepted.
        GameTooLargeError
            If a tree of more than `max_nodes` nodes would have to be built.
        """


REDUCTIONS: Registry[Reduction] = Registry("seqform.reductions", "reduction", Reduction)


@dataclass(frozen=True, eq=False)
class Applied:
    """A reduction, applied to a game.

    Parameters
    ----------
    reduction
        Its name.
    after
        The smaller game.
    inverse
        The way back.
    theorem
        By what equilibria of the smaller game are equilibria of the game, once lifted; None if
        nothing proves it. What an answer lost is what its certificate says in either case.
    """

    reduction: str
    after: SequenceForm
    inverse: Inverse
    theorem: str | None

    @property
    def lock(self) -> Lock | HandLock | None:
        """What is locked in the smaller game, which asks another question then."""
        return getattr(self.inverse, "lock", None)

    @property
    def num_sequences(self) -> int:
        """Sequences of all players of the game that was reduced."""
        return sum(treeplex.num_sequences for treeplex in self.inverse.original.treeplexes)


def apply(reduction: Reduction, game: Any, options: ReductionOptions = EXACTLY) -> Applied:
    """Apply a reduction to a game; errors as of `Reduction.apply`."""
    after, inverse = reduction.apply(game, options)
    is_lossless = reduction.lossless and not options.threshold
    return Applied(reduction.name, after, inverse, reduction.theorem if is_lossless else None)
