"""Reductions: a smaller game, and the way back from its solutions to the game that it came from.

A reduction is one file of the package `abstraction`, or of anybody's, and one line of
pyproject.toml under ``seqform.reductions``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from seqform.base.deadline import time_limited
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, UnsupportedGameError
from seqform.base.number import is_float_sized
from seqform.base.progress import tell
from seqform.base.registry import Registry

if TYPE_CHECKING:  # the names of reductions are listed without loading numpy
    from seqform.base.arrays import Floats, Ints
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm
    from seqform.results.solution import Solution


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
    """

    original: SequenceForm
    sequences: tuple[Ints, ...]
    shares: tuple[Floats, ...] | None = None


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

    @property
    def name(self) -> str:
        """What users call it."""

    @property
    def lossless(self) -> bool:
        """Whether equilibria of the smaller game are equilibria once lifted, by a theorem.

        With a threshold above 0, no reduction is lossless. A reduction may have an attribute
        ``theorem`` that says by what, in a few words.
        """

    @property
    def takes_threshold(self) -> bool:
        """Whether it can merge what is alike up to a threshold."""

    def accepts(self, game: Any) -> str | None:
        """Return None if the reduction can take the game; else why not, and what to use."""

    def apply(self, game: Any, options: ReductionOptions = EXACTLY) -> tuple[SequenceForm, Inverse]:
        """Return the smaller game and the way back.

        Raises
        ------
        UnsupportedGameError
            If the game is not accepted.
        GameTooLargeError
            If a tree of more than `max_nodes` nodes would have to be built.
        """


REDUCTIONS: Registry[Reduction] = Registry("seqform.reductions", "reduction")


def reduction_of(reduction: str | Reduction, threshold: float, game: Any) -> Reduction:
    """Return a reduction that may be given by name, checked for a threshold and a game.

    Parameters
    ----------
    reduction
        A name in `REDUCTIONS`, a table of buckets (`merge_by`), which ends in .csv, or a reduction.
    threshold
        The threshold that it will be applied with; 0 for none.
    game
        The game that it will be applied to.

    Raises
    ------
    UnknownNameError
        If there is no reduction of that name; the message has the nearest name.
    InvalidParameterError
        If the threshold is negative or not finite, or the reduction takes none.
    UnsupportedGameError
        If the reduction does not accept the game.
    """
    found = _named(reduction) if isinstance(reduction, str) else reduction
    check_threshold(threshold)
    if threshold and not found.takes_threshold:
        names = ", ".join(of.name for of in REDUCTIONS.at_hand() if of.takes_threshold)
        raise InvalidParameterError(f"reduction {found.name!r} has no threshold; {names} have one")
    refusal = found.accepts(game)
    if refusal is not None:
        raise UnsupportedGameError(refusal)
    return found


def check_threshold(threshold: float) -> None:
    """Check that games can be merged up to this much.

    Raises
    ------
    InvalidParameterError
        If it is negative or not finite.
    """
    if not (is_float_sized(threshold) and threshold >= 0):
        raise InvalidParameterError(f"threshold={threshold!s:.40}: use a finite number from 0 on")


def _named(name: str) -> Reduction:
    """Return a reduction by its name, or by the table of buckets to merge by."""
    if not name.endswith(".csv"):
        return REDUCTIONS.get(name)
    from seqform.results.merge_by import merge_by

    return merge_by(name)


