"""How often a hand wins a showdown: over all pairs of hands and all boards, one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.hands import HandGame


def equity(game: HandGame, player: int, dealt: tuple[int, ...], weights: Floats) -> list[float]:
    """Return the chance to win of each hand of a player, ties by half; NaN where nobody is met.

    Parameters
    ----------
    dealt
        Cards that were dealt face up beside the known ones.
    weights
        What each hand of the other player weighs.
    """
    own, other = game.ranges[player].hands.tolist(), game.ranges[1 - player].hands.tolist()
    found = []
    for hand in own:
        won, total = 0.0, 0.0
        for theirs, weight in zip(other, weights.tolist(), strict=True):
            if not {*hand, *theirs} & set(dealt) and not set(hand) & set(theirs) and weight > 0:
                won += weight * float(_chance(game, hand, theirs, dealt))
                total += weight
        found.append(won / total if total and not set(hand) & set(dealt) else float("nan"))
    return found


def _chance(game: HandGame, hand: list[int], theirs: list[int], dealt: tuple[int, ...]) -> Fraction:
    taken = {*hand, *theirs, *dealt, *game.board}
    left = [card for card in range(len(game.deck)) if card not in taken]
    more = game.betting.num_dealt - len(dealt)
    won, count = Fraction(0), 0
    for cards in permutations(left, more):
        board = np.array([*game.board, *dealt, *cards], dtype=np.int16)
        mine, other = (
            int(game.strength(np.array([held], dtype=np.int16), board)[0])
            for held in (hand, theirs)
        )
        won += 1 if mine > other else Fraction(1, 2) if mine == other else 0
        count += 1
    return won / count
