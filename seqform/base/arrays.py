"""The arrays that everything is made of, by the names that all signatures use."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Payoffs, probabilities and plans."""

Ints = NDArray[np.int32]
"""Numbers of nodes, information sets and sequences."""

Index = NDArray[np.int64]
"""Places in other arrays, counts, and integers that are added up."""

Mask = NDArray[np.bool_]
"""Which entries are meant."""

Exact = NDArray[Any]
"""Integers: int64, or object holding Python ints where int64 is too small."""

Numbers = NDArray[Any]
"""Numbers of a type that is known at run time only: floats, or integers, or objects."""


def distinct(values: Numbers) -> Numbers:
    """Return the distinct values in rising order, as `numpy.unique` does, which loads more.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    values = np.sort(values, axis=None)
    return values[is_first(values)]


def is_first(values: Numbers) -> Mask:
    """Return which values differ from the one before them, as the first one of all does.

    Examples
    --------
    >>> is_first(np.array([3, 3, 1])).tolist()
    [True, False, True]
    """
    first = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first
