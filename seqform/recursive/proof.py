"""What stationary strategies in integers prove: a bracket for every position, or every gain.

Against a player's strategies no deviation of the others gets more than a bound
(`seqform.recursive.bound`). Of two players whose payoffs add up to a constant, what is left is what
the player is guaranteed. In any other game the bounds say what each player could gain, beside what
the strategies are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Exact, Floats
from seqform.base.errors import InvalidStrategyError, VerificationError
from seqform.exact.plans import check_plan
from seqform.recursive.bound import Bound, Case, Operator, check_bound, prove_bound
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.stationary import StationaryProfile

if TYPE_CHECKING:
    from seqform.strategies.show.table_text import Table

Plans = Sequence[Sequence[Exact]]
"""For each stage and seat, `whole` times a realization plan, int64 (num_sequences,)."""


@dataclass(frozen=True, eq=False)
class RecursiveProof:
    """What plans prove of a recursive game.

    Parameters
    ----------
    graph
        The stages.
    plans
        For each stage and seat, `whole` times a realization plan.
    whole
        A power of two.
    deviations
        What no deviation gets more than, at each position.
    worth
        What the plans are worth at least, at each position; None where that follows from
        `deviations`, as it does for two players whose payoffs add up to a constant.
    """

    graph: StageGraph
    plans: Plans
    whole: int
    deviations: Bound
    worth: Bound | None

    @property
    def is_zero_sum(self) -> bool:
        """Whether there is a value, which a bracket holds."""
        return self.worth is None

    @cached_property
    def lower(self) -> tuple[tuple[Fraction, ...], ...]:
        """For each stage and seat what its player is guaranteed, or gets at least."""
        if self.worth is not None:
            return self.worth.values
        total = self.graph.constant_sum or Fraction(0)
        return tuple(tuple(total - most for most in row[::-1]) for row in self.deviations.values)

    @property
    def upper(self) -> tuple[tuple[Fraction, ...], ...]:
        """For each stage and seat the most that its player gets against the others."""
        return self.deviations.values

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """The most that each player gains by any deviation in the whole game, from the start."""
        return tuple(
            above - below for above, below in zip(self.upper[0], self.lower[0], strict=True)
        )

    @property
    def width(self) -> Fraction:
        """The widest bracket, or the largest gain, of any position."""
        return max(
            above - below
            for high, low in zip(self.upper, self.lower, strict=True)
            for above, below in zip(high, low, strict=True)
        )

    def table(self) -> Table:
        """Return a row for each stage: brackets of seat 0, or what each seat gets and may gain."""
        from seqform.recursive.shown import bounds_table

        return bounds_table(self)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Which cases of the theorem were needed."""
        return tuple(dict.fromkeys(bound.case for bound in self.bounds))

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """What was proven: `deviations`, and `worth` if there is one."""
        return (self.deviations,) if self.worth is None else (self.deviations, self.worth)


def prove_stationary(profile: StationaryProfile) -> RecursiveProof:
    """Return what strategies prove, by plans in integers near them.

    Raises
    ------
    InvalidStrategyError
        If one is not a behaviour strategy.
    VerificationError
        If nothing is proven, as where payoffs along the way add up and play may last for ever.
    """
    graph, plans = profile.graph, profile.in_integers()
    check_plans(graph, plans, _whole(plans))
    facing = Facing(profile.as_played(plans))
    best, longest = facing.best().ravel(), facing.longest().ravel()
    operators = _operators(graph, plans)
    deviations = prove_bound(operators[0], best, longest)
    if len(operators) == 1:
        return RecursiveProof(graph, plans, _whole(plans), deviations, None)
    worth = prove_bound(operators[1], -facing.values().ravel(), longest)
    return RecursiveProof(graph, plans, _whole(plans), deviations, worth)


def prove_again(graph: StageGraph, plans: Plans, bounds: Sequence[Bound]) -> RecursiveProof:
    """Return the proof of plans and bounds that somebody claims.

    Raises
    ------
    InvalidStrategyError
        If integers are no plans; with stage and seat.
    VerificationError
        If a bound does not hold.
    """
    check_plans(graph, plans, _whole(plans) if plans else 0)
    operators = _operators(graph, plans)
    if len(bounds) != len(operators):
        raise VerificationError(f"{len(operators)} bounds have to be claimed, not {len(bounds)}")
    for operator, bound in zip(operators, bounds, strict=True):
        check_bound(operator, bound)
    worth = bounds[1] if len(bounds) > 1 else None
    return RecursiveProof(graph, plans, _whole(plans), bounds[0], worth)


def _whole(plans: Plans) -> int:
    """Return what the first plan begins with, which all have to begin with."""
    first = plans[0][0]
    is_plan = first.ndim == 1 and first.size and first.dtype in (np.int64, object)
    return int(first[0]) if is_plan else 0


def _operators(graph: StageGraph, plans: Plans) -> list[Operator]:
    """Return what bounds deviations, and where there is no value what bounds the plans' worth."""
    against = graph.exactly_against(plans, _whole(plans))
    best = Operator(graph, against)
    if graph.num_players == 2 and graph.constant_sum is not None:
        return [best]
    own = [plan for stage in plans for plan in stage]
    return [best, Operator(graph, against, own, -1)]


def check_plans(graph: StageGraph, plans: Plans, whole: int) -> None:
    """See that integers are plans of all seats of all stages.

    Raises
    ------
    InvalidStrategyError
        With stage, seat and information set.
    """
    if len(plans) != len(graph.stages):
        raise InvalidStrategyError(
            f"there are plans of {len(plans):,} stages, and the game has {len(graph.stages):,}"
        )
    for number, (stage, own) in enumerate(zip(graph.stages, plans, strict=True)):
        for seat, (treeplex, plan) in enumerate(zip(stage.form.treeplexes, own, strict=True)):
            try:
                check_plan(treeplex, plan, whole)
            except InvalidStrategyError as error:
                where = f"stage {graph.label(number)}, seat {seat}"
                raise InvalidStrategyError(f"{where}, {error}") from None


def middle(proof: RecursiveProof) -> Floats:
    """Return the middle of each bracket, float64 (num_stages, num_players)."""
    rows = zip(proof.lower, proof.upper, strict=True)
    return np.array(
        [[float((a + b) / 2) for a, b in zip(low, high, strict=True)] for low, high in rows]
    )
