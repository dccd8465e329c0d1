"""lp: an equilibrium of a two-player zero-sum game from its sequence-form linear program.

Small programs are solved by the simplex method, whose basis leads on to an equilibrium in
fractions; larger ones by an interior point (docs/explanation/solvers.md).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from seqform.base import thresholds
from seqform.base.deadline import limit_given, overtime
from seqform.base.errors import InvalidParameterError, OutOfTimeError
from seqform.game import needs
from seqform.methods.in_fractions import require_in_fractions
from seqform.methods.method import Answer, Method, option
from seqform.methods.refine import BY_BEHAVIOR, by_pivots, check_refinement
from seqform.methods.refine import HELP as REFINE_HELP
from seqform.methods.search_options import POLISH_HELP, check_gap, check_tolerance
from seqform.methods.which_program import check_program, large_program_solver, make_program

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.exact.basis import Basis
    from seqform.exact.trembles import Refinement
    from seqform.form.sequence_form import SequenceForm
    from seqform.form.sizes import LPSize
    from seqform.methods.method import Prover
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution
    from seqform.solvers.linear.program import LinearProgram, LPSolution

logger = logging.getLogger(__name__)

LIBRARIES = {"highs": "highspy", "clarabel": "clarabel", "cvxpy": "cvxpy"}
"""What our own solvers import when they are first used."""


@dataclass(frozen=True)
class ProgramOptions:
    """How a linear program is made, solved, and gone on from.

    Parameters
    ----------
    solver
        The name of a solver, or 'auto': HiGHS for small programs, Clarabel for larger ones.
    engine
        One of the solver's engines; None for its default.
    program
        Which linear program: 'plain', 'folded', 'sparsified', or 'auto' for the one that is solved
        soonest; see `seqform.methods.which_program`.
    tolerance
        The nash_gap, as a share of the payoff scale, up to which the status is SOLVED.
    exact
        Whether to go on to an equilibrium in fractions and prove it, in a game whose numbers are
        all int or Fraction. None: where that takes less time than the program does.
    polish
        Go on to `gap` by quadratic programs on the actions that matter.
    family
        Go on to all equilibria: the least and the greatest probability of each action, in
        fractions. That needs an exact one.
    refine
        Go on to a refined equilibrium, by name; see `seqform.methods.refine`. That needs an exact
        one.
    gap
        The nash_gap that is enough, in the game's unit. A solver that can stops there, and others
        go to their end; polishing goes there, by default to 1e-9 of the scale.
    """

    solver: str = option("auto", "Which program solves it: auto, {solvers}.")
    engine: str | None = option(
        None, "One of the solver's engines, such as simplex or ipx of highs."
    )
    program: str = option(
        "auto", "Which linear program is solved: auto, plain, folded, sparsified."
    )
    tolerance: float = option(
        1e-6, "The nash_gap that counts as solved, as a share of the largest payoff."
    )
    exact: bool | None = option(
        None, "Prove the value as a fraction, of exact payoffs. Default: where it costs little."
    )
    polish: bool | None = option(None, POLISH_HELP)
    family: bool = option(
        False, "Find all equilibria: the least and the greatest probability of each action."
    )
    refine: str | None = option(None, REFINE_HELP)
    gap: float | None = option(None, "The nash_gap to reach, in the game's unit.")

    def __post_init__(self) -> None:
        check_tolerance(self.tolerance)
        check_gap(self.gap)
        check_program(self.program, bool(self.exact or self.family or self.refine))
        if self.engine is not None and self.solver == "auto":
            raise InvalidParameterError(
                f"engine={self.engine!r} needs the solver that it is of, such as solver='highs'"
            )
        if self.family and self.exact is False:
            raise InvalidParameterError("family=True needs an exact equilibrium: leave out exact=")
        if self.refine is not None:
            check_refinement(self.refine, self.exact)
        if self.exact or self.family or self.refine:
            self._check_exact()

    def _check_exact(self) -> None:
        """Refuse options that lead to no basis, and so to no exact equilibrium."""
        if self.polish:
            raise InvalidParameterError(
                "an exact equilibrium comes from a linear program's basis: "
                "leave out polish= and gap="
            )
        if self.solver not in ("auto", "highs") or self.engine not in (None, "simplex", "ipx"):
            raise InvalidParameterError(
                "an exact equilibrium comes from a basis: use solver='highs' with "
                "engine='simplex' or 'ipx'"
            )


class LinearProgramming(Method):
    """The sequence-form linear program."""

    name, concept = "lp", "nash"
    parallel = True
    records = False
    summary = "the sequence-form linear program, for two-player zero-sum games"
    Options = ProgramOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player constant-sum games."""
        return needs.zero_sum(f"R10: method {self.name!r} is for", problem.form)

    def need(self, form: SequenceForm) -> Need:
        """Return what the program takes that is chosen by default; a folded one takes less."""
        from seqform.form.sizes import form_lp_size
        from seqform.methods.need import need_of_program
        from seqform.methods.which_program import choose_program

        if form.origin.hands is not None:  # whose pairs are not listed to be told a size
            return need_of_program(form, form_lp_size(form))
        return need_of_program(form, choose_program(form)[0])

    def run(self, problem: Problem, options: ProgramOptions, clock: Clock) -> Answer:
        """Build the program, solve it, and polish the answer if that is asked for."""
        form = problem.form
        if options.family or options.refine:
            options = replace(options, exact=True)
        if options.exact:
            from seqform.exact.interval import check_provable
            from seqform.form.sizes import form_lp_size
            from seqform.methods.need import need_of_program

            check_provable(form)
            need = need_of_program(form, form_lp_size(form))
            require_in_fractions(form, need, options.refine, options.family)
        answer = _solve_program(form, options, clock)
        if not options.polish:
            return answer
        from seqform.methods.polish import POLISH_TO, polished

        gap = POLISH_TO if options.gap is None else float(options.gap) / form.payoff_scale
        return polished(form, answer, gap, clock)


