"""What strategies of one recursive game prove in another one with the same stages.

Such as a tournament whose cards were sampled: what was found with some deals is judged with others.
"""

from __future__ import annotations

from collections.abc import Hashable

from seqform.base.errors import InvalidStrategyError
from seqform.game.recursive import RecursiveGame
from seqform.recursive.any_stage import AnyStage
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import RecursiveProof, prove_stationary
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph


def prove_elsewhere(profile: StationaryProfile, game: RecursiveGame | StageGraph) -> RecursiveProof:
    """Return what strategies prove in another game that has the same stages and information sets.

    Raises
    ------
    InvalidStrategyError
        If it has other stages, or in one of them other information sets or actions.
    VerificationError
        If nothing is proven there.
    """
    graph = game if isinstance(game, StageGraph) else stage_graph(game)
    found = {
        (stage.key, stage.who): (stage.form, own)
        for stage, own in zip(profile.graph.stages, profile.behaviors, strict=True)
    }
    missing = [n for n, stage in enumerate(graph.stages) if (stage.key, stage.who) not in found]
    if missing:
        raise InvalidStrategyError(
            f"the strategies do not say what is done in stage {graph.label(missing[0])}"
        )
    seen: set[tuple[int, int]] = set()
    behaviors = []
    for number, stage in enumerate(graph.stages):
        form, own = found[stage.key, stage.who]
        if (id(form), id(stage.form)) not in seen and _names(form) != _names(stage.form):
            raise InvalidStrategyError(
                f"stage {graph.label(number)} has other information sets or actions than the "
                "strategies say what is done at"
            )
        seen.add((id(form), id(stage.form)))
        behaviors.append(own)
    return prove_stationary(StationaryProfile.checked(graph, behaviors))


def _names(form: AnyStage) -> list[list[tuple[Hashable, tuple[Hashable, ...]]]]:
    """Return for each seat what its information sets and their actions are called."""
    origin = form.origin
    return [
        [
            (origin.infoset_label(seat, infoset), origin.actions(seat, infoset))
            for infoset in range(treeplex.num_infosets)
        ]
        for seat, treeplex in enumerate(form.treeplexes)
    ]
