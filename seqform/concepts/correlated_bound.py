"""What no correlated equilibrium can exceed: bounds on payoffs, proven in integers.

Give every trigger deviation a weight. In an equilibrium no deviation gains, so the objective is at
most the objective plus the weighted losses from deviating. That sum is linear in the correlation
plan. Prices on the plan's constraints bound it over all of the von Stengel-Forges polytope, and so
over all correlation plans, whether or not the game has triangles (linear programming duality).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Index
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.base.number import float_above
from seqform.concepts.trigger_deviations import Continuations, Trigger, TriggersOf
from seqform.form.integer_payoffs import IntegerPayoffs
from seqform.form.relevant_pairs import NOWHERE, RelevantPairs
from seqform.form.treeplex import HIGHER_ORDERS, Treeplex

BITS = 50
"""Of the common denominator of rounded multipliers."""

Weights = tuple[Fraction, Fraction]
"""What each player's payoff counts for in the objective."""


class Deviations(NamedTuple):
    """How much each continuation of a player's triggers weighs; sorted by trigger and sequence."""

    trigger: Index
    """The numbers of triggers."""
    sequence: Index
    """Moves at the trigger's information sets and below."""
    weight: Exact
    """Of each move; numerators, or floats of a solver."""


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Weights of deviations and prices of constraints, as integers over a common denominator.

    Parameters
    ----------
    deviations
        Of both players.
    prices
        For each player one price for each of `RelevantPairs.sums`.
    top
        The price of the pair of empty sequences: the bound.
    denominator
        Of all of them.
    """

    deviations: tuple[Deviations, Deviations]
    prices: tuple[Exact, Exact]
    top: int
    denominator: int


def proven_bound(
    triggers: TriggersOf,
    pairs: RelevantPairs,
    payoffs: IntegerPayoffs,
    weights: Weights,
    multipliers: Multipliers,
) -> Fraction:
    """Return the bound on the objective that multipliers prove.

    Raises
    ------
    InvalidStrategyError
        If they prove nothing: a weight is negative or no continuation, or a price is too low.
    """
    wanted = lagrangian(triggers, pairs, payoffs, weights, multipliers)
    offered = _offered(pairs, multipliers)
    if (offered < wanted).any():
        pair = int(np.flatnonzero(offered < wanted)[0])
        raise InvalidStrategyError(f"the prices of constraints are too low at relevant pair {pair}")
    unit = multipliers.denominator * payoffs.denominator * common_unit(weights)
    return Fraction(multipliers.top, unit)


def common_unit(weights: Weights) -> int:
    """Return the least common denominator of the objective's weights."""
    return lcm(*(weight.denominator for weight in weights))


def _offered(pairs: RelevantPairs, multipliers: Multipliers) -> Exact:
    """Return what the prices offer for each pair."""
    offered = np.zeros(pairs.num_pairs, dtype=object)
    offered[0] = multipliers.top
    for player, prices in enumerate(multipliers.prices):
        sums = pairs.sums(player)
        if len(prices) != len(sums.parent):
            raise InvalidStrategyError(
                f"player {player} has {len(sums.parent)} sums of pairs and {len(prices)} prices"
            )
        np.add.at(offered, sums.pair, prices[sums.total])
        np.subtract.at(offered, sums.parent, prices)
    return offered


