"""Reductions of a game that can be inverted: GameShrink and friends.

Those that can be named are `outcome`, `suit`, `equitable`, `tree` and `tree_published`, one file
each; the other files are what they are made of.
"""
