"""What is locked on a street of a game of hands, as regret minimization goes through it.

Regret matching plays what regrets are in proportion to. So where a hand's behaviour is locked its
regrets *are* that behaviour, before every pass; kernels need not know. Of a hand some of whose
actions are free, what they are regretted by is kept apart: an iteration changes the regrets by what
each action is worth more than all together, and that is taken out again. A best response is told
what is locked, since it takes maxima.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from seqform.base.arrays import Floats, Index, Mask, Numbers
from seqform.form.hand_lock import HandLock
from seqform.solvers.iterative.regret.hand_layout import Layout, Street, as_vectors, is_alike
from seqform.solvers.iterative.regret.hand_regret_kernels import Given
from seqform.solvers.iterative.regret.hand_rounds import WIDTH


def locks_alike(layout: Layout, lock: HandLock) -> bool:
    """Tell whether the same is locked of hands that are alike."""
    return all(
        is_alike(table, street, player)
        for street in layout.streets
        for player, side in enumerate(street.round.sides)
        for public in side.public.tolist()
        if public in lock.nodes[player]
        for table in (lock.nodes[player][public].given, lock.nodes[player][public].share)
    )


class _Part(NamedTuple):
    """Hands at a decision that have several free actions, and others that are locked."""

    places: Index
    """int64 (count, num_actions): where their regrets are."""
    fixed: Floats
    share: Floats
    learned: Numbers
    """(count, num_actions): what free actions are regretted by."""

    def played(self) -> Numbers:
        """Return what they do."""
        free, kept = self.share > 0, np.maximum(self.learned, 0)
        total = kept.sum(axis=1, keepdims=True)
        even = free / free.sum(axis=1, keepdims=True)
        odds = np.where(total > 0, kept / np.where(total > 0, total, 1), even)
        return np.asarray(self.fixed + self.share * odds)


class LockedStreet:
    """A player's locked hands on a street.

    Parameters
    ----------
    lock
        What is locked; None for nothing.
    street
        The street.
    player
        Whose hands.
    dtype
        Of regrets.
    """

    def __init__(
        self, lock: HandLock | None, street: Street, player: int, dtype: DTypeLike
    ) -> None:
        side, held = street.round.sides[player], street.held[player]
        vectors, self._num_actions = len(held.hand) // WIDTH, side.num_actions
        self.parts: list[_Part] = []
        nodes = {} if lock is None else lock.nodes[player]
        row = np.zeros(len(side.nodes), dtype=np.int32)
        fixed, share = [np.zeros((vectors, 0, WIDTH))], [np.zeros((vectors, 0, WIDTH))]
        whole: list[tuple[Index, Floats]] = [(np.zeros(0, dtype=np.int64), np.zeros(0))]
        count = 0
        for number, (public, (first, actions, _)) in enumerate(
            zip(side.public.tolist(), side.nodes.tolist(), strict=True)
        ):
            if public not in nodes:
                continue
            here = as_vectors(nodes[public].given, 0.0, street, player)
            left = as_vectors(nodes[public].share, 1.0, street, player)
            row[number], count = 1 + count, count + actions
            fixed.append(here)
            share.append(left)
            whole.append(self._take(first, here, left, dtype))
        self._whole = np.concatenate([places for places, _ in whole])
        self._values = np.concatenate([values for _, values in whole]).astype(dtype)
        self.given = Given(
            row,
            np.concatenate(fixed, axis=1).astype(dtype),
            np.concatenate(share, axis=1).astype(dtype),
        )

    def _take(
        self, first: int, fixed: Floats, share: Floats, dtype: DTypeLike
    ) -> tuple[Index, Floats]:
        """Take over a decision; return where what is played for ever is, and what it is."""
        some, free = (share == 0).any(axis=1), (share > 0).sum(axis=1)
        several = some & (free > 1)
        if several.any():
            places = self._places(first, several, fixed.shape[1])
            given, left = (cells.transpose(0, 2, 1)[several] for cells in (fixed, share))
            learned = np.zeros(places.shape, dtype=dtype)
            self.parts.append(_Part(places, given, left, learned))
        sure = some & (free <= 1)
        places = self._places(first, sure, fixed.shape[1])
        return places.ravel(), (fixed + share).transpose(0, 2, 1)[sure].ravel()

    def _places(self, first: int, hands: Mask, actions: int) -> Index:
        """Return where regrets of some hands are, (count, actions); `hands` is (vectors, width)."""
        vector, lane = np.nonzero(hands)
        action = first + np.arange(actions)
        return (vector[:, None] * self._num_actions + action) * WIDTH + lane[:, None]

    def play(self, regret: Numbers) -> None:
        """Write what locked hands do in place of their regrets."""
        flat = regret.reshape(-1)
        flat[self._whole] = self._values
        for part in self.parts:
            flat[part.places] = part.played()

    def learn(self, regret: Numbers, positive: float, negative: float) -> None:
        """Take out what an iteration learned of free actions; then play.

        Parameters
        ----------
        positive, negative
            The discounts of the iteration.
        """
        flat = regret.reshape(-1)
        for part in self.parts:
            played, learned, free = part.played(), part.learned, part.share > 0
            now = np.where(free, flat[part.places] - played * positive, 0)
            odds = np.where(free, played - part.fixed, 0)
            now -= (now * odds).sum(axis=1, keepdims=True) / odds.sum(axis=1, keepdims=True)
            kept = learned * np.where(learned > 0, positive, negative)
            learned[...] = np.where(free, kept + now, 0)
        self.play(regret)