def lagrangian(
    triggers: TriggersOf,
    pairs: RelevantPairs,
    payoffs: IntegerPayoffs,
    weights: Weights,
    multipliers: Multipliers,
) -> Exact:
    """Return what each pair adds to the objective and to weighted losses from deviating."""
    total = np.zeros(pairs.num_pairs, dtype=object)
    for player, treeplex in enumerate(pairs.treeplexes):
        payoff, deviations = payoffs.matrices[player], multipliers.deviations[player]
        loads = np.zeros(treeplex.num_sequences, dtype=object)
        loads[0] = int(weights[player] * common_unit(weights)) * multipliers.denominator
        for trigger, sequences, amounts in _by_trigger(triggers, treeplex, deviations):
            check_time("proving a bound on correlated equilibria")
            ways = Continuations(treeplex, payoff, trigger.tops)
            weighed = dict(zip(sequences, amounts, strict=True))
            share = _share(ways, weighed)
            loads[list(trigger.obeyed)] += share
            kept = np.array([weighed.get(s, 0) for s in ways.own.tolist()], dtype=object)
            place = pairs.of(player, np.full(len(ways.other), trigger.told), ways.other)
            np.subtract.at(total, place, kept * ways.payoffs)
        own = np.repeat(np.arange(payoff.shape[0]), np.diff(payoff.pattern.indptr))
        place = pairs.of(player, own, payoff.pattern.indices)
        np.add.at(total, place, _passed_on(treeplex, loads)[own] * payoff.entries.astype(object))
    return total


def _by_trigger(
    triggers: TriggersOf, treeplex: Treeplex, deviations: Deviations
) -> list[tuple[Trigger, list[int], list[int]]]:
    """Return the triggers that have weights, with these."""
    known = {trigger.number: trigger for trigger in triggers(treeplex)}
    numbers, sequences = deviations.trigger, deviations.sequence
    rising = np.diff(numbers) > 0
    if not (rising | ((np.diff(numbers) == 0) & (np.diff(sequences) > 0))).all():
        raise InvalidStrategyError("deviations are not sorted by trigger and sequence")
    edges = [0, *(np.flatnonzero(rising) + 1).tolist(), len(numbers)]
    found = []
    for start, stop in pairwise(edges):
        if start == stop:
            continue
        if int(numbers[start]) not in known:
            raise InvalidStrategyError(f"there is no trigger {numbers[start]}")
        weights = deviations.weight[start:stop].tolist()
        found.append((known[int(numbers[start])], sequences[start:stop].tolist(), weights))
    return found


def _share(ways: Continuations, weighed: dict[int, int]) -> int:
    """Return the weight of a trigger, after checking that its moves share it as plans do.

    Raises
    ------
    InvalidStrategyError
        If they do not.
    """
    inside = {move for moves in ways.moves for move in moves}
    sums = [sum(weighed.get(move, 0) for move in moves) for moves in ways.moves]
    tops = len(ways.tops)
    expected = [sums[0]] * tops + [weighed.get(parent, 0) for parent in ways.parents[tops:]]
    if min(weighed.values()) < 0 or sums != expected or not inside.issuperset(weighed):
        raise InvalidStrategyError(
            f"the weights of deviations from information set {ways.tops[0]} on are no "
            "continuation times a number"
        )
    return sums[0]


def _passed_on(treeplex: Treeplex, loads: Exact) -> Exact:
    """Return for each sequence the sum of its loads and of those of all that it begins with."""
    for _, sequences in treeplex.runs:
        loads[sequences] += loads[treeplex.sequence_parent[sequences]]
    return loads


def bound_error(
    pairs: RelevantPairs,
    payoffs: IntegerPayoffs,
    weights: Weights,
    multipliers: Multipliers,
    triggers: TriggersOf,
) -> float:
    """Bound how much a bound may be too low because payoffs are floats; 0 if they are exact."""
    total = 0.0
    for player, errors in enumerate(payoffs.errors):
        if errors is None:
            continue
        treeplex, pattern = pairs.treeplexes[player], payoffs.matrices[player].pattern
        own = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
        of_sequence = np.bincount(own, errors, minlength=treeplex.num_sequences)
        loads = np.zeros(treeplex.num_sequences, dtype=object)
        loads[0] = abs(int(weights[player] * common_unit(weights))) * multipliers.denominator
        spent = np.zeros(treeplex.num_sequences, dtype=object)
        for trigger, sequences, amounts in _by_trigger(
            triggers, treeplex, multipliers.deviations[player]
        ):
            ways = Continuations(treeplex, payoffs.matrices[player], trigger.tops)
            loads[list(trigger.obeyed)] += _share(ways, dict(zip(sequences, amounts, strict=True)))
            np.add.at(spent, np.array(sequences), np.array(amounts, dtype=object))
        unit = multipliers.denominator * common_unit(weights)
        for load, error in zip(_passed_on(treeplex, loads) + spent, of_sequence, strict=True):
            total += float_above(Fraction(int(load), unit)) * float(error)
    return HIGHER_ORDERS * total


