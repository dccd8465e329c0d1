"""The integer program of a two-player game whose points are its Nash equilibria.

Let A be what player 0 is paid, and p values of player 0's information sets, ``p[0]`` that of the
game. A sequence s that leads to the information set h loses

    r[s] = p[h] - (sum of p over the information sets right after s) - (A y)[s]

against player 1's plan y, and at least 0 for all s: ``r = E'p - A y >= 0``. A plan x is a best
response to y exactly if it plays only sequences that lose nothing, for some such p. A binary b says
which may be played (Sandholm, Gilpin & Conitzer, "Mixed-integer programming methods for finding
Nash equilibria", AAAI 2005, formulation 1, here on sequences instead of pure strategies):

    x[s] <= b[s],    r[s] <= M[s] (1 - b[s])

and likewise for player 1. Then player 0 is paid ``x'A y = x'E'p = p[0]``, so that objectives are
linear although payoffs are not.

M has to be so large that it cuts off no equilibrium. Take for p what best play is worth. What is
worth to come to s lies, whatever y is, between L[s] and U[s], the least and the most that ``A y``
pays there added up over best play after it. So ``M[s] = max U - L[s]`` will do, the maximum over
the actions of h. Both bounds are integers, from one best response of player 1 for each
sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, nextafter

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Mask
from seqform.base.deadline import check_time
from seqform.base.integer_matrix import IntegerMatrix, largest
from seqform.base.progress import tell
from seqform.exact.complementary_basis import payoff_matrix
from seqform.form.responses import best_sequences
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import LPSize
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.program import Program

Weights = tuple[int, int]
"""What each player's payoff counts for."""


@dataclass(frozen=True, eq=False)
class NashProgram:
    """The integer program; columns are both plans, both players' values, and both binaries.

    Parameters
    ----------
    program
        Payoffs of each player are in a unit in which the largest entry is 1.
    binary
        int64: the columns that are 0 or 1; one of each sequence but the empty one.
    sizes
        Columns of each of the six blocks.
    unit
        What 1 of the objective is in the game's unit.
    """

    program: Program
    binary: Index
    sizes: tuple[int, ...]
    unit: float

    def plans(self, point: Floats) -> tuple[Floats, Floats]:
        """Return the plans of a point, without what is below 0."""
        x, y = np.split(np.maximum(point, 0.0), np.cumsum(self.sizes))[:2]
        return x, y

    def binaries(self, plans: Sequence[Floats]) -> Floats:
        """Return the binary columns at an equilibrium: float64, 1 for what is played."""
        return np.concatenate([plan[1:] > 0 for plan in plans]).astype(np.float64)

    def played(self, point: Floats) -> tuple[Mask, Mask]:
        """Return for each player which sequences may be played at a point."""
        binaries = np.split(point, np.cumsum(self.sizes)[:-1])[4:]
        first, second = (np.append(True, binary > 0.5) for binary in binaries)
        return first, second

    def without(self, played: tuple[Mask, Mask]) -> NashProgram:
        """Return the program without the points at which exactly these sequences may be played."""
        may = np.concatenate([mask[1:] for mask in played])
        row = np.zeros(self.program.num_columns)
        row[self.binary] = np.where(may, -1.0, 1.0)
        return replace(self, program=self.program.with_row(row, 1.0 - int(may.sum()), np.inf))


def nash_program(game: SequenceForm, weights: Weights) -> NashProgram:
    """Return the program of the equilibria of a two-player game, best by an objective.

    Parameters
    ----------
    weights
        What each player's payoff counts for.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    OutOfTimeError
        If the time limit is over.
    """
    pairs = [payoff_matrix(game, player) for player in (0, 1)]
    largest_entries = [largest(matrix.entries) or 1 for matrix, _ in pairs]
    units = [
        float(Fraction(most, pair[1])) for most, pair in zip(largest_entries, pairs, strict=True)
    ]
    parts = [_half(game, player, pairs[player][0], largest_entries[player]) for player in (0, 1)]
    sizes = (
        *(t.num_sequences for t in game.treeplexes),
        *(t.num_infosets + 1 for t in game.treeplexes),
        *(t.num_sequences - 1 for t in game.treeplexes),
    )
    starts = np.cumsum((0, *sizes))
    columns = [[starts[block] for block in (p, 1 - p, 2 + p, 4 + p)] for p in (0, 1)]
    blocks = [half.placed(columns[p], int(starts[-1])) for p, half in enumerate(parts)]
    matrix = sp.vstack(blocks, format="csc")
    matrix.eliminate_zeros()
    worth = [weight * unit for weight, unit in zip(weights, units, strict=True)]
    scale = max(map(abs, worth)) or 1.0
    objective = np.zeros(int(starts[-1]))
    objective[starts[2:4]] = np.array(worth) / scale
    lower = np.zeros(int(starts[-1]))
    lower[starts[2] : starts[4]] = -np.inf
    bounds = [np.concatenate(both) for both in zip(*(half.bounds for half in parts), strict=True)]
    program = Program(matrix, objective, bounds[0], bounds[1], lower)
    return NashProgram(program, np.arange(starts[4], starts[6]), sizes, scale)


