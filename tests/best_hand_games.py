"""Games in which a player has one hand, the best one, so that its payoff is known."""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Ints
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTreeBuilder


def best_hand_game(player: int, paid: tuple[int, int, int], weights: list[int]) -> HandGame:
    """Return a zero-sum game in which all hands are shown.

    Parameters
    ----------
    player
        Who has the best hand, and always wins.
    paid
        What that player gets for a win, a tie and a loss.
    weights
        Those of the other's hands, of one card each.
    """
    builder, own = BettingTreeBuilder(), 1 - 2 * player
    ends = [(own * of, -own * of) for of in paid]
    builder.show(builder.act(builder.root, 0, ["go"])[0], *ends[::own])
    cards = len(weights) + 1
    best = HandRange(np.zeros((1, 1), dtype=np.int16), np.ones(1, dtype=np.int64))
    rest = HandRange(np.arange(1, cards, dtype=np.int16)[:, None], np.array(weights))
    ranges = (rest, best) if player else (best, rest)
    return HandGame(tuple(map(str, range(cards))), (), ranges, builder.build(), _is_best)


def _is_best(hands: Ints, _: Ints) -> Ints:
    found: Ints = (hands[:, 0] == 0).astype(np.int32)
    return found
