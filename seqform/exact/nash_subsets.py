"""Maximal Nash subsets: the products of polytopes that the set of equilibria is a union of.

Extreme equilibria are edges of a graph between plans of the two players. Where each of some plans
forms an equilibrium with each of some others, so do all mixtures of the first with all mixtures of
the second. So maximal Nash subsets are maximal bicliques (Avis, Rosenberg, Savani & von Stengel,
"Enumeration of Nash equilibria for two-player games", Economic Theory 42, 2010, Section 3).

Within one, a player is paid the same by all own plans, since all are best responses. What player 0
is paid depends on player 1's plan alone, and the other way round. So payoffs form a rectangle.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

MOST_SUBSETS = 10_000
"""Maximal Nash subsets from which they are not listed; there may be exponentially many."""

Edge = tuple[Hashable, Hashable]
"""The plans of an extreme equilibrium, player 0's first."""


class NashSubset(NamedTuple):
    """A maximal Nash subset.

    Parameters
    ----------
    members
        The numbers of its extreme equilibria.
    low, high
        The least and the most that each player is paid in it.
    """

    members: tuple[int, ...]
    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]


def maximal_subsets(
    edges: Sequence[Edge], values: Sequence[tuple[Fraction, ...]]
) -> tuple[NashSubset, ...] | None:
    """Return the maximal Nash subsets of a game, all of whose extreme equilibria are given.

    None if there are more than MOST_SUBSETS.

    Parameters
    ----------
    edges
        The plans of each equilibrium; equal ones are the same object or compare equal.
    values
        What each equilibrium pays.
    """
    first = dict.fromkeys(mine for mine, _ in edges)
    answers = {plan: frozenset(y for x, y in edges if x == plan) for plan in first}
    closed: set[frozenset[Hashable]] = set()
    for one in answers.values():
        closed |= {one, *(one & known for known in closed)}
        closed.discard(frozenset())
        if len(closed) > MOST_SUBSETS:
            return None
    found = []
    for theirs in closed:
        mine = {plan for plan, all_ in answers.items() if theirs <= all_}
        members = tuple(n for n, (x, y) in enumerate(edges) if x in mine and y in theirs)
        paid = list(zip(*(values[number] for number in members), strict=True))
        found.append(NashSubset(members, tuple(map(min, paid)), tuple(map(max, paid))))
    return tuple(sorted(found))
