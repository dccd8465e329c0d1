"""qre: the path of logit quantal response equilibria, and the Nash equilibrium that it leads to.

Players who choose better actions more often, by a factor ``exp(lambda d)`` where d is by how much
they are better, are in a logit equilibrium if they are right about each other. From lambda 0, where
everybody chooses uniformly, a curve of such equilibria leads to a Nash equilibrium as lambda grows
(McKelvey & Palfrey 1995, 1998). It is followed until the support of that equilibrium shows; then
the equilibrium is solved for.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from math import inf, isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any

from seqform.base.deadline import overtime
from seqform.base.errors import InvalidParameterError, OutOfTimeError, SolverError
from seqform.base.number import is_float_sized
from seqform.links.chain import LOCK
from seqform.methods.method import Answer, Method, option
from seqform.methods.search_options import check_gap

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.method import Prover
    from seqform.methods.on_support import Polished
    from seqform.methods.problem import Problem
    from seqform.results.logit_path import LogitPoint
    from seqform.results.solution import Solution
    from seqform.solvers.continuation import PathPoint
    from seqform.solvers.logit_response import LogitResponse

Numbers = float | list[float] | tuple[float, ...]
"""One lambda, or several."""

logger = logging.getLogger(__name__)

DEFAULT_GAP = 1e-9
"""The nash_gap to reach, as a share of the payoff scale."""

FIRST_LOOK, LATER, LAST = 100.0, 3.0, 1e6
"""Lambda times the payoff scale from which an equilibrium is looked for, by how much lambda grows
between two looks, and where the path ends."""

LOOK_AFTER = 40
"""Steps after which it is looked for in any case: paths of large games wind."""

OUT_OF_TIME, OUT_OF_STEPS = "stopped by the limit of time", "stopped by the limit of steps"
"""Why a path was left."""


@dataclass(frozen=True)
class QreOptions:
    """How far the path is followed.

    Parameters
    ----------
    lambda_end
        Stop at this lambda, in the inverse of the game's unit, and return the logit equilibrium
        itself. Of several the path is followed once: the answer is that at the largest, and
        `Solution.path` has all of them. By default the path leads on to a Nash equilibrium.
    gap
        The nash_gap to reach, in the game's unit; by default 1e-9 of the payoff scale.
    steps
        How many at most.
    exact
        Whether to prove what the equilibrium gains, in a game whose numbers are all int or
        Fraction: exactly 0 where it is rational, else as little as `gap`. None: if that is so.
    """

    lambda_end: Numbers | None = option(
        None,
        "Return the logit equilibrium at this lambda (1 / the game's unit), or at several, such as "
        "0.5,1,2.",
        "--lambda",
    )
    gap: float | None = option(
        None, "The nash_gap to reach, in the game's unit; with lp, for polishing."
    )
    steps: int = option(10_000, "How many steps along the path at most.")
    exact: bool | None = option(
        None, "Prove the value as a fraction, of exact payoffs. Default: where it costs little."
    )

    def __post_init__(self) -> None:
        check_gap(self.gap)
        end = self.lambda_end
        if not all(is_float_sized(each) and each >= 0 for each in self.lambdas):
            raise InvalidParameterError(f"lambda_end={end!r:.40}: use a number from 0 on")
        if end is not None and not self.lambdas:
            raise InvalidParameterError(f"lambda_end={end!r}: give a number, or several")
        if not (isinstance(self.steps, (int, Real)) and self.steps >= 1):
            raise InvalidParameterError(f"steps={self.steps!r}: use 1 or more")
        if self.exact and end is not None:
            raise InvalidParameterError(
                "exact=True is for the Nash equilibrium that the path leads to: leave out "
                "lambda_end=, since logit equilibria are irrational"
            )

    @property
    def lambdas(self) -> tuple[Any, ...]:
        """The lambdas that are asked for, as they were given; none by default."""
        end = self.lambda_end
        if end is None:
            return ()
        return tuple(end) if isinstance(end, (list, tuple)) else (end,)


class QuantalResponse(Method):
    """The logit path of the sequence form."""

    name, concept = "qre", "nash"
    summary = "the path of logit equilibria to a Nash equilibrium: any players, any payoffs"
    records = False
    Options = QreOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None for games with a tree."""
        if problem.form.tree is not None:
            return None
        why = "; a lock leaves none" if LOCK in problem.reduction.split(",") else ""
        return (
            f"method {self.name!r} needs the game's tree, to know how likely information sets are "
            f"to be reached{why}"
        )

    def run(self, problem: Problem, options: QreOptions, clock: Clock) -> Answer:
        """Follow the path, and solve for the equilibrium that it leads to."""
        from seqform.solvers.logit_response import LogitResponse

        form = problem.form
        if options.exact:
            from seqform.exact.gains import check_exact

            check_exact(form)
        with clock.phase("prepare"):
            path = _Path(form, LogitResponse(form), clock, options)
        with clock.phase("solve"):
            if options.lambda_end is None:
                return path.answer(path.to_equilibrium())
            path.to_lambdas()
            return path.answer(None)


