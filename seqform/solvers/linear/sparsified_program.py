"""The sequence-form linear program with auxiliary variables for what rows of payoffs share.

With A'x = P' [x, u] wherever G' [x, u] = 0 (seqform.solvers.linear.sparsify) the program of
seqform.solvers.linear.program becomes

    maximise f'q   subject to   E x = e,   G' [x, u] = 0,   P' [x, u] - F'q >= 0,   x >= 0,   u
    free,

whose duals of the last block of rows are still an optimal y (Zhang & Sandholm, ICML 2020, Section
3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.errors import UnsupportedGameError
from seqform.base.memory import require_memory
from seqform.base.number import check_player
from seqform.form.kronecker import KroneckerPayoff, Lines, Term
from seqform.form.payoff import PayoffOperator
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import LPSize, form_lp_size
from seqform.solvers.linear.program import (
    BYTES_PER_NONZERO,
    LinearProgram,
    program_from_parts,
    scaled_payoffs,
)
from seqform.solvers.linear.sparsify import SparsePayoffs, sparsify


@dataclass(frozen=True, eq=False)
class SparsifiedGame:
    """A player's payoffs with auxiliary variables, of which the program is made.

    Parameters
    ----------
    game
        The game.
    player
        Whose program it is.
    sparse
        The payoffs.
    """

    game: SequenceForm
    player: int
    sparse: SparsePayoffs

    @cached_property
    def size(self) -> LPSize:
        """The size of the program."""
        size, extra = form_lp_size(self.game, self.player), self.sparse.num_auxiliary
        payoffs = self.game.zero_sum_operator().num_nonzeros
        nonzeros = size.nonzeros - payoffs + self.sparse.num_nonzeros
        return LPSize(size.rows + extra, size.columns + extra, nonzeros)

    def program(self) -> LinearProgram:
        """Return the program."""
        nonzeros = self.size.nonzeros
        require_memory(
            BYTES_PER_NONZERO * nonzeros,
            f"a sparsified linear program with {nonzeros:,} nonzeros",
            "use a coarser abstraction or a smaller game",
        )
        payoff, scale = scaled_payoffs(self.sparse.payoffs.to_sparse())
        definitions = self.sparse.definitions.to_csr()
        return program_from_parts(self.game, self.player, payoff, definitions, scale)


def sparsified_game(game: SequenceForm, player: int = 0) -> SparsifiedGame:
    """Return the payoffs of a player's program with auxiliary variables.

    Raises
    ------
    InvalidParameterError
        If there is no such player.
    UnsupportedGameError
        If the payoffs are floats, or too large for int64; R10.
    """
    player = check_player(player, game.num_players)
    payoff = structured(game.zero_sum_operator())
    if payoff is None:
        raise UnsupportedGameError(
            "a program is sparsified by payoffs that are integers over a common denominator, and "
            "these are floats, or too large for int64: use the plain program"
        )
    return SparsifiedGame(game, player, sparsify(payoff if player == 0 else payoff.exchanged()))


def build_sparsified_lp(game: SequenceForm, player: int = 0) -> LinearProgram:
    """Return the program whose optimum is what `player` can guarantee; see `sparsified_game`."""
    return sparsified_game(game, player).program()


def sparsified_lp_size(game: SequenceForm, player: int = 0) -> LPSize:
    """Return the size of the program without making it; see `sparsified_game`."""
    return sparsified_game(game, player).size


def structured(operator: PayoffOperator) -> KroneckerPayoff | None:
    """Return payoffs as Kronecker products; those of a tree are one, of a single line each.

    None if they are floats, or too large for int64.
    """
    terms = operator.kronecker_terms
    if terms is not None:
        return KroneckerPayoff(operator.shape, terms, operator.denominator)
    matrix = operator.to_sparse().as_int64()
    if matrix is None:
        return None
    start, step = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    lines = Lines(start, step, matrix.shape[0]), Lines(start, step, matrix.shape[1])
    once = sp.csr_array(np.ones((1, 1), dtype=np.int64))
    return KroneckerPayoff(operator.shape, (Term(lines, once, matrix),), operator.denominator)
