"""Covering vectors: where Lemke's algorithm starts, and so which equilibrium it finds.

The algorithm follows the solutions of ``w = M z + q + z0 d`` from z0 = 1 to z0 = 0. Here d is -e
and -f at the constraints, so that z0 = 1 leaves the players no weight of their own. At the
sequences d is any vector: its negative is what each sequence is thought to pay at z0 = 1. If these
are the payoffs against a *prior*, a plan of each player, the path is that of von Stengel, van den
Elzen & Talman, "Computing normal form perfect equilibria for extensive two-person games",
Econometrica 70 (2002). There each player answers what the other does with weight ``1 - z0``, and
the prior with weight z0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.errors import InvalidParameterError
from seqform.base.summary import counted
from seqform.form.complementarity import ComplementarityProblem

BITS = 60
"""Binary digits of a player's sum of absolute values, so that no sum of some overflows int64."""


@dataclass(frozen=True, eq=False)
class Covering:
    """The entries of d at the sequences.

    Parameters
    ----------
    numbers
        int64 (num_sequences,), player 0's first.
    exponents
        Of two, one for each player: d is the numbers times these powers, in the game's unit.
    """

    numbers: Index
    exponents: tuple[int, int]

    def floats(self, problem: ComplementarityProblem) -> Floats:
        """Return d at the sequences in float64, in the game's unit."""
        parts = zip(problem.plans(self.numbers), self.exponents, strict=True)
        return np.concatenate([np.ldexp(part.astype(np.float64), exp) for part, exp in parts])


def covering(problem: ComplementarityProblem, numbers: Sequence[float] | Floats) -> Covering:
    """Return the covering vector of given numbers, rounded to about `BITS`.

    Parameters
    ----------
    numbers
        One for each sequence of player 0, then of player 1; of any sign, in the game's unit.

    Raises
    ------
    InvalidParameterError
        If there are not as many finite numbers as sequences.
    """
    mine, theirs = (_integers(part) for part in problem.plans(_vector(problem, numbers)))
    return Covering(np.concatenate([mine[0], theirs[0]]), (mine[1], theirs[1]))


def covering_of_prior(problem: ComplementarityProblem, prior: Sequence[Floats]) -> Covering:
    """Return the covering vector of a prior: one realization plan of each player."""
    mine, theirs = problem.payoffs
    against = mine.times(prior[1]), theirs.transposed_times(prior[0])
    return covering(problem, -np.concatenate(against))


def uniform_prior(problem: ComplementarityProblem) -> tuple[Floats, Floats]:
    """Return the plans in which all actions are equally likely."""
    mine, theirs = (t.to_plan(t.uniform()) for t in problem.treeplexes)
    return mine, theirs


def random_prior(problem: ComplementarityProblem, seed: int) -> tuple[Floats, Floats]:
    """Return plans drawn at random: uniform among all behaviours at each information set."""
    rng = np.random.default_rng(seed)
    drawn = [rng.exponential(size=t.num_sequences) for t in problem.treeplexes]
    mine, theirs = (
        t.to_plan(t.to_behavior(weights))
        for t, weights in zip(problem.treeplexes, drawn, strict=True)
    )
    return mine, theirs


def _vector(problem: ComplementarityProblem, numbers: Sequence[float] | Floats) -> Floats:
    """Return numbers as a vector, checked."""
    expected, (mine, theirs) = problem.num_sequences, problem.plan_sizes
    of = f"one of each of player 0's {mine} sequences and then of player 1's {theirs}"
    try:
        vector = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidParameterError(
            f"a covering vector here is {expected} numbers: {of}, the empty ones first"
        ) from None
    if vector.shape != (expected,):
        raise InvalidParameterError(
            f"the covering vector has {counted(vector.size, 'number')}, and this game needs "
            f"{expected}: {of}"
        )
    bad = np.flatnonzero(~np.isfinite(vector))
    if len(bad):
        raise InvalidParameterError(
            f"the covering vector: number {bad[0]} is {vector[bad[0]]}; use finite ones"
        )
    return vector


def _integers(numbers: Floats) -> tuple[Index, int]:
    """Return numbers as integers times a power of two, and its exponent."""
    exponent = frexp(float(np.abs(numbers).max()))[1] + len(numbers).bit_length() - BITS
    return np.rint(np.ldexp(numbers, -exponent)).astype(np.int64), exponent
