"""Two players with private types, whose correlation the constraints on relevant pairs cannot see.

Its relevant pairs form a triangle, as Farina & Sandholm (NeurIPS 2020) call it. The payoffs are
those of Clauser, Horne, Shimony & Holt, Physical Review Letters 23, 1969.
"""

from __future__ import annotations

from fractions import Fraction

from seqform.game.catalogue import GameEntry
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree


def private_types() -> GameTree:
    """Return the game: chance gives each player one of two types, unseen by the other.

    Each says yes or no. Both get 1 if they say the same, or, where both have the second type, if
    they do not; else nothing. One of four pairs of types must fail for any pair of strategies, so
    no distribution gives more than 3/4 to each. The constraints on relevant pairs allow 1.
    """
    b = TreeBuilder(num_players=2)
    cases = [(i, j) for i in (0, 1) for j in (0, 1)]
    dealt = b.chance(b.root, [(f"types {i} and {j}", Fraction(1, 4)) for i, j in cases])
    for node, (i, j) in zip(dealt, cases, strict=True):
        for mine, said in enumerate(b.decision(node, 0, f"type {i}", ["yes", "no"])):
            for theirs, end in enumerate(b.decision(said, 1, f"other {j}", ["yes", "no"])):
                wins = (mine != theirs) == (i == j == 1)
                b.terminal(end, (int(wins), int(wins)))
    return b.freeze()


PRIVATE_TYPES = GameEntry(
    "private-types", "Two of a team with private types: a triangle", private_types
)
