"""What the boards of a street are worth to the boards before them.

Boards that follow the same one add to the same numbers, and threads may not do that at once. So
boards are cut into runs, and each run adds to rows of its own: those of the boards before that it
follows. Runs are then added up in their order. They are the same for any number of threads, and so
is what comes out.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike

from seqform.base.aligned import aligned_zeros
from seqform.base.arrays import Ints, Numbers
from seqform.solvers.iterative.regret.hand_layout import Street
from seqform.solvers.iterative.regret.hand_rounds import filled

RUNS = 32
"""Runs of a street at most: enough for a dozen threads, and few to add up."""


def runs_of(num_boards: int) -> list[int]:
    """Return the first board of each run, and the number of boards."""
    count = min(num_boards, RUNS)
    return [num_boards * run // count for run in range(count + 1)]


class Returns:
    """What a player's hands on a street are worth, by their places on the boards before.

    Parameters
    ----------
    street, player
        Whose hands.
    dtype
        Of what is added up.

    Attributes
    ----------
    into
        int32 (num_places,): the row of `rows` that each place adds to.
    rows
        (num_rows + 1, columns): what entries are worth; the last row is of what fills up vectors.
    """

    def __init__(self, street: Street, player: int, dtype: DTypeLike) -> None:
        held, found, end = street.held[player], [], 0
        self.into: Ints = np.empty(held.num_places, dtype=np.int32)
        for boards in pairwise(held.start[runs_of(street.num_boards)]):
            places = slice(*boards)
            parent = held.parent[places][held.size[places] > 0]
            first, behind = (parent.min(), parent.max() + 1) if len(parent) else (0, 0)
            self.into[places] = held.parent[places] - first + end
            found.append((slice(first, behind), slice(end, end + behind - first)))
            end += behind - first
        self.into[held.size == 0] = end
        self.rows = aligned_zeros((end + 1, filled(len(street.round.entries))), dtype)
        self._runs = found

    def clear(self) -> None:
        """Begin anew."""
        self.rows[:] = 0

    def hand_up(self, worth: Numbers) -> None:
        """Write the sums to `worth`, (places one street before + 1, columns)."""
        worth[:] = 0
        for above, rows in self._runs:
            worth[above] += self.rows[rows]
