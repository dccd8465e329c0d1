"""mip: a best Nash equilibrium of a two-player game, by an integer program on the sequence form.

That an equilibrium is best is proven in fractions where that costs little: all extreme equilibria
are compared, or a best EFCE has no more. Elsewhere a solver branches in floats, and every
equilibrium that it leads to is proven. That no other is better is then the solver's word. Its bound
is reported as that, and the status is BEST_FOUND.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from seqform.base.errors import InvalidParameterError, SolverError, UnknownNameError
from seqform.base.objectives import OBJECTIVES
from seqform.game import needs
from seqform.methods.method import Answer, Method, option
from seqform.methods.search_options import check_always_exact, check_tolerance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqform.base.arrays import Floats
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.mixed_search import Known, MixedSearch
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution
    from seqform.results.status import Status
    from seqform.solvers.linear.mixed_integer import MixedSolution
    from seqform.solvers.linear.nash_program import NashProgram

logger = logging.getLogger(__name__)

SOLVERS = ("highs",)
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
    tolerance
        The nash_gap, as a share of the payoff scale, up to which the status is SOLVED.
    exact
        The equilibrium is exact in any case.
    """

    optimize: str = option(
        "welfare", f"What is to be best in a Nash equilibrium: {', '.join(OBJECTIVES)}."
    )
    solver: str = option("auto", f"Which program solves it: auto, {', '.join(SOLVERS)}.")
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
        if self.solver == "cvxpy":
            raise InvalidParameterError(
                "solver='cvxpy' is for linear programs: integer ones are solved by solver='highs'"
            )
        if self.solver not in ("auto", *SOLVERS):
            raise UnknownNameError.of("solver of integer programs", str(self.solver), SOLVERS)

    @property
    def solved_by(self) -> str:
        """The name of the solver."""
        return SOLVERS[0] if self.solver == "auto" else self.solver


@dataclass(frozen=True, eq=False)
class Best:
    """What is known of the best equilibrium."""

    known: Known

    def prove(self, solution: Solution) -> Solution:
        """Return a solution with its equilibrium in fractions, and what shows how good it is."""
        from seqform.exact.optimum import optimum

        known = self.known
        if known.best is None:
            return solution
        if known.objective == "none":
            return solution.proving(known.best)
        best = optimum(known.best, known.objective, known.bound, known.proven)
        return solution.proving(known.best, best)


