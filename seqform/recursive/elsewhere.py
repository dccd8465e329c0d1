"""What strategies of one recursive game prove in another one with the same stages.

Such as a tournament whose cards were sampled: what was found with some deals is judged with others.
"""

from __future__ import annotations

from seqform.base.errors import InvalidStrategyError
from seqform.game.recursive import RecursiveGame
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import RecursiveProof, prove_stationary
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph


def prove_elsewhere(profile: StationaryProfile, game: RecursiveGame | StageGraph) -> RecursiveProof:
    """Return what strategies prove in another game that has the same stages and information sets.

    Raises
    ------
    InvalidStrategyError
        If it has other stages, or other numbers of actions.
    VerificationError
        If nothing is proven there.
    """
    graph = game if isinstance(game, StageGraph) else stage_graph(game)
    found = {
        (stage.key, stage.who): own
        for stage, own in zip(profile.graph.stages, profile.behaviors, strict=True)
    }
    missing = [n for n, stage in enumerate(graph.stages) if (stage.key, stage.who) not in found]
    if missing:
        raise InvalidStrategyError(
            f"the strategies do not say what is done in stage {graph.label(missing[0])}"
        )
    behaviors = [found[stage.key, stage.who] for stage in graph.stages]
    return prove_stationary(StationaryProfile.checked(graph, behaviors))
