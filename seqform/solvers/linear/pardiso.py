"""Pardiso: an interior point method of ours on MKL's factors, for the largest plain programs.

On programs with tens of millions of nonzeros nearly all time goes into factors of matrices of one
pattern. Pardiso orders their rows by nested dissection, which leaves fewer nonzeros, and works on
dense blocks of them (docs/explanation/published-program.md).
"""

from __future__ import annotations

import time

import numpy as np
import scipy.sparse as sp

from seqform.base.deadline import deadline, deadline_of
from seqform.base.errors import InvalidGameError, SolverError
from seqform.base.interrupt import Interrupt
from seqform.base.progress import tell
from seqform.base.summary import counted
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus
from seqform.solvers.linear.solver import Feature, LPOptions
from seqform.solvers.saddle.factors import PardisoFactors
from seqform.solvers.saddle.linear import Found, linear_saddle
from seqform.solvers.saddle.proximal_program import SaddleProgram, middle_payoff

TOLERANCE = 1e-9
"""The gap between the programs of both players, as a share of the largest payoff."""

ONLY_PLAIN = "solver='pardiso' takes the plain program: use program='plain'"

ENOUGH = 0.9
"""Which share of a gap that was asked for it goes to: plans are rounded to plans afterwards."""

STATUS = {"gap": LPStatus.OPTIMAL, "stopped": LPStatus.LIMIT}
"""By why the method went no further; else it does not vouch for its point."""


class Pardiso:
    """The interior point method as a solver that can be named."""

    name = "pardiso"
    engines = ()
    features = frozenset(
        {Feature.TIME_LIMIT, Feature.THREADS, Feature.APART, Feature.STEPS, Feature.PLAIN}
    )

    def solve(self, program: LinearProgram, options: LPOptions) -> LPSolution:
        """Solve a program without auxiliary variables.

        It stops before an iteration that would last, like the one before it, longer than the time
        limit; and at an interrupt.

        Raises
        ------
        MissingLibraryError
            If pypardiso is not installed.
        SolverError
            If MKL fails, or the program is not plain.
        """
        factors = PardisoFactors(options.threads)
        unit, saddle = _saddle_program(program)
        gap = TOLERANCE * program.largest_payoff if options.gap is None else ENOUGH * options.gap
        gap *= program.scale / unit
        with Interrupt(insist=False) as user:
            stop = _Stop(user, min(deadline_of(options.time_limit), deadline()))
            return _solution(program, linear_saddle(saddle, factors, gap, stop), unit)


PARDISO = Pardiso()


class _Stop:
    """Whether to stop before an iteration: no time for another like the last, or asked to.

    And tells whoever listens how far it has come.
    """

    def __init__(self, user: Interrupt, end: float) -> None:
        self._user, self._end, self._before = user, end, time.perf_counter()

    def __call__(self, iterations: int, gap: float) -> bool:
        tell(f"Pardiso: {counted(iterations, 'iteration')}, gap {gap:.2e}")
        now = time.perf_counter()
        took, self._before = now - self._before, now
        return self._user.asked or now + took > self._end


def _saddle_program(program: LinearProgram) -> tuple[float, SaddleProgram]:
    """Return the program as one of both players' plans, and the unit of its payoffs."""
    plan, best = program.num_plan, program.num_equalities
    if program.num_auxiliary:
        raise SolverError(ONLY_PLAIN)
    treeplexes = (
        _treeplex(program.matrix[:best, :plan].tocsr()),
        _treeplex(-program.matrix[best:, plan:].T.tocsr()),
    )
    payoff = sp.csr_array(program.matrix[best:, :plan].T)
    unit = middle_payoff(payoff)
    payoff.data /= unit
    near = np.concatenate([treeplex.to_plan(treeplex.uniform()) for treeplex in treeplexes])
    return unit, SaddleProgram(treeplexes, payoff, near, (0.0, 0.0))


def _treeplex(constraints: sp.csr_array) -> Treeplex:
    """Return the treeplex whose matrix E this is.

    Raises
    ------
    SolverError
        If there is none, as in most programs that are folded.
    """
    rows = constraints[1:]
    parents = rows.indices[rows.data < 0].astype(np.int32)
    actions = np.diff(rows.indptr) - 1
    first = np.concatenate([[1], 1 + np.cumsum(actions)]).astype(np.int32)
    if len(parents) == len(actions):
        try:
            treeplex = Treeplex(parents, first)
        except InvalidGameError:
            raise SolverError(ONLY_PLAIN) from None
        if treeplex.num_sequences == constraints.shape[1]:
            same = treeplex.constraints()[0]
            if (same != constraints).nnz == 0:
                return treeplex
    raise SolverError(ONLY_PLAIN)


def _solution(program: LinearProgram, found: Found, unit: float) -> LPSolution:
    """Return the point as one of the program."""
    point, own = found.point, program.num_plan
    duals = np.concatenate([point.values[: program.num_equalities] * unit, -point.plans[own:]])
    primal = np.concatenate([point.plans[:own], -point.values[-program.num_free :] * unit])
    message = f"{found.why}: {found.gap * unit / program.scale:.2e} left"
    status = STATUS.get(found.why, LPStatus.UNPROVEN)
    return LPSolution(status, primal, duals, message, "pardiso", found.iterations)
