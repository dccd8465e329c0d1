"""Equity: how often a range wins a showdown against another, ties by half, counted to the end.

All boards that may still be dealt are gone through, and all pairs of hands on each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from seqform.base.arrays import Ints, Mask, Numbers
from seqform.form.hands import HandGame


def equity(game: HandGame) -> Fraction:
    """Return the probability that player 0 wins a showdown of a game of hands, ties by half."""
    mine, theirs = game.ranges
    apart = disjoint(mine.hands, theirs.hands)
    points = np.zeros(apart.shape, dtype=np.int32)
    for board in _boards(game):
        points += _points(game, board)
    points[~apart] = 0
    total = mine.weights.astype(object) @ (points.astype(object) @ theirs.weights.astype(object))
    boards = comb(game.cards_left, game.betting.num_dealt)
    return Fraction(int(total), 2 * boards * game.total_weight)


def disjoint(mine: Ints, theirs: Ints) -> Mask:
    """Return which pairs of hands share no card: bool (num_hands, num_other_hands)."""
    found = np.ones((len(mine), len(theirs)), dtype=bool)
    for one in mine.T:
        for other in theirs.T:
            found &= one[:, None] != other
    return found


def _boards(game: HandGame) -> list[tuple[int, ...]]:
    left = [card for card in range(len(game.deck)) if card not in game.board]
    return [(*game.board, *dealt) for dealt in combinations(left, game.betting.num_dealt)]


def _points(game: HandGame, board: Sequence[int]) -> Numbers:
    """Return 2 for each pair of hands that player 0 wins, 1 for a tie: int8, 0 off the board."""
    cards: Ints = np.array(board, dtype=np.int16)
    one, other = (np.asarray(game.strength(held.hands, cards)) for held in game.ranges)
    alive, also = (~np.isin(held.hands, cards).any(axis=1) for held in game.ranges)
    found: Numbers = (one[:, None] > other).astype(np.int8) + (one[:, None] >= other)
    found *= np.logical_and.outer(alive, also)
    return found