LP = LinearProgramming()


def _solve_program(form: SequenceForm, options: ProgramOptions, clock: Clock) -> Answer:
    from seqform.methods.basis_in_time import basis_in_time
    from seqform.results.status import Status
    from seqform.solvers.linear.program import LPStatus
    from seqform.solvers.linear.solver import SOLVERS, LPOptions, check_options, solve_program

    if options.solver != "auto":  # what it cannot do is said before anything is built for it
        wanted = LPOptions(options.engine, limit_given(), clock.threads)
        check_options(SOLVERS.get(options.solver), wanted)
    elif options.program in ("auto", "plain") and not options.exact:
        options = replace(options, solver=large_program_solver(form))
    with clock.phase("build"):
        program = make_program(form, options.program, wants_basis(form, options), options.solver)
        size = program.size
    logger.info("LP with %s rows and %s nonzeros", program.num_rows, program.num_nonzeros)
    solver, engine = choose_solver(program, form, options), options.engine
    if options.exact and engine is None and solver == "highs":
        engine = exact_engine(size)
    _load_libraries(solver, size, options)

    def solved_by(solver: str, engine: str | None) -> LPSolution:
        limits = LPOptions(engine, clock.seconds_left, clock.threads, options.gap)
        return solve_program(program, solver, limits)

    by_default = _default_without_basis(program, form, options)
    with clock.phase("solve"):
        if by_default and limit_given() is not None:
            found = basis_in_time(
                partial(solved_by, by_default, None), partial(solved_by, solver, engine)
            )
        else:
            found = solved_by(solver, engine)
    with overtime():
        seconds = clock.seconds["solve"]
        logger.info("%s says %r after %.3f s", found.engine, found.message, seconds)
        status = {LPStatus.LIMIT: Status.LIMIT, LPStatus.FAILED: Status.FAILED}.get(found.status)
        profile = None
        if status is not Status.FAILED and found.primal is not None and found.duals is not None:
            with clock.phase("certify"):
                profile = form.profile_of_plans(program.plans(found))
    return Answer(
        game=form,
        found=profile,
        engine=f"lp/{found.engine}",
        tolerance=options.tolerance if options.gap is None else options.gap / form.payoff_scale,
        status=status,
        message=found.message,
        iterations=found.iterations,
        sizes=size.of_solver,
        prover=_prover(form, program, found, options),
    )


def wants_basis(form: SequenceForm, options: ProgramOptions) -> bool:
    """Return whether the program's basis is to lead on to an equilibrium in fractions."""
    from seqform.form.sizes import form_lp_size
    from seqform.methods.when_exact import is_worth_a_basis

    if options.exact is not None or options.polish:
        return bool(options.exact)
    size = form_lp_size(form)
    if options.solver != "auto":
        return options.solver == "highs" and size.nonzeros <= thresholds.EXACT_UP_TO
    return is_worth_a_basis(form, size)


