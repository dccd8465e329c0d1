"""Approximate GameShrink on signal trees: reduction `outcome` with a threshold.

Observations merge while the cost of matching them is at most the threshold. To find the cost of two
observations, the deals of one are matched with the deals of the other. The cost is the least
average difference between their payoffs at stake 1. At the end, that is the distance of their
distributions of payoffs (Wasserstein-1). Before the end, it is the cost of the cheapest perfect
matching of their successors. It is 0 for observations that `outcome` merges without a threshold,
and for no others. The cost does not bound what a merger loses: lift, and certify.

References
----------
Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
Section 6 (matchings with costs).
"""

from __future__ import annotations

from math import gcd

import numpy as np
from scipy.optimize import linear_sum_assignment

from abstraction.equal_rows import combine
from abstraction.signal_signatures import count_payoffs, count_successors, signatures
from seqform.base.arrays import Floats, Index, Ints, Numbers
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError
from seqform.base.memory import require_memory
from seqform.game.observations import Classes, SignalStructure


def approximate_outcome(structure: SignalStructure, threshold: float) -> Classes:
    """Return classes of observations within `threshold` of the first of their class.

    The distance is in payoff at stake 1, averaged over deals.

    Raises
    ------
    InvalidParameterError
        If the threshold is negative or not a number.
    GameTooLargeError
        If there are too many signatures to compare all pairs.
    """
    if not threshold >= 0:
        raise InvalidParameterError(f"threshold={threshold}: use a number from 0 on")
    return tuple(_approximate(structure, player, threshold) for player in (0, 1))


def _approximate(structure: SignalStructure, player: int, threshold: float) -> tuple[Ints, ...]:
    found = signatures(structure, player)
    costs = _costs(structure, player, found)
    above = np.zeros(len(found[0]), dtype=np.int32)
    classes: list[Ints] = []
    for stage, (signature, cost) in enumerate(zip(found, costs, strict=True)):
        if stage:
            above = classes[-1][structure.earlier(player, stage)]
        classes.append(_cluster(above, signature, cost, threshold))
    return tuple(classes)


def _cluster(above: Ints, signature: Ints, cost: Floats, threshold: float) -> Ints:
    """Return classes within `above`.

    Each signature, in order of appearance, joins the first leader near enough, or leads.
    """
    pairs = combine(above, signature)
    first = np.unique(pairs, return_index=True)[1]
    leaders: dict[int, list[int]] = {}
    leader = []
    for group, kind in zip(above[first].tolist(), signature[first].tolist(), strict=True):
        led = leaders.setdefault(group, [])
        near = next((other for other in led if cost[kind, other] <= threshold), kind)
        if near == kind:
            led.append(kind)
        leader.append(near)
    return combine(above, np.array(leader)[pairs])


def _costs(structure: SignalStructure, player: int, found: list[Ints]) -> list[Floats]:
    """Return, for each stage, the cost of matching every two signatures."""
    costs: list[Floats] = []
    for stage in reversed(range(structure.num_stages)):
        first = np.unique(found[stage], return_index=True)[1]
        require_memory(
            16 * len(first) ** 2,
            f"comparing {len(first):,} signatures in pairs",
            "merge only what is alike (threshold 0)",
        )
        cost = np.zeros((len(first), len(first)))
        for row in structure.informative(stage):
            values, counts = count_payoffs(structure, player, row)
            cost += _transport(values.astype(np.float64), counts[first])
        if costs:
            successors = count_successors(structure, player, stage, found[stage + 1])
            cost += _matching_costs(successors.to_dense()[first], costs[0])
        ways = structure.ways(player, stage)[first]
        cost[ways[:, None] != ways[None, :]] = np.inf
        costs.insert(0, cost)
    return costs


def _transport(values: Floats, counts: Index) -> Floats:
    """Return the Wasserstein-1 distances between rows, distributions over ascending `values`."""
    total = counts.sum(axis=1)
    below = np.cumsum(counts, axis=1) / total[:, None]
    distance = np.zeros((len(counts), len(counts)))
    for i, width in enumerate(np.diff(values)):
        distance += width * np.abs(below[:, i, None] - below[None, :, i])
    return distance


def _matching_costs(successors: Index, cost: Floats) -> Floats:
    """Return the average cost of the cheapest matching of the successors of every two rows."""
    size = len(successors)
    total = np.zeros((size, size))
    common = [gcd(*row.tolist()) for row in successors]
    kinds = np.arange(successors.shape[1])
    for i in range(size):
        check_time("matching signals")
        for j in range(i):
            once = gcd(common[i], common[j])
            mine, theirs = (np.repeat(kinds, successors[k] // once) for k in (i, j))
            total[i, j] = total[j, i] = _cheapest(cost[np.ix_(mine, theirs)])
    return total


def _cheapest(cost: Numbers) -> float:
    """Return the average cost of a cheapest matching, infinite if there is none."""
    # 1e9 is above any payoff at stake 1; the mean of a matching that needs it is infinite
    finite = np.where(np.isfinite(cost), cost, 1e9)
    rows, columns = linear_sum_assignment(finite)
    return float(cost[rows, columns].mean())
