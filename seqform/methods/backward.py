"""Backward induction as a method: subgame-perfect equilibria of games of perfect information."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.methods.method import Answer, Method
from seqform.methods.state_by_state import (
    TraceOptions,
    hidden_information,
    no_states,
    tracer,
)

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.methods.problem import Problem

SEARCHING = 0.6
"""Share of the time limit for the induction; its certificate plays through all states again, which
takes about as long."""

FLOAT_TOLERANCE = 1e-9
"""The gain from one deviation that is left to rounding, as a share of the largest payoff; games
whose numbers are exact are solved exactly."""


class BackwardInduction(Method):
    """Values and best actions of all subgames, from the ends of the game to its root."""

    name = "backward"
    summary = "backward induction: any number of players, chance, any payoffs, nothing hidden"
    concept = "subgame-perfect"
    records = False
    Options = TraceOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None unless information is hidden in the game's tree, where that is known.

        Rules and signal games are found out while they are solved.
        """
        return no_states(f"method {self.name!r} is for", problem) or hidden_information(problem)

    def run(self, problem: Problem, options: TraceOptions, clock: Clock) -> Answer:
        """Solve the game; there is no answer if the time is over before."""
        from seqform.base.errors import OutOfTimeError
        from seqform.perfect_information.induction import backward_induction
        from seqform.results.status import Status

        rules, trace, left = problem.rules, tracer(options.trace), clock.seconds_left
        try:
            with clock.phase("solve"):
                found = backward_induction(
                    rules,
                    max_nodes=problem.max_nodes,
                    time_limit=None if left is None else SEARCHING * left,
                    callback=clock.callback,
                    trace=trace,
                )
        except OutOfTimeError as error:
            message = f"{error}; the certificate takes as long again" if left else str(error)
            return Answer(rules, None, self.name, 0.0, Status.LIMIT, message)
        extent = found.extent
        tolerance = 0.0 if extent.is_exact else FLOAT_TOLERANCE * (extent.largest_payoff or 1.0)
        return Answer(rules, found, self.name, tolerance, sizes=dict(found.statistics))


BACKWARD = BackwardInduction()
