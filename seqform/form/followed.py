"""Followed: a model of a player of a game of hands, and how often it is followed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from seqform.form.hand_strategy import HandStrategy

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure


class Followed(NamedTuple):
    """A model of a player of a game of hands, and how often it is followed.

    Parameters
    ----------
    player
        Whose model it is.
    strategy
        What the player does by it; what it has of the other player is not read.
    p
        The probability.
    """

    player: int
    strategy: HandStrategy
    p: Fraction

    @property
    def structure(self) -> HandStructure:
        """The game, with the symmetries that the model has."""
        return self.strategy.structure

    @property
    def shares(self) -> tuple[float, float]:
        """How often the model is followed, and how often the player is free."""
        return float(self.p), float(1 - self.p)
