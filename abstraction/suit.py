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

from abstraction.signal_reduction import SignalReduction
from seqform.base.errors import UnsupportedGameError
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
    return structure.checked_orbits()


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
