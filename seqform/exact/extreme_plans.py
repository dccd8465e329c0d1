"""The plans of a player at which the other player's best responses change, in integers.

What the other player can get is a function of the plan x, ``v(x) = max x'B y`` over plans y, convex
and linear on the cells of a subdivision of the player's treeplex: a cell for each set of best
responses. The corners of the cells are the extreme plans. They are the vertices of

    { (x, v) : x a realization plan, v >= x'B y for each plan y }

The plans y that form an equilibrium with x are best responses to it that make x a best response,

    { y : y plays only best responses to x, x'A y >= z'A y for each plan z }

a face of the subdivision of y's treeplex. Both have as many halfspaces as there are pure plans. Few
of them count, and are found as they are needed. A cone that has too few is cut by the best response
to one of its vertices, until none is cut off (as in Benson, "An outer approximation algorithm for
generating all efficient extreme points in the outcome set of a multiple objective linear
programming problem", J. Global Optimization 13, 1998). ``x[0]`` is 1 in plans and makes all
constraints homogeneous.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import gcd

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.base.budget import Budget
from seqform.base.deadline import check_time, on_time, overtime
from seqform.base.errors import OutOfTimeError
from seqform.exact.complementary_basis import payoff_matrix
from seqform.exact.double_description import Cone
from seqform.form.responses import best_sequences, first_plan
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex

MOST_RAYS = 10_000
"""Extreme rays at which an enumeration stops."""

Extreme = tuple[Exact, bool]
"""Plans, Python ints, object (num_plans, num_sequences), the first entry of each its denominator;
and whether these are all."""


class ExtremePlans:
    """What the extreme plans of a player are, in a two-player game.

    If the time or the budget is over before all are known, or they are too many, the methods return
    some of them.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    """

    def __init__(self, game: SequenceForm, player: int, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.mine, self.others = game.treeplexes[player], game.treeplexes[1 - player]
        matrices = [payoff_matrix(game, whose)[0] for whose in (player, 1 - player)]
        self._mine, self._theirs = (m if player == 0 else m.transposed for m in matrices)

    def all(self) -> Extreme:
        """Return all extreme plans."""
        everything = np.ones(self.mine.num_sequences, dtype=np.bool_)
        plans = _pure_plans(self.mine, everything)
        any_response = first_plan(self.others, np.ones(self.others.num_sequences, dtype=np.bool_))
        up = np.zeros((1, self.mine.num_sequences + 1), dtype=object)
        up[0, -1] = 1
        worth = plans @ (self._theirs @ any_response.astype(object))
        rays = np.vstack([np.column_stack([plans, worth]), up])
        tight = np.column_stack([rays[:, :-1] == 0, rays[:, 0] != 0]).astype(np.bool_)
        cone = Cone(rays, tight, _dimension(self.mine, everything) + 1, self.budget)
        is_complete = _refine(cone, self._worth_more)
        known = cone.rays[cone.is_known]
        return _lowest(known[known[:, 0] > 0][:, :-1]), is_complete

    def with_equilibria(self, theirs: Exact) -> Extreme:
        """Return the corners of the plans that form an equilibrium with one of the other player."""
        allowed = best_sequences(self.mine, self._mine @ theirs)[1]
        most = min(MOST_RAYS, self.budget.left)
        if _count_pure_plans(self.mine, allowed) > most:
            return np.zeros((0, self.mine.num_sequences), dtype=object), False
        plans = _pure_plans(self.mine, allowed)
        cone = Cone(plans, plans[:, allowed] == 0, _dimension(self.mine, allowed), self.budget)
        earned = self._theirs @ theirs

        def better(plan: Exact) -> Exact | None:
            gradient = self._theirs.transposed @ plan
            most, best = best_sequences(self.others, gradient)
            if most * theirs[0] == gradient @ theirs:
                return None
            response = first_plan(self.others, best).astype(object)
            return earned - theirs[0] * (self._theirs @ response)  # type: ignore[no-any-return]

        is_complete = _refine(cone, better)
        return _lowest(cone.rays[cone.is_known]), is_complete

    def _worth_more(self, ray: Exact) -> Exact | None:
        """Return the halfspace of a best response that gets more than a vertex says."""
        most, best = best_sequences(self.others, self._theirs.transposed @ ray[:-1])
        if ray[0] == 0 or most == ray[-1]:
            return None
        response = first_plan(self.others, best).astype(object)
        return np.append(-(self._theirs @ response), 1)


def _refine(cone: Cone, separate: Callable[[Exact], Exact | None]) -> bool:
    """Cut a cone until no ray is cut off; return whether it came to that, and mark those that stay.

    `separate` returns a halfspace that a ray is not in, and None if it is in all.
    """
    with suppress(OutOfTimeError), on_time():
        while not cone.is_known.all() and len(cone.rays) <= MOST_RAYS:
            number = int(np.argmin(cone.is_known))
            normal = separate(cone.rays[number])
            if normal is None:
                cone.is_known[number] = True
            else:
                cone.cut(normal)
    if cone.is_known.all():
        return True
    with suppress(OutOfTimeError), overtime():
        for number in np.flatnonzero(~cone.is_known).tolist():
            check_time("looking which rays stay")
            cone.is_known[number] = separate(cone.rays[number]) is None
    return False


def _dimension(treeplex: Treeplex, allowed: Mask) -> int:
    """Return the dimension of the cone of the plans that play allowed sequences only."""
    return int(allowed.sum()) - int(allowed[treeplex.parent_sequence].sum())


def _lowest(plans: Exact) -> Exact:
    """Return plans over their least common denominators."""
    for number, plan in enumerate(plans):
        plans[number] = plan // gcd(*plan.tolist())
    return plans


def _pure_plans(treeplex: Treeplex, allowed: Mask) -> Exact:
    """Return all plans of allowed sequences that mix nowhere.

    Python ints, object (num_plans, num_sequences).
    """
    plans = np.zeros((1, treeplex.num_sequences), dtype=np.int64)
    plans[0, 0] = 1
    first = treeplex.first_sequence.tolist()
    for infoset, above in enumerate(treeplex.parent_sequence.tolist()):
        comes = plans[:, above] == 1
        grown = [plans[~comes]]
        for sequence in range(first[infoset], first[infoset + 1]):
            if allowed[sequence]:
                chosen = plans[comes].copy()
                chosen[:, sequence] = 1
                grown.append(chosen)
        plans = np.vstack(grown)
    return plans.astype(object)


def _count_pure_plans(treeplex: Treeplex, allowed: Mask) -> int:
    """Return how many plans of allowed sequences mix nowhere, without making them."""
    counts = allowed.astype(int).tolist()
    first, parents = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
    for infoset in reversed(range(treeplex.num_infosets)):
        counts[parents[infoset]] *= sum(counts[first[infoset] : first[infoset + 1]])
    return int(counts[0])
