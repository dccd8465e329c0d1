"""Distributions over pairs of pure strategies: what a mediator of two players draws from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from seqform.base.arrays import Exact, Floats, Mask
from seqform.base.errors import InvalidStrategyError
from seqform.form.correlation_plan import CorrelationPlan
from seqform.form.relevant_pairs import RelevantPairs
from seqform.form.responses import first_plan
from seqform.form.treeplex import Treeplex

SMALLEST = 1e-11
"""Probabilities that count as rounding errors where strategies are listed."""


@dataclass(frozen=True, eq=False)
class StrategyMixture:
    """Some pairs of reduced pure strategies, and how likely each is drawn.

    Parameters
    ----------
    plans
        For each player bool (num_drawn, num_sequences): what the strategy of each pair plays.
    numerators
        object (num_drawn,), Python ints: of the weights.
    denominator
        Of all of them.
    """

    plans: tuple[Mask, Mask]
    numerators: Exact
    denominator: int

    def __len__(self) -> int:
        return len(self.numerators)

    def plan(self, pairs: RelevantPairs) -> CorrelationPlan:
        """Return how likely each relevant pair of sequences is recommended."""
        mine, theirs = pairs.pairs.sequences
        total = np.zeros(pairs.num_pairs, dtype=object)
        for x, y, weight in zip(*self.plans, self.numerators.tolist(), strict=True):
            total[x[mine] & y[theirs]] += weight
        return CorrelationPlan(pairs, total, self.denominator)

    def check(self, treeplexes: tuple[Treeplex, Treeplex]) -> None:
        """Check that this is a distribution over pairs of reduced pure strategies.

        Raises
        ------
        InvalidStrategyError
            If a weight is negative, they do not add up to 1, or a strategy is none.
        """
        if self.denominator < 1 or (self.numerators < 0).any():
            raise InvalidStrategyError("a weight of a pair of strategies is negative")
        if sum(self.numerators.tolist()) != self.denominator:
            raise InvalidStrategyError("the weights of pairs of strategies do not add up to 1")
        for player, (treeplex, plans) in enumerate(zip(treeplexes, self.plans, strict=True)):
            if plans.shape != (len(self), treeplex.num_sequences) or not are_pure(treeplex, plans):
                raise InvalidStrategyError(
                    f"what player {player} is to play in a pair is no reduced pure strategy"
                )


def are_pure(treeplex: Treeplex, plans: Mask) -> bool:
    """Return whether all rows choose one action wherever they come, and none elsewhere."""
    first = treeplex.first_sequence
    counts = plans.cumsum(axis=1)
    chosen = counts[:, first[1:] - 1] - counts[:, first[:-1] - 1]
    return bool(plans[:, 0].all() and (chosen == plans[:, treeplex.parent_sequence]).all())


def strategies_of(treeplex: Treeplex, plan: Floats) -> Iterator[Mask]:
    """Yield pure strategies that a realization plan is a mixture of (Kuhn's theorem).

    Parameters
    ----------
    treeplex
        The player's.
    plan
        float64 (num_sequences,). What is left of it below `SMALLEST` is dropped.
    """
    left = np.where(plan > SMALLEST, plan, 0.0)
    while left[0] > 0:
        likeliest = np.zeros(treeplex.num_sequences, dtype=np.bool_)
        for start, stop in pairwise(treeplex.first_sequence.tolist()):
            likeliest[start:stop] = left[start:stop] == left[start:stop].max()
        strategy = first_plan(treeplex, likeliest).astype(np.bool_)
        yield strategy
        left[strategy] -= left[strategy].min() or left[0]  # what is left adds up to nothing
        left[left < SMALLEST] = 0.0
