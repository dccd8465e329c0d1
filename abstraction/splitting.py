"""Classes that split: elements are told apart by keys, and most of them are not looked at.

What is not looked at keeps the name of its class, and where all is, the largest part does. So what
has another name afterwards is mostly little.

References
----------
Hopcroft, "An n log n algorithm for minimizing states in a finite automaton", 1971: all parts but
the largest get new names. That needs lists of members, which are left out here.
"""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Index, Numbers, is_first


class Splitting:
    """Numbers of classes, and the key that the members of each have in common.

    Parameters
    ----------
    numbers
        The class of each element at the beginning, below the number of elements.
    """

    def __init__(self, numbers: Numbers) -> None:
        self.numbers: Index = numbers.astype(np.int64)
        self.sizes: Index = np.bincount(self.numbers, minlength=len(self.numbers))
        self._keys: Numbers = np.zeros(len(self.sizes), dtype=np.uint64)
        self._count = int(self.numbers.max(initial=-1)) + 1

    def split(self, elements: Index, keys: Numbers) -> Index:
        """Let only elements of equal keys stay together; return those with a new class.

        Parameters
        ----------
        elements
            Some, without repetitions. The keys of all others have not changed.
        keys
            For each of them, uint64.
        """
        own = self.numbers[elements]
        leaving = np.flatnonzero(keys != self._keys[own])
        elements, keys, own = elements[leaving], keys[leaving], own[leaving]
        _, first, part, sizes = np.unique(
            hashed(own, keys), return_index=True, return_inverse=True, return_counts=True
        )
        names = self._named(own[first], sizes)
        self._keys[names] = keys[first]
        self.numbers[elements] = names[part]
        moved: Index = elements[names[part] != own]
        return moved

    def _named(self, own: Index, sizes: Index) -> Index:
        """Return the class that each part becomes; the largest keeps its own if all leave that."""
        order = np.lexsort((-sizes, own))
        first = np.flatnonzero(is_first(own[order]))
        leaving = np.add.reduceat(sizes[order], first) if len(first) else sizes
        keeps = np.zeros(len(own), dtype=np.bool_)
        keeps[order[first]] = leaving == self.sizes[own[order[first]]]
        moves = np.flatnonzero(~keeps)
        names = own.copy()
        names[moves] = np.arange(self._count, self._count + len(moves))
        np.subtract.at(self.sizes, own[moves], sizes[moves])
        self.sizes[names[moves]] = sizes[moves]
        self._count += len(moves)
        return names


def hashed(*numbers: Numbers) -> Numbers:
    """Return 64 bits for each tuple of integers, which are given as equally long columns.

    Order counts: what was mixed is multiplied before the next number is added.

    References
    ----------
    Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64).
    """
    found: Numbers = np.zeros(len(numbers[0]), dtype=np.uint64)
    for column in numbers:
        found = found * np.uint64(0xD1342543DE82EF95) + column.astype(np.uint64)
        found += np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(30)
        found *= np.uint64(0xBF58476D1CE4E5B9)
        found ^= found >> np.uint64(27)
        found *= np.uint64(0x94D049BB133111EB)
        found ^= found >> np.uint64(31)
    return found
