"""Triangles: where correlation plans are more than the constraints on relevant pairs can say.

Without triangles every point of the von Stengel-Forges polytope is a correlation plan of a
distribution over pairs of pure strategies (Farina & Sandholm, NeurIPS 2020, Theorem 1). Games
without chance, and those whose chance moves are public, have none. With triangles the polytope may
hold points that no distribution has: it is a relaxation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index
from seqform.form.relevant_pairs import NOWHERE, RelevantPairs
from seqform.form.sequence_form import SequenceForm


class Triangle(NamedTuple):
    """Two information sets of each player, both after the same own move.

    The first of player 0 is connected to both of player 1, and the second of player 0 to the first
    of player 1.
    """

    first: tuple[int, int]
    """Of player 0."""
    second: tuple[int, int]
    """Of player 1."""

    def describe(self, form: SequenceForm) -> str:
        """Name the information sets by their labels."""
        names = [
            " and ".join(form.infoset_text(player, infoset) for infoset in infosets)
            for player, infosets in enumerate(self)
        ]
        return f"information sets {names[0]} of player 0, {names[1]} of player 1"


def find_triangle(pairs: RelevantPairs) -> Triangle | None:
    """Return a triangle (Farina & Sandholm 2020, Definition 2), or None if there is none."""
    edges = pairs.infosets[(pairs.infosets != NOWHERE).all(axis=1)]
    mine, theirs = edges.T
    above = [t.parent_sequence[column] for t, column in zip(pairs.treeplexes, edges.T, strict=True)]
    siblings = _shared(mine, above[1]), _shared(theirs, above[0])
    both = np.flatnonzero((siblings[0] > 1) & (siblings[1] > 1))
    if not len(both):
        return None
    edge = int(both[0])
    of_mine = theirs[(mine == mine[edge]) & (above[1] == above[1][edge])]
    of_theirs = mine[(theirs == theirs[edge]) & (above[0] == above[0][edge])]
    other_mine = next(int(i) for i in of_theirs if i != mine[edge])
    other_theirs = next(int(j) for j in of_mine if j != theirs[edge])
    return Triangle((int(mine[edge]), other_mine), (int(theirs[edge]), other_theirs))


def _shared(infoset: Index, other: Index) -> Index:
    """Return how many edges have the information set, and the move above the other, of each."""
    keys = infoset * (int(other.max(initial=0)) + 1) + other
    _, place, count = np.unique(keys, return_inverse=True, return_counts=True)
    return count[place]  # type: ignore[no-any-return]
