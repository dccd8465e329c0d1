"""Products over one board of a game of hands: what hands face, in sums by shared cards.

Let y be what each hand of the other player weighs, and T_S the sum of y over the hands that hold
all cards of a set S. By inclusion and exclusion, hands that share no card with a hand h weigh

    sum over the sets S of cards of h of (-1)^|S| T_S.

A fold pays that times a stake. A showdown has stakes within the sums: y is multiplied by `win` for
hands that are weaker than h, by `tie` for equal ones, and by `loss` for stronger ones. Own hands
are paid in the order of strength, and sums run. Each of the other's hands counts as stronger at
first. Then ``tie - loss`` times y is added, and at last ``win - tie`` times y.

So a vector over n hands of k cards takes about ``n * 2**k`` additions, and never pairs of hands.

Everything here is of one *direction*: an own player, who is paid, and the other one, whose hands
are added up. Use `shared_cards` once for two ranges, and `HandProducts` for each board::

    shared = shared_cards(range_0.hands, range_1.hands)
    here = HandProducts.on_board(shared, alive_0, alive_1, strengths_0, strengths_1)
    paid = here.showdown(y, win=[2.0], tie=[0.0], loss=[-2.0])  # (1, own hands on the board)

Matrices are (num_lines, num_hands): a row for each line of betting, a column for each hand that
avoids the board, in the order of its range. They are quickest as transposed arrays (num_hands,
num_lines), and are returned so. Their type is float64, int64 (sums wrap around modulo 2**64), or
object for Python ints and fractions, which are exact and slow.

Rounding: sums are differences of running sums, so what is lost is no share of the result. It is at
most ``roundings * u`` times `spread`, the sum of all T_S without signs, for a fold, where u is the
unit roundoff; for a showdown ``|win - tie| + |tie - loss| + |loss|`` times as much. A set that few
hands hold has few additions: `lost` counts them set by set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from seqform.base.arrays import Index, Ints, Numbers

WIN, TIE, LOSS = range(3)
"""Rows of stakes: by what hands are multiplied that become weaker, and equal, and at first."""

ADDITIONS = 3
"""How often a hand is added to a sum: as stronger, as equal, and as weaker."""

PRODUCTS = 6
"""Roundings of a term besides additions: stakes, which are differences, and products with them."""


class SharedCards(NamedTuple):
    """The sets of cards that hands of two players may share, numbered; the empty set is 0.

    Parameters
    ----------
    own, other
        int32 (num_hands, num_sets_of_a_hand): for each hand the sets of its cards. Where both
        players' hands are of one size, whole hands are left out: of these see `same`.
    signs
        int64 (num_sets_of_an_own_hand + 1,): 1 for sets of even size, -1 for others; the last is
        that of a whole own hand.
    same
        int64 (num_own_hands,): the place of the same hand in the other's range; -1 if it is not
        there, as everywhere where hands are of different sizes.
    num_sets
        Numbers of sets: of those that hands of both hold, one for what only own hands hold, and one
        for what only the other's do.
    """

    own: Ints
    other: Ints
    signs: Index
    same: Index
    num_sets: int

    def num_disjoint(self) -> Index:
        """Return with how many of the other's hands each own hand shares no card."""
        counts = np.bincount(self.other.ravel(), minlength=self.num_sets)
        of_sets: Index = counts[self.own] @ self.signs[:-1]
        of_sets += self.signs[-1] * (self.same >= 0)
        return of_sets


def shared_cards(own: Ints, other: Ints) -> SharedCards:
    """Return the sets of cards that hands may share.

    Parameters
    ----------
    own, other
        Hands as positions of cards, int (num_hands, k), each row ascending; sizes may differ.
    """
    size = own.shape[1]
    most = min(size, other.shape[1]) - (size == other.shape[1])
    held = [_sets(hands, most) for hands in (own, other)]
    number = _numbered(np.concatenate([row for sets in held for row in sets]))
    mine, theirs = np.split(number, [len(own) * held[0].shape[1]])
    both = np.intersect1d(mine, theirs)
    mine, theirs = (
        np.where(np.isin(of, both), np.searchsorted(both, of), len(both) + whose)
        for whose, of in enumerate((mine, theirs))
    )
    signs = [(-1) ** int((of > 0).sum()) for of in held[0][0]] + [(-1) ** size]
    return SharedCards(
        own=mine.reshape(held[0].shape[:2]).astype(np.int32),
        other=theirs.reshape(held[1].shape[:2]).astype(np.int32),
        signs=np.array(signs, dtype=np.int64),
        same=_same(own, other),
        num_sets=len(both) + 2,
    )