def counted_size(game: SequenceForm) -> LPSize:
    """Return the size of the program by counting; some of its nonzeros may turn out to be 0."""
    sequences = sum(t.num_sequences for t in game.treeplexes)
    infosets = sum(t.num_infosets for t in game.treeplexes)
    columns = 2 * sequences + infosets
    rows = infosets + 3 * sequences - 2
    payoffs = game.payoffs.num_nonzeros
    return LPSize(rows, columns, 4 * payoffs + 3 * (infosets + sequences) + 3 * sequences)


@dataclass(frozen=True, eq=False)
class _Half:
    """The rows that say that a player's plan is a best response, by blocks of columns.

    The blocks are the player's plan, the other's plan, the player's values and binaries.
    """

    blocks: tuple[sp.csr_array, ...]
    bounds: tuple[Floats, Floats]

    def placed(self, starts: list[int], width: int) -> sp.csr_array:
        """Return the rows with each block where its columns start."""
        parts = [block.tocoo() for block in self.blocks]
        rows = np.concatenate([part.row for part in parts])
        columns = np.concatenate(
            [start + part.col for start, part in zip(starts, parts, strict=True)]
        )
        data = np.concatenate([part.data for part in parts])
        return sp.csr_array((data, (rows, columns)), shape=(parts[0].shape[0], width))


def _half(game: SequenceForm, player: int, payoffs: IntegerMatrix, unit: int) -> _Half:
    mine = game.treeplexes[player]
    rows = payoffs if player == 0 else payoffs.transposed
    most = np.array([_float_above(loss, unit) for loss in _most_lost(game, player, rows)])
    constraints, e = mine.constraints()
    pays, count = rows.to_float(unit), mine.num_sequences
    identity = sp.eye_array(count, format="csr")[1:]  # the empty sequence is always played
    chosen = sp.eye_array(count - 1, format="csr")
    loss = constraints.T.tocsr()
    none = [sp.csr_array((height, count - 1)) for height in (len(e), count)]
    no_plan = [sp.csr_array((height, count)) for height in (count, count - 1)]
    no_other = [sp.csr_array((height, rows.shape[1])) for height in (len(e), count - 1)]
    no_values = [sp.csr_array((height, len(e))) for height in (len(e), count - 1)]
    blocks = (
        sp.vstack([constraints, no_plan[0], no_plan[1], identity]),
        sp.vstack([no_other[0], -pays, -pays[1:], no_other[1]]),
        sp.vstack([no_values[0], loss, loss[1:], no_values[1]]),
        sp.vstack([*none, sp.diags_array(most[1:]), -chosen]),
    )
    lower = np.concatenate([e, np.zeros(count), np.full(2 * (count - 1), -np.inf)])
    losses = np.append(0.0, np.full(count - 1, np.inf))
    upper = np.concatenate([e, losses, most[1:], np.zeros(count - 1)])
    return _Half(blocks, (lower, upper))


def _most_lost(game: SequenceForm, player: int, pays: IntegerMatrix) -> list[int]:
    """Return how much a sequence can lose against any plan, in integers; see above."""
    mine, others = game.treeplexes[player], game.treeplexes[1 - player]
    least, most = [], []
    for row in range(mine.num_sequences):
        check_time("bounding what sequences lose")
        tell(f"bounding what sequences lose: {row:,} of {mine.num_sequences:,}")
        gradient = _row(pays, row)
        most.append(best_sequences(others, gradient)[0])
        least.append(-best_sequences(others, -gradient)[0])
    _add_best_play(mine, least)
    _add_best_play(mine, most)
    first = mine.first_sequence.tolist()
    lost = [0] * mine.num_sequences
    for infoset in range(mine.num_infosets):
        actions = range(first[infoset], first[infoset + 1])
        best = max(most[action] for action in actions)
        for action in actions:
            lost[action] = best - least[action]
    return lost


def _row(matrix: IntegerMatrix, row: int) -> Exact:
    """Return a row as Python ints."""
    start, stop = matrix.pattern.indptr[row : row + 2]
    found = np.zeros(matrix.shape[1], dtype=object)
    found[matrix.pattern.indices[start:stop]] = matrix.entries[start:stop]
    return found


def _add_best_play(treeplex: Treeplex, worth: list[int]) -> None:
    """Add to what each sequence is worth the best that follows it."""
    first, parents = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
    for infoset in reversed(range(treeplex.num_infosets)):
        worth[parents[infoset]] += max(worth[first[infoset] : first[infoset + 1]])


def _float_above(number: int, unit: int) -> float:
    """Return a float that is not below a ratio, with room for the rounding of payoffs.

    What can lose nothing has 0.
    """
    if number == 0:
        return 0.0
    return nextafter(float(Fraction(number, unit)) * (1 + 1e-9), inf)