def choose_solver(program: LinearProgram, form: SequenceForm, options: ProgramOptions) -> str:
    """Return the solver's name: 'auto' goes by size, and by whether a basis is worth having."""
    from seqform.methods.when_exact import is_worth_a_basis

    if options.solver != "auto":
        return options.solver
    if program.num_nonzeros < thresholds.CLARABEL_FROM and not options.exact:
        return "highs"
    wanted = options.exact is None and not options.polish and program.is_plain
    if options.exact or (wanted and is_worth_a_basis(form, program.size)):
        from seqform.solvers.linear.highs_model import keeps_entries

        return "highs" if keeps_entries(program) else "clarabel"
    return "clarabel"


def _default_without_basis(
    program: LinearProgram, form: SequenceForm, options: ProgramOptions
) -> str | None:
    """Return the solver that is taken where nothing exact is asked for, if it leaves no basis."""
    if not options.exact or options.solver != "auto":
        return None
    solver = choose_solver(program, form, replace(options, exact=None, family=False, refine=None))
    return None if solver == "highs" else solver


def _load_libraries(solver: str, size: LPSize, options: ProgramOptions) -> None:
    """Import what solving and proving need, so that phases are timed without it."""
    from seqform.solvers.linear.solver import SOLVERS

    SOLVERS.get(solver)
    if solver in LIBRARIES:
        import_module(LIBRARIES[solver])
    if options.exact is not False and solver == "highs":
        from seqform.exact.linear_system import DENSE_UP_TO

        if min(size.rows, size.columns) > DENSE_UP_TO:  # no basis has more equations than that
            import_module("scipy.sparse.linalg")


def exact_engine(size: LPSize) -> str:
    """Return HiGHS's engine that finds a basis soonest."""
    return "ipx" if size.nonzeros >= thresholds.IPX_FROM else "simplex"


def _prover(
    form: SequenceForm, program: LinearProgram, found: LPSolution, options: ProgramOptions
) -> Prover | None:
    """Return what makes the answer exact, if that was asked for or takes little time."""
    from seqform.methods.when_exact import is_worth_proving

    if not program.is_plain or options.exact is False or options.polish:
        return None
    is_wanted = options.exact or is_worth_proving(form, program.size, found.basis)
    return EndOfProgram(program, found, options) if is_wanted else None


@dataclass(frozen=True, eq=False)
class EndOfProgram:
    """A program's solution, and its basis if the solver left one."""

    program: LinearProgram
    found: LPSolution
    options: ProgramOptions

    def prove(self, solution: Solution) -> Solution:
        """Return a solution with what each step proves; at its limit if one takes longer.

        What was found before that stays. A step that nobody asked for raises.
        """
        from seqform.results.status import Status

        asked = self.options.exact or self.options.family or self.options.refine
        try:
            for step in self._steps():
                solution = step(solution)
        except OutOfTimeError as error:
            if not asked:
                raise
            return replace(solution.saying(error), status=Status.LIMIT)
        return solution

    def _steps(self) -> Iterator[Callable[[Solution], Solution]]:
        from seqform.methods.refine import UNDOMINATED, refined, with_refinement, with_undominated
        from seqform.methods.when_exact import with_family, with_proof
        from seqform.solvers.linear.program import LPStatus

        name, basis = self.options.refine, self.found.basis
        yield partial(with_proof, program=self.program, basis=basis)
        if self.options.exact and self.found.status is LPStatus.LIMIT:
            yield _at_limit_unless_exact
        if name:
            find = partial(_refinement, self.program.game, name, self.program, basis)
            other = partial(with_refinement, find=find)
            yield partial(refined, find=with_undominated if name == UNDOMINATED else other)
        if self.options.family:
            yield with_family


def _at_limit_unless_exact(solution: Solution) -> Solution:
    """Return a solution that is at its limit if there was no time for the proof asked for."""
    from seqform.results.status import Status

    return solution if solution.exact else replace(solution, status=Status.LIMIT)


def _refinement(
    form: SequenceForm, name: str, program: LinearProgram, basis: Basis | None
) -> Refinement:
    """Return a refined equilibrium: from the program's basis on, or by pivots."""
    from seqform.solvers.linear.quasi_perfect import quasi_perfect

    return by_pivots(name, form) if name == BY_BEHAVIOR else quasi_perfect(program, basis)
