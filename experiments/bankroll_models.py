"""Which opponents does one meet in a tournament of two?

A model plays as in the equilibrium but for what it always does, or plays by a rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from seqform.base.arrays import Floats

if TYPE_CHECKING:
    from seqform.recursive.graph import Stage
    from seqform.recursive.solution import RecursiveSolution
    from seqform.recursive.stage_program import Kind, StageOptimum
    from seqform.recursive.stationary import StationaryProfile

AGGRESSIVE = {"bet", "push"}
"""Actions that put chips at stake which the other has to answer."""

FOLD, CALL = "fold", "call"

TIGHT = 0.5
"""How often one calls who calls too seldom, beside the equilibrium."""


def folder(solution: RecursiveSolution) -> StationaryProfile:
    """Return one who folds to every bet."""
    return _answering(solution, lambda often, fold, call: _only(often, fold))


def caller(solution: RecursiveSolution) -> StationaryProfile:
    """Return one who never folds to a bet."""
    return _answering(solution, lambda often, fold, call: _only(often, call))


def tight(solution: RecursiveSolution) -> StationaryProfile:
    """Return one who calls bets with each hand half as often as the equilibrium does."""
    return _answering(solution, _call_less)


def uniform(solution: RecursiveSolution) -> StationaryProfile:
    """Return one to whom all actions are equally likely."""
    from seqform.recursive.stationary import StationaryProfile

    return StationaryProfile.uniform(solution.graph)


def chip_counter(solution: RecursiveSolution) -> StationaryProfile:
    """Return one who plays each hand as if chips were worth their share.

    For two players that is the independent chip model: a hand alone, played for chips.
    """
    from seqform.recursive.stage_program import kind, programs
    from seqform.recursive.stationary import StationaryProfile

    graph = solution.graph
    total = graph.game.chips  # type: ignore[attr-defined]
    shares = np.array([stage.key for stage in graph.stages], dtype=np.float64) / total
    values = np.stack([shares, 1 - shares], axis=1)
    behaviors: list[tuple[Floats, Floats]] = []
    near: StageOptimum | None = None
    last: Kind = ()
    for number, (stage, program) in enumerate(zip(graph.stages, programs(graph), strict=True)):
        start = near if kind(stage) == last else None
        optimum = program.solve(graph.worth(number, values)[:, 0], start)
        near, last = optimum, kind(stage)
        behaviors.append(optimum.behaviors)
    return StationaryProfile.checked(graph, behaviors)


def _only(often: Floats, action: int) -> None:
    often[:] = 0.0
    often[action] = 1.0


def _call_less(often: Floats, fold: int, call: int) -> None:
    less = (1 - TIGHT) * often[call]
    often[call] -= less
    often[fold] += less


def _answering(
    solution: RecursiveSolution, change: Callable[[Floats, int, int], None]
) -> StationaryProfile:
    """Return the equilibrium with other answers to bets.

    Parameters
    ----------
    change
        Changes how often each action is taken in an information set, float64 (num_actions,), where
        a bet is answered; it is told which action folds, and which calls.
    """
    from seqform.recursive.stationary import StationaryProfile

    def changed(stage: Stage, seat: int, behavior: Floats) -> Floats:
        found, treeplex = behavior.copy(), stage.form.treeplexes[seat]
        for infoset, (start, stop) in enumerate(pairwise(treeplex.first_sequence.tolist())):
            actions = stage.form.origin.actions(seat, infoset)
            if FOLD in actions and CALL in actions and not AGGRESSIVE & set(actions):
                change(found[start:stop], actions.index(FOLD), actions.index(CALL))
        return found

    both = zip(solution.graph.stages, solution.profile.behaviors, strict=True)
    return StationaryProfile(
        solution.graph,
        tuple(tuple(changed(stage, seat, own[seat]) for seat in (0, 1)) for stage, own in both),
    )


MODELS: Mapping[str, Callable[[Any], Any]] = {
    "folder": folder,
    "caller": caller,
    "tight": tight,
    "uniform": uniform,
    "chip_counter": chip_counter,
}
"""By name what makes the model of a solution."""
