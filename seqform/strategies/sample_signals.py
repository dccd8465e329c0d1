"""Hands of a signal game played at random, by classes of cards: no tree, and all hands at once.

The luck that is taken out is that of the strategy's own dice, and of the cards that it sees when it
first could act. What moves are worth is what the strategy gets against itself, given its own cards;
what cards are worth, likewise. See `seqform.strategies.sample`.
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
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE
from seqform.strategies.analysis import analyze
from seqform.strategies.sampled import Sample


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
        expected.append(_expected(structure, players)[seat])
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


def _expected(
    structure: SignalStructure, players: tuple[SignalStrategy, SignalStrategy]
) -> tuple[float, float]:
    """Return what both get on average: in the form in which each has its own classes."""
    form = build_signal_form(structure, (players[0].classes[0], players[1].classes[1]))
    profile = form.profile([of.behaviors[player] for player, of in enumerate(players)])
    first = float(form.gradient(0, profile.plans) @ profile.plans[0])
    return first, -first


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
