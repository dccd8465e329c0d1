"""The compiled loop of `seqform.exact.limbs` for tables of numbers in two limbs."""

from __future__ import annotations

from numba import njit

from seqform.base.arrays import Index


@njit(cache=True)  # type: ignore[untyped-decorator]
def best_in_two(high: Index, low: Index, width: int, best_high: Index, best_low: Index) -> None:
    """Write the largest of each column of ``high * 2**width + low``, with a low part below that."""
    mask = (1 << width) - 1
    for place in range(len(best_high)):
        for action in range(len(high)):
            upper = high[action, place] + (low[action, place] >> width)
            lower = low[action, place] & mask
            is_more = upper > best_high[place] or (
                upper == best_high[place] and lower > best_low[place]
            )
            if action == 0 or is_more:
                best_high[place], best_low[place] = upper, lower
