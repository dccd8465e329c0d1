"""How many roundings a term passes through where numpy sums floats.

It sums those of an array that is contiguous, of any number of dimensions, in one order ("pairwise
summation"; Higham, "The accuracy of floating point summation", SIAM J. Scientific Computing 14
(1993) 783-799, has the bound). That is not so of `@`, whose order is that of the BLAS at hand.
"""

from __future__ import annotations

from functools import cache

BLOCK = 128
"""Up to so many floats are summed without cutting them in two (`PW_BLOCKSIZE`)."""


@cache
def additions(length: int) -> int:
    """Return the most additions that a term passes through where numpy sums so many floats.

    More than a block are cut in two, at a multiple of 8. A block has eight running sums, which are
    added in pairs, and what is left of it is added one by one.
    """
    if length > BLOCK:
        half = length // 16 * 8
        return 1 + max(additions(half), additions(length - half))
    if length < 8:
        return max(0, length - 1)
    return length // 8 - 1 + 3 + length % 8


def most_additions(length: int) -> int:
    """Bound the same for all arrays up to a length: fewer floats may be added more often.

    In blocks they are the most where 127 are summed; twice as many floats are cut in two once more.
    """
    return 17 + length.bit_length()
