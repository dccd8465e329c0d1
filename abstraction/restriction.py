"""Restriction: a game without some of its actions, and the way back.

An information set that is left with one action is no decision any more. It is left out too, and its
action becomes one with the sequence that leads there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from seqform.base.arrays import Index, Mask
from seqform.base.deadline import check_time
from seqform.form.origin import RestrictedOrigin
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.links.link import SequenceMap


@dataclass(frozen=True, eq=False)
class Restriction:
    """A smaller game, and where it comes from.

    Parameters
    ----------
    form
        The smaller game.
    inverse
        The way back to the whole game.
    sources
        For each player int64 (num_sequences of the smaller game,): the whole game's sequence that
        each one is.
    """

    form: SequenceForm
    inverse: SequenceMap
    sources: tuple[Index, ...]


def restrict(form: SequenceForm, kept: Sequence[Mask]) -> Restriction:
    """Return the game in which each player has only the actions that are kept.

    Parameters
    ----------
    form
        The game.
    kept
        For each player bool (num_sequences,), with an action in every information set.
    """
    parts = [_Part(treeplex, of) for treeplex, of in zip(form.treeplexes, kept, strict=True)]
    plans = [np.array(part.plan_images, dtype=np.int32) for part in parts]
    smaller = form.quotient(
        [part.treeplex for part in parts], plans, [part.members for part in parts]
    )
    members = tuple(part.members for part in parts)
    origin = RestrictedOrigin(form.origin, members, tuple(part.places for part in parts))
    images = tuple(np.array(part.images, dtype=np.int32) for part in parts)
    sources = tuple(np.array(part.sources, dtype=np.int64) for part in parts)
    return Restriction(replace(smaller, origin=origin), SequenceMap(form, images), sources)


class _Part:
    """One player's part: information sets are taken over in their order.

    `plan_images` has, for each sequence, the one of the smaller game whose weight is the same, or
    -1; `images` the one whose behaviour is the same, as `Inverse` says.
    """

    def __init__(self, treeplex: Treeplex, kept: Mask) -> None:
        self.images: list[int] = [0] * treeplex.num_sequences
        self.plan_images: list[int] = [0] * treeplex.num_sequences
        self.sources = [0]
        self.places: list[list[int]] = []
        members: list[int] = []
        parents: list[int] = []
        first, parent_of = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
        is_kept = kept.tolist()
        for infoset, parent in enumerate(parent_of):
            if infoset % 1024 == 0:
                check_time("leaving out actions")
            here = range(first[infoset], first[infoset + 1])
            left = [sequence for sequence in here if is_kept[sequence]]
            above = self.plan_images[parent]
            for sequence in here:
                self.images[sequence] = self.plan_images[sequence] = -1
            if above < 0 or len(left) == 1:
                self.images[left[0]], self.plan_images[left[0]] = 0, above
                continue
            members.append(infoset)
            parents.append(above)
            self.places.append([sequence - here.start for sequence in left])
            for sequence in left:
                self.images[sequence] = self.plan_images[sequence] = len(self.sources)
                self.sources.append(sequence)
        counts = np.cumsum([1, *map(len, self.places)])
        self.treeplex = Treeplex(np.array(parents, dtype=np.int32), counts.astype(np.int32))
        self.members: Index = np.array(members, dtype=np.int64)
