"""The linear program of correlated equilibria of a two-player game, free of any solver.

A correlation plan p has a weight for each relevant pair of sequences. A *trigger* is where a player
may stop to obey: at a recommended move (EFCE), at an information set before the recommendation
(EFCCE), or before the game (NFCCE). From there on the player may play whatever is best, while the
other goes on to obey. With w(t, h) for the most that follows at information set h below trigger t,

    w(t, h) >= (what move s pays under t) + sum of w(t, k) over information sets k right after s
    w(t, top) <= (what obeying pays from the trigger on)

for each move s at h, where s and the other's sequence c pay ``A[s, c] p(told, c)``; `told` is the
player's own sequence that the trigger reveals (von Stengel & Forges 2008, Section 4; Farina,
Bianchi & Sandholm, AAAI 2020). In integers all payoffs are over one denominator.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.base.errors import SolverError
from seqform.base.integer_matrix import IntegerMatrix, largest
from seqform.exact.basis import BasicSolution, Basis, basic_solution
from seqform.form.integer_payoffs import IntegerPayoffs
from seqform.form.relevant_pairs import RelevantPairs
from seqform.form.sizes import LPSize
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.program import Program, entry_scale

KINDS = ("efce", "efcce", "nfcce")

WIDEST = 2**900
"""Integers of a program from which floats may not hold them."""


class Triggers(NamedTuple):
    """A player's triggers, the information sets below each, and the sequences that obey it."""

    number: Index
    """What each trigger is called: the move recommended, the information set, or 0."""
    told: Index
    """For each trigger the own sequence that it reveals."""
    cover: tuple[Index, Index]
    """Triggers, and information sets below them; sorted."""
    top: Index
    """Of these, the first of each path: places in `cover`."""
    obeyed: tuple[Index, Index]
    """Triggers, and sequences that are played by who obeys from there on."""


def triggers(kind: str, treeplex: Treeplex) -> Triggers:
    """Return a player's triggers of a kind, one of KINDS."""
    above, infoset = _ancestors(treeplex)
    sequences = np.arange(1, treeplex.num_sequences)
    owner = treeplex.infoset_of[1:].astype(np.int64)
    if kind == "nfcce":
        everywhere = np.arange(treeplex.num_infosets)
        top = np.flatnonzero(treeplex.parent_sequence == 0)
        cover = np.zeros_like(everywhere), everywhere
        none = np.zeros(1, np.int64)
        return Triggers(none, none, cover, top, (np.zeros_like(sequences), sequences))
    if kind == "efcce":
        order = np.lexsort((infoset, above))
        cover = above[order], infoset[order]
        counts = treeplex.num_actions[cover[1]]
        first = treeplex.first_sequence[cover[1]]
        obeyed = np.repeat(cover[0], counts), _ranges(first, counts)
        told, number = treeplex.parent_sequence.astype(np.int64), np.arange(treeplex.num_infosets)
        return Triggers(number, told, cover, np.flatnonzero(cover[0] == cover[1]), obeyed)
    counts = treeplex.num_actions[above]
    trigger = _ranges(treeplex.first_sequence[above] - 1, counts)
    below = np.repeat(infoset, counts)
    order = np.lexsort((below, trigger))
    cover = trigger[order], below[order]
    top = np.flatnonzero(owner[cover[0]] == cover[1])
    return Triggers(sequences, sequences, cover, top, _prefixes(treeplex))


def _ancestors(treeplex: Treeplex) -> tuple[Index, Index]:
    """Return information sets, and those below each of them, itself included."""
    infoset = np.arange(treeplex.num_infosets)
    above, found = infoset, []
    while len(above):
        found.append((above, infoset))
        higher = treeplex.infoset_of[treeplex.parent_sequence[above]]
        above, infoset = higher[higher >= 0].astype(np.int64), infoset[higher >= 0]
    return _joined(found)


def _prefixes(treeplex: Treeplex) -> tuple[Index, Index]:
    """Return triggers of sequences, and the sequences that begin with them."""
    sequence = np.arange(1, treeplex.num_sequences)
    above, found = sequence, []
    while len(above):
        found.append((above - 1, sequence))
        higher = treeplex.sequence_parent[above]
        above, sequence = higher[higher > 0].astype(np.int64), sequence[higher > 0]
    return _joined(found)


def _joined(parts: list[tuple[Index, Index]]) -> tuple[Index, Index]:
    empty = np.zeros(0, dtype=np.int64)
    columns = [np.concatenate([empty, *(part[place] for part in parts)]) for place in (0, 1)]
    return columns[0], columns[1]


