"""The best of all pairs of pure strategies, where what matters is which sequences they play.

The strategies of one player are listed, and the other answers each of them best, by one pass over
the information sets. So all pairs are looked at, and only one player needs to have few strategies.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.base.arrays import Exact, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import GameTooLargeError, InvalidStrategyError
from seqform.base.integer_matrix import largest
from seqform.concepts.correlated_bound import Multipliers, Weights, common_unit, lagrangian
from seqform.concepts.trigger_deviations import TriggersOf
from seqform.form.integer_payoffs import IntegerPayoffs
from seqform.form.pure_strategies import count_strategies, large_number, pure_plans
from seqform.form.relevant_pairs import RelevantPairs
from seqform.form.responses import best_sequences, first_plan

MOST_STRATEGIES = 20_000
"""Reduced pure strategies of the player who has fewer, up to which they are listed."""

CHUNK = 64
"""Strategies that are answered at once."""

Worth = NDArray[Any]
"""For each relevant pair of sequences a float or a Python int."""


class StrategyPairs:
    """All pairs of reduced pure strategies of a game.

    Parameters
    ----------
    pairs
        Of the game.

    Raises
    ------
    GameTooLargeError
        If both players have more than MOST_STRATEGIES.
    """

    def __init__(self, pairs: RelevantPairs) -> None:
        counts = [count_strategies(treeplex).reduced for treeplex in pairs.treeplexes]
        self.lister = int(counts[1] < counts[0])
        if counts[self.lister] > MOST_STRATEGIES:
            raise GameTooLargeError(
                f"each player has at least {large_number(counts[self.lister])} reduced pure "
                f"strategies, and those of one can be listed up to {MOST_STRATEGIES:,}"
            )
        self.pairs, self.plans = pairs, pure_plans(pairs.treeplexes[self.lister])

    def best(self, worth: Worth, most: int = 1) -> tuple[Worth, list[tuple[Mask, Mask]]]:
        """Return the pairs that are worth most, with best answers to strategies that differ.

        Parameters
        ----------
        worth
            float64, or Python ints, object (num_pairs,): a pair of strategies is worth the sum of
            it over the pairs of sequences that it plays.
        most
            How many are returned.

        Returns
        -------
        values, strategies
            What they are worth, the best first; and the plans of both players.
        """
        if worth.dtype == object and largest(worth) * len(worth) < 2**62:
            worth = worth.astype(np.int64)
        parts = [self.plans[start : start + CHUNK] for start in range(0, len(self.plans), CHUNK)]
        values = np.concatenate([self._answered(self._gradients(worth, part)) for part in parts])
        order = np.argsort(-values, kind="stable")[:most]
        treeplex = self.pairs.treeplexes[1 - self.lister]
        found = []
        gradients = self._gradients(worth, self.plans[order])
        for place, gradient in zip(order.tolist(), gradients, strict=True):
            answer = first_plan(treeplex, best_sequences(treeplex, gradient)[1]).astype(np.bool_)
            pair = self.plans[place], answer
            found.append(pair if self.lister == 0 else pair[::-1])
        return values[order], found

    def _gradients(self, worth: Worth, plans: Mask) -> Worth:
        """Return what the sequences of the other player are worth against some strategies."""
        check_time("looking at pairs of pure strategies")
        sequences = self.pairs.pairs.sequences
        own, other = sequences[self.lister], sequences[1 - self.lister]
        width = self.pairs.treeplexes[1 - self.lister].num_sequences
        if worth.dtype == object:
            return _object_product(plans, own, other, worth, width)
        matrix = sp.csr_array((worth, (other, own)), shape=(width, plans.shape[1]))
        product: Worth = (matrix @ plans.T.astype(worth.dtype)).T
        return product

    def _answered(self, worth: Worth) -> Worth:
        """Return what the best answer to each strategy is worth; `worth` is added up in place."""
        treeplex = self.pairs.treeplexes[1 - self.lister]
        first, parents = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
        for infoset in reversed(range(treeplex.num_infosets)):
            worth[:, parents[infoset]] += worth[:, first[infoset] : first[infoset + 1]].max(axis=1)
        return worth[:, 0]


def _object_product(plans: Mask, own: Exact, other: Exact, worth: Worth, width: int) -> Worth:
    total = np.zeros((len(plans), width), dtype=object)
    for row, plan in zip(total, plans, strict=True):
        played = plan[own]
        np.add.at(row, other[played], worth[played])
    return total


def bound_of_strategies(
    triggers: TriggersOf,
    pairs: RelevantPairs,
    payoffs: IntegerPayoffs,
    weights: Weights,
    multipliers: Multipliers,
) -> Fraction:
    """Return the bound on the objective that multipliers prove for all distributions.

    Nothing but pairs of strategies is looked at, so there are no prices. Each pair is worth its
    part of the objective plus the weighted losses from deviating, and no distribution over pairs
    has more of that than the best pair.

    Raises
    ------
    InvalidStrategyError
        If they prove nothing: some pair is worth more, or a weight is no continuation.
    GameTooLargeError
        As for `StrategyPairs`.
    """
    if any(prices.any() for prices in multipliers.prices):
        raise InvalidStrategyError("a bound on distributions has no prices of constraints")
    worth = lagrangian(triggers, pairs, payoffs, weights, multipliers)
    values, _ = StrategyPairs(pairs).best(worth)
    if values[0] > multipliers.top:
        raise InvalidStrategyError("some pair of pure strategies is worth more than the bound")
    unit = multipliers.denominator * payoffs.denominator * common_unit(weights)
    return Fraction(multipliers.top, unit)
