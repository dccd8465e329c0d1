"""lcp: an equilibrium of a two-player game of any sums, by complementary pivots.

Lemke's algorithm on the sequence-form linear complementarity problem
(docs/explanation/complementarity.md). Where it starts decides which equilibrium it finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING

from seqform.base import thresholds
from seqform.base.errors import InvalidParameterError, SolverError
from seqform.game import needs
from seqform.methods.in_fractions import otherwise, require_in_fractions
from seqform.methods.method import Answer, Method, option
from seqform.methods.refine import HELP as REFINE_HELP
from seqform.methods.refine import UNDOMINATED, check_refinement
from seqform.methods.search_options import check_tolerance

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.form.complementarity import ComplementarityProblem
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution
    from seqform.solvers.complementarity.first_equilibrium import Followed
    from seqform.solvers.complementarity.lemke import Path
    from seqform.solvers.complementarity.start import Start


@dataclass(frozen=True)
class PivotOptions:
    """Where complementary pivots start, and when they stop.

    Parameters
    ----------
    start
        A prior or a covering vector. Priors are 'uniform', a seed that draws one, a profile, and a
        file strategy.csv of a saved result. Covering vectors are one number of each sequence of
        player 0, then of player 1, or a file that lists them.
    pivots
        How many at most.
    tolerance
        The nash_gap, as a share of the payoff scale, up to which the status is SOLVED.
    exact
        Whether to go on to an equilibrium in fractions and prove it, in a game whose numbers are
        all int or Fraction. None: where that takes little time.
    refine
        Go on to a refined equilibrium, by name; see `seqform.methods.refine`. That takes pivots in
        integers, all of them.
    """

    start: str | int | Profile | Sequence[float] = option(
        "uniform", "The prior: uniform, a seed, or strategy.csv; or a file with a covering vector."
    )
    pivots: int | None = option(None, "How many pivots at most.")
    tolerance: float = option(
        1e-6, "The nash_gap that counts as solved, as a share of the largest payoff."
    )
    exact: bool | None = option(
        None, "Prove the value as a fraction, of exact payoffs. Default: where it costs little."
    )

    refine: str | None = option(None, REFINE_HELP)

    def __post_init__(self) -> None:
        check_tolerance(self.tolerance)
        if self.refine is not None:
            check_refinement(self.refine, self.exact)
        if self.pivots is not None and not (isinstance(self.pivots, Integral) and self.pivots >= 1):
            raise InvalidParameterError(f"pivots={self.pivots!r}: use 1 or more")


class ComplementaryPivots(Method):
    """Lemke's algorithm on the sequence-form complementarity problem."""

    name, concept = "lcp", "nash"
    summary = "complementary pivots on the sequence form, for two players and any payoffs"
    records = False
    Options = PivotOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player games."""
        return needs.two_players(f"R10: method {self.name!r} is for", problem.form)

    def need(self, form: SequenceForm) -> Need:
        """Return what the complementarity problem takes, and pivoting in it."""
        from seqform.solvers.complementarity.first_equilibrium import need_of_pivots

        return need_of_pivots(form)

    def run(self, problem: Problem, options: PivotOptions, clock: Clock) -> Answer:
        """Build the problem, and follow the path from where it starts."""
        from seqform.methods.pivot_start import covering_of
        from seqform.solvers.complementarity.first_equilibrium import follow_path, pivot_problem
        from seqform.solvers.complementarity.lemke import Limits

        form = problem.form
        if options.refine == UNDOMINATED:
            raise InvalidParameterError(
                f"refine={UNDOMINATED!r} is for zero-sum games, by method='lp'; "
                f"{otherwise(form, self.need(form), options.refine)}"
            )
        options = replace(options, exact=True) if options.refine else options
        if options.exact:
            from seqform.exact.gains import check_exact

            check_exact(form)
            require_in_fractions(form, self.need(form), options.refine)
        lcp = pivot_problem(form, clock)
        with clock.phase("solve"):
            limits = Limits(options.pivots, clock.deadline)
            covering = covering_of(form, lcp, options.start)
            found = follow_path(lcp, covering, limits, _may_go_on(lcp, options))
        return _answer(form, options, found)


LCP = ComplementaryPivots()


def _answer(form: SequenceForm, options: PivotOptions, found: Followed) -> Answer:
    from seqform.base.deadline import overtime
    from seqform.results.status import Status
    from seqform.solvers.complementarity.lemke import PathStatus

    start, path, plans = found
    problem, profile = start.problem, None
    if plans is not None:
        with overtime():
            profile = form.profile_of_plans(plans)
    status = {PathStatus.LIMIT: Status.LIMIT, PathStatus.LOST: Status.FAILED}.get(path.status)
    wants_exact = options.exact or (options.exact is None and _is_worth_proving(start))
    return Answer(
        game=form,
        found=profile,
        engine="lcp/lemke",
        tolerance=options.tolerance,
        status=status,
        message=path.message,
        iterations=len(path.changes),
        sizes={"lcp_pairs": problem.num_sequences, "lcp_nonzeros": problem.num_nonzeros},
        prover=EndOfPath(options, start, path) if wants_exact else None,
    )


def _may_go_on(problem: ComplementarityProblem, options: PivotOptions) -> bool:
    """Return whether exact pivots may follow where floats fail: asked for, or of a small game."""
    if options.exact is None:
        return problem.size <= thresholds.GO_ON_UP_TO
    return options.exact


def _is_worth_proving(start: Start) -> bool:
    """Return whether an equilibrium should be made exact without being asked."""
    return start.problem.is_exact and start.problem.num_nonzeros <= thresholds.EXACT_UP_TO


@dataclass(frozen=True, eq=False)
class EndOfPath:
    """Where a path began and ended: its last basis is one of an equilibrium, if it is right."""

    options: PivotOptions
    start: Start
    path: Path

    def prove(self, solution: Solution) -> Solution:
        """Return a solution with an equilibrium in fractions, or with what its profile proves."""
        from seqform.exact.bracket import bracket
        from seqform.solvers.complementarity.lemke import PathStatus
        from seqform.solvers.complementarity.rational_equilibrium import exact_equilibrium

        game, profile, start = solution.game, solution.profile, self.start
        if profile is None or self.path.status is not PathStatus.SOLVED:
            return solution
        try:
            go_on = _may_go_on(start.problem, self.options)
            solution = solution.proving(exact_equilibrium(game, start, self.path, go_on))
            return self._refined(solution) if self.options.refine else solution
        except SolverError as error:
            return solution.proving(bracket(game, profile)).saying(error)

    def _refined(self, solution: Solution) -> Solution:
        """Return a solution with a refined equilibrium, by pivots from the same start."""
        from seqform.methods.refine import by_pivots, refined, with_refinement
        from seqform.solvers.complementarity.lemke import Limits

        name, limits = str(self.options.refine), Limits(self.options.pivots)
        find = partial(by_pivots, name, solution.game, self.options.start, limits)
        return refined(solution, partial(with_refinement, find=find))