def _ranges(starts: Index | Ints, counts: Index | Ints) -> Index:
    """Return ``starts[i], starts[i] + 1, ...``, `counts[i]` of each, one after the other."""
    before: Index = np.cumsum(counts, dtype=np.int64) - counts
    return np.repeat(starts.astype(np.int64) - before, counts) + np.arange(int(counts.sum()))


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of one player's triggers.

    Parameters
    ----------
    triggers
        The player's.
    move_trigger, move
        For each row of a move its trigger and its sequence.
    first_row, first_column
        Rows of moves come first, then one row for each trigger; columns are those of `cover`.
    """

    triggers: Triggers
    move_trigger: Index
    move: Index
    first_row: int
    first_column: int

    @property
    def trigger_rows(self) -> slice:
        """The rows of the triggers."""
        start = self.first_row + len(self.move)
        return slice(start, start + len(self.triggers.told))

    @property
    def move_rows(self) -> slice:
        """The rows of the moves."""
        return slice(self.first_row, self.first_row + len(self.move))

    @property
    def stop(self) -> tuple[int, int]:
        """The first row and the first column that are no longer this player's."""
        return self.trigger_rows.stop, self.first_column + len(self.triggers.cover[0])


@dataclass(frozen=True, eq=False)
class CorrelatedProgram:
    """Maximise ``objective @ z`` over correlated equilibria; z are the weights of pairs, then w.

    Parameters
    ----------
    pairs
        Rows begin with their constraints.
    parts
        What follows, for each player.
    matrix, rhs, objective
        In integers; rows after the constraints of pairs are at least 0, the others equal `rhs`.
    num_weights
        The columns that are at least 0; they come first.
    """

    pairs: RelevantPairs
    parts: tuple[Part, Part]
    matrix: IntegerMatrix
    rhs: Exact
    objective: Exact
    num_weights: int

    @property
    def num_equalities(self) -> int:
        """How many rows are constraints of pairs."""
        return self.parts[0].first_row

    @property
    def size(self) -> LPSize:
        """Rows, columns and nonzeros."""
        return LPSize(*self.matrix.shape, len(self.matrix.entries))

    def solve(self, basis: Basis) -> BasicSolution:
        """Return the solution of a basis in integers; errors as for `basic_solution`."""
        return basic_solution(self.matrix, self.rhs, self.objective, basis)

    def check_optimal(self, solution: BasicSolution) -> None:
        """Check that a basic solution is feasible, and so are its duals, in integers.

        Raises
        ------
        SolverError
            If not: then the basis was optimal in floats only.
        """
        equal, count = self.num_equalities, self.num_weights
        above, below = solution.denominators
        rows = self.matrix @ solution.primal - above * self.rhs
        costs = below * self.objective - self.matrix.transposed @ solution.duals
        fits = not rows[:equal].any() and not (rows[equal:] < 0).any()
        fits = fits and not (solution.primal[:count] < 0).any() and not (costs[:count] > 0).any()
        if not (fits and not costs[count:].any() and not (solution.duals[equal:] > 0).any()):
            raise SolverError("the basis that the solver finds is not optimal in exact arithmetic")

    def scaled(self) -> tuple[Program, Floats, float]:
        """Return the program in floats, what rows were multiplied by, and what the objective was.

        Columns of w are in the unit of their player's rows. All are powers of two.

        Raises
        ------
        SolverError
            If payoffs are beyond the range of floats.
        """
        if max(largest(self.matrix.entries), largest(self.objective)) > WIDEST:
            raise SolverError(
                "payoffs span too many magnitudes for a linear program in floats: "
                "rescale them, or round them"
            )
        matrix, objective = self.matrix.to_float(), self.objective.astype(np.float64)
        rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
        for part in self.parts:
            stop = part.stop
            payoffs = matrix[part.first_row : stop[0], : self.num_weights]
            scale = _scale(payoffs.data)
            rows[part.first_row : stop[0]] = scale
            columns[part.first_column : stop[1]] = 1 / scale
        matrix = (sp.diags_array(rows) @ matrix @ sp.diags_array(columns)).tocsc()
        worth, free = _scale(objective), len(columns) - self.num_weights
        lower = self.rhs.astype(np.float64)
        upper = lower.copy()
        upper[self.num_equalities :] = np.inf
        bounds = np.concatenate([np.zeros(self.num_weights), np.full(free, -np.inf)])
        return Program(matrix, objective * worth, lower, upper, bounds), rows, worth


def _scale(entries: Floats) -> float:
    sizes = np.abs(entries[entries != 0])
    return entry_scale(float(sizes.min()), float(sizes.max())) if len(sizes) else 1.0


