"""What players could gain by not obeying recommendations, in integers.

A *trigger* is where a player may stop to obey, and what the player has been told by then. From
there on the player plays a best continuation against what the plan makes the other do, who obeys
(Farina, Ling, Fang & Sandholm, NeurIPS 2019, Section 3). Gains are as seen before the game: they
count how likely the trigger is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Index
from seqform.base.deadline import check_time
from seqform.base.integer_matrix import IntegerMatrix
from seqform.base.number import float_above
from seqform.form.correlation_plan import CorrelationPlan
from seqform.form.integer_payoffs import IntegerPayoffs
from seqform.form.treeplex import HIGHER_ORDERS, Treeplex


class Trigger(NamedTuple):
    """Where a player may stop to obey."""

    number: int
    """What it is called: a sequence, or an information set; distinct for each player."""
    told: int
    """The own sequence that all recommendations so far, of which the player knows, lead to."""
    tops: tuple[int, ...]
    """The information sets from which on the player deviates."""
    obeyed: tuple[int, ...]
    """The moves there, of which one would be played by obeying."""


TriggersOf = Callable[[Treeplex], Iterator[Trigger]]
"""Yields a player's triggers: this is what tells one concept from another."""


class Gain(NamedTuple):
    """The most that a player gains by one deviation; in the game's unit."""

    amount: Fraction
    """At least 0."""
    trigger: Trigger | None
    """Where; None if there is nothing to gain."""


class Continuations:
    """All that a player can still do from some information sets on.

    Parameters
    ----------
    treeplex
        The player's.
    payoff
        The player's payoffs, one row for each own sequence.
    tops
        The information sets, none below another.
    """

    def __init__(self, treeplex: Treeplex, payoff: IntegerMatrix, tops: tuple[int, ...]) -> None:
        self.tops, self.infosets = tops, _below(treeplex, tops)
        first = treeplex.first_sequence
        self.moves = [range(int(first[h]), int(first[h + 1])) for h in self.infosets]
        self.parents = treeplex.parent_sequence[self.infosets].tolist()
        sequences = np.array([s for moves in self.moves for s in moves], dtype=np.int64)
        rows = payoff.pattern.indptr
        starts, counts = rows[sequences], rows[sequences + 1] - rows[sequences]
        before = np.cumsum(counts) - counts
        entries = np.repeat(starts - before, counts) + np.arange(int(counts.sum()))
        self.own = np.repeat(sequences, counts)
        self.other = payoff.pattern.indices[entries].astype(np.int64)
        self.payoffs = payoff.entries[entries].astype(object)

    def paid(self, weights: Exact) -> dict[int, int]:
        """Return what each move pays, for weights of the other's sequences where they meet."""
        paid: dict[int, int] = {}
        products = self.payoffs * weights
        meant = np.flatnonzero(products)
        for sequence, amount in zip(
            self.own[meant].tolist(), products[meant].tolist(), strict=True
        ):
            paid[sequence] = paid.get(sequence, 0) + amount
        return paid

    def best(self, paid: dict[int, int]) -> int:
        """Return what the best continuation is worth, by one pass from the last moves up."""
        worth = dict(paid)
        for moves, parent in zip(reversed(self.moves), reversed(self.parents), strict=True):
            best = max(worth.get(move, 0) for move in moves)
            worth[parent] = worth.get(parent, 0) + best
        return sum(
            max(worth.get(move, 0) for move in moves) for moves in self.moves[: len(self.tops)]
        )


def _below(treeplex: Treeplex, tops: tuple[int, ...]) -> list[int]:
    """Return information sets and all that follow, those above before those below."""
    below = np.zeros(treeplex.num_infosets, dtype=np.bool_)
    below[list(tops)] = True
    above = treeplex.infoset_of[treeplex.parent_sequence]
    for infosets, _ in treeplex.runs:
        over = above[infosets]
        below[infosets] |= (over >= 0) & below[over]
    below[list(tops)] = False
    return [*tops, *np.flatnonzero(below).tolist()]


def largest_gain(
    triggers: TriggersOf, payoffs: IntegerPayoffs, plan: CorrelationPlan, player: int
) -> Gain:
    """Return the most that a player gains by a deviation from a plan, exactly."""
    best = Gain(Fraction(0), None)
    for trigger, gain in gains(triggers, payoffs, plan, player):
        if gain > best.amount:
            best = Gain(gain, trigger)
    return best


def gains(
    triggers: TriggersOf, payoffs: IntegerPayoffs, plan: CorrelationPlan, player: int
) -> Iterator[tuple[Trigger, Fraction]]:
    """Yield the triggers that come about, and the most that deviating there gains, exactly."""
    treeplex, payoff = plan.pairs.treeplexes[player], payoffs.matrices[player]
    kept = _kept(treeplex, payoff, plan, player)
    ways = Continuations(treeplex, payoff, ())
    for trigger in triggers(treeplex):
        check_time("certifying a correlated equilibrium")
        if plan.numerators[_pairs_told(plan, player, trigger.told, np.zeros(1, np.int64))[0]] == 0:
            continue  # it is never told, so nothing is paid there
        if trigger.tops != ways.tops:
            ways = Continuations(treeplex, payoff, trigger.tops)
        weights = plan.numerators[_pairs_told(plan, player, trigger.told, ways.other)]
        gain = ways.best(ways.paid(weights)) - sum(kept[move] for move in trigger.obeyed)
        yield trigger, Fraction(gain, plan.denominator * payoffs.denominator)


def _pairs_told(plan: CorrelationPlan, player: int, told: int, other: Index) -> Index:
    return plan.pairs.of(player, np.full(len(other), told), other)


def _kept(
    treeplex: Treeplex, payoff: IntegerMatrix, plan: CorrelationPlan, player: int
) -> list[int]:
    """Return what obeying pays once each sequence was played, that and all that follows."""
    own = np.repeat(np.arange(payoff.shape[0]), np.diff(payoff.pattern.indptr))
    weights = plan.numerators[plan.pairs.of(player, own, payoff.pattern.indices)]
    kept = np.zeros(treeplex.num_sequences, dtype=object)
    np.add.at(kept, own, payoff.entries.astype(object) * weights)
    for _, sequences in reversed(treeplex.runs):
        np.add.at(kept, treeplex.sequence_parent[sequences], kept[sequences])
    return kept.tolist()


def expected_payoff(payoffs: IntegerPayoffs, plan: CorrelationPlan, player: int) -> Fraction:
    """Return what a player is paid if both obey, exactly."""
    treeplex, payoff = plan.pairs.treeplexes[player], payoffs.matrices[player]
    total = int(_kept(treeplex, payoff, plan, player)[0])
    return Fraction(total, plan.denominator * payoffs.denominator)


def payoff_error(payoffs: IntegerPayoffs, plan: CorrelationPlan, player: int) -> float:
    """Bound how far values and gains are off because payoffs are floats; 0 if they are exact.

    An entry counts at most once for what obeying pays, and once for what a deviation pays, where
    the other plays their part of the entry.
    """
    errors = payoffs.errors[player]
    if errors is None:
        return 0.0
    payoff = payoffs.matrices[player]
    other = payoff.pattern.indices.astype(np.int64)
    likely = plan.numerators[_pairs_told(plan, player, 0, other)]
    weights = np.array([float_above(Fraction(int(n), plan.denominator)) for n in likely])
    return float(HIGHER_ORDERS * 2 * (errors * weights).sum())
