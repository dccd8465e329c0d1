"""Sources of game values that several games cite."""

from __future__ import annotations

PROVEN = "proven in integers, from the bases of player 0's and of player 1's program"
SYMMETRIC = "the game is symmetric"
UITERWIJK = (
    "Uiterwijk & van den Herik, The advantage of the initiative, Information Sciences 122, 2000"
)
