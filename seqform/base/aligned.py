"""Arrays that begin where a line of the processor's cache does."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import DTypeLike

from seqform.base.arrays import Numbers

ALIGNMENT = 64
"""Bytes of a line of the processor's cache. Vectors that straddle two lines take half as long
again."""


def aligned_zeros(shape: tuple[int, ...], dtype: DTypeLike) -> Numbers:
    """Return zeros that begin where a line of the processor's cache does."""
    size = prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + ALIGNMENT, dtype=np.uint8)
    begin = -room.ctypes.data % ALIGNMENT
    return room[begin : begin + size].view(dtype).reshape(shape)


def aligned_copy(array: Numbers) -> Numbers:
    """Return a copy that begins where a line of the processor's cache does."""
    found = aligned_zeros(array.shape, array.dtype)
    found[...] = array
    return found
