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
from seqform.base.arrays import Index, Ints
from seqform.base.errors import InvalidGameError, UnsupportedGameError
from seqform.game.observations import Classes, SignalStructure
from seqform.game.signals import outcome_payoffs

SAMPLED_DEALS = 5_000
"""Deals of each outcome that a declared symmetry is compared on."""

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
        If one of them does not keep the deck or the payoffs as they are, as far as a sample of
        deals shows.
    """
    if not structure.game.deck.symmetries:
        raise UnsupportedGameError(NO_SUITS)
    _check_symmetries(structure)
    return tuple(
        tuple(_orbits(structure, player, stage) for stage in range(structure.num_stages))
        for player in (0, 1)
    )


def _check_symmetries(structure: SignalStructure) -> None:
    """Compare what a sample of deals pays before and after each symmetry."""
    copies = np.array(structure.game.deck.copies)
    for number, symmetry in enumerate(structure.game.deck.symmetries):
        exchange = np.array(symmetry, dtype=np.int32)
        if sorted(symmetry) != list(range(len(copies))) or (copies[exchange] != copies).any():
            raise InvalidGameError(
                f"symmetry {number} of the deck does not exchange cards with equally many copies"
            )
        _check_payoffs(structure, number, exchange)


def _check_payoffs(structure: SignalStructure, number: int, exchange: Ints) -> None:
    for outcome, stage in structure.outcomes:
        signals = structure.deals.signals[structure.stages[stage]]
        sample = signals[:: max(1, len(signals) // SAMPLED_DEALS)]
        before = outcome_payoffs(structure.game, outcome, sample)
        after = outcome_payoffs(structure.game, outcome, exchange[sample])
        if (before != after).any():
            raise InvalidGameError(
                f"symmetry {number} of the deck changes what {outcome!r} pays, so it is not a "
                "symmetry of the game; drop it"
            )


def _orbits(structure: SignalStructure, player: int, stage: int) -> Ints:
    signals = structure.signals(player, stage).astype(np.int64)
    cards = len(structure.game.deck.cards)
    code = _code(signals, cards)
    order = np.argsort(code)
    images = [
        order[np.searchsorted(code[order], _code(np.array(g)[signals], cards))]
        for g in structure.game.deck.symmetries
    ]
    rows = np.tile(np.arange(len(code)), len(images))
    edges = (np.ones(len(rows), dtype=bool), (rows, np.concatenate(images)))
    graph = sp.coo_array(edges, shape=(len(code), len(code)))
    orbits: Ints = connected_components(graph, directed=False)[1].astype(np.int32)
    return orbits


def _code(signals: Index, cards: int) -> Index:
    code = np.zeros(len(signals), dtype=np.int64)
    for column in signals.T:
        code = code * cards + column
    return code


@dataclass(frozen=True)
class SuitReduction(SignalReduction):
    """Merge what the symmetries of a deck exchange; a deck without them is not accepted."""

    def accepts(self, game: Any) -> str | None:
        """Return None for signal games of two players whose deck has symmetries."""
        refusal = super().accepts(game)
        if refusal is None and not game.deck.symmetries:
            return NO_SUITS
        return refusal


SUIT = SuitReduction("suit", suit, lossless=True)
