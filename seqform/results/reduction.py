"""Reductions: a smaller game, and the way back from its solutions to the game that it came from.

A reduction is one file of the package `abstraction`, or of anybody's, and one line of
pyproject.toml under ``seqform.reductions``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from seqform.base.arrays import Ints
from seqform.base.errors import InvalidStrategyError
from seqform.base.registry import Registry
from seqform.concepts.nash import certify
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm, sizes
from seqform.results.solution import Solution, Status


class Inverse(Protocol):
    """The way back: which sequence of the reduced game each sequence of the original plays like."""

    @property
    def original(self) -> SequenceForm:
        """The game that was reduced."""

    @property
    def sequences(self) -> tuple[Ints, ...]:
        """For each player, the reduced game's sequence for each of the original's.

        int32 (num_sequences of the original,); all sequences of the reduced game occur.
        """


@dataclass(frozen=True, eq=False)
class SequenceMap:
    """An inverse that is written down; see `Inverse` for what the fields hold."""

    original: SequenceForm
    sequences: tuple[Ints, ...]


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
    lossless: bool
    """Whether a theorem says that equilibria of the smaller game are equilibria once lifted."""
    takes_threshold: bool

    def accepts(self, game: Any) -> str | None:
        """Return None if the game can be reduced in this way; else why not, and what to use."""

    def apply(self, game: Any, options: ReductionOptions = EXACTLY) -> tuple[SequenceForm, Inverse]:
        """Return the smaller game and the way back.

        Raises
        ------
        GameTooLargeError
            If a tree of more than `max_nodes` nodes would have to be built.
        """


REDUCTIONS: Registry[Reduction] = Registry("seqform.reductions", "reduction")


def lift_profile(profile: Profile, inverse: Inverse) -> Profile:
    """Return the profile of the original game in which every information set does what its image does.

    Raises
    ------
    InvalidStrategyError
        If the profile is not of the reduced game.
    """
    for player, (images, behavior) in enumerate(
        zip(inverse.sequences, profile.behaviors, strict=True)
    ):
        size = int(images.max(initial=0)) + 1
        if len(behavior) != size:
            raise InvalidStrategyError(
                f"player {player}: the profile has {len(behavior)} sequences and the reduced game "
                f"{size}"
            )
    behaviors = [
        behavior[images]
        for behavior, images in zip(profile.behaviors, inverse.sequences, strict=True)
    ]
    return inverse.original.profile(behaviors)


def lift(solution: Solution, inverse: Inverse) -> Solution:
    """Return the solution of the original game that a solution of the reduced one gives, certified in the original.

    Its status is SOLVED if the original's certificate proves it within the solution's own
    tolerance, and LIFTED if the reduction lost more than that; an inaccurate or unfinished solution
    of the reduced game stays one. Sizes of the linear program stay those of the one that was
    solved.
    """
    original = inverse.original
    solution = replace(solution, game=original, sizes=solution.sizes | sizes(original))
    if solution.profile is None:
        return solution
    start = time.perf_counter()
    profile = lift_profile(solution.profile, inverse)
    certificate = certify(original, profile)
    seconds = solution.seconds | {"lift": time.perf_counter() - start}
    status: Status = Status.LIFTED if solution.status is Status.SOLVED else solution.status
    if certificate.nash_gap <= solution.tolerance * (original.largest_payoff or 1.0):
        status = Status.SOLVED
    return replace(
        solution, profile=profile, certificate=certificate, status=status, seconds=seconds
    )


def compose(inverses: Sequence[Inverse]) -> SequenceMap:
    """Return the inverse of several reductions, in the order in which they were applied."""
    images = inverses[0].sequences
    for inverse in inverses[1:]:
        images = tuple(
            later[earlier] for later, earlier in zip(inverse.sequences, images, strict=True)
        )
    return SequenceMap(inverses[0].original, images)
