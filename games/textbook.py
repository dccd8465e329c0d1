"""Small games from books and papers, written down as trees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from seqform.builder import TreeBuilder
from seqform.tree import GameTree


def simultaneous(actions: Sequence[str], payoffs: Sequence[Sequence[int]], unit: str = "points") -> GameTree:
    """Return a two-player zero-sum game in which both choose at once; `payoffs[i][j]` is player 0's."""
    b = TreeBuilder(num_players=2, unit=unit)
    for first, row in zip(b.decision(b.root, 0, "player 0", actions), payoffs, strict=True):
        for second, payoff in zip(b.decision(first, 1, "player 1", actions), row, strict=True):
            b.terminal(second, (payoff, -payoff))
    return b.freeze()


def matching_pennies() -> GameTree:
    """Return matching pennies: player 0 wins a point if the coins match, else player 1 does."""
    return simultaneous(["heads", "tails"], [[1, -1], [-1, 1]])


def rock_paper_scissors() -> GameTree:
    """Return rock, paper, scissors for one point."""
    return simultaneous(["rock", "paper", "scissors"], [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def von_stengel() -> GameTree:
    """Return a game with the sequences of von Stengel's 1996 example: l, r, L, R for one player and c, d for the other.

    Chance tosses a fair coin that only player 0 sees; it then chooses between l and r, or between L and R. After r or L
    player 1 chooses c or d without knowing which of the two it was. The information structure follows the example in
    "Efficient computation of behavior strategies" (GEB 14, 1996); the payoffs are our own.
    """
    b = TreeBuilder(num_players=2)
    low, high = b.chance(b.root, [("low", Fraction(1, 2)), ("high", Fraction(1, 2))])
    left, right = b.decision(low, 0, "low", ["l", "r"])
    up, down = b.decision(high, 0, "high", ["L", "R"])
    b.terminal(left, (1, -1))
    b.terminal(down, (0, 0))
    for node, (c, d) in ((right, (4, -4)), (up, (-2, 4))):
        after_c, after_d = b.decision(node, 1, "second", ["c", "d"])
        b.terminal(after_c, (c, -c))
        b.terminal(after_d, (d, -d))
    return b.freeze()
