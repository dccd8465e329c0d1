"""solve_recursive: from a recursive game to strategies and what they prove, in one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from seqform.base.clock import Clock
from seqform.base.deadline import For, overtime, time_limited
from seqform.base.errors import InvalidParameterError, NotForThisGameError
from seqform.game.recursive import RecursiveGame
from seqform.recursive.graph import StageGraph
from seqform.recursive.iteration import MOST_ITERATIONS, iterate
from seqform.recursive.proof import prove_stationary
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
from seqform.results.solution import Run
from seqform.results.status import Status

GAP = 1e-9
"""Of the span of payoffs: the width of brackets that is looked for by default."""

METHOD = "pollatschek"
"""What the iteration is called (see `seqform.recursive.iteration`)."""

SPARE = 0.9
"""Of a width that is asked for: what floats have to reach, so that integers prove it."""


def solve_recursive(
    game: RecursiveGame | StageGraph,
    *,
    gap: float | None = None,
    iterations: int | None = None,
    time_limit: float | None = None,
    callback: Callable[[Any], None] | None = None,
    max_stages: int | None = None,
    start: StationaryProfile | None = None,
) -> RecursiveSolution:
    """Return stationary strategies of a recursive game of two players, and proven brackets.

    Payoffs have to add up to a constant. The brackets are proven in integers, whatever the search
    says; at a limit those of the best strategies so far are returned.

    Parameters
    ----------
    game
        The recursive game, or its graph of stages.
    gap
        The width of brackets that is enough, in the game's unit, at every position; by default
        1e-9 of the span of payoffs.
    iterations
        The most that are made.
    time_limit
        Seconds for the whole call.
    callback
        Called with each `Step` of the search.
    max_stages
        The most stages that are walked through.
    start
        Strategies whose values the search begins with.

    Raises
    ------
    NotForThisGameError
        If the game is not for two players whose payoffs add up to a constant.
    SeqformError
        Of a subclass that says what is wrong with the game or an option.

    Examples
    --------
    >>> from seqform import make
    >>> solution = solve_recursive(make("kuhn-tournament", chips=4))
    >>> float(solution.lower), solution.width < 1e-9
    (0.4782988585..., True)
    """
    check_limits(gap, iterations)
    with time_limited(time_limit):
        return bracketed(begin(game, callback, max_stages), gap, iterations, start)


class Begun(NamedTuple):
    """The stages of a game, and the clock that ran while they were made."""

    graph: StageGraph
    clock: Clock

    def make_ready(self) -> None:
        """Make what is needed to solve stages, once it was seen that they can be."""
        with self.clock.phase("build"):
            self.graph.make_ready()


def begin(
    game: RecursiveGame | StageGraph,
    callback: Callable[[Any], None] | None = None,
    max_stages: int | None = None,
) -> Begun:
    """Return all stages that play can come to; errors as for `stage_graph`."""
    clock = Clock(None, 1, callback)
    with clock.phase("build"):
        graph = game if isinstance(game, StageGraph) else stage_graph(game, max_stages)
    return Begun(graph, clock)


def bracketed(
    begun: Begun,
    gap: float | None = None,
    iterations: int | None = None,
    start: StationaryProfile | None = None,
) -> RecursiveSolution:
    """Return strategies of what was begun, and brackets; see `solve_recursive`."""
    graph, clock = begun
    _require_zero_sum(graph)
    begun.make_ready()
    width = GAP * float(graph.span) if gap is None else gap
    with clock.phase("solve"):
        found = iterate(graph, SPARE * width, clock, start, iterations or MOST_ITERATIONS)
    with clock.phase("prove"), overtime(For.CERTIFYING):
        proof = prove_stationary(found.profile)
        profile = found.profile.as_played(proof.plans)
    run = Run(
        seconds=clock.seconds, sizes={"stages": len(graph.stages)}, iterations=found.iterations
    )
    status = Status.SOLVED if proof.width <= width else Status.LIMIT
    return RecursiveSolution(profile, proof, status, METHOD, width, run)


def check_limits(gap: float | None, iterations: int | None) -> None:
    """See that a search can come to an end.

    Raises
    ------
    InvalidParameterError
        If the gap is not above 0, or there is to be no iteration.
    """
    if gap is not None and not 0 < gap < float("inf"):
        raise InvalidParameterError(f"gap={gap}: give a number above 0, in the game's unit")
    if iterations is not None and (isinstance(iterations, bool) or iterations < 1):
        raise InvalidParameterError(f"iterations={iterations}: give 1 or more")


def has_value(graph: StageGraph) -> bool:
    """Return whether a game has a value: it is for two players, and payoffs have one sum."""
    return graph.num_players == 2 and graph.constant_sum is not None


def _require_zero_sum(graph: StageGraph) -> None:
    if graph.num_players != 2:
        raise NotForThisGameError(
            f"a value is of two players, and this recursive game has {graph.num_players}",
            "seqform.search_recursive(game) looks for strategies, and says what each player gains",
        )
    if graph.constant_sum is None:
        raise NotForThisGameError(
            "a value is of games whose payoffs add up to a constant; here they do not",
            "seqform.search_recursive(game) looks for strategies, and says what each player gains",
        )
