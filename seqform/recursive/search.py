"""search_recursive: strategies of a recursive game of any number of players, and proven gains."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.clock import Clock
from seqform.base.deadline import For, overtime, time_limited
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.number import decimal, plain
from seqform.base.summary import counted
from seqform.game.recursive import RecursiveGame
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import RecursiveProof, prove_stationary
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.solve import SPARE, check_limits
from seqform.recursive.stage_batch import FictitiousPlay, Learner, RegretMinimization
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.sweeps import MOST_SWEEPS, Sweep, Swept, sweep_stages
from seqform.recursive.walk import stage_graph
from seqform.results.solution import Run
from seqform.results.status import Status
from seqform.solvers.iterative.regret.rules import RULES, rule

GAP = 3e-4
"""Of the span of payoffs: the gain at any position that is small enough by default."""

OUTER = {"pi": True, "vi": False}
"""Whether leads are made worth what strategies are in the whole game: policy iteration."""

METHOD = "pi-pcfr+"
"""By default: of all rules it came nearest, and steadily, in tournaments of three players."""


def search_recursive(
    game: RecursiveGame | StageGraph,
    *,
    method: str = METHOD,
    gap: float | None = None,
    iterations: int | None = None,
    time_limit: float | None = None,
    callback: Callable[[Sweep], None] | None = None,
    max_stages: int | None = None,
    start: StationaryProfile | Floats | None = None,
) -> RecursiveSolution:
    """Return strategies of a recursive game, and how much each player gains at most by deviating.

    For any number of players, and payoffs that add up to anything. The gains are those of the best
    deviation in the whole game, proven in integers. The strategies are called an equilibrium within
    `gap` only where that is proven.

    Parameters
    ----------
    game
        The recursive game, or its graph of stages.
    method
        What is done from sweep to sweep, and within stages: ``pi-`` or ``vi-`` (policy or value
        iteration), and ``fp`` (fictitious play) or the name of a regret rule, as in ``pi-pcfr+``,
        ``vi-fp``.
    gap
        What nobody may gain more than, in the game's unit, at any position; by default 3e-4 of the
        span of payoffs.
    iterations
        The most sweeps over all stages.
    time_limit
        Seconds for the whole call.
    callback
        Called with each `Sweep`; strategies to go on from later are among it.
    max_stages
        The most stages that are walked through.
    start
        Strategies to begin with, such as those of an earlier search; or what positions are worth,
        float64 (num_stages, num_players). By default the game's own ``guess(key)``, or else what
        uniform strategies are worth.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong with the game or an option.
    """
    by_policy, learner = _method(method)
    check_limits("gain", gap, iterations)
    with time_limited(time_limit):
        clock = Clock(None, 1, callback)
        with clock.phase("build"):
            graph = game if isinstance(game, StageGraph) else stage_graph(game, max_stages)
        limit = GAP * float(graph.span) if gap is None else gap
        with clock.phase("prepare"):
            profile, values = _beginning(graph, start)
        with clock.phase("solve"):
            found = sweep_stages(
                graph,
                learner,
                by_policy=by_policy,
                gain=SPARE * limit,
                clock=clock,
                start=profile,
                values=values,
                sweeps=iterations or MOST_SWEEPS,
            )
        with clock.phase("prove"), overtime(For.CERTIFYING):
            proof = prove_stationary(found.profile)
        run = Run(
            message=_message(found, proof),
            seconds=clock.seconds,
            sizes={"stages": len(graph.stages)},
            iterations=found.sweeps,
        )
        status = Status.SOLVED if proof.width <= limit else Status.LIMIT
        played = found.profile.as_played(proof.plans)
        return RecursiveSolution(played, proof, status, method, limit, run)


def _method(name: str) -> tuple[bool, Learner]:
    """Return whether policies are iterated over, and how players learn within stages."""
    outer, _, inner = name.partition("-")
    if outer not in OUTER or inner not in (*RULES, "fp"):
        known = [f"{outside}-{inside}" for outside in OUTER for inside in ("fp", *RULES)]
        raise UnknownNameError.of("method of search_recursive", name, known)
    return OUTER[outer], FictitiousPlay() if inner == "fp" else RegretMinimization(rule(inner))


def _beginning(
    graph: StageGraph, start: StationaryProfile | Floats | None
) -> tuple[StationaryProfile, Floats]:
    """Return what players do, and what positions are worth, in the beginning."""
    if isinstance(start, StationaryProfile):
        if start.graph is not graph:
            start = StationaryProfile.checked(graph, start.behaviors)
        return start, Facing(start).values()
    profile = StationaryProfile.uniform(graph)
    if start is not None:
        return profile, _values(graph, start)
    guess = getattr(graph.game, "guess", None)
    if guess is None:
        return profile, Facing(profile).values()
    rows = [[float(number) for number in guess(stage.key)] for stage in graph.stages]
    return profile, _values(graph, rows)


def _values(graph: StageGraph, given: Any) -> Floats:
    """Return what positions are said to be worth, checked."""
    shape = len(graph.stages), graph.num_players
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.shape != shape or not np.isfinite(values).all():
        raise InvalidParameterError(
            f"start: give strategies, or what each of {counted(shape[0], 'stage')} is worth to "
            f"each of {shape[1]} players: finite numbers of shape {plain(shape)}"
        )
    return values


def _message(found: Swept, proof: RecursiveProof) -> str:
    """Return what is to be said of the search: cycles of values, and shares of the entry fee."""
    said = []
    if found.cycle:
        said.append(
            f"values came round again after {counted(found.cycle, 'sweep')}: going on as before "
            "may go round for ever"
        )
    fee = getattr(proof.graph.game, "entry_fee", None)
    if fee is not None:
        share = decimal(100 * max_gain(proof) / Fraction(fee), 3, ROUND_CEILING)
        said.append(f"from the first stage nobody gains more than {share}% of the entry fee")
    return "; ".join(said)


def max_gain(proof: RecursiveProof) -> Fraction:
    """Return the most that any player gains by a deviation, from the first stage on."""
    return max(above - below for above, below in zip(proof.upper[0], proof.lower[0], strict=True))
