"""Hands of a signal game played at random, by classes of cards: no tree, and all hands at once.

The luck that is taken out is that of the strategy's own dice and of the cards. What moves and cards
are worth is what the strategy gets against itself, given the cards that it sees. The mean over
cards is over those that could still be dealt. See `seqform.strategies.play.sample`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
from seqform.form.from_signals import (
    SequenceNumbering,
    ancestor_classes,
    build_signal_form,
)
from seqform.form.set_reach import divided
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE
from seqform.strategies.analyze import analyze
from seqform.strategies.evaluate.seats import seated_by_classes
from seqform.strategies.play.sampled import Sample


def sample_signals(mine: SignalStrategy, others: SignalStrategy, seats: Index, seed: int) -> Sample:
    """Play hands of a signal game.

    Parameters
    ----------
    mine
        The strategy that is judged.
    others
        Who plays the other seat.
    seats
        int64 (num_hands,): the seat of the strategy in each hand.
    seed
        The same one gives the same hands.
    """
    structure, rng = mine.structure, np.random.default_rng(seed)
    ways = np.cumsum(structure.deals.ways(structure.stages[-1]))
    deals = np.searchsorted(ways, rng.integers(int(ways[-1]), size=len(seats)), side="right")
    known = Known(mine)
    ends, luck = np.zeros(len(seats), dtype=np.int64), np.zeros(len(seats))
    expected = []
    for seat in (0, 1):
        at = np.flatnonzero(seats == seat)
        players = (mine, others) if seat == 0 else (others, mine)
        ends[at], luck[at] = _Walk(structure, players, deals[at], rng).run(seat, known)
        form, profile = seated_by_classes(mine, others, seat)
        expected.append(float(form.gradient(seat, profile.plans) @ profile.plans[seat]))
    won = _payoffs(structure, ends, deals)
    reduced = np.where(seats == 0, won, -won) - luck
    return Sample(
        str(getattr(structure.game, "unit", "units")),
        seats,
        np.stack([won, -won], axis=1),
        reduced,
        tuple(expected),
        lambda hand: _texts(structure, int(ends[hand]), int(deals[hand])),
    )


class Known:
    """What the moves and the first cards of a strategy are worth, if it plays against itself."""

    def __init__(self, strategy: SignalStrategy) -> None:
        structure, classes = strategy.structure, strategy.classes
        self._strategy, self._children = strategy, _children(structure.public.parent)
        self._numbering = [SequenceNumbering(structure, classes, player) for player in (0, 1)]
        form = build_signal_form(structure, classes)
        profile = form.profile(strategy.behaviors)
        self._analysis = analyze(form, profile)
        self._cards = [
            self._first_cards(strategy, player, form.gradient(player, profile.plans) * plan)
            for player, plan in enumerate(profile.plans)
        ]

    def cards(self, player: int, classes: Index) -> Floats:
        """Return the luck in the classes of a player's cards at the first stage."""
        return self._cards[player][classes]

    def moves(self, player: int, first: Index, chances: Floats, places: Index) -> Floats:
        """Return the luck in moves.

        Parameters
        ----------
        player
            Who moves.
        first
            int64 (num_hands,): the first sequence of each information set.
        chances
            Float64 (num_hands, num_actions).
        places
            int64 (num_hands,): the moves taken.
        """
        worth = self._analysis.players[player].action_values
        each = worth[first[:, None] + np.arange(chances.shape[1])]
        taken = each[np.arange(len(places)), places]
        # where the strategy itself never lets this come about, nothing is said of worth
        luck = taken - (chances * each).sum(axis=1)
        return np.where(np.isnan(each).any(axis=1), 0.0, luck)

    def later_cards(self, player: int, node: int, deals: Index) -> Floats:
        """Return the luck in the card dealt at a public node, once the first ones are known.

        Parameters
        ----------
        player
            Whose.
        node
            A public node at which chance deals.
        deals
            int64 (num_hands,): the whole deal of each hand.
        """
        structure, below = self._strategy.structure, self._children[node][0]
        dealt = structure.public.num_signals[node]
        stage = structure.stage_of_node[below]
        if dealt < structure.stages[0] or stage < 0:
            return np.zeros(len(deals))
        worth = self._worth_of_cards(player, below, stage)
        if worth is None:
            return np.zeros(len(deals))
        all_deals, seen = structure.deals, structure.observations[player][stage]
        before = _earlier(structure, deals, dealt)
        count, first = all_deals.num_children[dealt][before], all_deals.first[dealt][before]
        hand = np.repeat(np.arange(len(deals)), count)
        offset = np.arange(len(hand)) - np.repeat(np.cumsum(count) - count, count)
        nexts = np.repeat(first, count) + offset
        weights = all_deals.multiplicity[dealt + 1][nexts].astype(np.float64)
        total = np.bincount(hand, weights, len(deals))
        mean = np.bincount(hand, weights * worth[seen[nexts]], len(deals)) / total
        luck: Floats = worth[seen[_earlier(structure, deals, dealt + 1)]] - mean
        return np.where(np.isnan(luck), 0.0, luck)

    def _worth_of_cards(self, player: int, node: int, stage: int) -> Floats | None:
        """Return the mean payoff with each observation when play is at a public node.

        It is that of the decisions that the player comes to first. None if there are none.
        """
        of, analysis = self._numbering[player], self._analysis.players[player]
        size = of.num_classes[stage]
        total, reach, is_any = np.zeros(size), np.zeros(size), False
        for decision in self._first_decisions(player, node):
            at = of.position[decision]
            if of.stage[at] != stage:  # another card comes before
                return None
            start = int(of.first_infoset[at])
            total += analysis.counterfactual_values[start : start + size]
            reach += analysis.others_reach[start : start + size]
            is_any = True
        if not is_any:
            return None
        return divided(total, reach)[self._strategy.classes[player][stage]]

    def _first_decisions(self, player: int, node: int) -> list[int]:
        """Return the first decisions of a player at a public node or below."""
        public, found, waiting = self._strategy.structure.public, [], [node]
        while waiting:
            here = waiting.pop()
            if public.player[here] == player:
                found.append(here)
            else:
                waiting += self._children.get(here, [])
        return found

    @staticmethod
    def _first_cards(strategy: SignalStrategy, player: int, earned: Floats) -> Floats:
        """Return the mean payoff with each class of first cards, less that of all."""
        structure, of_player = strategy.structure, strategy.classes[player]
        numbering = SequenceNumbering(structure, strategy.classes, player)
        count = numbering.num_classes[0]
        ways = np.bincount(of_player[0], weights=structure.ways(player, 0), minlength=count)
        total = np.zeros(count)
        for at, stage in enumerate(numbering.stage):
            size = numbering.num_classes[stage]
            first = ancestor_classes(structure, strategy.classes, player, stage, 0, size)
            start, actions = int(numbering.first_sequence[at]), int(numbering.num_actions[at])
            paid = earned[start : start + size * actions].reshape(size, actions).sum(axis=1)
            total += np.bincount(first, weights=paid, minlength=count)
        chances = ways / ways.sum()
        mean: Floats = total / chances - total.sum()
        return mean


