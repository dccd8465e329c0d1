"""Nash equilibria on a support: which actions are played is given, how often is looked for.

Plans x are an equilibrium if there are numbers v, one for each information set and one for the
root of each player, such that for every sequence a of every player

    s_a = (E'v)_a - g_a >= 0,    x_a >= 0,    and one of both is 0.

Here g is what sequences are paid against the others' plans, and E x = e are the constraints of the
plans (Koller, Megiddo & von Stengel, GEB 14, 1996, Section 3, for two players). On a support, x_a
is 0 outside of it and s_a is 0 inside. So there are polynomial equations of degree n - 1 for n
players, and inequalities.

Both are solved by Newton's method for inequalities (Josephy 1979): all are linearised at the last
point, and the nearest point that satisfies them is the next. That is a quadratic program with a
solution even where equilibria are not isolated, and nothing moves further than it must.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import SolverError
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.logit_response import entries

ROUNDS = 20
"""Quadratic programs at most."""

STILL = 1e-10
"""A step that is no longer is the last."""

TOLERANCE, ITERATIONS = 1e-12, 200
"""Of the quadratic programs."""

PULL = 1e-4
"""What moving v costs, where moving x costs 1: v only has to exist."""


@dataclass(frozen=True, eq=False)
class SupportPoint:
    """Plans and duals of all players, one after the other.

    Parameters
    ----------
    x
        float64: the plans.
    v
        float64: what each information set is worth, after what the root is.
    """

    x: Floats
    v: Floats


class Conditions:
    """The equilibrium conditions of a game, and their derivatives.

    Payoffs are shares of the payoff scale.
    """

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        sizes = [t.num_sequences for t in form.treeplexes]
        self.first: Index = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        parts = [t.constraints() for t in form.treeplexes]
        self.constraints = sp.csr_array(sp.block_diag([E for E, _ in parts]))
        self.e = np.concatenate([e for _, e in parts])
        self._entries = [entries(form, player) for player in range(form.num_players)]

    @cached_property
    def parent(self) -> Index:
        """The sequence that leads to each row of the constraints; the first one to the roots."""
        above = [
            np.append(0, treeplex.parent_sequence) + first
            for treeplex, first in zip(self.form.treeplexes, self.first, strict=False)
        ]
        return np.concatenate(above).astype(np.int64)

    def plans(self, x: Floats) -> list[Floats]:
        """Return the plan of each player."""
        return [x[a:b] for a, b in zip(self.first[:-1], self.first[1:], strict=True)]

    def joined(self, plans: Sequence[Floats]) -> Floats:
        """Return all plans as one vector."""
        return np.concatenate(list(plans))

    def gradient(self, x: Floats) -> Floats:
        """Return what each sequence is paid against the others."""
        plans, parts = self.plans(x), []
        for player, (places, weights) in enumerate(self._entries):
            paid = weights.copy()
            for other, plan in enumerate(plans):
                if other != player:
                    paid *= plan[places[other]]
            parts.append(np.bincount(places[player], paid, minlength=len(plans[player])))
        return np.concatenate(parts)

    def gradient_derivative(self, x: Floats) -> sp.csr_array:
        """Return its derivative by all plans."""
        plans, rows, columns, values = self.plans(x), [], [], []
        players = range(len(plans))
        for player, (places, weights) in enumerate(self._entries):
            for by in players:
                if by == player:
                    continue
                paid = weights.copy()
                for other in players:
                    if other not in (player, by):
                        paid *= plans[other][places[other]]
                rows.append(places[player] + self.first[player])
                columns.append(places[by] + self.first[by])
                values.append(paid)
        size = int(self.first[-1])
        if not rows:
            return sp.csr_array((size, size))
        at = (np.concatenate(rows), np.concatenate(columns))
        return sp.csr_array((np.concatenate(values), at), shape=(size, size))

    def worth(self, x: Floats) -> Floats:
        """Return the least v: what a best response makes of each information set."""
        parts = []
        for treeplex, gradient in zip(
            self.form.treeplexes, self.plans(self.gradient(x)), strict=True
        ):
            best = treeplex.worth(gradient)
            starts = treeplex.first_sequence[:-1]
            values = np.maximum.reduceat(best, starts) if len(starts) else best[:0]
            parts.append(np.append(best[0], values))
        return np.concatenate(parts)

    def slack(self, point: SupportPoint) -> Floats:
        """Return s, by how much each sequence is paid less than it should be to be played."""
        return self.constraints.T @ point.v - self.gradient(point.x)  # type: ignore[no-any-return]

    def point(self, plans: Sequence[Floats]) -> SupportPoint:
        """Return plans with the values of best responses."""
        x = self.joined(plans)
        return SupportPoint(x, self.worth(x))


def closed(conditions: Conditions, played: Mask) -> Mask:
    """Return the support without sequences that another one leads to that is not in it."""
    kept = played.copy()
    for player, treeplex in enumerate(conditions.form.treeplexes):
        part = kept[conditions.first[player] : conditions.first[player + 1]]
        part[0] = True
        for _, sequences in treeplex.runs:
            part[sequences] &= part[treeplex.sequence_parent[sequences]]
    return kept


def on_support(conditions: Conditions, start: SupportPoint, played: Mask) -> SupportPoint:
    """Return an equilibrium on a support, near to a point.

    Parameters
    ----------
    start
        Where to begin; only what is near to it is found.
    played
        bool (num_sequences of all players,): the support; `closed` makes one.

    Raises
    ------
    SolverError
        If there is none, or Newton's method does not converge.
    """
    point = SupportPoint(np.where(played, start.x, 0.0), start.v)
    steps = []
    for _ in range(ROUNDS):
        check_time("looking for an equilibrium on a support")
        with np.errstate(over="ignore", invalid="ignore"):
            after = _next(conditions, point, played)
        steps.append(float(np.abs(after.x - point.x).max()))
        point = replace(point, x=after.x, v=after.v)
        if steps[-1] <= STILL:
            return point
        if len(steps) > 3 and steps[-1] > steps[-4]:
            break
    if steps[-1] <= 1e-7:  # the quadratic programs have no more digits
        return point
    raise SolverError("Newton's method found no equilibrium on this support")


def _next(conditions: Conditions, point: SupportPoint, played: Mask) -> SupportPoint:
    """Return the nearest point at which the linearised conditions hold."""
    import clarabel

    from seqform.solvers.linear.clarabel import make_settings

    free = np.flatnonzero(played)
    n, m = len(free), len(point.v)
    rows = np.flatnonzero(played[conditions.parent])
    balance = conditions.constraints[rows][:, free]
    slope = conditions.gradient_derivative(point.x)
    slack = sp.csr_array(sp.hstack([-slope[:, free], conditions.constraints.T]))
    known = -conditions.gradient(point.x) + slope @ point.x  # slack = slack @ (x, v) + known
    if not np.isfinite(known).all():
        raise SolverError("Newton's method left the range of floats on this support")
    other = np.flatnonzero(~played)
    matrix = sp.vstack(
        [
            sp.hstack([balance, sp.csr_array((len(rows), m))]),
            slack[free],
            -slack[other],
            sp.hstack([-sp.eye_array(n), sp.csr_array((n, m))]),
        ]
    )
    bounds = np.concatenate([conditions.e[rows], -known[free], known[other], np.zeros(n)])
    weight = np.concatenate([np.ones(n), np.full(m, PULL)])
    settings = make_settings(clarabel, TOLERANCE, 1, ITERATIONS)
    cones = [clarabel.ZeroConeT(len(rows) + n), clarabel.NonnegativeConeT(len(other) + n)]
    target = np.concatenate([point.x[free], point.v])
    solver = clarabel.DefaultSolver(
        sp.csc_matrix(sp.diags_array(weight)),
        -weight * target,
        sp.csc_matrix(matrix),
        bounds,
        cones,
        settings,
    )
    answer = solver.solve()
    found = np.array(answer.x)
    status = str(answer.status)
    if "Infeasible" in status or not np.isfinite(found).all():
        raise SolverError(f"no equilibrium on this support: {status}")
    x = np.zeros(len(point.x))
    x[free] = np.maximum(found[:n], 0.0)
    return SupportPoint(x, found[n:])
