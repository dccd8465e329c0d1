"""Orbits: observations of a signal game that symmetries of its deck map to one another.

A symmetry that a deck declares is not believed: it has to keep the copies of all cards, and what
every deal pays. What is summed over deals, and is the same for all of an orbit, needs only the
deals in which a player has one observation of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints, Numbers
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidGameError

if TYPE_CHECKING:
    from seqform.game.observations import Classes, SignalStructure


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


def orbits(structure: SignalStructure) -> Classes:
    """Return the orbit of each observation, numbered in the order of their first members.

    Raises
    ------
    InvalidGameError
        If a symmetry of the deck does not keep it, or what any deal pays, as it is.
    """
    stages = range(structure.num_stages)
    maps: dict[tuple[int, int], list[Ints]] = {(p, s): [] for p in (0, 1) for s in stages}
    for number in range(len(structure.game.deck.symmetries)):
        images = _checked_images(structure, number)
        for (player, stage), of in maps.items():
            deal = structure.representatives[player][stage]
            of.append(structure.observations[player][stage][images[stage][deal]])
    return tuple(
        tuple(_connected(maps[p, s], structure.num_observations(p, s)) for s in stages)
        for p in (0, 1)
    )


def first_of_each(orbit: Ints) -> Index:
    """Return the first member of each orbit, int64 (num_orbits,)."""
    return np.unique(orbit, return_index=True)[1]


def share_of(orbit: Ints, observed: Ints) -> Share:
    """Return the share of the deals in which `observed` is the first member of an orbit."""
    chosen = np.zeros(len(orbit), dtype=np.bool_)
    chosen[first_of_each(orbit)] = True
    deals = np.flatnonzero(chosen[observed]).astype(np.int32)
    return Share(deals, np.bincount(orbit)[orbit[observed[deals]]])


def _checked_images(structure: SignalStructure, number: int) -> list[Ints]:
    """Return, for each stage, the deal that a symmetry makes of each; payoffs must be the same."""
    check_time("looking at symmetries of the deck")
    symmetry, copies = structure.game.deck.symmetries[number], structure.game.deck.copies
    exchange = np.array(symmetry, dtype=np.int32)
    if [copies[card] for card in symmetry] != list(copies):
        raise InvalidGameError(
            f"symmetry {number} of the deck does not exchange cards with equally many copies"
        )
    every = _images(structure, exchange)
    images = [every[num_signals] for num_signals in structure.stages]
    for stage in range(structure.num_stages):
        for row in structure.informative(stage):
            payoffs: Any = structure.payoffs[row]
            changed = payoffs != payoffs[images[stage]]
            if changed.any():
                raise InvalidGameError(_changes(structure, number, row, int(changed.argmax())))
    return images


def _changes(structure: SignalStructure, number: int, row: int, deal: int) -> str:
    outcome, stage = structure.outcomes[row]
    dealt = structure.deals.signals[structure.stages[stage]][deal].tolist()
    cards = " ".join(str(structure.game.deck.cards[card]) for card in dealt)
    return (
        f"symmetry {number} of the deck changes what {outcome!r} pays on the deal {cards}, "
        "so it is not a symmetry of the game; drop it"
    )


def _images(structure: SignalStructure, exchange: Ints) -> list[Ints]:
    """Return the deal that exchanging cards makes of each deal of 0, 1, 2, ... signals."""
    deals, cards = structure.deals, len(exchange)
    images = [np.zeros(1, dtype=np.int32)]
    for k in range(1, structure.stages[-1] + 1):
        last, codes = deals.signals[k][:, -1], deals.count(k - 1) * cards
        dtype: Any = np.int32 if codes < 2**31 else np.int64
        # where a deal of k - 1 signals and one more card is, and what exchanges make of the former
        place: Numbers = (np.arange(deals.count(k - 1)) * cards).astype(dtype)
        image: Numbers = (images[-1].astype(np.int64) * cards).astype(dtype)
        deal = np.empty(codes, dtype=np.int32)
        deal[place[deals.parent[k]] + last] = np.arange(deals.count(k), dtype=np.int32)
        images.append(deal[image[deals.parent[k]] + exchange[last]])
    return images


def _connected(maps: Sequence[Ints], count: int) -> Ints:
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
