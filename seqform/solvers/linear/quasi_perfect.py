"""From an optimal basis to one that stays optimal as trembles vanish: quasi-perfect equilibria.

Farina, Gatti & Sandholm, "Practical exact algorithm for trembling-hand equilibrium refinements in
games", NeurIPS 2018: a basis that is optimal at some small epsilon is tested for optimality in the
limit, in exact arithmetic, and epsilon is lowered until the test succeeds. From one epsilon to the
next, the simplex method starts from the last basis. It sees only the differences from that basis's
exact solution, magnified (`seqform.solvers.linear.rational_vertex`); so trembles far below a
float's tolerance are seen too.
"""

from __future__ import annotations

import logging
from fractions import Fraction

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time, seconds_left
from seqform.base.errors import SolverError
from seqform.exact.basis import Basis
from seqform.exact.trembles import Refinement, Trembles, prove_refinement
from seqform.exact.trembling_program import TremblingProgram, conditions
from seqform.solvers.linear.program import LinearProgram
from seqform.solvers.linear.rational_vertex import refined_basis

logger = logging.getLogger(__name__)

NAME = "quasi-perfect"

FIRST_BITS, MORE_BITS, MOST_BITS = 12, 2, 100
"""Epsilon is ``2**-bits``: at first, how many more once a basis is optimal there, and at most."""

SMALLEST_BITS = 48
"""The smallest tremble is at least ``2**-48`` at first: a longer game starts at a larger
epsilon."""

TRUSTED_BITS = 30
"""Up to so many a basis that floats find wrong in the limit is not tested exactly."""

PATIENCE = 8
"""Bases at one epsilon before a smaller one is tried: the simplex method may go in circles."""

SHOWN, MOST = (Fraction(1, 10**4), Fraction(1, 10**5), Fraction(1, 10**3)), 10**7
"""As what the largest violation is shown, in turn where that does not help, and the most that
others are: so that what is right stays right within a float's reach, and HiGHS sees no costs that
it calls unbounded."""


def quasi_perfect(program: LinearProgram, basis: Basis | None) -> Refinement:
    """Return the quasi-perfect equilibrium that is found from an optimal basis on.

    Parameters
    ----------
    program
        Player 0's program.
    basis
        What the solver ended with.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If there is no basis, or none that is optimal for all small epsilon was found.
    """
    if basis is None:
        raise SolverError(
            "the solver ended without an optimal basis; HiGHS (simplex, ipx) leaves one unless "
            "payoffs span too many magnitudes"
        )
    from seqform.solvers.linear.highs import solve_highs

    trembling = TremblingProgram(program.game)
    found = _from_basis(program, trembling, basis)
    if found is None:
        logger.info("once more, from the basis that a presolve leads to")
        other = solve_highs(program, time_limit=seconds_left(), briefly=False).basis
        if other is not None and not other.is_same(basis):
            found = _from_basis(program, trembling, other)
    if found is None:
        raise SolverError(
            "no basis that the simplex method finds stays optimal for epsilon below "
            f"2**-{MOST_BITS}"
        )
    return found


def _from_basis(
    program: LinearProgram, trembling: TremblingProgram, basis: Basis
) -> Refinement | None:
    """Return what is found from a basis on, if anything is."""
    bits, tried = _first_bits(program, len(trembling.rhs) - 1), 0
    while bits <= MOST_BITS:
        check_time("looking for a basis that is optimal for all small epsilon")
        seems_so = trembling.seems_optimal(basis)
        if seems_so and (plans := _in_the_limit(trembling, basis)):
            return prove_refinement(program.game, NAME, plans)
        integers, there = trembling.at(basis, bits)
        is_right_here = _holds(conditions(integers, there))
        is_doubtful = is_right_here and bits > TRUSTED_BITS and not seems_so
        if is_doubtful and (plans := _in_the_limit(trembling, basis)):
            return prove_refinement(program.game, NAME, plans)
        if is_right_here or tried >= PATIENCE:
            bits, tried = bits + MORE_BITS, 0
            continue
        logger.info("the basis is not optimal where epsilon is 2**-%s", bits)
        tried += 1
        shown = SHOWN[tried // 2 % len(SHOWN)]
        basis = refined_basis(program, integers, basis, there, shown, MOST, perturbed=False)
    return None


def _in_the_limit(trembling: TremblingProgram, basis: Basis) -> Trembles | None:
    """Return the plans of a basis if it is optimal for all small epsilon."""
    solution = trembling.solve(basis)
    return trembling.trembles(solution) if trembling.is_optimal(solution) else None


def _holds(numbers: list[Exact]) -> bool:
    return all((part >= 0).all() for part in numbers)


def _first_bits(program: LinearProgram, degree: int) -> int:
    """Return the bits of the first epsilon: all actions of a set can tremble by it."""
    most = max(int(t.num_actions.max(initial=1)) for t in program.game.treeplexes)
    return max(min(FIRST_BITS, SMALLEST_BITS // max(1, degree)), most.bit_length() + 1)