def correlated_program(
    pairs: RelevantPairs,
    payoffs: IntegerPayoffs,
    kind: str,
    weights: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0)),
) -> CorrelatedProgram:
    """Return the program of the best correlated equilibrium of a kind.

    Parameters
    ----------
    pairs, payoffs
        Of the game.
    kind
        One of KINDS.
    weights
        What is to be maximised: the sum of these times the players' payoffs. The objective is in
        units of 1 over the payoffs' denominator and the weights' least common one.

    Raises
    ------
    GameTooLargeError
        If it would not fit into memory.
    """
    constraints, rhs = pairs.constraints
    row, column = constraints.shape
    pieces = [_coordinates(constraints)]
    parts = []
    for player, treeplex in enumerate(pairs.treeplexes):
        part = _part(kind, treeplex, row, column)
        pieces += _flow(part, treeplex), _payoffs(part, player, pairs, payoffs.matrices[player])
        parts.append(part)
        row, column = part.stop
    rows, columns, entries = (np.concatenate(each) for each in zip(*pieces, strict=True))
    matrix = IntegerMatrix.from_entries(rows, columns, entries, (row, column))
    bounds = np.zeros(row, dtype=object)
    bounds[: len(rhs)] = rhs
    objective = np.zeros(column, dtype=object)
    objective[: pairs.num_pairs] = payoff_sums(pairs, payoffs, weights)
    return CorrelatedProgram(
        pairs, (parts[0], parts[1]), matrix, bounds, objective, pairs.num_pairs
    )


def counted_size(pairs: RelevantPairs, payoffs: IntegerPayoffs, kind: str) -> LPSize:
    """Return the size of a program by counting, before it is built.

    Entries in one place are counted one by one, so that there may be fewer.
    """
    (row, entries), column = pairs.constraints_size, pairs.num_pairs
    for player, treeplex in enumerate(pairs.treeplexes):
        part = _part(kind, treeplex, row, column)
        counts = np.diff(payoffs.matrices[player].pattern.indptr)
        entries += int(counts[part.move].sum() + counts[part.triggers.obeyed[1]].sum())
        entries += len(part.move) + len(part.triggers.cover[1])
        row, column = part.stop
    return LPSize(row, column, entries)


def payoff_sums(
    pairs: RelevantPairs, payoffs: IntegerPayoffs, weights: tuple[Fraction, Fraction]
) -> Exact:
    """Return what each pair contributes to weighted payoffs, object (num_pairs,).

    In units of 1 over the payoffs' denominator and the weights' least common one.
    """
    common = lcm(*(weight.denominator for weight in weights))
    total = np.zeros(pairs.num_pairs, dtype=object)
    for player, weight in enumerate(weights):
        own, other, entries = _coordinates(payoffs.matrices[player])
        np.add.at(
            total, pairs.of(player, own, other), int(weight * common) * entries.astype(object)
        )
    return total


def _coordinates(matrix: IntegerMatrix) -> tuple[Index, Index, Exact]:
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.pattern.indptr))
    return rows, matrix.pattern.indices.astype(np.int64), matrix.entries


def _part(kind: str, treeplex: Treeplex, row: int, column: int) -> Part:
    found = triggers(kind, treeplex)
    counts = treeplex.num_actions[found.cover[1]]
    moves = _ranges(treeplex.first_sequence[found.cover[1]], counts)
    return Part(found, np.repeat(found.cover[0], counts), moves, row, column)


def _flow(part: Part, treeplex: Treeplex) -> tuple[Index, Index, Exact]:
    """Return the entries of w: what follows a move, and what a trigger is worth."""
    (trigger, infoset), top = part.triggers.cover, part.triggers.top
    counts = treeplex.num_actions[infoset]
    moves = np.arange(len(part.move))
    inner = np.setdiff1d(np.arange(len(infoset)), top)
    keys = part.move_trigger * treeplex.num_sequences + part.move
    wanted = trigger[inner] * treeplex.num_sequences + treeplex.parent_sequence[infoset[inner]]
    rows = [moves, np.searchsorted(keys, wanted), len(moves) + trigger[top]]
    columns = [np.repeat(np.arange(len(infoset)), counts), inner, top]
    signs = [np.full(len(moves), 1), np.full(len(inner), -1), np.full(len(top), -1)]
    return (
        part.first_row + np.concatenate(rows),
        part.first_column + np.concatenate(columns),
        np.concatenate(signs),
    )


def _payoffs(
    part: Part, player: int, pairs: RelevantPairs, payoff: IntegerMatrix
) -> tuple[Index, Index, Exact]:
    """Return the entries of pairs: what moves pay under triggers, and what obeying pays."""
    told = part.triggers.told
    trigger, sequence = part.triggers.obeyed
    starts, counts = payoff.pattern.indptr[:-1], np.diff(payoff.pattern.indptr)
    entry = _ranges(starts[part.move], counts[part.move])
    of_move = np.repeat(np.arange(len(part.move)), counts[part.move])
    told_here = told[part.move_trigger[of_move]]
    paid = pairs.of(player, told_here, payoff.pattern.indices[entry])
    obeyed = _ranges(starts[sequence], counts[sequence])
    own = np.repeat(sequence, counts[sequence])
    kept = pairs.of(player, own, payoff.pattern.indices[obeyed])
    rows = [of_move, len(part.move) + np.repeat(trigger, counts[sequence])]
    entries = [-payoff.entries[entry], payoff.entries[obeyed]]
    return (
        part.first_row + np.concatenate(rows),
        np.concatenate([paid, kept]),
        np.concatenate(entries),
    )
