"""Compiled loops over one board: plans, products with tables of blocks, and sums."""

from __future__ import annotations

import numpy as np
from numba import njit

from seqform.base.arrays import Floats, Index, Ints


@njit(cache=True)  # type: ignore[untyped-decorator]
def extend(
    behavior: Floats, classes: Ints, reach: Floats, places: Index, plan: Floats
) -> tuple[float, float]:
    """Multiply what is done at a node by the chance that the player's own actions lead there.

    Parameters
    ----------
    behavior
        float64 (num_actions, num_classes).
    classes
        int32 (num_observations,): the class of each observation.
    reach, places
        The plan above, and where in it each observation's is: (num_observations,).
    plan
        float64 (num_actions, num_observations), filled.

    Returns
    -------
    equation, least
        By how much the actions of an observation add up to something else at most; the least entry.
    """
    equation, least = 0.0, np.inf
    for place in range(len(classes)):
        above = reach[places[place]]
        total = 0.0
        for action in range(len(behavior)):
            entry = behavior[action, classes[place]] * above
            plan[action, place] = entry
            total += entry
            least = min(least, entry)
        equation = max(equation, abs(total - above))
    return equation, least


@njit(cache=True)  # type: ignore[untyped-decorator]
def multiply(
    vectors: Floats, theirs: Index, mine: Index, begin: Index, tables: Floats, out: Floats
) -> None:
    """Multiply each row of `vectors` by the table of each block: float64 (num_lines, ...).

    Products are added one by one, in the order of the opponent's observations, four to a pass over
    the sums. Those with a weight of 0 are left out.
    """
    rows = np.empty(len(vectors[0]), dtype=np.int64)
    weights = np.empty(len(vectors[0]))
    for block in range(len(begin) - 1):
        first, last = mine[block], mine[block + 1]
        width = last - first
        for line in range(len(vectors)):
            count = 0
            for other in range(theirs[block], theirs[block + 1]):
                if vectors[line, other] != 0.0:
                    rows[count] = begin[block] + (other - theirs[block]) * width
                    weights[count] = vectors[line, other]
                    count += 1
            sums = out[line, first:last]
            sums[:] = 0.0
            done = 0
            while done + 4 <= count:
                a, b, c, d = weights[done], weights[done + 1], weights[done + 2], weights[done + 3]
                of_a = tables[rows[done] : rows[done] + width]
                of_b = tables[rows[done + 1] : rows[done + 1] + width]
                of_c = tables[rows[done + 2] : rows[done + 2] + width]
                of_d = tables[rows[done + 3] : rows[done + 3] + width]
                for place in range(width):
                    total = sums[place] + of_a[place] * a
                    total = total + of_b[place] * b
                    total = total + of_c[place] * c
                    sums[place] = total + of_d[place] * d
                done += 4
            while done < count:
                row = tables[rows[done] : rows[done] + width]
                for place in range(width):
                    sums[place] += row[place] * weights[done]
                done += 1


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_following(target: Floats, above: Index, values: Floats) -> None:
    """Add each value to the entry that it follows, one by one."""
    for place in range(len(values)):
        target[above[place]] += values[place]
