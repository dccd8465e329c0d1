"""Backward induction as a method: subgame-perfect equilibria of games of perfect information."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqform.methods.method import Answer, Method, option

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.methods.problem import Problem
    from seqform.perfect_information.decision import Decision

SEARCHING = 0.6
"""Share of the time limit for the induction; its certificate plays through all states again, which
takes about as long."""

FLOAT_TOLERANCE = 1e-9
"""The gain from one deviation that is left to rounding, as a share of the largest payoff; games
whose numbers are exact are solved exactly."""


@dataclass(frozen=True)
class TraceOptions:
    """Options of whatever decides at one state after the other.

    Parameters
    ----------
    trace
        Whether to print every decision; or a function that is called with each.
    """

    trace: bool | Callable[[Decision], None] = option(
        False, "Print every decision, in the order in which it is made."
    )


class BackwardInduction(Method):
    """Values and best actions of all subgames, from the ends of the game to its root."""

    name = "backward"
    summary = "backward induction: any number of players, chance, any payoffs, nothing hidden"
    concept = "subgame-perfect"
    Options = TraceOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None unless information is hidden in the game's tree, where that is known.

        Rules and signal games are found out while they are solved.
        """
        return hidden_information(problem)

    def run(self, problem: Problem, options: TraceOptions, clock: Clock) -> Answer:
        """Solve the game; there is no answer if the time is over before."""
        from seqform.base.errors import OutOfTimeError
        from seqform.perfect_information.induction import backward_induction
        from seqform.results.solution import Status

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


def tracer(trace: bool | Callable[[Decision], None]) -> Callable[[Decision], None] | None:
    """Return the function that is called with each decision, if any."""
    if callable(trace):
        return trace
    return print if trace else None


def hidden_information(problem: Problem) -> str | None:
    """Return where a tree that is known hides information; None where it hides none."""
    tree = problem.known_tree
    if tree is None or tree.perfect_information:
        return None
    from seqform.base.errors import NotForThisGameError
    from seqform.tree.as_rules import require_perfect_information

    try:
        require_perfect_information(tree)
    except NotForThisGameError as error:
        return str(error.args[0])
    return None


BACKWARD = BackwardInduction()
