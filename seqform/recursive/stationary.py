"""StationaryProfile: what is done in each seat of each stage, whenever play comes there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqform.base.arrays import Exact, Floats
from seqform.base.errors import InvalidStrategyError
from seqform.exact.plans import round_plan
from seqform.recursive.graph import Stage, StageGraph

BITS = 44
"""Of plans in integers: as good as floats, and sums over hands stay short."""


@dataclass(frozen=True, eq=False)
class StationaryProfile:
    """A behaviour strategy for each position: a stage and a seat.

    Parameters
    ----------
    graph
        The stages.
    behaviors
        For each stage and seat float64 (num_sequences,).

    Raises
    ------
    InvalidStrategyError
        If one is not a behaviour strategy; it names stage and information set.
    """

    graph: StageGraph
    behaviors: tuple[tuple[Floats, ...], ...]

    @classmethod
    def checked(cls, graph: StageGraph, behaviors: Sequence[Sequence[Floats]]) -> StationaryProfile:
        """Return the profile of behaviours, each seen to be one."""
        made = []
        for number, (stage, own) in enumerate(zip(graph.stages, behaviors, strict=True)):
            seats = range(graph.num_players)
            try:
                made.append(tuple(_normalized(stage, seat, own[seat]) for seat in seats))
            except InvalidStrategyError as error:
                raise InvalidStrategyError(f"stage {graph.label(number)}, {error}") from None
        return cls(graph, tuple(made))

    @classmethod
    def uniform(cls, graph: StageGraph) -> StationaryProfile:
        """Return the profile in which all actions are equally likely."""
        return cls(
            graph, tuple(tuple(t.uniform() for t in s.form.treeplexes) for s in graph.stages)
        )

    @cached_property
    def plans(self) -> tuple[tuple[Floats, ...], ...]:
        """For each stage and seat the realization plan, float64 (num_sequences,)."""
        return tuple(
            tuple(t.to_plan(b) for t, b in zip(stage.form.treeplexes, own, strict=True))
            for stage, own in zip(self.graph.stages, self.behaviors, strict=True)
        )

    def in_integers(self, bits: int = BITS) -> tuple[tuple[Exact, ...], ...]:
        """Return ``2**bits`` times a plan near each, int64 (num_sequences,)."""
        return tuple(
            tuple(round_plan(t, b, bits) for t, b in zip(stage.form.treeplexes, own, strict=True))
            for stage, own in zip(self.graph.stages, self.behaviors, strict=True)
        )

    def as_played(self, plans: Sequence[Sequence[Exact]]) -> StationaryProfile:
        """Return the profile of plans in integers, rounded to floats."""
        return StationaryProfile(
            self.graph,
            tuple(
                tuple(
                    t.to_behavior(plan / np.float64(plan[0]))
                    for t, plan in zip(stage.form.treeplexes, own, strict=True)
                )
                for stage, own in zip(self.graph.stages, plans, strict=True)
            ),
        )


def _normalized(stage: Stage, seat: int, behavior: Floats) -> Floats:
    """Return a behaviour strategy of a seat, seen to be one."""

    def label(infoset: int) -> Hashable:
        return stage.form.origin.infoset_label(seat, infoset)

    return stage.form.treeplexes[seat].normalize(behavior, label=label)