@dataclass
class _Path:
    """A path under way."""

    form: SequenceForm
    curve: LogitResponse
    clock: Clock
    options: QreOptions
    steps: int = 0
    events: list[str] = field(default_factory=list)
    trouble: str = ""
    found: dict[float, LogitPoint] = field(default_factory=dict)

    def __post_init__(self) -> None:
        from seqform.solvers.continuation import start

        self.point: PathPoint = start(self.curve, self.curve.start())
        self.here: PathPoint | None = None  # where a lambda was met, between two points
        self.scale = self.form.payoff_scale
        gap = self.options.gap
        self.gap = DEFAULT_GAP * self.scale if gap is None else float(gap)

    def to_equilibrium(self) -> Polished | None:
        """Look for an equilibrium now and then on the way; return the first one found."""
        look = FIRST_LOOK
        while True:
            self._go(look, self.steps + LOOK_AFTER)
            found = self._equilibrium_here()
            if found is not None or self.trouble or look >= LAST:
                return found
            if self.point.parameter >= look:
                look *= LATER

    def _equilibrium_here(self) -> Polished | None:
        """Return an equilibrium near to the last point, if one is found in time."""
        from seqform.methods.on_support import equilibrium_near

        try:
            return equilibrium_near(self.form, self.profile, self.gap)
        except OutOfTimeError:
            self.trouble = OUT_OF_TIME
            return None

    def to_lambdas(self) -> None:
        """Go to the lambdas of the options, from the least on, and meet each of them exactly."""
        from seqform.results.logit_path import LogitPoint
        from seqform.solvers.continuation import at_parameter

        before = self.point
        for asked in sorted(set(map(float, self.options.lambdas))):
            end = asked * self.scale
            if not isfinite(end):
                raise InvalidParameterError(
                    f"lambda_end={asked!r}: times the largest payoff, {self.scale:.3g}, it is out "
                    "of the range of floats: use a smaller one"
                )
            if self.point.parameter < end:
                before = self._go(end)
            if self.trouble:
                return
            self.here = at_parameter(self.curve, before, self.point, end)
            self.found[asked] = LogitPoint(asked, self.profile, self.form)

    def _go(self, end: float, steps: float = inf) -> PathPoint:
        """Follow the path until its parameter is `end` or more; return the point before that.

        It ends sooner after so many steps in all.
        """
        from seqform.solvers.continuation import follow

        before = self.point
        if before.parameter >= end:
            return before
        try:
            for point in follow(self.curve, self.point):
                before, self.point = self.point, point
                self.steps += 1
                self._note(before, point)
                if point.parameter >= end or self.steps >= steps:
                    break
                if self.clock.is_over or self.steps >= self.options.steps:
                    self.trouble = OUT_OF_TIME if self.clock.is_over else OUT_OF_STEPS
                    break
        except OutOfTimeError:
            self.trouble = OUT_OF_TIME
        except SolverError as error:
            self.trouble = "the path has no more digits" if self.point.parameter > 1 else str(error)
            logger.info("%s", error)
        return before

    def _note(self, before: PathPoint, point: PathPoint) -> None:
        here = f"{before.parameter / self.scale:.4g} and {point.parameter / self.scale:.4g}"
        if point.sign != before.sign:
            self.events.append(f"a bifurcation between lambda {here}")
        if point.is_turned != before.is_turned:
            self.events.append(f"a turning point between lambda {here}")

    @property
    def profile(self) -> Profile:
        """The logit equilibrium of the last point."""
        return self.form.profile(self.curve.behaviors(self.last.z))

    @property
    def last(self) -> PathPoint:
        """The point to which the path was followed."""
        return self.point if self.here is None or self.trouble else self.here

    def _asked(self) -> tuple[LogitPoint, ...]:
        """Return what was found at the lambdas, in their order, where several were asked for."""
        lambdas = [float(each) for each in self.options.lambdas]
        if len(lambdas) < 2:
            return ()
        return tuple(self.found[each] for each in lambdas if each in self.found)

    def answer(self, found: Polished | None) -> Answer:
        """Return the equilibrium that was found, or else the last point."""
        from seqform.results.status import Status

        parts = [f"logit path to lambda {self.last.parameter / self.scale:.6g}", *self.events]
        if self.trouble:
            parts.append(self.trouble)
        if found is not None:
            parts.append(found.words)
        with overtime():
            profile = self.profile if found is None else found.profile
        status = None
        if found is None and self.trouble:
            status = Status.LIMIT
        elif self.options.lambda_end is not None:
            status = Status.REACHED
        return Answer(
            game=self.form,
            found=profile,
            engine="qre/path" if found is None else "qre/support",
            tolerance=self.gap / self.scale,
            status=status,
            message=", ".join(parts),
            iterations=self.steps,
            path=self._asked(),
            prover=self._prover(found),
        )

    def _prover(self, found: Polished | None) -> Prover | None:
        """Return what proves more: of an equilibrium, or of the last point if that is asked for."""
        if self.options.exact is False:
            return None
        if found is not None:
            return found
        return LastPoint() if self.options.exact else None


class LastPoint:
    """The end of the path, of which nothing more is known than the profile."""

    def prove(self, solution: Solution) -> Solution:
        """Return a solution with what its profile proves in fractions."""
        from seqform.exact.bracket import bracket

        if solution.profile is None:
            return solution
        return solution.proving(bracket(solution.game, solution.profile))


QRE = QuantalResponse()
