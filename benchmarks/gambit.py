"""Gambit's value of a game (pygambit 17)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def value(game: Any, rational: bool = True) -> Fraction:
    """Return what the first player of a game of Gambit's gets in the equilibrium that its linear
    program finds, in fractions or in floats.

    Raises
    ------
    ValueError
        If its answer is no profile.
    """
    import pygambit

    found = pygambit.nash.lp_solve(game, rational=rational).equilibrium
    for player in game.players:
        for _, action in found[player]:
            if not any(probability for _, probability in action):
                raise ValueError(f"player {player} of Gambit's profile does nothing")
    return Fraction(found.payoffs[next(iter(game.players))])
