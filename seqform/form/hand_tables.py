"""The tables of a strategy of a game of hands: what is checked of them, and made right.

A table is of one public decision node: (num_orbits, num_actions, num_hands), probabilities on the
first board of each orbit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Mask
from seqform.base.errors import InvalidStrategyError
from seqform.form.hand_structure import HandStructure
from seqform.form.treeplex import UNIT_ROUNDOFF

FAR = {np.dtype(np.float32): 1e-6, np.dtype(np.float64): 1e-9}
"""The types that are kept, and how far from 1 probabilities of each may sum."""


def on_first(structure: HandStructure, player: int) -> tuple[Mask, ...]:
    """Return, by cards dealt, which hands avoid the first board of each orbit."""
    orbits = enumerate(structure.orbits)
    every = ((structure.avoids(player, dealt), of.first) for dealt, of in orbits)
    return tuple(np.asarray(avoids[first], dtype=np.bool_) for avoids, first in every)


def normalized(table: Floats, axis: int = -2) -> Floats:
    """Return columns that sum to one up to rounding, as `Treeplex.normalize` makes them.

    Parameters
    ----------
    table
        float64, actions along `axis`; it is changed. Columns of zeros stay as they are.
    """
    sums = table.sum(axis=axis, keepdims=True)
    near = np.abs(sums - 1) <= table.shape[axis] * UNIT_ROUNDOFF
    sums[near | (sums == 0)] = 1.0
    if not (sums == 1.0).all():
        table /= sums
    return table


def without_dead(table: NDArray[Any], alive: Mask) -> NDArray[Any]:
    """Return a table with zeros for hands that meet the board."""
    dead = ~alive[:, None, :]
    if not (dead & (table != 0)).any():
        return table
    return np.where(dead, table.dtype.type(0), table)


def check_sums(table: NDArray[Any], alive: Mask, where: str) -> None:
    """Check that the columns of hands on the board are probabilities.

    Raises
    ------
    InvalidStrategyError
        With the first hand of which they are not.
    """
    if not (table >= 0).all():
        orbit, action, hand = (int(of[0]) for of in np.nonzero(~(table >= 0)))
        raise InvalidStrategyError(
            f"{where}, orbit {orbit}, hand {hand}: {table[orbit, action, hand]} is not a "
            "probability"
        )
    sums = table.sum(axis=1, dtype=np.float64)
    off = alive & ~(np.abs(sums - 1) <= FAR[table.dtype])
    if off.any():
        orbit, hand = (int(of[0]) for of in np.nonzero(off))
        raise InvalidStrategyError(
            f"{where}, orbit {orbit}, hand {hand}: the probabilities sum to {sums[orbit, hand]}, "
            "not to 1"
        )


def in_single(table: NDArray[Any]) -> NDArray[Any]:
    """Return a table in single precision, where that is all it has."""
    single = table.astype(np.float32)
    return single if (single == table).all() else table
