"""Equilibria of a given support, in fractions: one linear program for each player's plan.

Once it is known which sequences may be played, and so lose nothing, what is left is linear, and
the two plans do not meet. Player 0's plan x plays only what it may, and with q for the values of
player 1's information sets,

    E x = e,    F'q - B'x >= 0, with equality at each sequence that player 1 may play.

Any such x and the like y are an equilibrium, in which player 1 is paid ``q[0]``. HiGHS finds the
best by that, and its basis is solved and checked in integers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.base.errors import InvalidStrategyError, SolverError, VerificationError
from seqform.base.integer_matrix import IntegerMatrix, largest, rows_of
from seqform.exact.basis import basic_solution
from seqform.exact.complementary_basis import payoff_matrix
from seqform.exact.plan_proof import ExactEquilibrium, prove_equilibrium
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import Program


def equilibrium_of_support(
    game: SequenceForm, played: tuple[Mask, Mask], weights: tuple[int, int]
) -> ExactEquilibrium:
    """Return a best equilibrium in which players play only what they may, and that loses nothing.

    Parameters
    ----------
    played
        For each player bool (num_sequences,).
    weights
        What each player's payoff counts for.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If the basis that HiGHS ends with is no equilibrium in exact arithmetic.
    """
    plans = [_plan(game, player, played, weights[1 - player]) for player in (0, 1)]
    try:
        return prove_equilibrium(game, [p for p, _ in plans], [whole for _, whole in plans])
    except (InvalidStrategyError, VerificationError) as error:
        raise SolverError(
            f"what HiGHS found is no equilibrium in exact arithmetic ({error}): payoffs nearly "
            "tie, or span too many magnitudes"
        ) from None


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a player's program, in integers."""

    matrix: IntegerMatrix
    rhs: Exact
    num_equalities: int
    unit: int


def _plan(
    game: SequenceForm, player: int, played: tuple[Mask, Mask], weight: int
) -> tuple[Exact, int]:
    """Return a plan as integers, and its denominator."""
    rows = _rows(game, player)
    num_plan = game.treeplexes[player].num_sequences
    num_rows, num_columns = rows.matrix.shape
    columns = np.flatnonzero(np.append(played[player], np.ones(num_columns - num_plan, np.bool_)))
    matrix = rows.matrix.part(np.arange(num_rows), columns)
    num_mine = int(played[player].sum())
    objective = np.zeros(len(columns), dtype=object)
    objective[num_mine] = weight
    equal = np.append(np.ones(rows.num_equalities, np.bool_), played[1 - player])
    lower = rows.rhs.astype(np.float64)
    is_payoff = (rows_of(matrix.pattern) >= rows.num_equalities) & (
        matrix.pattern.indices < num_mine
    )
    floats = matrix.to_float(rows.unit, where=is_payoff)
    least = np.where(np.arange(len(columns)) < num_mine, 0.0, -np.inf)
    upper = np.where(equal, lower, np.inf)
    program = Program(floats.tocsc(), objective.astype(np.float64), lower, upper, least)
    found = solve_highs(program)
    if found.basis is None:
        raise SolverError(f"HiGHS finds no equilibrium of this support: {found.message}")
    solution = basic_solution(matrix, rows.rhs, objective, found.basis)
    plan = np.zeros(num_plan, dtype=object)
    plan[played[player]] = solution.primal[:num_mine]
    return plan, solution.denominators[0]


def _rows(game: SequenceForm, player: int) -> _Rows:
    """Return the rows of a player's program, for all sequences."""
    mine, theirs = game.treeplexes[player], game.treeplexes[1 - player]
    payoffs, _ = payoff_matrix(game, 1 - player)
    pays = payoffs.transposed if player == 0 else payoffs
    (constraints, e), (others, f) = mine.constraints(), theirs.constraints()
    parts = [part.tocoo() for part in (constraints, pays.pattern, others.T)]
    rows = np.concatenate([parts[0].row, *(len(e) + part.row for part in parts[1:])])
    columns = np.concatenate([*(part.col for part in parts[:2]), mine.num_sequences + parts[2].col])
    signs = [part.data.astype(int).astype(object) for part in (parts[0], parts[2])]
    entries = np.concatenate([signs[0], -pays.entries, signs[1]])
    shape = len(e) + theirs.num_sequences, mine.num_sequences + len(f)
    rhs = np.zeros(shape[0], dtype=object)
    rhs[0] = 1
    matrix = IntegerMatrix.from_entries(rows, columns, entries, shape)
    return _Rows(matrix, rhs, len(e), largest(pays.entries) or 1)
