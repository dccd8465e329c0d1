"""The tables of a strategy of a game of hands: what is checked of them, and made right.

A table is of one public decision node: (num_orbits, num_actions, num_hands), probabilities on the
first board of each orbit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Index, Mask
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


def on_boards_of(
    table: NDArray[Any], player: int, dealt: int, before: HandStructure, after: HandStructure
) -> NDArray[Any]:
    """Return a table by the boards of the same game with more symmetries, or with fewer.

    Parameters
    ----------
    table
        (num_orbits, ..., num_hands), by the boards of `before`.
    player, dealt
        Whose hands, and how many cards lie there.
    before, after
        The game. What the table says has all symmetries of both.
    """
    boards, orbits = after.orbits[dealt].first, before.orbits[dealt]
    found, by = table[orbits.orbit[boards]], orbits.symmetry[boards]
    if not by.any():
        return found
    maps = np.stack([of.hands[player] for of in before.symmetries])[by].astype(np.int64)
    moved = np.empty_like(found)
    places = maps.reshape(len(maps), *[1] * (table.ndim - 2), maps.shape[1])
    np.put_along_axis(moved, np.broadcast_to(places, found.shape), found, axis=-1)
    return moved


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


def without_dead(table: NDArray[Any], alive: Mask, in_place: bool) -> NDArray[Any]:
    """Return a table with zeros for hands that meet the board: a copy, if it is changed."""
    dead = ~alive[:, None, :]
    if not (dead & (table != 0)).any():
        return table
    found = table if in_place else table.copy()
    np.copyto(found, 0, where=dead)
    return found


class AlikeHands(NamedTuple):
    """Boards on which the same hands have to be played alike.

    Parameters
    ----------
    orbits
        int64: the boards are the first of these orbits.
    first
        int64 (num_hands,): the first of the hands that each is like.
    """

    orbits: Index
    first: Index


def alike_hands(structure: HandStructure, player: int) -> list[list[AlikeHands]]:
    """Return, by cards dealt, which hands have to be played alike on which boards.

    They are those that a symmetry exchanges that keeps the board, card by card.
    """
    found = []
    for dealt, orbits in enumerate(structure.orbits):
        boards = structure.boards(dealt)[orbits.first]
        keeping = [(of.cards[boards] == boards).all(axis=1) for of in structure.symmetries]
        kept, of_orbit = np.unique(np.array(keeping).T, axis=0, return_inverse=True)
        groups = []
        for number, by in enumerate(kept):
            those = [structure.symmetries[at] for at in np.flatnonzero(by)]
            first = np.min([of.hands[player] for of in those], axis=0).astype(np.int64)
            if (first != np.arange(len(first))).any():
                groups.append(AlikeHands(np.flatnonzero(of_orbit.ravel() == number), first))
        found.append(groups)
    return found


def made_alike(table: NDArray[Any], groups: list[AlikeHands], in_place: bool) -> NDArray[Any]:
    """Return a table in which hands that are alike have the mean of their entries.

    It is the table itself where they are equal already.
    """
    found = table
    for orbits, first in groups:
        here = found[orbits]
        differ = (here != here[:, :, first]).any(axis=(1, 2))
        if differ.any():
            if found is table and not in_place:
                found = table.copy()
            found[orbits[differ]] = _means(here[differ], first)
    return found


def _means(tables: NDArray[Any], first: Index) -> Floats:
    """Return tables with means over hands that are alike: (any number, num_actions, num_hands)."""
    hands = np.arange(len(first))
    counts = np.bincount(first, minlength=len(first))
    sums = sp.csr_array((np.ones(len(first)), (first, hands)), shape=(len(first), len(first)))
    flat = tables.reshape(-1, len(first)).astype(np.float64)
    found: Floats = ((sums @ flat.T)[first] / counts[first, None]).T
    return found.reshape(tables.shape)


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
    single = table.astype(np.float32, copy=False)
    return single if (single == table).all() else table
