"""An equilibrium in simple fractions, read off plans in floats.

In small games the plans of a vertex are fractions with small denominators, which floats tell apart
from all others. So they are guessed, and it is the proof that decides: best responses to them, in
integers, are worth the same. That spares the exact solution of a system of equations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Exact, Floats
from seqform.base.errors import InvalidStrategyError, VerificationError
from seqform.exact.plan_proof import ExactEquilibrium, prove_equilibrium
from seqform.exact.reconstruct import common_denominator
from seqform.form.sequence_form import SequenceForm

BITS, ERROR = 52, 64
"""Floats are read as integers over ``2**BITS``, and may be so many units off."""

MARGIN = 20
"""A guess is right by chance once in ``2**MARGIN`` times; so denominators are below ``2**12``."""


def simple_equilibrium(game: SequenceForm, plans: Sequence[Floats]) -> ExactEquilibrium | None:
    """Return the equilibrium in simple fractions that plans are next to, if there is one.

    Parameters
    ----------
    game
        A game whose payoffs are all exact.
    plans
        For each player float64 (num_sequences,).

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    """
    guesses = [_simple(plan) for plan in plans]
    found = [guess for guess in guesses if guess is not None]
    if len(found) < len(guesses):
        return None
    try:
        return prove_equilibrium(game, *zip(*found, strict=True))
    except (InvalidStrategyError, VerificationError):  # near to fractions, but not to these
        return None


def _simple(plan: Floats) -> tuple[Exact, int] | None:
    """Return numerators, object (num_sequences,), and the common denominator, if it is small."""
    units = np.rint(np.ldexp(plan, BITS)).astype(np.int64)
    found = common_denominator(units.tolist(), BITS, ERROR, MARGIN)
    return None if found is None else (np.array(found[0], dtype=object), found[1])
