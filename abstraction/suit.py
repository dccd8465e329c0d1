"""Reduction `suit`: observations that a symmetry of the deck exchanges are treated alike.

It loses nothing: see docs/explanation/gameshrink.md.

References
----------
Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
Section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from abstraction.signal_reduction import SignalReduction
from seqform.base.arrays import Ints
from seqform.base.errors import InvalidGameError, UnsupportedGameError
from seqform.game.observations import Classes, SignalStructure

NO_SUITS = (
    "reduction 'suit' needs a deck with suits to exchange, "
    "and this game's has none; use 'equitable'"
)


def suit(structure: SignalStructure) -> Classes:
    """Merge observations that a symmetry of the deck maps to one another.

    Such a symmetry is a permutation of the suits.

    Raises
    ------
    UnsupportedGameError
        If the deck has no symmetries.
    InvalidGameError
        If one of them does not keep the deck, or what any deal pays, as they are.
    """
    if not structure.game.deck.symmetries:
        raise UnsupportedGameError(NO_SUITS)
    images = [_checked_images(structure, n) for n in range(len(structure.game.deck.symmetries))]
    return tuple(
        tuple(_orbits(structure, player, stage, images) for stage in range(structure.num_stages))
        for player in (0, 1)
    )


def _checked_images(structure: SignalStructure, number: int) -> list[Ints]:
    """Return, for each stage, the deal that a symmetry makes of each; payoffs must be the same."""
    symmetry, copies = structure.game.deck.symmetries[number], structure.game.deck.copies
    exchange = np.array(symmetry, dtype=np.int32)
    if [copies[card] for card in symmetry] != list(copies):
        raise InvalidGameError(
            f"symmetry {number} of the deck does not exchange cards with equally many copies"
        )
    every = _images(structure, exchange)
    images = [every[num_signals] for num_signals in structure.stages]
    for (outcome, stage), payoffs in zip(structure.outcomes, structure.payoffs, strict=True):
        changed = np.flatnonzero(payoffs != payoffs[images[stage]])
        if len(changed):
            dealt = structure.deals.signals[structure.stages[stage]][changed[0]].tolist()
            cards = " ".join(str(structure.game.deck.cards[card]) for card in dealt)
            raise InvalidGameError(
                f"symmetry {number} of the deck changes what {outcome!r} pays on the deal {cards}, "
                "so it is not a symmetry of the game; drop it"
            )
    return images


def _images(structure: SignalStructure, exchange: Ints) -> list[Ints]:
    """Return the deal that exchanging cards makes of each deal of 0, 1, 2, ... signals."""
    deals, cards = structure.deals, len(exchange)
    images = [np.zeros(1, dtype=np.int32)]
    for k in range(1, structure.stages[-1] + 1):
        parent, last = deals.parent[k].astype(np.int64), deals.signals[k][:, -1]
        deal = np.empty(deals.count(k - 1) * cards, dtype=np.int32)
        deal[parent * cards + last] = np.arange(deals.count(k), dtype=np.int32)
        images.append(deal[images[-1][parent] * np.int64(cards) + exchange[last]])
    return images


def _orbits(structure: SignalStructure, player: int, stage: int, images: list[list[Ints]]) -> Ints:
    observed = structure.observations[player][stage]
    deal = structure.representatives[player][stage]
    edges = [observed[image[stage][deal]] for image in images]
    rows = np.tile(np.arange(len(deal)), len(edges))
    ones = np.ones(len(rows), dtype=bool)
    graph = sp.coo_array((ones, (rows, np.concatenate(edges))), shape=(len(deal), len(deal)))
    orbits: Ints = connected_components(graph, directed=False)[1].astype(np.int32)
    return orbits


@dataclass(frozen=True)
class SuitReduction(SignalReduction):
    """Merge what the symmetries of a deck exchange; a deck without them is not accepted."""

    def accepts(self, game: Any) -> str | None:
        """Return None for signal games of two players whose deck has symmetries."""
        refusal = super().accepts(game)
        if refusal is None and not game.deck.symmetries:
            return NO_SUITS
        return refusal


SUIT = SuitReduction("suit", suit, lossless=True, theorem="deck symmetries")
