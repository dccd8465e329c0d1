"""Reductions of a game that can be inverted: GameShrink and friends."""
