"""Gambit's value of a game (pygambit 17)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def value(game: Any, rational: bool = True) -> Fraction:
    """Return what the first player of a game of Gambit's gets in the equilibrium that its linear
    program finds, in fractions or in floats."""
    import pygambit

    payoffs = pygambit.nash.lp_solve(game, rational=rational).equilibrium.payoffs
    return Fraction(payoffs[next(iter(game.players))])
