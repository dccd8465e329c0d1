"""Reductions: a smaller game, and the way back from its solutions to the game that it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seqform.build import AnyGame
from seqform.certificate import certify
from seqform.errors import InvalidStrategyError
from seqform.sequence_form import SequenceForm
from seqform.solution import Solution, Status
from seqform.strategy import Profile

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Inverse:
    """The way back: which sequence of the reduced game each sequence of the original plays like.

    Parameters
    ----------
    original
        The game that was reduced.
    sequences
        For each player, int32 (num_sequences of the original): a sequence of the reduced game.
    """

    original: SequenceForm
    sequences: tuple[Ints, ...]

    def lift_profile(self, profile: Profile) -> Profile:
        """Return the profile of the original game in which every information set does what its image does.

        Raises
        ------
        InvalidStrategyError
            If the profile is not of the reduced game.
        """
        for player, (sequences, behavior) in enumerate(zip(self.sequences, profile.behaviors, strict=True)):
            if len(behavior) != sequences.max(initial=0) + 1:
                raise InvalidStrategyError(
                    f"player {player}: the profile has {len(behavior)} sequences and the reduced game {sequences.max(initial=0) + 1}"
                )
        behaviors = [behavior[sequences] for behavior, sequences in zip(profile.behaviors, self.sequences, strict=True)]
        return Profile.from_behaviors(self.original.treeplexes, behaviors)

    def after(self, first: Inverse) -> Inverse:
        """Return the inverse of two reductions, `first` and then this one."""
        composed = tuple(mine[theirs] for mine, theirs in zip(self.sequences, first.sequences, strict=True))
        return Inverse(first.original, composed)


class Reduction(Protocol):
    """A way to make games smaller."""

    @property
    def name(self) -> str:
        """What the command line calls it."""

    def apply(self, game: AnyGame) -> tuple[SequenceForm, Inverse]:
        """Return the smaller game and the way back."""


def lift(solution: Solution, inverse: Inverse, tolerance: float = 1e-6) -> Solution:
    """Return the solution of the original game that a solution of the reduced one gives, certified in the original.

    Its status is SOLVED if the original's certificate proves it within `tolerance`, a share of the largest payoff: whether
    a reduction loses something is found out here.
    """
    if solution.profile is None:
        return replace(solution, game=inverse.original)
    profile = inverse.lift_profile(solution.profile)
    certificate = certify(inverse.original, profile)
    solved = certificate.nash_gap <= tolerance * (inverse.original.largest_payoff or 1.0)
    return replace(
        solution,
        game=inverse.original,
        profile=profile,
        certificate=certificate,
        status=Status.SOLVED if solved else Status.INACCURATE,
    )


def compose(inverses: Sequence[Inverse]) -> Inverse:
    """Return the inverse of several reductions, in the order in which they were applied."""
    total = inverses[0]
    for inverse in inverses[1:]:
        total = inverse.after(total)
    return total
