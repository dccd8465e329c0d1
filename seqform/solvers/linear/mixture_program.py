"""The program of correlated equilibria over pairs of pure strategies, column by column.

In games with triangles the constraints on relevant pairs allow too much. Here the variables are how
likely pairs of pure strategies are drawn, of which there are many. So only some of them are in the
program. Duals of the rows say what any other would add, and the best others come in (column
generation: Huang & von Stengel, "Computing an extensive-form correlated equilibrium in polynomial
time", WINE 2008, there by the ellipsoid method).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from seqform.base.arrays import Exact, Index, Mask
from seqform.base.integer_matrix import IntegerMatrix
from seqform.solvers.linear.correlated_program import CorrelatedProgram


def mixture_program(
    program: CorrelatedProgram, drawn: list[tuple[Mask, Mask]]
) -> CorrelatedProgram:
    """Return the program over distributions of some pairs of pure strategies.

    Parameters
    ----------
    program
        That of correlation plans. Its constraints of pairs are dropped, and the weights of relevant
        pairs are sums of those of pairs of strategies. What follows the constraints is kept.
    drawn
        What the strategies of each pair play; bool (num_sequences,) for each player.

    Returns
    -------
    program
        Row 0 says that the weights add up to 1. Columns are the pairs, then w.
    """
    equal, pairs = program.num_equalities, program.pairs.num_pairs
    rows = np.arange(equal, program.matrix.shape[0])
    weights = program.matrix.part(rows, np.arange(pairs))
    follows = program.matrix.part(rows, np.arange(pairs, program.matrix.shape[1]))
    played = _played(program, drawn)
    paid = _times(weights, played)
    filled = np.nonzero(paid)
    count, each = len(drawn), np.diff(follows.pattern.indptr)
    places = [
        (np.zeros(count, np.int64), np.arange(count), np.ones(count, np.int64)),
        (1 + filled[0], filled[1], paid[filled]),
        (
            1 + np.repeat(np.arange(len(rows)), each),
            count + follows.pattern.indices.astype(np.int64),
            follows.entries,
        ),
    ]
    row, column, entry = (np.concatenate(part) for part in zip(*places, strict=True))
    shape = 1 + len(rows), count + program.matrix.shape[1] - pairs
    matrix = IntegerMatrix.from_entries(row, column, entry, shape)
    rhs = np.zeros(shape[0], dtype=object)
    rhs[0] = 1
    objective = np.zeros(shape[1], dtype=object)
    objective[:count] = played.T.astype(object) @ program.objective[:pairs]
    first, second = (
        replace(
            part,
            first_row=part.first_row - equal + 1,
            first_column=part.first_column - pairs + count,
        )
        for part in program.parts
    )
    return CorrelatedProgram(program.pairs, (first, second), matrix, rhs, objective, count)


def _played(program: CorrelatedProgram, drawn: list[tuple[Mask, Mask]]) -> Index:
    """Return which relevant pairs each pair of strategies plays, 0 or 1; (num_pairs, num_drawn)."""
    mine, theirs = program.pairs.pairs.sequences
    return np.array([x[mine] & y[theirs] for x, y in drawn], dtype=np.int64).T


def _times(matrix: IntegerMatrix, played: Index) -> Exact:
    fits = matrix.entries.dtype != object and matrix.norm < 2**62
    return matrix.times(played if fits else played.astype(object))
