"""mip: a best Nash equilibrium of a two-player game, by an integer program on the sequence form.

A solver branches in floats. Which sequences may be played at the point that it ends with is kept,
and an equilibrium of that support is found and proven in fractions. That no other is better is the
solver's word, and its bound is reported as that.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqform.base.errors import InvalidParameterError, SolverError, UnknownNameError
from seqform.base.objectives import OBJECTIVES
from seqform.methods.method import Answer, option
from seqform.methods.search_options import check_always_exact, check_tolerance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqform.base.arrays import Floats, Mask
    from seqform.base.clock import Clock
    from seqform.exact.equilibrium import ExactEquilibrium
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution
    from seqform.solvers.linear.mixed_integer import MixedSolution
    from seqform.solvers.linear.nash_program import NashProgram

logger = logging.getLogger(__name__)

SOLVERS = ("highs", "cvxpy")
"""What solves integer programs, the default first."""


@dataclass(frozen=True)
class MixedOptions:
    """What is to be best.

    Parameters
    ----------
    optimize
        One of OBJECTIVES; 'none' for any equilibrium.
    solver
        One of SOLVERS, or 'auto' for the first.
    engine
        With cvxpy: which of its solvers, HIGHS or SCIPY.
    tolerance
        The nash_gap, as a share of the payoff scale, up to which the status is SOLVED.
    exact
        The equilibrium is exact in any case.
    """

    optimize: str = option(
        "welfare", f"What is to be best in a Nash equilibrium: {', '.join(OBJECTIVES)}."
    )
    solver: str = option("auto", f"Which program solves it: auto, {', '.join(SOLVERS)}.")
    engine: str | None = option(None, "With cvxpy: HIGHS or SCIPY.")
    tolerance: float = option(
        1e-6, "The nash_gap that counts as solved, as a share of the largest payoff."
    )

    exact: bool | None = option(
        None, "Prove the value as a fraction, of exact payoffs. Default: where it costs little."
    )

    def __post_init__(self) -> None:
        check_always_exact(self.exact, "mip")
        if not isinstance(self.optimize, str) or self.optimize not in OBJECTIVES:
            raise UnknownNameError.of("objective", str(self.optimize), OBJECTIVES)
        check_tolerance(self.tolerance)
        if self.solver not in ("auto", *SOLVERS):
            raise UnknownNameError.of("solver of integer programs", str(self.solver), SOLVERS)
        if self.engine is not None and self.solver != "cvxpy":
            raise InvalidParameterError(
                f"engine={self.engine!r} is for solver='cvxpy', and HIGHS or SCIPY: leave it out"
            )

    @property
    def solved_by(self) -> str:
        """The name of the solver."""
        return SOLVERS[0] if self.solver == "auto" else self.solver


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
        from seqform.solvers.linear.nash_program import nash_program

        form = problem.form
        check_exact(form)
        _check_solver(options, clock)
        with clock.phase("build"):
            model = nash_program(form, OBJECTIVES[options.optimize] or (0, 0))
            _require_memory(model)
        first = _any_equilibrium(problem, clock)
        with clock.phase("solve"):
            found = _solved(model, options, clock, first)
        logger.info(
            "%s says %r after %.3f s", options.solved_by, found.message, clock.seconds["solve"]
        )
        exact, message = None, found.message
        played = _played(model, found, first)
        if played is not None:
            with clock.phase("exact"), overtime():
                exact, message = _exact(form, played, found, options)
        return _answer(form, model, found, options, exact, message)


MIP = MixedIntegerProgram()


def _check_solver(options: MixedOptions, clock: Clock) -> None:
    """Refuse what the solver cannot do, before the program is built."""
    if options.solved_by != "cvxpy":
        return
    from seqform.solvers.linear.mixed_cvxpy import check_engine

    check_engine(options.engine)
    if clock.threads > 1:
        raise InvalidParameterError(
            f"threads={clock.threads} needs solver='highs': cvxpy has no option for all engines"
        )


def _solved(
    model: NashProgram, options: MixedOptions, clock: Clock, first: Profile | None
) -> MixedSolution:
    """Return what the solver finds."""
    if options.solved_by == "cvxpy":
        from seqform.solvers.linear.mixed_cvxpy import solve_mixed_cvxpy

        limit = clock.seconds_left
        return solve_mixed_cvxpy(model.program, model.binary, limit, options.engine)
    from seqform.solvers.linear.mixed_integer import solve_mixed

    start = None if first is None else model.binaries(first.plans)
    limits = clock.seconds_left, clock.threads
    return solve_mixed(model.program, model.binary, *limits, start, model.unit)


def _played(
    model: NashProgram, found: MixedSolution, first: Profile | None
) -> tuple[Mask, Mask] | None:
    """Return which sequences may be played at the point, or else at the first equilibrium."""
    if found.point is not None:
        return model.played(found.point)
    if first is None:
        return None
    x, y = (plan > 0 for plan in first.plans)
    return x, y


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
    form: SequenceForm, played: tuple[Mask, Mask], found: MixedSolution, options: MixedOptions
) -> tuple[ExactEquilibrium | None, str]:
    """Return the equilibrium of the support that was found, and what is to be said of it."""
    from seqform.solvers.linear.support_program import equilibrium_of_support

    weights = OBJECTIVES[options.optimize] or (0, 0)
    try:
        return equilibrium_of_support(form, played, weights), found.message
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
    plans: Sequence[Floats] = ()
    if exact is not None:
        plans = exact.floats()
    elif found.point is not None:
        plans = model.plans(found.point)
    if plans:
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
        engine=f"mip/{options.solved_by}",
        tolerance=options.tolerance,
        status={LPStatus.LIMIT: Status.LIMIT, LPStatus.FAILED: Status.FAILED}.get(found.status),
        stands=True,
        message=message,
        iterations=found.nodes,
        sizes=size.of_solver | {"binaries": len(model.binary)},
        finish=finish,
    )
