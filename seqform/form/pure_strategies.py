"""Pure strategies of one player: counted exactly before any is built, and built where they fit.

A pure strategy chooses an action in every information set. A *reduced* one chooses only where its
own choices let the player come; it is a vertex of the treeplex, a realization plan of zeros and
ones.

References
----------
von Stengel, "Efficient computation of behavior strategies", GEB 14, 1996, Section 2 (reduced
strategies, and how many there are).
"""

from __future__ import annotations

from collections import Counter
from math import log10
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index, Mask
from seqform.base.deadline import check_time
from seqform.form.treeplex import Treeplex

EXACT_BELOW = 10**15
"""Counts from here on are written for people by their size."""


class Counts(NamedTuple):
    """How many strategies a player has, and how many a part of the treeplex has.

    Parameters
    ----------
    pure
        Pure strategies: the product of the numbers of actions.
    reduced
        Reduced pure strategies.
    after_sequence
        For each sequence, the reduced strategies for what comes after it.
    from_infoset
        For each information set, the reduced strategies from it on.
    """

    pure: int
    reduced: int
    after_sequence: list[int]
    from_infoset: list[int]


def count_strategies(treeplex: Treeplex) -> Counts:
    """Count a player's strategies, from the last information sets to the first.

    What follows a sequence is chosen independently in each of the information sets after it, so
    their numbers multiply; what follows an information set starts with one of its actions, so
    their numbers are added.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> form = build_sequence_form(build_tree(make("kuhn")))
    >>> [count_strategies(treeplex)[:2] for treeplex in form.treeplexes]
    [(64, 27), (64, 64)]
    """
    first, parents = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
    after = [1] * treeplex.num_sequences
    found = [0] * treeplex.num_infosets
    following: list[list[int]] = [[] for _ in after]
    for infoset in reversed(range(len(found))):
        check_time("counting strategies")
        for sequence in range(first[infoset], first[infoset + 1]):
            after[sequence] = _product(following[sequence])
        found[infoset] = sum(after[first[infoset] : first[infoset + 1]])
        following[parents[infoset]].append(found[infoset])
    after[0] = _product(following[0])
    sizes = Counter(treeplex.num_actions.tolist())
    pure = _product([actions**times for actions, times in sizes.items()])
    return Counts(pure, after[0], after, found)


def _product(factors: list[int]) -> int:
    """Return the product, made of products of halves: long integers multiply fastest so."""
    if len(factors) < 2:
        return factors[0] if factors else 1
    half = len(factors) // 2
    return _product(factors[:half]) * _product(factors[half:])


def pure_plans(treeplex: Treeplex) -> Mask:
    """Return the plans of all reduced pure strategies, bool (num_strategies, num_sequences).

    Strategies are ordered by what they choose, the first information sets first. That there are
    few enough of them is for the caller to see.
    """
    counts = count_strategies(treeplex)
    first = treeplex.first_sequence.tolist()
    after: list[list[int]] = [[] for _ in counts.after_sequence]
    for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
        after[parent].append(infoset)
    plans = np.zeros((counts.reduced, treeplex.num_sequences), dtype=np.bool_)
    plans[:, 0] = True
    everyone = np.arange(counts.reduced)
    numbers: dict[int, tuple[Index, Index]] = {}  # who comes to an information set, and what for

    def split(sequence: int, who: Index, number: Index) -> None:
        """Tell those who play a sequence what to do in each information set after it."""
        for infoset in reversed(after[sequence]):
            number, digit = np.divmod(number, counts.from_infoset[infoset])
            numbers[infoset] = who, digit

    split(0, everyone, everyone)
    for infoset in range(treeplex.num_infosets):
        check_time("listing strategies")
        who, number = numbers.pop(infoset)
        start = 0
        for sequence in range(first[infoset], first[infoset + 1]):
            stop = start + counts.after_sequence[sequence]
            chosen = np.flatnonzero((number >= start) & (number < stop))
            plans[who[chosen], sequence] = True
            split(sequence, who[chosen], number[chosen] - start)
            start = stop
    return plans


def large_number(count: int) -> str:
    """Return an integer of any size for people: exact up to 15 digits.

    Examples
    --------
    >>> large_number(1728), large_number(3**100)
    ('1,728', 'about 5.15e47')
    """
    if count < EXACT_BELOW:
        return f"{count:,}"
    power = log10(count)
    return f"about {10 ** (power % 1):.2f}e{int(power)}"