class MixedIntegerProgram(Method):
    """The integer program of all equilibria."""

    name, concept = "mip", "nash"
    parallel = True
    records = False
    lifts = False
    summary = "a best equilibrium of two players, by proofs or an integer program"
    Options = MixedOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player games."""
        return needs.two_players(f"R10: method {self.name!r} is for", problem.form)

    def need(self, form: SequenceForm) -> Need:
        """Return what the integer program takes, which nobody can say how long to branch in."""
        from seqform.base.need import Need
        from seqform.solvers.complementarity.first_equilibrium import need_of_pivots
        from seqform.solvers.linear.nash_program import counted_size

        size = counted_size(form)
        binaries = sum(t.num_sequences - 1 for t in form.treeplexes)
        what = (
            f"an integer program with {binaries:,} zero-one variables, {size.nonzeros:,} nonzeros"
        )
        pivots = need_of_pivots(form)  # for the first equilibrium
        return Need(
            what,
            size.solver_bytes,
            pivots.instead if pivots.seconds else "look for one equilibrium (method='lcp')",
            ENDLESS if binaries >= WORTH_TELLING else "",
            pivots.seconds,
        )

    def run(self, problem: Problem, options: MixedOptions, clock: Clock) -> Answer:
        """Find an equilibrium and what none exceeds, and branch where they do not meet."""
        from seqform.exact.gains import check_exact
        from seqform.methods.mixed_search import Known, MixedSearch
        from seqform.solvers.linear.nash_program import nash_program

        form = problem.form
        check_exact(form)
        self.need(form).require()
        with clock.phase("build"):
            model = nash_program(form, OBJECTIVES[options.optimize] or (0, 0))
        known = Known(form, options.optimize)
        search = MixedSearch(known, model, partial(_asked, clock, known))
        first = _first(form, known, clock)
        with clock.phase("prove"):
            why_not = _prove(known, clock)
        if not known.is_settled or options.solver != "auto":
            with clock.phase("solve"):
                search.run()
        if search.last is None and not search.is_out_of_time:
            search.words.append("proven before there was anything to branch at")
        elif not known.is_settled:
            search.words += [f"not proven to be best: {reason}" for reason in why_not]
        return _answer(search, options, first)


MIP = MixedIntegerProgram()

ENUMERATION_STEPS = 100_000
"""Steps that listing all extreme equilibria may take: about a second."""

WORTH_TELLING = 1_000
"""Zero-one variables from which the user is told of a search before it begins."""

ENDLESS = (
    "nobody can say how long it takes: time_limit= ends it with the best that was found, and "
    "method='lcp' finds one equilibrium"
)

SHARE = 0.25
"""Of the time that is left, for each proof."""


def _asked(clock: Clock, known: Known, model: NashProgram, tolerance: float) -> MixedSolution:
    """Return what the solver says of a program."""
    from seqform.methods.mixed_search import start_of
    from seqform.solvers.linear.mixed_integer import solve_mixed

    target = None
    if known.proven is not None:
        target = float(known.proven.most) / model.unit - tolerance
    about_search = clock.seconds_left, clock.threads, start_of(model, known)
    return solve_mixed(model.program, model.binary, *about_search, model.unit, tolerance, target)


def _first(form: SequenceForm, known: Known, clock: Clock) -> Profile | None:
    """Take an equilibrium to begin with, so that a time limit finds one; return it in floats."""
    from seqform.solvers.complementarity.first_equilibrium import first_equilibrium

    first = first_equilibrium(form, clock)
    if first is not None:
        with clock.phase("exact"):
            mine, theirs = (plan > 0 for plan in first.plans)
            why = known.take_support((mine, theirs))
        logger.info("the first equilibrium: %s", why or known.worth)
    return first


def _prove(known: Known, clock: Clock) -> list[str]:
    """Look for a bound that the equilibrium meets; return why none was found."""
    from seqform.base.budget import Budget
    from seqform.base.deadline import time_limited
    from seqform.base.errors import OutOfTimeError
    from seqform.exact.optimum import PROOFS
    from seqform.results.best_nash import bound_by

    why = []
    for proof in PROOFS:
        if known.is_settled or known.objective == "none":
            break
        left = clock.seconds_left
        try:
            with time_limited(None if left is None else SHARE * left):
                budget = Budget(ENUMERATION_STEPS)
                bound, best = bound_by(proof, known.game, known.objective, known.best, budget)
        except (SolverError, OutOfTimeError) as error:
            logger.info("no proof by %s: %s", proof, error)
            why.append(str(error))
            continue
        known.proven = bound
        if best is not None:
            known.take(best)
    return why[-1:]


def _answer(search: MixedSearch, options: MixedOptions, first: Profile | None) -> Answer:
    from seqform.base.deadline import overtime

    known, size = search.known, search.model.program.size
    plans: Sequence[Floats] = ()
    if known.best is not None:
        plans = known.best.floats()
    elif search.point is not None:
        plans = search.model.plans(search.point)
    elif first is not None:
        plans = first.plans
    with overtime():
        profile = known.game.profile_of_plans(plans) if plans else None
    asked = search.last is not None
    return Answer(
        game=known.game,
        found=profile,
        engine=f"mip/{options.solved_by}" if asked else f"mip/{_proof_of(known)}",
        tolerance=options.tolerance,
        status=_status(search),
        stands=True,
        message="; ".join(search.words),
        iterations=search.nodes,
        sizes=size.of_solver | {"binaries": len(search.model.binary)},
        prover=Best(known),
    )


def _proof_of(known: Known) -> str:
    """Return what proved that an equilibrium is best; of any equilibrium, what found it."""
    return "lcp" if known.proven is None else known.proven.by.replace(" ", "-")


def _status(search: MixedSearch) -> Status | None:
    """Return the status; None where the certificate of a proven answer decides."""
    from seqform.results.status import Status

    if search.known.is_settled:
        return None
    if search.is_stopped:
        return Status.LIMIT
    return Status.FAILED if search.known.best is None else Status.BEST_FOUND
