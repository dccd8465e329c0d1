"""The names of a game of hands: hands and lines of betting, in which dealt cards are written."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import perm

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.number import Number
from seqform.form.hand_boards import HandBoards
from seqform.form.hand_numbering import HandNumbering
from seqform.form.hand_situation import line_text
from seqform.form.hand_structure import HandStructure
from seqform.form.origin import Grid, Origin
from seqform.game.labels import Parts, joined


class HandOrigin(Origin):
    """A game of hands.

    An information set is named by the hand and the line, as in ``AhKh:check-check/8c/bet``: cards
    of a hand from the highest place in the deck down, cards dealt face up between slashes.
    """

    def __init__(self, boards: HandBoards, players: tuple[HandNumbering, HandNumbering]) -> None:
        super().__init__()
        self._boards, self._players = boards, players

    @property
    def hands(self) -> HandStructure:
        """The game."""
        return self._boards.structure

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the hand and the line, joined by a colon."""
        return joined(self.infoset_parts(player, infoset))

    def infoset_parts(self, player: int, infoset: int) -> Parts:
        """Return the hand and the line."""
        numbering = self._players[player]
        at, board, hand = numbering.at(infoset)
        cards = self._boards.game.ranges[player].hands[hand].tolist()
        deck = self._boards.game.deck
        dealt = self._boards.structure.boards(numbering.dealt[at])[board]
        names = [deck[card] for card in dealt.tolist()]
        line = line_text(self._boards.game.betting, int(numbering.nodes[at]), names)
        return self._boards.game.hand_text(cards), line

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the public actions."""
        betting = self._boards.game.betting
        at = self._players[player].place(infoset)
        children = betting.children(int(self._players[player].nodes[at]))
        return tuple(betting.actions[child] for child in children)

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names that the game has."""
        return self._boards.game.player_names

    @property
    def card_kinds(self) -> Mapping[str, str]:
        """The kinds that the game has."""
        return self._boards.game.card_kinds or {}

    def hands_meant(self, player: int, text: str) -> frozenset[str] | None:
        """Return the hands of a player that a text such as QQ+ stands for, as they are written."""
        game = self._boards.game
        if game.classes is None:
            return None
        held = game.ranges[player].hands
        chosen = held[game.classes.meant(text, held)].tolist()
        return frozenset(map(game.hand_text, chosen))

    @property
    def beyond(self) -> tuple[Number, ...]:
        """What the game says that payoffs are counted beyond."""
        return self._boards.game.beyond

    @property
    def grid(self) -> Grid | None:
        """The matrix that the game says."""
        return self._boards.game.grid

    @property
    def notes(self) -> tuple[str, ...]:
        """What the game says of how it came to be."""
        return self._boards.game.notes

    def others_reach(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return how likely the other player and chance lead to each information set."""
        mine, theirs = self._players[player], self._players[1 - player]
        game, reach = self._boards.game, [np.zeros(0)]
        for node, dealt in zip(mine.nodes.tolist(), mine.dealt, strict=True):
            line, over = theirs.line[node], game.total_weight * perm(game.cards_left, dealt)
            first, stride = theirs.where(line)
            for board in range(self._boards.structure.num_boards(dealt)):
                check_time("finding what is reached")
                there = (1 - player, dealt, board)
                places = self._boards.places(*there, theirs.dealt_at(line))
                weighed = plans[1 - player][first + stride * places] * self._boards.weights(*there)
                met = self._boards.products(player, dealt, board).met(weighed[None, :])[0]
                reach.append(met * self._boards.weights(player, dealt, board) / over)
        return np.concatenate(reach)
