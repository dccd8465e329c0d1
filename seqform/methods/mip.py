"""mip: a best Nash equilibrium of a two-player game, by an integer program on the sequence form.

HiGHS branches in floats. Which sequences may be played at the point that it ends with is kept, and
an equilibrium of that support is found and proven in fractions. That no other is better is HiGHS's
word, and its bound is reported as that.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING

from seqform.base.errors import InvalidParameterError, SolverError, UnknownNameError
from seqform.base.objectives import OBJECTIVES
from seqform.methods.method import Answer, option

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.exact.equilibrium import ExactEquilibrium
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution
    from seqform.solvers.linear.mixed_integer import MixedSolution
    from seqform.solvers.linear.nash_program import NashProgram

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class MixedOptions:
    """What is to be best.

    Parameters
    ----------
    optimize
        One of OBJECTIVES; 'none' for any equilibrium.
    tolerance
        The nash_gap, as a share of the payoff scale, up to which the status is SOLVED.
    """

    optimize: str = option(
        "welfare", f"What is to be best in a Nash equilibrium: {', '.join(OBJECTIVES)}."
    )
    tolerance: float = option(
        1e-6, "The nash_gap that counts as solved, as a share of the largest payoff."
    )

    def __post_init__(self) -> None:
        if not isinstance(self.optimize, str) or self.optimize not in OBJECTIVES:
            raise UnknownNameError.of("objective", str(self.optimize), OBJECTIVES)
        is_positive = isinstance(self.tolerance, Real) and self.tolerance > 0
        if not (is_positive and isfinite(self.tolerance)):
            raise InvalidParameterError(f"tolerance={self.tolerance!r}: use a number above 0")


class MixedIntegerProgram:
    """The integer program of all equilibria."""

    name, concept = "mip", "nash"
    parallel = True
    lifts = False
    summary = "a best equilibrium of two players, by an integer program on the sequence form"
    Options = MixedOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player games."""
        players = problem.form.num_players
        if players == 2:
            return None
        return f"R10: method {self.name!r} is for 2 players and the game has {players}"

    def run(self, problem: Problem, options: MixedOptions, clock: Clock) -> Answer:
        """Build the program, solve it, and make the equilibrium one in fractions."""
        from seqform.base.deadline import overtime
        from seqform.exact.gains import check_exact
        from seqform.solvers.linear.mixed_integer import solve_mixed
        from seqform.solvers.linear.nash_program import nash_program

        form = problem.form
        check_exact(form)
        with clock.phase("build"):
            model = nash_program(form, OBJECTIVES[options.optimize] or (0, 0))
            _require_memory(model)
        first = _any_equilibrium(problem, clock)
        start = None if first is None else model.binaries(first.plans)
        with clock.phase("solve"):
            limits = clock.seconds_left, clock.threads
            found = solve_mixed(model.program, model.binary, *limits, start)
        logger.info("HiGHS says %r after %.3f s", found.message, clock.seconds["solve"])
        exact, message = None, found.message
        if found.point is not None:
            with clock.phase("exact"), overtime():
                exact, message = _exact(form, model, found, options)
        return _answer(form, model, found, options, exact, message)


MIP = MixedIntegerProgram()


def _any_equilibrium(problem: Problem, clock: Clock) -> Profile | None:
    """Return an equilibrium to start from, so that a time limit finds one; None without one."""
    from seqform.methods.lcp import LCP, PivotOptions

    return LCP.run(problem, PivotOptions(exact=False), clock).found


def _require_memory(model: NashProgram) -> None:
    from seqform.base.memory import require_memory

    size = model.program.size
    what = f"an integer program with {size.nonzeros:,} nonzeros"
    require_memory(size.solver_bytes, what, "look for one equilibrium (method='lcp')")


def _exact(
    form: SequenceForm, model: NashProgram, found: MixedSolution, options: MixedOptions
) -> tuple[ExactEquilibrium | None, str]:
    """Return the equilibrium of the support that was found, and what is to be said of it."""
    from seqform.solvers.linear.support_program import equilibrium_of_support

    if found.point is None:
        return None, found.message
    weights = OBJECTIVES[options.optimize] or (0, 0)
    try:
        return equilibrium_of_support(form, model.played(found.point), weights), found.message
    except SolverError as error:
        return None, f"{found.message}; {error}"


def _answer(
    form: SequenceForm,
    model: NashProgram,
    found: MixedSolution,
    options: MixedOptions,
    exact: ExactEquilibrium | None,
    message: str,
) -> Answer:
    from seqform.base.deadline import overtime
    from seqform.results.solution import Status
    from seqform.solvers.linear.program import LPStatus

    profile, size = None, model.program.size
    if found.point is not None:
        plans = exact.floats() if exact else model.plans(found.point)
        with overtime():
            profile = form.profile_of_plans(plans)
    bound = None if found.bound is None else found.bound * model.unit

    def finish(solution: Solution) -> Solution:
        from seqform.exact.optimum import optimum

        if exact is None or options.optimize == "none":
            return replace(solution, exact=exact)
        best = optimum(exact, options.optimize, bound)
        return replace(solution, exact=exact, optimum=best)

    return Answer(
        game=form,
        found=profile,
        engine="mip/highs",
        tolerance=options.tolerance,
        status={LPStatus.LIMIT: Status.LIMIT, LPStatus.FAILED: Status.FAILED}.get(found.status),
        stands=True,
        message=message,
        iterations=found.nodes,
        sizes={
            "lp_rows": size.rows,
            "lp_columns": size.columns,
            "lp_nonzeros": size.nonzeros,
            "binaries": len(model.binary),
        },
        finish=finish,
    )
