"""Pots of a hand in which everybody who stays is all in: the main pot, and side pots above it.

Each layer of what was put in goes to the strongest hands among those who put in so much. So what
nobody matched comes back.
"""

from __future__ import annotations

from collections.abc import Sequence

Ranking = tuple[tuple[int, ...], ...]
"""Groups of players, the strongest hands first; who is in one group has equally strong hands."""


def settle(chips: Sequence[int], posted: Sequence[int], ranking: Ranking) -> tuple[int, ...]:
    """Return what chips players have after a hand.

    Player 0 has the button, and the others follow to the left.

    Parameters
    ----------
    chips
        What each has before the hand.
    posted
        What who folds leaves in the pot.
    ranking
        Those who stay, with all their chips. Equal hands share; chips that are left over go one by
        one to the first of them to the left of the button.
    """
    staying = [player for group in ranking for player in group]
    stakes = [chips[p] if p in staying else posted[p] for p in range(len(chips))]
    after = [have - put for have, put in zip(chips, stakes, strict=True)]
    below = 0
    for group in ranking:
        for above in sorted({stakes[player] for player in group if stakes[player] > below}):
            layer = sum(min(put, above) - min(put, below) for put in stakes)
            winners = [player for player in group if stakes[player] >= above]
            winners.sort(key=lambda player: (player - 1) % len(chips))
            for place, player in enumerate(winners):
                after[player] += (layer + len(winners) - 1 - place) // len(winners)
            below = above
    # what those who folded had posted beyond all who stay comes back
    return tuple(have + max(0, put - below) for have, put in zip(after, stakes, strict=True))
