"""The two plans of a complementary basis of a two-player game, in fractions.

A basis of the complementarity problem (`seqform.form.complementarity`) says for each sequence
whether z or w may be positive. Where w may not be, the row of the sequence is an equation. So x and
player 1's values v solve

    E x = e,    B'x - F'v = 0 in the rows of the y that may be positive

and y solves the like with u. Both systems are square for a basis. That the plans form an
equilibrium is for `seqform.exact.equilibrium` to prove.
"""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Exact, Index, Mask
from seqform.base.integer_matrix import IntegerMatrix
from seqform.exact.linear_system import ExactSystem
from seqform.exact.products import integer_entries
from seqform.form.complementarity import ComplementarityProblem
from seqform.form.sequence_form import SequenceForm

Plans = tuple[Exact, Exact]


def basic_plans(problem: ComplementarityProblem, basis: Mask) -> tuple[Plans, tuple[int, int]]:
    """Return what should be the plans of both players, as integers, and their denominators.

    Parameters
    ----------
    basis
        bool (num_sequences,): which z may be positive.

    Raises
    ------
    UnsupportedGameError
        If there are floats.
    SolverError
        If one of the systems is not square, or its matrix singular.
    """
    constants = problem.constants.astype(object)[None, :]
    (x, above), (y, below) = (plan_of_basis(problem, basis, p, constants) for p in (0, 1))
    return (x[0], y[0]), (above, below)


def plan_of_basis(
    problem: ComplementarityProblem, basis: Mask, player: int, constants: Exact
) -> tuple[Exact, int]:
    """Return a player's plan for each of several vectors q, over one denominator.

    Python ints, object (num_vectors, num_sequences of the player).

    Raises
    ------
    UnsupportedGameError
        If there are floats.
    SolverError
        If there is no one solution of the basis.
    """
    rows, columns, mine = parts_of_basis(problem, basis, player)
    system = ExactSystem(problem.integers.part(rows, columns))
    found, denominator = system.solve_all(-constants[:, rows])
    plan = np.zeros((len(constants), problem.plan_sizes[player]), dtype=object)
    plan[:, mine] = found[:, : len(mine)]
    return plan, denominator


def parts_of_basis(
    problem: ComplementarityProblem, basis: Mask, player: int
) -> tuple[Index, Index, Index]:
    """Return rows and columns of the system of a player's plan, and the sequences that it has.

    The first columns are those of these sequences, the others of the other player's values.
    """
    first, total = problem.plan_sizes[0], problem.num_sequences
    split = total + 1 + problem.treeplexes[0].num_infosets
    sequences = (np.arange(first), np.arange(first, total))
    constraints = (np.arange(total, split), np.arange(split, problem.size))
    mine = sequences[player][basis[sequences[player]]]
    theirs = sequences[1 - player][basis[sequences[1 - player]]]
    rows = np.concatenate([constraints[player], theirs])
    columns = np.concatenate([mine, constraints[1 - player]])
    return rows, columns, mine - sequences[player][0]


def payoff_matrix(game: SequenceForm, player: int) -> tuple[IntegerMatrix, int]:
    """Return a player's payoffs, sequences of player 0 by those of player 1, and a denominator.

    Of player 1 in a constant-sum game the constant is paid at the empty sequences.

    Raises
    ------
    UnsupportedGameError
        If the player's payoffs were made from floats.
    """
    places, numbers, denominator = integer_entries(game, player)
    sums: dict[tuple[int, int], int] = {}
    for place, number in zip(zip(*(p.tolist() for p in places), strict=True), numbers, strict=True):
        sums[place] = sums.get(place, 0) + number
    kept = {place: number for place, number in sums.items() if number}
    where = np.array(list(kept), dtype=np.int64).reshape(-1, 2)
    entries = np.empty(len(kept), dtype=object)
    entries[:] = list(kept.values())
    shape = game.treeplexes[0].num_sequences, game.treeplexes[1].num_sequences
    return IntegerMatrix.from_entries(where[:, 0], where[:, 1], entries, shape), denominator
