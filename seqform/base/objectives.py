"""Objectives: what is to be best among equilibria of two players, by its name."""

from __future__ import annotations

OBJECTIVES: dict[str, tuple[int, int] | None] = {
    "welfare": (1, 1),
    "-welfare": (-1, -1),
    "player0": (1, 0),
    "-player0": (-1, 0),
    "player1": (0, 1),
    "-player1": (0, -1),
    "none": None,
}
"""What each player's payoff counts for."""
