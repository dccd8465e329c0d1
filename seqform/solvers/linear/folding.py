"""Folding: a player's sequences of which a linear program need not tell one from another.

From the last information sets of a treeplex up to the first,

* actions of one information set after which the same follows are one action;
* an information set with a single action is none: its sequence is the one that leads there;
* information sets at which the same follows are one, which is reached as often as all of them
  together.

Of two sequences *the same* follows if their rows of the payoff matrix are equal and the same
information sets follow them. Payoffs then depend on a plan only through the sums that are left,
and every choice of these sums is that of a plan, which acts in each information set as its image
does. So nothing is lost. What is left is no tree, as one information set may follow several
sequences: a sequence form of a player who forgets what no longer matters (Lanctot, Gibson, Burch,
Zinkevich & Bowling, "No-regret learning in extensive-form games with imperfect recall", ICML 2012,
Section 3). In liar's dice a die is forgotten once the bids are above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Index, Ints, Mask
from seqform.base.deadline import check_time
from seqform.form.treeplex import Treeplex

Words = NDArray[np.uint64]

GONE = -1
"""The infoset of an information set with a single action, and the place of what is left out."""


TRIES = 3
"""How often words are made anew that mistook rows for each other; then all rows count as different,
and only forced moves are folded."""


@dataclass(frozen=True, eq=False)
class Folding:
    """Which sequences of a treeplex stand for which in a linear program.

    Parameters
    ----------
    treeplex
        The player's information sets and sequences.
    leads
        int64 (num_sequences,): of the actions of an information set that lead to the same, one; or
        GONE for an action that is left out, and behind it.
    infosets
        int64 (num_infosets,): the information set that stands for each, or GONE where there is
        nothing to choose.
    images
        int64 (num_sequences,): the action of that information set that stands for each `leads`;
        where there is nothing to choose the sequence itself.
    """

    treeplex: Treeplex
    leads: Index
    infosets: Index
    images: Index

    @cached_property
    def is_forced(self) -> Mask:
        """Whether each sequence ends with a move that was the only one."""
        forced: Mask = np.append(self.infosets, 0)[self.treeplex.infoset_of] == GONE
        forced[0] = False
        return forced

    @cached_property
    def kept(self) -> Index:
        """The sequences that stand for themselves, in order; the empty one is the first."""
        numbers = np.arange(self.treeplex.num_sequences)
        return np.flatnonzero(~self.is_forced & (self.leads == numbers) & (self.images == numbers))

    @cached_property
    def kept_infosets(self) -> Index:
        """The information sets that stand for themselves, in order."""
        return np.flatnonzero(self.infosets == np.arange(len(self.infosets)))

    @cached_property
    def places(self) -> Index:
        """The place of each sequence among `kept`, or GONE."""
        return _places(self.kept, self.treeplex.num_sequences)

    @cached_property
    def above(self) -> Index:
        """The last sequence on the way to each one's end that was a choice, or GONE.

        GONE is behind an action for which another one stands.
        """
        treeplex, numbers = self.treeplex, np.arange(self.treeplex.num_sequences)
        above = np.where(self.leads == numbers, numbers, GONE)
        for _, sequences in treeplex.runs:
            at = slice(sequences.start, sequences.stop)
            forced = self.is_forced[at] & (above[at] != GONE)
            above[at] = np.where(forced, above[treeplex.sequence_parent[at]], above[at])
        return above

    @cached_property
    def sums(self) -> sp.csr_array:
        """What the payoffs of kept sequences add up: int64 (len(kept), num_sequences), 0 and 1."""
        where = np.where(self.above == GONE, GONE, self.places[self.above])
        sequences = np.flatnonzero(where != GONE)
        shape = (len(self.kept), self.treeplex.num_sequences)
        ones = np.ones(len(sequences), dtype=np.int64)
        return sp.csr_array((ones, (where[sequences], sequences)), shape=shape)

    @property
    def num_infosets(self) -> int:
        """Information sets that are left."""
        return len(self.kept_infosets)

    @property
    def num_sequences(self) -> int:
        """Sequences that are left, the empty one included."""
        return len(self.kept)

    def constraint_entries(self, by_row: bool = True) -> tuple[Index, Index, Index]:
        """Return rows, columns and values of E of what is left; see `Treeplex`.

        An entry of -1 comes once for each time that an information set follows a sequence.
        """
        treeplex, numbers = self.treeplex, _places(self.kept_infosets, len(self.infosets)) + 1
        chosen = np.flatnonzero(self.infosets != GONE)
        before = self.above[treeplex.parent_sequence[chosen]]
        before = np.where(before == GONE, GONE, self.places[before])
        follows = np.flatnonzero(before != GONE)
        own = np.append(0, numbers[treeplex.infoset_of[self.kept[1:]]])
        rows = np.concatenate([numbers[self.infosets[chosen[follows]]], own])
        columns = np.concatenate([before[follows], np.arange(self.num_sequences)])
        values = np.repeat([-1, 1], [len(follows), self.num_sequences])
        order = np.lexsort((columns, rows) if by_row else (rows, columns))
        return rows[order], columns[order], values[order]

    def constraints(self) -> tuple[sp.csr_array, Floats]:
        """Return E and e of what is left; see `Treeplex.constraints`."""
        rows, columns, values = self.constraint_entries()
        shape = (1 + self.num_infosets, self.num_sequences)
        e = np.zeros(shape[0])
        e[0] = 1.0
        return sp.csr_array((values.astype(np.float64), (rows, columns)), shape=shape), e

    def unfolded(self, plan: Floats) -> Floats:
        """Return the plan that acts in every information set as its image does.

        Parameters
        ----------
        plan
            float64 (len(kept),), about at least 0.
        """
        treeplex = self.treeplex
        weights = np.zeros(treeplex.num_sequences)
        weights[self.kept] = np.maximum(plan, 0.0)
        images = np.where(self.leads == np.arange(len(weights)), self.images, GONE)
        weights = np.where(images == GONE, 0.0, weights[images])
        weights[self.is_forced & (images != GONE)] = 1.0
        return treeplex.to_plan(treeplex.to_behavior(weights))


def fold(treeplex: Treeplex, payoffs: sp.csr_array, kept: Mask) -> Folding:
    """Return which sequences need not be told apart, exactly.

    Parameters
    ----------
    payoffs
        int64 CSR (num_sequences, any) in canonical format, small enough to be added up.
    kept
        bool (num_sequences,): whether the last action of each sequence may be played; one at least
        of each information set.
    """
    for seed in range(TRIES):
        check_time("folding a linear program")
        found = _fold_by_words(treeplex, _row_words(payoffs, seed), kept)
        if is_exact(found, payoffs):
            return found
    return _fold_by_words(treeplex, np.arange(treeplex.num_sequences, dtype=np.uint64), kept)


def is_exact(folding: Folding, payoffs: sp.csr_array) -> bool:
    """Return whether the same follows wherever a folding says so, entry by entry."""
    treeplex = folding.treeplex
    leads, parents = folding.leads, treeplex.sequence_parent
    numbers = np.arange(len(leads))
    images = np.where(leads == GONE, numbers, folding.images[leads])
    chosen = np.flatnonzero(folding.infosets != GONE)
    follow = _ones(
        treeplex.parent_sequence[chosen], folding.infosets[chosen], treeplex.num_infosets, images
    )
    passed = np.flatnonzero(folding.is_forced & (leads == numbers))
    passing = _ones(parents[passed], passed, len(images), images)
    rows = sp.hstack([payoffs, follow], format="csr")
    further = rows
    while further.nnz:
        further = passing @ further
        rows = rows + further
    rows.eliminate_zeros()
    rows.sort_indices()
    theirs = rows[images]
    return all(
        np.array_equal(getattr(rows, name), getattr(theirs, name))
        for name in ("indptr", "indices", "data")
    )


def _ones(rows: Ints, columns: Index, width: int, of: Index) -> sp.csr_array:
    entries = np.ones(len(rows), dtype=np.int64), (rows, columns)
    return sp.csr_array(entries, shape=(len(of), width))


def _fold_by_words(treeplex: Treeplex, words: Words, kept: Mask) -> Folding:
    """Return the folding where equal words mean that the same follows.

    `words` are uint64 (num_sequences,), of rows of payoffs; those of what follows are added here.
    """
    numbers, reached = np.arange(treeplex.num_sequences), _reached(treeplex, kept)
    leads, images = np.where(reached, numbers, GONE), numbers.copy()
    infosets = np.full(treeplex.num_infosets, GONE)
    for every in _levels(treeplex):
        level = every[reached[treeplex.parent_sequence[every]]]
        if not len(level):
            continue
        sequences, starts, counts = _distinct(treeplex, level, words, leads)
        found, parents = words[sequences], treeplex.parent_sequence[level]
        single, several = np.flatnonzero(counts == 1), np.flatnonzero(counts > 1)
        np.add.at(words, parents[single], found[starts[single]])
        sets = _mixed(np.add.reduceat(_mixed(found), starts))[several]
        np.add.at(words, parents[several], sets)
        _, firsts, kinds = np.unique(sets, return_index=True, return_inverse=True)
        stands = several[firsts[kinds]]
        infosets[level[several]] = level[stands]
        mine = _ranges(starts[several], counts[several])
        images[sequences[mine]] = sequences[_ranges(starts[stands], counts[several])]
    return Folding(treeplex, leads, infosets, images)


def _reached(treeplex: Treeplex, kept: Mask) -> Mask:
    """Return whether all actions of each sequence are kept."""
    reached = kept.copy()
    for _, sequences in treeplex.runs:
        reached[sequences] &= reached[treeplex.sequence_parent[sequences]]
    return reached


def _distinct(
    treeplex: Treeplex, infosets: Index, words: Words, leads: Index
) -> tuple[Index, Index, Index]:
    """Return the actions of some information sets that differ, and where those of each are.

    They are sorted by words, one information set after the other; `leads`, which is GONE for those
    that are left out, notes which of them stands for each.
    """
    num = treeplex.num_actions[infosets]
    sequences = _ranges(treeplex.first_sequence[infosets], num)
    owner = np.repeat(np.arange(len(infosets)), num)
    left = leads[sequences] != GONE
    sequences, owner = sequences[left], owner[left]
    sequences = sequences[np.lexsort((words[sequences], owner))]
    differ = words[sequences[1:]] != words[sequences[:-1]]
    is_new = np.append(True, (np.diff(owner) > 0) | differ)
    firsts = sequences[is_new]
    leads[sequences] = firsts[np.cumsum(is_new) - 1]
    counts = np.bincount(owner[is_new], minlength=len(infosets))
    return firsts, np.cumsum(counts) - counts, counts


def _levels(treeplex: Treeplex) -> Iterator[Index]:
    """Yield the information sets by how many of the player's follow one after the other."""
    heights = np.zeros(treeplex.num_infosets, dtype=np.int64)
    above = treeplex.infoset_of[treeplex.parent_sequence]
    for infosets, _ in reversed(treeplex.runs):
        before, found = above[infosets], heights[infosets]
        np.maximum.at(heights, before[before >= 0], found[before >= 0] + 1)
    order = np.argsort(heights, kind="stable")
    ends = np.cumsum(np.bincount(heights))
    yield from np.split(order, ends[:-1])


def _row_words(matrix: sp.csr_array, seed: int) -> Words:
    """Return a word for each row: equal for equal rows, and almost surely only for them.

    Words of rows that are added up are added up, modulo 2^64.
    """
    weights = np.random.default_rng(seed).integers(0, 2**64, size=matrix.shape[1], dtype=np.uint64)
    terms = matrix.data.view(np.uint64) * weights[matrix.indices]
    sums = np.append(np.uint64(0), np.cumsum(terms, dtype=np.uint64))
    words: Words = sums[matrix.indptr[1:]] - sums[matrix.indptr[:-1]]
    return words


def _mixed(words: Words) -> Words:
    """Return words of which no sum is like that of others (Steele, Lea & Flood, OOPSLA 2014)."""
    mixed = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _ranges(starts: Ints | Index, lengths: Ints | Index) -> Index:
    """Return ``starts[i], starts[i] + 1, ...``, so many of each, one after the other."""
    before: Index = np.cumsum(lengths, dtype=np.int64) - lengths
    offsets: Index = starts - before
    return np.repeat(offsets, lengths) + np.arange(lengths.sum())


def _places(chosen: Index, size: int) -> Index:
    places = np.full(size, GONE)
    places[chosen] = np.arange(len(chosen))
    return places