def rounded_multipliers(
    triggers: TriggersOf,
    pairs: RelevantPairs,
    payoffs: IntegerPayoffs,
    weights: Weights,
    deviations: tuple[Deviations, Deviations],
    prices: tuple[Floats, Floats],
    bits: int = BITS,
) -> Multipliers:
    """Return multipliers near to a solver's that prove a bound.

    Weights are rounded to continuations from their triggers down. Then prices are raised from the
    last moves up wherever they are too low.

    Parameters
    ----------
    deviations, prices
        A solver's, in floats, as `Multipliers` has them.
    bits
        The common denominator is ``2**bits``.
    """
    whole = [
        _rounded(triggers, treeplex, payoffs.matrices[player], deviations[player], 2.0**bits)
        for player, treeplex in enumerate(pairs.treeplexes)
    ]
    units = [
        np.array([round(p) for p in (2.0**bits * part).tolist()], dtype=object) for part in prices
    ]
    start = Multipliers((whole[0], whole[1]), (units[0], units[1]), 0, 1 << bits)
    short = lagrangian(triggers, pairs, payoffs, weights, start) - _offered(pairs, start)
    for depth in range(int(pairs.depth.max()), 0, -1):
        _raise_prices(pairs, depth, short, units)
    return Multipliers(start.deviations, (units[0], units[1]), int(short[0]), 1 << bits)


def _rounded(
    triggers: TriggersOf, treeplex: Treeplex, payoff: IntegerMatrix, raw: Deviations, unit: float
) -> Deviations:
    found: list[tuple[int, int, int]] = []
    for trigger, sequences, amounts in _by_trigger(triggers, treeplex, raw):
        ways = Continuations(treeplex, payoff, trigger.tops)
        wanted = {s: max(0, int(a * unit)) for s, a in zip(sequences, amounts, strict=True)}
        given: dict[int, int] = {}
        share = sum(wanted.get(move, 0) for move in ways.moves[0])
        for place, (moves, parent) in enumerate(zip(ways.moves, ways.parents, strict=True)):
            left = share if place < len(trigger.tops) else given[parent]
            for move in moves:
                given[move] = min(left, wanted.get(move, 0))
                left -= given[move]
            given[moves[0]] += left
        found += [(trigger.number, s, n) for s, n in sorted(given.items()) if n]
    columns = list(zip(*found, strict=True)) or [(), (), ()]
    numbers, places = (np.array(column, dtype=np.int64) for column in columns[:2])
    return Deviations(numbers, places, np.array(columns[2], dtype=object))


def _raise_prices(pairs: RelevantPairs, depth: int, short: Exact, prices: list[Exact]) -> None:
    """Raise the prices of sums of the pairs of some depth until none of these pairs is short."""
    for player in (0, 1):
        here = pairs.depth == depth
        if player == 1:  # where player 0 has no move
            here &= pairs.infosets[:, 0] == NOWHERE
        sums = pairs.sums(player)
        meant = here[pairs.pairs.block[sums.pair]]
        pair, total = sums.pair[meant], sums.total[meant]
        added = np.zeros(len(sums.parent), dtype=object)
        np.maximum.at(added, total, short[pair])
        prices[player] += added
        short[pair] -= added[total]
        np.add.at(short, sums.parent, added)
