"""A best response: the optimal plan of the only player who moves, whatever is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqform.methods.method import Answer, Method

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.methods.problem import Problem

TOLERANCE = 1e-9
"""The gap that is left to rounding, as a share of the largest payoff."""


@dataclass(frozen=True)
class NoOptions:
    """A best response has no options."""


class BestResponse(Method):
    """One pass over the treeplex of the player who moves: the linear program of one player."""

    name = "best-response"
    summary = "a best response: games in which one player moves, information hidden or not"
    concept = "nash"
    records = False
    Options = NoOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None for games in which at most one player moves."""
        movers = problem.movers
        if len(movers) < 2:
            return None
        named = ", ".join(map(str, movers))
        return f"method {self.name!r} is for games in which one player moves; here {named} do"

    def run(self, problem: Problem, options: NoOptions, clock: Clock) -> Answer:
        """Return the profile in which the player who moves does the best that can be done."""
        from seqform.concepts.best_response import best_response
        from seqform.form.profile import Profile

        form = problem.form
        with clock.phase("solve"):
            profile = Profile.uniform(form.treeplexes)
            for player in problem.movers:
                plans = list(profile.plans)
                _, plans[player] = best_response(form, profile, player)
                profile = Profile.from_plans(form.treeplexes, plans)
        return Answer(form, profile, self.name, TOLERANCE)


BEST_RESPONSE = BestResponse()