@dataclass
class _Walk:
    """Hands on their way through the public tree, a public node at a time."""

    structure: SignalStructure
    players: tuple[SignalStrategy, SignalStrategy]
    deals: Index
    rng: np.random.Generator

    def run(self, seat: int, known: Known) -> tuple[Index, Floats]:
        """Return the public nodes at which the hands end, and the luck that a seat knows of."""
        public, structure = self.structure.public, self.structure
        strategy = self.players[seat]
        observed = structure.observations[seat][0][self._at(0)]
        luck = known.cards(seat, strategy.classes[seat][0][observed].astype(np.int64))
        numberings = [
            SequenceNumbering(structure, of.classes, player)
            for player, of in enumerate(self.players)
        ]
        at_node = {0: np.arange(len(self.deals))}
        ends = np.zeros(len(self.deals), dtype=np.int64)
        children = _children(public.parent)
        for node, player in enumerate(public.player):
            hands = at_node.pop(node, None)
            if hands is None or not len(hands):
                continue
            check_time("playing hands")
            if player == CHANCE:
                luck[hands] += known.later_cards(seat, node, self.deals[hands])
                at_node[children[node][0]] = hands
            elif player < 0:
                ends[hands] = node
            else:
                sequence = self._sequences(numberings[player], player, node, hands)
                chances, places = self._moves(player, sequence, len(children[node]))
                if player == seat:
                    luck[hands] += known.moves(player, sequence, chances, places)
                for place, child in enumerate(children[node]):
                    at_node[child] = hands[places == place]
        return ends, luck

    def _sequences(
        self, numbering: SequenceNumbering, player: int, node: int, hands: Index
    ) -> Index:
        """Return the first sequence of the information set of each hand at a public node."""
        stage = self.structure.stage_of_node[node]
        observed = self.structure.observations[player][stage][self._at(stage)[hands]]
        known = self.players[player].classes[player][stage][observed].astype(np.int64)
        at = numbering.position[node]
        sequence: Index = numbering.first_sequence[at] + numbering.num_actions[at] * known
        return sequence

    def _moves(self, player: int, first: Index, count: int) -> tuple[Floats, Index]:
        """Return the probabilities of the moves, and those that are drawn."""
        chances = self.players[player].behaviors[player][first[:, None] + np.arange(count)]
        up_to = np.cumsum(chances, axis=1)
        drawn = self.rng.random(len(first)) * up_to[:, -1]
        return chances, (drawn[:, None] >= up_to[:, :-1]).sum(axis=1)

    def _at(self, stage: int) -> Index:
        """Return the deal of each hand at a stage."""
        return _earlier(self.structure, self.deals, self.structure.stages[stage])


def _earlier(structure: SignalStructure, deals: Index, num_signals: int) -> Index:
    """Return the deals of fewer signals that whole ones extend."""
    for k in range(structure.stages[-1], num_signals, -1):
        deals = structure.deals.parent[k][deals].astype(np.int64)
    return deals


def _children(parent: list[int]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for node, above in enumerate(parent):
        children.setdefault(above, []).append(node)
    return children


def _payoffs(structure: SignalStructure, ends: Index, deals: Index) -> Floats:
    """Return what player 0 gets in each hand."""
    public, won = structure.public, np.zeros(len(ends))
    for node in np.unique(ends).tolist():
        hands = np.flatnonzero(ends == node)
        row = public.outcome[node]
        dealt = structure.stages[structure.outcomes[row][1]]
        deal = _earlier(structure, deals[hands], dealt)
        won[hands] = float(public.stake[node]) * structure.payoffs[row][deal]
    return won


def _texts(structure: SignalStructure, end: int, deal: int) -> tuple[str, str]:
    """Return what was dealt until a hand was over, and what the players did."""
    dealt = structure.public.num_signals[end]
    signals = structure.deals.signals[structure.stages[-1]][deal][:dealt]
    cards = " ".join(str(structure.game.deck.cards[signal]) for signal in signals)
    return cards, structure.public.history(end)
