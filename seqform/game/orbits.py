"""Orbits: what exchanges of a deck's cards map to one another.

What is summed over deals, and is the same for all observations of an orbit, needs only the deals in
which a player has one of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints, Numbers
from seqform.base.deadline import check_time
from seqform.game.deals import Deals


class Share(NamedTuple):
    """The deals in which a player has the first observation of some orbit.

    Parameters
    ----------
    deals
        Integers (num_deals,), ascending.
    size
        How many observations are in the orbit of each one, int64 (num_deals,).
    """

    deals: Ints
    size: Index


def first_of_each(orbit: Ints) -> Index:
    """Return the first member of each orbit, int64 (num_orbits,)."""
    return np.unique(orbit, return_index=True)[1]


def share_of(orbit: Ints, observed: Ints) -> Share:
    """Return the share of the deals in which `observed` is the first member of an orbit."""
    chosen = np.zeros(len(orbit), dtype=np.bool_)
    chosen[first_of_each(orbit)] = True
    deals = np.flatnonzero(chosen[observed]).astype(np.int32)
    return Share(deals, np.bincount(orbit)[orbit[observed[deals]]])


def images_of(deals: Deals, exchange: Ints) -> list[Ints]:
    """Return the deal that exchanging cards makes of each deal of 0, 1, 2, ... signals."""
    check_time("looking at symmetries of the deck")
    cards, images = len(exchange), [np.zeros(1, dtype=np.int32)]
    for k in range(1, len(deals.signals)):
        last, codes = deals.signals[k][:, -1], deals.count(k - 1) * cards
        dtype: Any = np.int32 if codes < 2**31 else np.int64
        # where a deal of k - 1 signals and one more card is, and what exchanges make of the former
        place: Numbers = (np.arange(deals.count(k - 1)) * cards).astype(dtype)
        image: Numbers = (images[-1].astype(np.int64) * cards).astype(dtype)
        deal = np.empty(codes, dtype=np.int32)
        deal[place[deals.parent[k]] + last] = np.arange(deals.count(k), dtype=np.int32)
        images.append(deal[image[deals.parent[k]] + exchange[last]])
    return images


def connected(maps: Sequence[Ints], count: int) -> Ints:
    """Return the orbits of `count` things under permutations of them, int32 (count,)."""
    least = np.arange(count)
    while True:
        lower = least
        for image in maps:
            lower = np.minimum(lower, lower[image])
        lower = lower[lower]
        if np.array_equal(lower, least):
            return np.unique(least, return_inverse=True)[1].astype(np.int32)
        least = lower
