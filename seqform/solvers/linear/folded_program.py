"""The sequence-form linear program of the sequences that have to be told apart, and no others.

Actions that are surely worse than others are left out (`sure_actions`). Then each player's
sequences are folded by what they pay against those that are left to the other (`folding`), in
turns, until nothing more is alike. The program of seqform.solvers.linear.program is made of what is
left. Its optimum is the same, and its optimal plans, unfolded, are optimal plans of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

import scipy.sparse as sp

from seqform.base.arrays import Floats, Mask
from seqform.form.payoff_sums import ratios
from seqform.form.sequence_form import SequenceForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.solvers.linear.folding import Folding, fold
from seqform.solvers.linear.program import (
    LinearProgram,
    LPSolution,
    program_from_parts,
    scaled_payoffs,
)
from seqform.solvers.linear.sure_actions import sequences_worth_playing


@dataclass(frozen=True, eq=False)
class FoldedProgram(LinearProgram):
    """A program of player 0 in which sequences stand for others.

    Parameters
    ----------
    foldings
        Of player 0 and of player 1.
    """

    suits_engines: ClassVar[float] = 2.0**8

    foldings: tuple[Folding, Folding]

    @property
    def is_plain(self) -> bool:
        """Return False: rows and columns stand for several of the game's."""
        return False

    def plans(self, solution: LPSolution) -> tuple[Floats, Floats]:
        """Return plans of the whole game; see `LinearProgram.plans`."""
        mine, theirs = super().plans(solution)
        return self.foldings[0].unfolded(mine), self.foldings[1].unfolded(theirs)


def build_folded_lp(game: SequenceForm) -> FoldedProgram | None:
    """Return the program whose optimum is what player 0 can guarantee, folded.

    None if payoffs are not exact, or are too large to be added up in int64.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    OutOfTimeError
        If the time limit is over.
    """
    payoff = game.zero_sum_operator().to_sparse()
    matrix = payoff.as_int64()
    if matrix is None:
        return None
    foldings = fold_in_turns(game, matrix, sequences_worth_playing(game))
    program = _program(game, foldings, matrix, payoff.denominator)
    names = [field.name for field in fields(LinearProgram)]
    parts = {name: getattr(program, name) for name in names}
    return FoldedProgram(**parts, foldings=foldings)


def fold_in_turns(
    game: SequenceForm, matrix: sp.csr_array, kept: tuple[Mask, Mask]
) -> tuple[Folding, Folding]:
    """Return foldings of both players, each by what it pays against what the other leaves.

    Parameters
    ----------
    matrix
        int64 CSR (sequences of player 0, those of player 1), in canonical format.
    kept
        Of each player, which sequences may be played; see `fold`.
    """
    transposed = matrix.T.tocsr()
    first, columns = fold(game.treeplexes[0], matrix, kept[0]), 0
    while True:
        second = fold(game.treeplexes[1], _summed(first, matrix), kept[1])
        if len(second.kept) == columns:
            return first, second
        columns = len(second.kept)
        first = fold(game.treeplexes[0], _summed(second, transposed), kept[0])


def _summed(folding: Folding, matrix: sp.csr_array) -> sp.csr_array:
    """Return the transpose of a matrix whose rows a folding adds up, in canonical format."""
    summed = (folding.sums @ matrix).T.tocsr()
    summed.eliminate_zeros()
    summed.sort_indices()
    return summed


def _program(
    game: SequenceForm, foldings: tuple[Folding, Folding], matrix: sp.csr_array, denominator: int
) -> LinearProgram:
    first, second = foldings
    integers = _summed(second, _summed(first, matrix))
    values = ratios(integers.data, denominator)
    folded = sp.csr_array((values, integers.indices, integers.indptr), shape=integers.shape)
    payoff, scale = scaled_payoffs(SparsePayoff(folded, integers.data, denominator))
    nothing = sp.csr_array((payoff.shape[0], 0))
    return program_from_parts(game, 0, payoff, nothing, scale, foldings)