def reduce(
    game: Any,
    reduction: str | Reduction = "equitable",
    threshold: float = 0.0,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> tuple[SequenceForm, Inverse]:
    """Return the smaller game that a reduction makes, and the way back.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form; which of them, depends on the reduction.
    reduction
        A name in `REDUCTIONS`, which `seqform shrink --help` lists, the path of a table of buckets
        (`merge_by`), which ends in .csv, or a reduction.
    threshold
        Merge what is alike up to this much; 0 is exact. For reductions that take one.
    max_nodes
        Largest tree to build.
    time_limit
        Seconds.

    Returns
    -------
    smaller
        The reduced game in sequence form.
    inverse
        For each sequence of the game, the one of the smaller game that it plays like; see `lift`.

    Raises
    ------
    UnknownNameError
        If there is no reduction of that name.
    InvalidParameterError
        If the threshold is negative or not finite, or the reduction takes none.
    UnsupportedGameError
        If the reduction does not accept the game.
    GameTooLargeError
        If a tree of more than `max_nodes` nodes would have to be built.
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> from seqform import make
    >>> smaller, inverse = reduce(make("leduc"), "suit")
    >>> smaller.treeplexes[0].num_sequences, inverse.original.treeplexes[0].num_sequences
    (547, 1093)
    """
    found = reduction_of(reduction, threshold, game)
    with time_limited(time_limit):
        return found.apply(game, ReductionOptions(threshold, max_nodes))


def lift_profile(profile: Profile, inverse: Inverse) -> Profile:
    """Return the profile of the original in which each information set does what its image does.

    Parameters
    ----------
    profile
        Of the reduced game: one behaviour strategy per player, float64 (num_sequences,).
    inverse
        What `reduce` returned with that game.

    Raises
    ------
    InvalidStrategyError
        If the profile is not of the reduced game.
    """
    import numpy as np

    from seqform.form.profile import Profile

    pairs = list(zip(inverse.sequences, profile.behaviors, strict=True))
    for player, (images, behavior) in enumerate(pairs):
        size = int(images.max(initial=0)) + 1
        if len(behavior) != size:
            raise InvalidStrategyError(
                f"player {player}: the profile has {len(behavior)} "
                f"sequences and the reduced game {size}"
            )
    behaviors = [np.append(behavior, 0.0)[images] for images, behavior in pairs]  # -1: the last
    if isinstance(inverse, SequenceMap) and inverse.shares is not None:
        behaviors = [of * share for of, share in zip(behaviors, inverse.shares, strict=True)]
    return Profile.from_behaviors(inverse.original.treeplexes, behaviors)


def lift(solution: Solution, inverse: Inverse) -> Solution:
    """Return the original game's solution that a solution of the reduced game gives.

    It is certified in the original game. Proofs, and all that is known of its equilibria, are
    dropped, since they are about the reduced game. Sizes are those of the original; ``solver_rows``
    and what else is known of the problem that was solved stay.

    The status is SOLVED if the original's certificate proves it within the solution's tolerance,
    and LIFTED if the reduction lost more than that. The status of an inaccurate or unfinished
    solution of the reduced game is kept.

    Parameters
    ----------
    solution
        Of the reduced game.
    inverse
        What `reduce` returned with that game.

    Raises
    ------
    InvalidStrategyError
        If the solution is of another game.
    UnsupportedGameError
        If its answer is not a profile.

    Examples
    --------
    >>> from seqform import make, solve
    >>> smaller, inverse = reduce(make("leduc"), "equitable")
    >>> lifted = lift(solve(smaller), inverse)
    >>> lifted.status.name, lifted.nash_gap < 1e-9
    ('SOLVED', True)
    """
    from seqform.concepts.nash import certify
    from seqform.form.sizes import problem_sizes, sizes
    from seqform.results.solution import Status

    if solution.answer is not None and solution.profile is None:
        raise UnsupportedGameError(
            f"only profiles are lifted, and {solution.method} "
            f"found an answer of another kind ({solution.concept})"
        )
    tell("lifting to the whole game", every=0)
    original = inverse.original
    counts = sizes(original) | problem_sizes(solution.sizes)
    found = replace(
        solution,
        game=original,
        proofs=(),  # a proof belongs to the game that it was made for
        source=None,  # and so do the game as it was given, and what was chosen for it
        run=replace(solution.run, sizes=counts, reasons=()),
    )
    if solution.profile is None:
        return found
    start = time.perf_counter()
    kept = _lifted(solution.profile, solution.game, inverse)
    tell("certifying in the whole game", every=0)
    certificate = certify(original, kept)
    seconds = solution.seconds | {"lift": time.perf_counter() - start}
    run = replace(found.run, seconds=seconds)
    status: Status = Status.LIFTED if solution.status is Status.SOLVED else solution.status
    if certificate.nash_gap <= solution.tolerance * original.payoff_scale:
        status = Status.SOLVED
    return replace(found, answer=kept, certificate=certificate, status=status, run=run)


def _lifted(profile: Profile, smaller: SequenceForm, inverse: Inverse) -> Profile:
    """Return a lifted profile, kept with the smaller one; by classes of cards without vectors."""
    from seqform.form.lifted_profile import LiftedProfile

    if isinstance(inverse, LiftsByClasses):
        return inverse.lifted(profile, smaller)
    found = lift_profile(profile, inverse)
    return LiftedProfile(found.behaviors, found.plans, profile, smaller, form=inverse.original)


def compose(inverses: Sequence[Inverse]) -> SequenceMap:
    """Return the inverse of several reductions, in the order in which they were applied."""
    import numpy as np

    images, shares = inverses[0].sequences, getattr(inverses[0], "shares", None)
    for inverse in inverses[1:]:
        later_shares = getattr(inverse, "shares", None)
        if later_shares is not None:
            copied = [np.append(s, 0.0)[of] for s, of in zip(later_shares, images, strict=True)]
            shares = tuple(copied if shares is None else map(np.multiply, shares, copied))
        images = tuple(
            np.append(later, np.int32(-1))[earlier]  # never played, and so it stays
            for later, earlier in zip(inverse.sequences, images, strict=True)
        )
    return SequenceMap(inverses[0].original, images, shares)
