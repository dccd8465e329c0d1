"""The extreme rays of a cone, as it is cut by one halfspace after the other, in integers.

The double description method (Motzkin, Raiffa, Thompson & Thrall, "The double description method",
1953; Fukuda & Prodon, "Double description method revisited", 1996, Proposition 7 and Lemma 3). A
cut keeps the rays that satisfy it. Each edge from one of these to one that does not gets a new ray
where it meets the plane. Two rays are the ends of an edge if no third one is on all planes that
both are on.
"""

from __future__ import annotations

from math import gcd

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Exact, Index, Mask
from seqform.base.budget import Budget
from seqform.base.deadline import check_time

Words = NDArray[np.uint64]
"""Which planes rays are on, a bit for each: (num_words, num_rays)."""


STEPS_OF_RAY, WORDS_PER_STEP = 10, 8_000
"""Steps that the rest of the work for a ray counts as, and words that are compared in the time of a
step, which is one candidate for an edge: about 10 microseconds."""


class Cone:
    """A pointed cone of points ``z``, by all its extreme rays.

    Parameters
    ----------
    rays
        Python ints, object (num_rays, size).
    tight
        bool (num_rays, num_planes): which rays are on the plane of which halfspace. The halfspaces
        and the linear hull have to describe the cone.
    dimension
        Of the linear hull.
    budget
        Steps that all cuts may take; None for no limit.

    Attributes
    ----------
    is_known
        bool (num_rays,): what the caller marks; cuts keep the marks, and new rays have none.
    """

    def __init__(
        self, rays: Exact, tight: Mask, dimension: int, budget: Budget | None = None
    ) -> None:
        self.rays, self.dimension = rays, dimension
        self.tight, self.budget = tight, budget or Budget()
        self.is_known = np.zeros(len(rays), dtype=np.bool_)

    def cut(self, normal: Exact) -> None:
        """Keep what satisfies ``normal @ z >= 0``; the normal is object (size,).

        Raises
        ------
        OutOfTimeError
            If the time or the budget is over; the cone is as before then.
        """
        sides = self.rays @ normal
        above, below = np.flatnonzero(sides > 0), np.flatnonzero(sides < 0)
        kept = np.flatnonzero(sides >= 0)
        words = _words(self.tight)
        edges = [self._edges(int(one), above, words) for one in below]
        found = [
            self._meeting(int(inside), int(outside), sides)
            for outside, others in zip(below, edges, strict=True)
            for inside in others
        ]
        ends = [
            self.tight[inside] & self.tight[outside]
            for outside, others in zip(below, edges, strict=True)
            for inside in others
        ]
        new = len(found)
        on_planes = np.vstack([self.tight[kept], *ends])
        on_this = np.append(sides[kept] == 0, np.ones(new, dtype=np.bool_)).astype(np.bool_)
        self.tight = np.column_stack([on_planes, on_this])
        self.rays = np.vstack([self.rays[kept], *found])
        self.is_known = np.append(self.is_known[kept], np.zeros(new, dtype=np.bool_))

    def _edges(self, outside: int, above: Index, words: Words) -> list[int]:
        """Return the rays inside that share an edge with one outside."""
        check_time("enumerating extreme plans")
        common = words[:, above] & words[:, [outside]]
        enough = np.bitwise_count(common).sum(axis=0) >= self.dimension - 2
        each = 1 + words.size / WORDS_PER_STEP
        self.budget.spend(STEPS_OF_RAY + each * int(np.count_nonzero(enough)))
        return [
            int(inside)
            for inside, planes in zip(above[enough], common[:, enough].T, strict=True)
            if _how_many_are_on(planes, words) == 2
        ]

    def _meeting(self, inside: int, outside: int, sides: Exact) -> Exact:
        """Return where the edge between two rays meets the plane, without a common factor."""
        ray = sides[inside] * self.rays[outside] - sides[outside] * self.rays[inside]
        return ray // gcd(*ray.tolist())  # type: ignore[no-any-return]


def _words(tight: Mask) -> Words:
    """Return which planes rays are on, 64 planes a word."""
    width = -(-tight.shape[1] // 64) * 64
    padded = np.zeros((len(tight), width), dtype=np.bool_)
    padded[:, : tight.shape[1]] = tight
    return np.ascontiguousarray(np.packbits(padded, axis=1).view(np.uint64).T)


def _how_many_are_on(planes: NDArray[np.uint64], words: Words) -> int:
    """Return how many rays are on all of some planes."""
    are_on = (words[0] & planes[0]) == planes[0]
    for word, plane in zip(words[1:], planes[1:], strict=True):
        are_on &= (word & plane) == plane
    return int(np.count_nonzero(are_on))
