"""The game in which some behaviour is locked, as a smaller sequence form, and the way back.

Say that an action has the fixed probability p. Then in every plan that keeps to the lock, the
weight of its sequence is p times that of the sequence above. So the two are one sequence, which
counts p times. The free actions of an information set share what the fixed ones leave, r. They are
an information set that counts r times. Counts multiply on the way down; what is never played is
left out. All of this is linear, so payoffs, best responses and equilibria of the smaller form are
those of the locked game, in fractions if the lock is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from seqform.base.arrays import Floats, Index, Ints
from seqform.base.deadline import check_time
from seqform.form.lock import Fixed, Lock
from seqform.form.multiples import Multiples
from seqform.form.origin import RestrictedOrigin
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.links.link import SequenceMap


@dataclass(frozen=True)
class LockedMap(SequenceMap):
    """The way back from a locked game, and what was locked."""

    lock: Lock | None = None


@dataclass(frozen=True, eq=False)
class LockedGame:
    """A locked game.

    Parameters
    ----------
    form
        The smaller game, in which only what is free is decided.
    inverse
        The way back; what it lifts keeps to the lock.
    """

    form: SequenceForm
    inverse: LockedMap


def lock_game(lock: Lock) -> LockedGame:
    """Return the game in which players do what is locked."""
    form = lock.form
    parts = [_Part(t, fixed) for t, fixed in zip(form.treeplexes, lock.fixed, strict=True)]
    counted = form.payoffs.counted([Multiples.of(part.counts) for part in parts])
    members = tuple(part.members for part in parts)
    smaller = replace(form, payoffs=counted).quotient(
        [part.treeplex for part in parts], [part.plan_images for part in parts], members
    )
    origin = RestrictedOrigin(form.origin, members, tuple(part.places for part in parts))
    images, shares = tuple(part.images for part in parts), tuple(part.shares for part in parts)
    inverse = LockedMap(form, images, shares, lock)
    return LockedGame(replace(smaller, origin=origin), inverse)


class _Part:
    """One player's part: information sets are taken over in their order.

    The weight of a sequence is `counts` times that of its `plan_images`, or 0 if that is -1. Its
    behaviour is `shares` times that of its `images`.
    """

    def __init__(self, treeplex: Treeplex, fixed: Fixed) -> None:
        size = treeplex.num_sequences
        self.plan_images: Ints = np.full(size, -1, dtype=np.int32)
        self.images: Ints = np.zeros(size, dtype=np.int32)
        self.shares: Floats = np.ones(size)
        self.counts = [Fraction(0)] * size
        self.plan_images[0], self.counts[0] = 0, Fraction(1)
        self.places: list[list[int]] = []
        self._fixed, self._num_sequences = fixed, 1
        members: list[int] = []
        parents: list[int] = []
        first, parent_of = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
        for infoset, parent in enumerate(parent_of):
            if infoset % 1024 == 0:
                check_time("locking information sets")
            above = int(self.plan_images[parent])
            if self._take(range(first[infoset], first[infoset + 1]), above, self.counts[parent]):
                members.append(infoset)
                parents.append(above)
        ends = np.cumsum([1, *map(len, self.places)])
        self.treeplex = Treeplex(np.array(parents, dtype=np.int32), ends.astype(np.int32))
        self.members: Index = np.array(members, dtype=np.int64)

    def _take(self, here: range, above: int, count: Fraction) -> bool:
        """Take over an information set; return whether something is left to decide in it."""
        free = [sequence for sequence in here if self._fixed[sequence] is None]
        left = 1 - sum(p for p in self._fixed[here.start : here.stop] if p is not None)
        for sequence in here:
            given = self._fixed[sequence]
            share = Fraction(left, len(free)) if given is None else given
            self._merge(sequence, above, count, share)
        if above < 0 or len(free) < 2 or not left:
            return False
        self.places.append([sequence - here.start for sequence in free])
        for sequence in free:
            self.images[sequence] = self.plan_images[sequence] = self._num_sequences
            self.counts[sequence], self.shares[sequence] = count * left, float(left)
            self._num_sequences += 1
        return True

    def _merge(self, sequence: int, above: int, count: Fraction, share: Fraction) -> None:
        """Make a sequence one with that above it, played with a given probability."""
        self.shares[sequence] = float(share)
        if above >= 0 and share:
            self.plan_images[sequence], self.counts[sequence] = above, count * share
