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
