"""Gambit's value of a game (pygambit 17)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def answer(game: Any, rational: bool = True) -> tuple[Fraction, int]:
    """Return what the first player of a game of Gambit's gets in the equilibrium that its linear
    program finds, in fractions or in floats, and at how many information sets no action has a
    probability there."""
    import pygambit

    found = pygambit.nash.lp_solve(game, rational=rational).equilibrium
    sets = [action for player in game.players for _, action in found[player]]
    silent = sum(not any(probability for _, probability in action) for action in sets)
    return Fraction(found.payoffs[next(iter(game.players))]), silent


def value(game: Any, rational: bool = True) -> Fraction:
    """Return the value of a game of Gambit's by its linear program.

    Raises
    ------
    ValueError
        If its answer is no profile.
    """
    found, silent = answer(game, rational)
    if silent:
        raise ValueError(f"Gambit's profile does nothing at {silent} information sets")
    return found
