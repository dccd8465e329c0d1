"""The same program with payoffs counted in another unit, as some engines need it.

Interior points and first-order methods look at all rows at once. They take long, or stall, where
payoffs are much larger or smaller than probabilities. A power of two as the unit rounds nothing.
"""

from __future__ import annotations

from dataclasses import replace
from math import floor, inf, log2

import numpy as np
import scipy.sparse as sp

from seqform.solvers.linear.program import LinearProgram


def payoff_unit(program: LinearProgram, smallest_entry: float = 0.0) -> float:
    """Return the power of two that payoffs are to be divided by.

    The largest of the game is then near what the program says suits engines, or larger if entries
    would fall below `smallest_entry` otherwise.
    """
    largest = program.scale * program.largest_payoff
    unit = 2.0 ** round(log2(largest / program.suits_engines)) if 0 < largest < inf else 1.0
    smallest = float(np.abs(program.matrix.data).min(initial=inf))
    if unit > 1 and smallest / unit < smallest_entry:
        unit = 2.0 ** max(0, floor(log2(smallest / smallest_entry)))
    return unit


def in_unit(program: LinearProgram, unit: float) -> LinearProgram:
    """Return the program with payoffs, and so the variables q, divided by a unit."""
    columns = np.repeat(np.arange(program.num_columns), np.diff(program.matrix.indptr))
    is_payoff = program.matrix.indices >= program.num_equalities
    is_payoff &= columns < program.num_columns - program.num_free
    values = program.matrix.data / np.where(is_payoff, unit, 1.0)
    parts = (values, program.matrix.indices, program.matrix.indptr)
    matrix = sp.csc_array(parts, shape=program.matrix.shape)
    return replace(program, matrix=matrix, scale=program.scale / unit)