def _sets(hands: Ints, most: int) -> Index:
    """Return the sets of so many of a hand's cards at most, the empty set first.

    int64 (num_hands, num_sets, most): cards, counted from 1, behind zeros.
    """
    places = [of for size in range(most + 1) for of in combinations(range(hands.shape[1]), size)]
    found = np.zeros((len(hands), len(places), most), dtype=np.int64)
    for at, of in enumerate(places):
        found[:, at, most - len(of) :] = hands[:, of] + 1
    return found


def _numbered(rows: Ints) -> Index:
    """Return a number for each row, in lexicographic order: int64 (num_rows,)."""
    base = int(rows.max(initial=0)) + 1
    number = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        _, number = np.unique(number * base + column, return_inverse=True)
    return number


def _same(own: Ints, other: Ints) -> Index:
    """Return the place of each hand among other ones, -1 if it is not there: int64 (num_own,)."""
    if own.shape[1] != other.shape[1]:
        return np.full(len(own), -1, dtype=np.int64)
    number = _numbered(np.concatenate([own, other]))
    place = np.full(len(number), -1, dtype=np.int64)
    place[number[len(own) :]] = np.arange(len(other))
    found: Index = place[number[: len(own)]]
    return found


class Sweep(NamedTuple):
    """In what order the other's hands are added up, and own hands are paid.

    Parameters
    ----------
    added
        int64 (num_additions,): the other's hands.
    row
        int64 (num_additions,): the row of the stakes by which each is multiplied.
    after
        int64 (num_own_hands,): after how many additions each payment is made; ascending.
    hand
        int64 (num_own_hands,): the own hand that is paid.
    """

    added: Index
    row: Index
    after: Index
    hand: Index


