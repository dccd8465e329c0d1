"""enumeration: all extreme equilibria of a small two-player game, in integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqform.base.errors import InvalidParameterError
from seqform.game import needs
from seqform.methods.method import Answer, Method, option
from seqform.methods.search_options import check_always_exact

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.exact.extreme_equilibria import Equilibria
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution


@dataclass(frozen=True)
class EnumerationOptions:
    """What is enumerated.

    Parameters
    ----------
    all
        Whether all extreme equilibria are: the method does nothing else.
    exact
        They are exact in any case.
    """

    all: bool = option(True, "Enumerate all extreme equilibria of a small two-player game.")

    exact: bool | None = option(
        None, "Prove the value as a fraction, of exact payoffs. Default: where it costs little."
    )

    def __post_init__(self) -> None:
        check_always_exact(self.exact, "enumeration")
        if self.all is not True:
            raise InvalidParameterError(
                f"all={self.all!r}: the method enumerates all equilibria; "
                "for one of them use method='lcp'"
            )


@dataclass(frozen=True, eq=False)
class All:
    """All equilibria that were found, each of them proven."""

    found: Equilibria

    def prove(self, solution: Solution) -> Solution:
        """Return a solution with all that was found; the first equilibrium is the answer."""
        return solution.proving(*self.found.found[:1], self.found)


class Enumeration(Method):
    """The corners of all sets of equilibria."""

    name, concept = "enumeration", "nash"
    lifts = False
    summary = "all extreme equilibria, in fractions, of a small two-player game"
    records = False
    Options = EnumerationOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None for two-player games.

        Raises
        ------
        SeqformError
            If there are too many strategies, or floats: `check_enumerable` says how many.
        """
        from seqform.exact.extreme_equilibria import check_enumerable

        others = needs.two_players(f"R10: method {self.name!r} is for", problem.form)
        if others is None:
            check_enumerable(problem.form)
        return others

    def run(self, problem: Problem, options: EnumerationOptions, clock: Clock) -> Answer:
        """Enumerate; the first one found is the answer."""
        from seqform.base.deadline import overtime
        from seqform.exact.extreme_equilibria import all_equilibria
        from seqform.results.status import Status

        form = problem.form
        with clock.phase("solve"), overtime():  # for what follows a search that ends on time
            found = all_equilibria(form)
        first, profile = (found[0] if len(found) else None), None
        if first is not None:
            with overtime():
                profile = form.profile_of_plans(first.floats())
        message = "" if found.is_complete else "not all: there are too many, or the time was over"
        return Answer(
            game=form,
            found=profile,
            engine=self.name,
            tolerance=1e-9,
            status=None if found.is_complete else Status.LIMIT,
            stands=True,
            message=message,
            prover=All(found),
        )


ENUMERATION = Enumeration()
