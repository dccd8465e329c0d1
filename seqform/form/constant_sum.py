"""What the players' payoffs add up to: the same everywhere in a constant-sum game.

In a game with floats that may be so up to rounding only. Then `constant_sum` says how far off it
may be, so that what follows from a constant sum stays true.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import expm1, fsum

import numpy as np

from seqform.base.arrays import Numbers, distinct
from seqform.base.number import Number, is_exact
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF
from seqform.game.rules import TERMINAL
from seqform.tree.tree import GameTree

CONSTANT_TOLERANCE = 1e-12
"""Largest spread of the players' payoff sums that counts as constant in a game with floats, as a
share of the largest payoff that chance lets happen."""


def constant_sum(tree: GameTree) -> tuple[Number | None, float]:
    """Return what the payoffs add up to at every leaf that chance lets happen, and the spread.

    The sum is None if it varies. The spread bounds how much more one player may gain by a deviation
    than the others then lose, by the numbers as given.
    """
    allowed = 0 if tree.is_exact else Fraction(CONSTANT_TOLERANCE * tree.largest_payoff)
    bounds = _bounds(_sums_at_ends(tree), allowed)
    if bounds is None:
        return None, 0.0
    least, most = bounds
    if tree.is_exact:
        return least, 0.0
    constant = float(least) if isinstance(least, Fraction) else least
    excess = _chance_excess(tree)
    off = max(most - Fraction(constant), Fraction(constant) - least)
    spread = (1 + excess) * float(off) + excess * abs(constant)
    # twice: before a deviation and after it
    return constant, 2 * HIGHER_ORDERS * spread


def _bounds(sums: Iterator[Number], allowed: Number) -> tuple[Number, Number] | None:
    """Return the least and the largest sum, of which there is one at least.

    None as soon as they are further apart than is allowed.
    """
    least = most = next(sums)
    for total in sums:
        least, most = min(least, total), max(most, total)
        if most - least > allowed:
            return None
    return least, most


def _sums_at_ends(tree: GameTree) -> Iterator[Number]:
    """Yield what the payoffs add up to, exactly, on the way to each possible end."""
    possible = tree.possible
    inner = distinct(tree.payoff[(tree.payoff >= 0) & (tree.player != TERMINAL) & possible])
    ends = np.flatnonzero((tree.player == TERMINAL) & possible)
    if any(_sum(tree.payoffs[row]) for row in inner.tolist()):
        yield from set(_path_totals(tree)[ends].tolist())
    else:
        for row in distinct(tree.payoff[ends]).tolist():
            yield _sum(tree.payoffs[row])


def _path_totals(tree: GameTree) -> Numbers:
    """Return the sum of all payoffs on the path to each node, an object array of numbers."""
    table = np.array([*map(_sum, tree.payoffs), 0], dtype=object)
    totals = table[tree.payoff]
    for level in tree.levels():
        totals[level] += totals[tree.parent[level]]
    return totals


def _sum(row: tuple[Number, ...]) -> Number:
    """Return the sum of numbers exactly; a fraction where there are floats, unless it is 0."""
    if all(map(is_exact, row)):
        return sum(row)
    if all(isinstance(number, float) for number in row) and fsum(row) == 0:  # the usual case
        return Fraction(0)
    return sum((Fraction(number) for number in row), Fraction(0))


def _chance_excess(tree: GameTree) -> float:
    """Bound how far the probabilities of all ends may add up to something else than 1.

    Floats such as 0.1, 0.7 and 0.2 do, and they are taken as given.
    """
    if all(map(is_exact, tree.probabilities)):
        return 0.0
    dealt = np.flatnonzero(tree.probability >= 0)
    nodes, place, counts = np.unique(tree.parent[dealt], return_inverse=True, return_counts=True)
    sums = np.bincount(place, tree.edge_probabilities[dealt])
    # each probability is rounded to a float, and added
    off = np.abs(sums - 1) + 2 * counts * UNIT_ROUNDOFF
    most = np.zeros(len(tree.level_start))
    np.maximum.at(most, np.searchsorted(tree.level_start, nodes, side="right"), off)
    return HIGHER_ORDERS * expm1(float(np.log1p(most).sum()))