@dataclass(frozen=True, eq=False)
class HandProducts:
    """One board and one direction; see the head of this module.

    Parameters
    ----------
    own, other
        The sets of cards of each hand on the board, as in `SharedCards`.
    same
        For each own hand on the board, which of the other's on the board is the same; -1 if none.
    signs, num_sets
        As there.
    strengths
        How strong own hands and the other's are, (num_hands,) each; None before the last card.
    """

    own: Ints
    other: Ints
    same: Index
    signs: Index
    num_sets: int
    strengths: tuple[Ints, Ints] | None = None

    @classmethod
    def on_board(
        cls,
        shared: SharedCards,
        own: Index | Ints,
        other: Index | Ints,
        own_strengths: Ints | None = None,
        other_strengths: Ints | None = None,
    ) -> HandProducts:
        """Return the products on a board.

        Parameters
        ----------
        own, other
            Which hands of the ranges avoid the board: places, ascending.
        own_strengths, other_strengths
            How strong these hands are; None before the last card, where nobody shows. Hands with
            the same cards are equally strong.
        """
        strengths = None
        if own_strengths is not None and other_strengths is not None:
            strengths = own_strengths, other_strengths
        place = np.full(len(shared.other) + 1, -1, dtype=np.int64)
        place[other] = np.arange(len(other))
        same = place[shared.same[own]]  # -1 finds the last one, which is -1
        mine, theirs = shared.own[own], shared.other[other]
        return cls(mine, theirs, same, shared.signs, shared.num_sets, strengths)

    @property
    def roundings(self) -> int:
        """Roundings of a term; see `most_roundings`."""
        return most_roundings(len(self.other), len(self.signs))

    @property
    def lost(self) -> int:
        """Bound what a sum loses by how many roundings of what all hands weigh, none below 0.

        The sum over the sets of cards of an own hand: what a set weighs is no more than all hands
        do, and it has no more additions than hands that hold it.
        """
        held = np.bincount(self.other.ravel(), minlength=self.num_sets)
        most = int(held[self.own].sum(axis=1).max(initial=0))
        return ADDITIONS * most + len(self.signs) * most_roundings(1, len(self.signs))

    @property
    def num_disjoint(self) -> int:
        """How many pairs of hands share no card."""
        return self._num_pairs(np.bincount(self.other.ravel(), minlength=self.num_sets)[self.own])

    @property
    def num_compared(self) -> tuple[int, int, int]:
        """How many of these pairs the own player wins, ties and loses.

        Nothing is compiled for it: all hands with a set of cards stand in one list, by strength,
        and are looked up there.
        """
        theirs, *ends, _ = self._ranks
        size = len(theirs) + 1
        listed = self.other[theirs].astype(np.int64) * size + np.arange(size - 1)[:, None]
        listed, own = np.sort(listed, axis=None), self.own.astype(np.int64) * size
        before = np.searchsorted(listed, own)
        weaker, not_stronger = (
            self._num_pairs(np.searchsorted(listed, own + end[:, None]) - before, itself)
            for end, itself in zip(ends, (False, True), strict=True)
        )
        return weaker, not_stronger - weaker, self.num_disjoint - not_stronger

    def _num_pairs(self, counts: Index, itself: bool = True) -> int:
        """Return the signed sum of how many of the other's hands there are for sets of own ones."""
        same = int((self.same >= 0).sum()) if itself else 0
        return int(counts.sum(axis=0) @ self.signs[:-1]) + int(self.signs[-1]) * same

    def fold(self, vectors: Numbers) -> Numbers:
        """Return what all hands weigh that share no card with each own hand.

        Parameters
        ----------
        vectors
            (num_lines, num_other_hands).

        Returns
        -------
        sums
            (num_lines, num_own_hands), of the same type.
        """
        return self._over_all(vectors, self.signs)

    def met(self, vectors: Numbers) -> Numbers:
        """Return the same of vectors that are nowhere below 0, without what sums that cancel leave.

        It is 0 for a hand that shares a card with all hands that weigh something, and never less.
        """
        some = self.fold((vectors > 0).astype(np.float64)) > 0  # counts, exact as floats too
        found: Numbers = np.where(some, np.maximum(self.fold(vectors), 0), 0)
        return found

    def spread(self, vectors: Numbers) -> Numbers:
        """Return the sums of all T_S without signs, for bounds on rounding errors; as `fold`."""
        return self._over_all(vectors, np.abs(self.signs))

    def _over_all(self, vectors: Numbers, signs: Index) -> Numbers:
        stakes = fold_stakes(np.ones((1, len(vectors)), dtype=vectors.dtype))
        return self._swept(vectors, signs, self.unranked, stakes)

    def showdown(
        self, vectors: Numbers, win: npt.ArrayLike, tie: npt.ArrayLike, loss: npt.ArrayLike
    ) -> Numbers:
        """Return what each own hand is paid where hands are shown.

        Parameters
        ----------
        vectors
            (num_lines, num_other_hands).
        win, tie, loss
            (num_lines,): what the own player gets with the better hand, at a tie, and with the
            worse one.

        Returns
        -------
        paid
            (num_lines, num_own_hands), of the same type.
        """
        won, tied, lost = (np.asarray(paid, dtype=vectors.dtype) for paid in (win, tie, loss))
        return self.ranked(vectors, np.stack([won - tied, tied - lost, lost]))

    def ranked(self, vectors: Numbers, stakes: Numbers) -> Numbers:
        """Return the same by what hands are multiplied by each time that they are added.

        Parameters
        ----------
        stakes
            (3, num_lines): ``win - tie``, ``tie - loss`` and ``loss``, each rounded once at most.
        """
        return self._swept(vectors, self.signs, self.sweep, stakes)

    def paid(self, vectors: Numbers, stakes: Numbers) -> Numbers:
        """Return the same, or what folds pay where the first two rows of the stakes are 0."""
        sweep = self.sweep if (stakes[:LOSS] != 0).any() else self.unranked
        return self._swept(vectors, self.signs, sweep, stakes)

    def _swept(self, vectors: Numbers, signs: Index, sweep: Sweep, stakes: Numbers) -> Numbers:
        rest = self.other, self.own, signs, self.same
        if vectors.dtype == object:
            return _plainly_paid(vectors, *rest, self.num_sets, sweep, stakes)
        from seqform.form.hand_kernels import pay_all  # it loads numba

        lanes = np.ascontiguousarray(vectors.T)
        sums = np.empty((self.num_sets + 1, len(vectors)), dtype=vectors.dtype)
        paid = np.empty((len(self.own), len(vectors)), dtype=vectors.dtype)
        pay_all(lanes, *rest, *sweep, np.ascontiguousarray(stakes), sums, paid)
        return paid.T

    def compared(self, vectors: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return what weaker, equal and stronger hands weigh that share no card with each own one.

        (num_lines, num_own_hands) each.
        """
        none, one = np.zeros(len(vectors), dtype=np.int64), np.ones(len(vectors), dtype=np.int64)
        weaker = self.showdown(vectors, one, none, none)
        equal = self.showdown(vectors, none, one, none)
        return weaker, equal, self.showdown(vectors, none, none, one)

    @cached_property
    def unranked(self) -> Sweep:
        """The order of sums where nobody shows: all own hands are paid after all are added."""
        count, own = len(self.other), np.arange(len(self.own))
        return Sweep(np.arange(count), np.full(count, LOSS), own * 0 + count, own)

    @cached_property
    def sweep(self) -> Sweep:
        """The order of sums where hands are shown."""
        theirs, weaker, not_stronger, own = self._ranks
        first, count = self.unranked, np.arange(len(theirs))
        caught, passed = (
            np.searchsorted(of[own], count, side="right") for of in (not_stronger, weaker)
        )  # before which payment each hand counts as equal, and as weaker
        order = np.argsort(np.concatenate([caught, passed]), kind="stable")
        further = np.concatenate([theirs, theirs])[order]
        rows = np.repeat([TIE, WIN], len(theirs))[order]
        after = len(theirs) + (weaker + not_stronger)[own]
        return Sweep(
            np.concatenate([first.added, further]), np.concatenate([first.row, rows]), after, own
        )

    @cached_property
    def _ranks(self) -> tuple[Index, Index, Index, Index]:
        """The other's hands by strength; how many are weaker than each own one; not stronger.

        At last own hands by strength.
        """
        if self.strengths is None:
            raise ValueError("hands have no strengths on this board: it is not the last one")
        own, other = self.strengths
        theirs = np.argsort(other, kind="stable")
        ranked = other[theirs]
        weaker, not_stronger = (np.searchsorted(ranked, own, side) for side in ("left", "right"))
        return theirs, weaker, not_stronger, np.argsort(own, kind="stable")


def most_roundings(num_hands: int, num_sets: int) -> int:
    """Return how many roundings a term passes through where hands of a set of cards are added up.

    Each hand is added three times, and then the sets of an own hand; and there are products.
    """
    return ADDITIONS * num_hands + num_sets + PRODUCTS


def fold_stakes(stakes: Numbers) -> Numbers:
    """Return a row of stakes as `HandProducts.ranked` takes them: no hand is added again."""
    return np.concatenate([np.zeros((2, stakes.shape[1]), dtype=stakes.dtype), stakes])


def _plainly_paid(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    num_sets: int,
    sweep: Sweep,
    stakes: Numbers,
) -> Numbers:
    """Do what `hand_kernels.pay_all` does, with numbers of any kind."""
    sums = np.zeros((num_sets, len(vectors)), dtype=vectors.dtype)
    paid, done = np.zeros((len(vectors), len(own)), dtype=vectors.dtype), 0
    weighed = [vectors * row[:, None] for row in stakes]
    tied = (weighed[TIE] + weighed[LOSS]).T
    for after, hand in zip(sweep.after.tolist(), sweep.hand.tolist(), strict=True):
        for one, row in zip(sweep.added[done:after], sweep.row[done:after], strict=True):
            sums[other[one]] += weighed[row][:, one]
        done = after
        paid[:, hand] = _signed(sums[own[hand]], signs, tied, same[hand])
    return paid


def _signed(sums: Numbers, signs: Index, vectors: Numbers, same: int) -> Numbers:
    """Return the signed sums of a hand's sets, (num_sets, num_lines), and the hand itself."""
    total: Numbers = sums[0].copy()
    for of, sign in zip(sums[1:], signs[1:-1], strict=True):
        total += of if sign > 0 else -of
    if same >= 0:
        total += vectors[same] if signs[-1] > 0 else -vectors[same]
    return total
