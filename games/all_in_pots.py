"""Pots of a hand in which everybody who stays is all in: the main pot, and side pots above it.

Each layer of what was put in goes to the strongest hand among those who put in so much. So what
nobody matched comes back.
"""

from __future__ import annotations

from collections.abc import Sequence


def settle(chips: Sequence[int], posted: Sequence[int], ranking: Sequence[int]) -> tuple[int, ...]:
    """Return what chips players have after a hand.

    Parameters
    ----------
    chips
        What each has before the hand.
    posted
        What who folds leaves in the pot.
    ranking
        Those who stay, with all their chips, the strongest hand first; no two are alike.
    """
    stakes = [chips[p] if p in ranking else posted[p] for p in range(len(chips))]
    after = [have - put for have, put in zip(chips, stakes, strict=True)]
    below = 0
    for winner in ranking:
        above = max(below, stakes[winner])
        after[winner] += sum(min(put, above) - min(put, below) for put in stakes)
        below = above
    # what those who folded had posted beyond all who stay comes back
    return tuple(have + max(0, put - below) for have, put in zip(after, stakes, strict=True))
