"""What is played and paid below one public node of a game of hands, on one board.

Forward, each hand of both players comes to the nodes below with its weight times the probability of
the player's own actions. At ends that is summed up over the hands of the other player that share no
card (`seqform.form.hand_products`), and what comes out goes back by what is played. Cards are dealt
one after the other; of cards that symmetries exchange, which keep the board as it lies, one is
gone through for all. So nothing is made that has the size of the game, and nothing is gone through
that is not below the node.

Values are counterfactual: each is summed up over the other player's hands by their weights. So they
are divided at last, by what these weigh.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
from seqform.form.hand_policies import Policies
from seqform.form.hand_products import HandProducts
from seqform.form.hand_symmetries import Symmetry
from seqform.game.betting_tree import LOSS, TIE, WIN
from seqform.strategies.line.outline import Decisions, Outline, outlines

Both = tuple[Floats, Floats]
"""For each player (num_rows, num_hands): rows by hands that avoid the board."""

OWN = ((WIN, TIE, LOSS), (LOSS, TIE, WIN))
"""For each player: where it says what the player gets with the better hand, at a tie, with less."""


class Board(NamedTuple):
    """A board, and what players may hold there."""

    cards: tuple[int, ...]
    """Those that were dealt, in order."""
    alive: tuple[Index, Index]
    """For each player the hands that avoid it: int64 (num_hands,)."""
    symmetries: tuple[Symmetry, ...]
    """Those that keep each of its cards."""


class Worth(NamedTuple):
    """What rows are worth to each hand, counterfactually, and the equity of some of them."""

    values: Both
    equity: Both


class Walk:
    """What is below a public node, on a board.

    Parameters
    ----------
    policies
        What is played.
    node
        The public node.
    cards
        What was dealt face up, in order; as many cards as lie there at the node.
    start
        For each player float64 (num_hands,): the weight of each hand of the range, times the
        probability of the player's own actions on the way.
    """

    def __init__(
        self, policies: Policies, node: int, cards: Sequence[int], start: Sequence[Floats]
    ) -> None:
        self._policies, self._game = policies, policies.structure.game
        self._outlines = outlines(self._game.betting, node)
        self.outline, self.board = self._outlines[0], self._board_of(cards)
        self._here = [self._products(player, self.board) for player in (0, 1)]
        mine, theirs = (start[p][self.board.alive[p]][None] for p in (0, 1))
        self.reach: Both = self._forward(0, self.board, (mine, theirs))
        """With what weight each hand comes to each row of the street."""

    def _board_of(self, cards: Sequence[int]) -> Board:
        every = self._policies.symmetries
        kept = tuple(of for of in every if all(of.cards[card] == card for card in cards))
        apart = [~np.isin(held.hands, list(cards)).any(axis=1) for held in self._game.ranges]
        return Board(tuple(cards), (np.flatnonzero(apart[0]), np.flatnonzero(apart[1])), kept)

    def behavior(self, group: Decisions, board: Board | None = None) -> Floats:
        """Return what is done at the nodes of a group: (num_nodes, num_actions, num_hands)."""
        board = board or self.board
        number, player = self._number(board), group.player
        return self._policies.on(player, group.nodes, number, board.alive[player])

    def _number(self, board: Board) -> int:
        return self._policies.structure.board_number(board.cards)

    def products(self, player: int, board: Board | None = None) -> HandProducts:
        """Return the products over a board that pay a player."""
        if board is None or board is self.board:
            return self._here[player]
        return self._products(player, board)

    def _products(self, player: int, board: Board) -> HandProducts:
        own, other = board.alive[player], board.alive[1 - player]
        structure = self._policies.structure
        shared = structure.shared[player]
        if len(board.cards) < structure.num_dealt:
            return HandProducts.on_board(shared, own, other)
        number = self._number(board)
        mine, theirs = (structure.strengths(who, number) for who in (player, 1 - player))
        return HandProducts.on_board(shared, own, other, mine[own], theirs[other])

    def matching(self, rows: Index) -> Both:
        """Return for each own hand what the other's hands weigh that come to some rows with it.

        (num_rows, num_hands) for each player.
        """
        mine, theirs = (
            self.products(p).met(np.ascontiguousarray(self.reach[1 - p][rows])) for p in (0, 1)
        )
        return mine, theirs

    def worth(self, rows: Index) -> Worth:
        """Return what each row of the street is worth, and the equity in some of them.

        Equity is what weighs in showdowns that a hand would win if nobody folded any more, ties by
        half; over `matching` it is the chance to win.
        """
        lanes = self.reach[0][rows], self.reach[1][rows]
        return self._below(0, self.board, self.reach, lanes)

    def _forward(self, street: int, board: Board, start: Both) -> Both:
        """Return with what weights hands come to the rows of a street."""
        outline = self._outlines[street]
        reach = [np.empty((len(outline.row), of.shape[1])) for of in start]
        for player, of in enumerate(start):
            reach[player][: len(of)] = of
        for group in outline.groups:
            own, other = reach[group.player], reach[1 - group.player]
            own[group.children] = own[group.rows][:, None] * self.behavior(group, board)
            other[group.children] = other[group.rows][:, None]
        return reach[0], reach[1]

    def _below(self, street: int, board: Board, reach: Both, lanes: Both) -> Worth:
        """Return what rows of a street are worth, and the equity of weights that come in besides.

        Parameters
        ----------
        lanes
            What each hand weighs: (num_lanes, num_hands) for each player.
        """
        check_time("going through what is below a line")
        outline = self._outlines[street]
        values = tuple(np.zeros(of.shape) for of in reach)
        products = [self.products(player, board) for player in (0, 1)]
        for player in (0, 1):
            self._end(player, outline, products[player], reach[1 - player], values[player])
        if street + 1 < len(self._outlines):
            starts = reach[0][outline.deals], reach[1][outline.deals]
            below = self._deal(street, board, starts, lanes)
            for player in (0, 1):
                values[player][outline.deals] = below.values[player]
            equity = below.equity
        else:
            mine, theirs = (_shown(products[p], lanes[1 - p]) for p in (0, 1))
            equity = mine, theirs
        for group in reversed(outline.groups):
            own, other = values[group.player], values[1 - group.player]
            own[group.rows] = (own[group.children] * self.behavior(group, board)).sum(axis=1)
            other[group.rows] = other[group.children].sum(axis=1)
        return Worth((values[0], values[1]), equity)

    def _end(
        self, player: int, outline: Outline, products: HandProducts, other: Floats, values: Floats
    ) -> None:
        """Write what ends of a street pay."""
        betting = self._game.betting
        folds, showdowns = outline.ends
        if len(folds):
            paid = betting.paid[folds, WIN, player] / betting.denominator
            met = products.fold(np.ascontiguousarray(other[outline.folds]))
            values[outline.folds] = met * paid[:, None]
        if len(showdowns):
            won, tied, lost = (
                betting.paid[showdowns, of, player] / betting.denominator for of in OWN[player]
            )
            shown = np.ascontiguousarray(other[outline.showdowns])
            values[outline.showdowns] = products.showdown(shown, won, tied, lost)

    def _deal(self, street: int, board: Board, starts: Both, lanes: Both) -> Worth:
        """Return what comes of all further cards: the mean, given both players' hands."""
        values = np.zeros_like(starts[0]), np.zeros_like(starts[1])
        equity = np.zeros_like(lanes[0]), np.zeros_like(lanes[1])
        for card, images in self._further(board):
            there = self._board_with(board, card)
            places = [np.searchsorted(board.alive[p], there.alive[p]) for p in (0, 1)]
            come, lie = ((of[0][:, places[0]], of[1][:, places[1]]) for of in (starts, lanes))
            reach = self._forward(street + 1, there, come)
            found = self._below(street + 1, there, reach, lie)
            for player in (0, 1):
                start = found.values[player][: len(starts[player])]
                for image in images:
                    hands = image.hands[player][there.alive[player]]
                    to = np.searchsorted(board.alive[player], hands)
                    values[player][:, to] += start
                    equity[player][:, to] += found.equity[player]
        left = self._game.cards_left - len(board.cards)
        return Worth((values[0] / left, values[1] / left), (equity[0] / left, equity[1] / left))

    def _board_with(self, board: Board, card: int) -> Board:
        return self._board_of((*board.cards, card))

    def _further(self, board: Board) -> list[tuple[int, list[Symmetry]]]:
        """Return cards that may be dealt, one of those that are alike, and what leads to each."""
        found: list[tuple[int, list[Symmetry]]] = []
        seen = set(board.cards)
        for card in self._policies.structure.cards.tolist():
            if card in seen:
                continue
            images: dict[int, Symmetry] = {}
            for symmetry in board.symmetries:
                images.setdefault(int(symmetry.cards[card]), symmetry)
            seen |= set(images)
            found.append((card, list(images.values())))
        return found


def _shown(products: HandProducts, lanes: Floats) -> Floats:
    """Return what weighs in showdowns that own hands win, ties by half."""
    ones = np.ones(len(lanes))
    return products.showdown(np.ascontiguousarray(lanes), ones, ones / 2, ones * 0)
