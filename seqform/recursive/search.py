"""search_recursive: strategies of a recursive game of any number of players, and proven gains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.checkpoint_path import checkpoint_path
from seqform.base.deadline import For, overtime, time_limited
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.number import plain
from seqform.base.summary import counted
from seqform.game.recursive import RecursiveGame
from seqform.recursive.checkpoint import open_sweeps_file
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import prove_stationary
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.solve import SPARE, Begun, begin, check_limits
from seqform.recursive.stage_batch import RegretMinimization
from seqform.recursive.stage_play import FewRounds, StagePlay, UntilNobodyGains
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.sweeps import MOST_SWEEPS, Sweep, Swept, sweep_stages
from seqform.results.solution import Run
from seqform.results.status import Status
from seqform.solvers.iterative.regret.rules import RULES, rule

GAP = 3e-4
"""Of the span of payoffs: the gain at any position that is small enough by default."""

OUTER = {"pi": True, "vi": False}
"""Whether leads are made worth what strategies are in the whole game: policy iteration."""

METHODS = tuple(f"{outer}-{inner}" for outer in OUTER for inner in ("fp", *RULES))
"""What is done from sweep to sweep, and within stages."""

METHOD = "pi-pcfr+"
"""By default: of all rules it came nearest, and steadily, in tournaments of three players."""

STAGE_SHARE = 0.3
"""Of the gap: what somebody may gain within a stage. It adds up over the stages of a play; with so
much tournaments of one card came to the gap in two to four sweeps, and with less in longer ones."""


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
    stage_gap: float | None = None,
    checkpoint: Path | str | None = None,
    resume: bool = False,
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
    stage_gap
        With fictitious play, what nobody may gain more than within a stage at the end of a sweep,
        in the game's unit; by default 0.3 of `gap`. With other rules it must be None.
    checkpoint
        A file to save the search to, every minute and when it ends. A sweep that is under way is
        made again.
    resume
        Whether to go on from that file. With the same options what is found is, to the last bit,
        what a search without interruption finds.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong with the game or an option.
    """
    check_method(method)
    check_limits(gap, iterations)
    check_stage_gap(method, stage_gap)
    with time_limited(time_limit):
        return searched(
            begin(game, callback, max_stages),
            method,
            gap=gap,
            iterations=iterations,
            start=start,
            stage_gap=stage_gap,
            checkpoint=checkpoint,
            resume=resume,
        )


def searched(
    begun: Begun,
    method: str = METHOD,
    *,
    gap: float | None = None,
    iterations: int | None = None,
    start: StationaryProfile | Floats | None = None,
    stage_gap: float | None = None,
    checkpoint: Path | str | None = None,
    resume: bool = False,
) -> RecursiveSolution:
    """Return strategies of what was begun, and proven gains; see `search_recursive`."""
    (graph, clock), (outer, _, inner) = begun, method.partition("-")
    limit = GAP * float(graph.span) if gap is None else gap
    play = _play(inner, STAGE_SHARE * limit if stage_gap is None else stage_gap)
    path = checkpoint_path(checkpoint, resume)
    if resume and start is not None:
        raise InvalidParameterError(
            "resume=True goes on from a checkpoint, and start= from something else: give one"
        )
    begun.make_ready()
    with clock.phase("prepare"):
        saver = None if path is None else open_sweeps_file(path, graph, method, resume)
        profile, values = _beginning(graph, start)
    with clock.phase("solve"):
        found = sweep_stages(
            graph,
            play,
            by_policy=OUTER[outer],
            gain=SPARE * limit,
            clock=clock,
            start=profile,
            values=values,
            sweeps=iterations or MOST_SWEEPS,
            saver=saver,
            resume=resume,
        )
    with clock.phase("prove"), overtime(For.CERTIFYING):
        proof = prove_stationary(found.profile)
        played = found.profile.as_played(proof.plans)
    run = Run(
        message=_message(found),
        seconds=clock.seconds,
        sizes={"stages": len(graph.stages)},
        iterations=found.sweeps,
    )
    status = Status.SOLVED if proof.width <= limit else Status.LIMIT
    return RecursiveSolution(played, proof, status, method, limit, run)


def check_method(name: str) -> None:
    """See that a search goes by this name.

    Raises
    ------
    UnknownNameError
        If none does.
    """
    if name not in METHODS:
        raise UnknownNameError.of("method of search_recursive", name, METHODS)


def check_stage_gap(method: str, stage_gap: float | None) -> None:
    """See that what may be gained within stages is a number, and is of use.

    Raises
    ------
    InvalidParameterError
        If it is not above 0, or nobody plays fictitiously.
    """
    if stage_gap is None:
        return
    if not method.endswith("-fp"):
        raise InvalidParameterError(
            f"stage_gap={stage_gap}: this is of fictitious play, as in method='pi-fp'; leave it out"
        )
    if not 0 < stage_gap < float("inf"):
        raise InvalidParameterError(
            f"stage_gap={stage_gap}: give a number above 0, in the game's unit"
        )


def _play(inner: str, stage_gap: float) -> StagePlay:
    """Return what is done within stages in a sweep."""
    if inner == "fp":
        return UntilNobodyGains(stage_gap)
    return FewRounds(RegretMinimization(rule(inner)))


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


def _message(found: Swept) -> str:
    """Return what is to be said of the search: whether values went round."""
    if not found.cycle:
        return ""
    return (
        f"values came round again after {counted(found.cycle, 'sweep')}: going on as before may go "
        "round for ever"
    )
