"""The sequence-form linear program of a signal game, with auxiliary variables.

They stand for the structure of its payoffs.

With A'x = P' [x, u] wherever G' [x, u] = 0 (seqform.solvers.linear.sparsify) the program of
seqform.solvers.linear.program becomes

    maximise f'q   subject to   E x = e,   G' [x, u] = 0,   P' [x, u] - F'q >= 0,   x >= 0,   u
    free,

whose duals of the last block of rows are still an optimal y (Zhang & Sandholm, ICML 2020, Section
3).
"""

from __future__ import annotations

from seqform.base.errors import UnsupportedGameError
from seqform.base.memory import require_memory
from seqform.base.number import check_player
from seqform.form.kronecker import KroneckerPayoff
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.linear.program import (
    BYTES_PER_NONZERO,
    LinearProgram,
    LPSize,
    form_lp_size,
    program_from_parts,
    scaled_payoffs,
)
from seqform.solvers.linear.sparsify import SparsePayoffs, sparsify


def build_sparsified_lp(game: SequenceForm, player: int = 0) -> LinearProgram:
    """Return the program whose optimum is what `player` can guarantee, with auxiliary variables.

    Raises
    ------
    InvalidParameterError
        If there is no such player.
    UnsupportedGameError
        If the payoffs are not kept as Kronecker products; R10.
    """
    player = check_player(player, game.num_players)
    sparse = _sparsified(game, player)
    nonzeros = _size(game, player, sparse).nonzeros
    require_memory(
        BYTES_PER_NONZERO * nonzeros,
        f"a sparsified linear program with {nonzeros:,} nonzeros",
        "use a coarser abstraction or a smaller game",
    )
    payoff, scale = scaled_payoffs(sparse.payoffs.to_sparse())
    return program_from_parts(game, player, payoff, sparse.definitions.to_csr(), scale)


def sparsified_lp_size(game: SequenceForm, player: int = 0) -> LPSize:
    """Return the size of the program without making it.

    Raises
    ------
    UnsupportedGameError
        As `build_sparsified_lp` does.
    """
    player = check_player(player, game.num_players)
    return _size(game, player, _sparsified(game, player))


def _sparsified(game: SequenceForm, player: int) -> SparsePayoffs:
    operator = game.zero_sum_operator()
    terms = operator.kronecker_terms
    if terms is None:
        raise UnsupportedGameError(
            "a program is sparsified by the signals of its game, "
            "and this one came from a tree; use build_lp"
        )
    payoff = KroneckerPayoff(operator.shape, terms, operator.denominator)
    return sparsify(payoff if player == 0 else payoff.exchanged())


def _size(game: SequenceForm, player: int, sparse: SparsePayoffs) -> LPSize:
    size, extra = form_lp_size(game, player), sparse.num_auxiliary
    nonzeros = size.nonzeros - game.zero_sum_operator().num_nonzeros + sparse.num_nonzeros
    return LPSize(size.rows + extra, size.columns + extra, nonzeros)
