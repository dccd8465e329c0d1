"""The loops of the primal-dual method over treeplexes, compiled by numba.

The projection minimises ``sum q[s] x[s]**2 / 2 - c[s] x[s]`` over plans x. Take the least cost of
sequence s at weight t and of all sequences below it; ``f(s, t)`` is its derivative by t. It grows
with t and is piecewise linear. At an information set whose parent has weight t, the sequences share
t such that all with positive weight have the same derivative, the *level* of the set. Once f is
known to be ``curve[s] * t + base[s]``, levels are found on the way up and weights on the way down.
The linear piece is taken at a guess of the plan: one step of Newton's method, exact once the same
sequences are played. Any guess gives a plan, and only the projection gives itself.
"""

from __future__ import annotations

import numpy as np

from seqform.base.kept_loops import kept_with
from seqform.solvers.iterative.regret import treeplex_kernels
from seqform.solvers.iterative.regret.treeplex_kernels import multiply

jit = kept_with(treeplex_kernels)

INFINITY = np.inf


@jit
def share(start, stop, base, inverse, amount):
    """Return the level at which sequences ``start:stop`` share an amount, and its growth.

    No share is less than 0; the growth is the level's by the amount.
    """
    level, ease, count = INFINITY, 0.0, stop - start + 1
    while True:
        total, easier, left = amount, 0.0, 0
        for s in range(start, stop):
            if base[s] < level:
                total += base[s] * inverse[s]
                easier += inverse[s]
                left += 1
        if left >= count or left == 0:  # nobody drops out, but for rounding
            return level, 1.0 / ease
        level, ease, count = total / easier, easier, left


@jit
def project(first, parent, curve, base, inverse, plan):
    """Replace a plan, the guess, by the projection.

    `curve` is q and `base` is -c; both are spent.
    """
    for h in range(len(parent) - 1, -1, -1):
        amount = plan[parent[h]]
        for s in range(first[h], first[h + 1]):
            inverse[s] = 1.0 / curve[s]
        level, growth = share(first[h], first[h + 1], base, inverse, amount)
        curve[parent[h]] += growth
        base[parent[h]] += level - growth * amount
    for h in range(len(parent)):
        level, _ = share(first[h], first[h + 1], base, inverse, plan[parent[h]])
        for s in range(first[h], first[h + 1]):
            plan[s] = max((level - base[s]) * inverse[s], 0.0)


@jit
def move(first, parent, weight, scale, utility, point, plan, ahead, curve, base, inverse):
    """Step from `point` along `utility`, project to `plan`, and reflect at it to `ahead`.

    The metric is ``scale * weight``.
    """
    for s in range(len(point)):
        curve[s] = scale * weight[s]
        base[s] = -utility[s] - curve[s] * point[s]
    project(first, parent, curve, base, inverse, plan)
    for s in range(len(point)):
        ahead[s] = 2.0 * plan[s] - point[s]


@jit
def pull(anchor, ahead, point, age):
    """Go to the reflection, drawn back to the anchor the less the longer ago it was set."""
    keep = (age + 1.0) / (age + 2.0)
    for s in range(len(point)):
        point[s] = keep * ahead[s] + (1.0 - keep) * anchor[s]


@jit
def iterate(count, age, balance, players, matrices):
    """Run `count` iterations, the first of them `age` after the last restart.

    `matrices` are A and -A', compressed.
    """
    first0, parent0, weight0, anchor0, point0, plan0, ahead0, utility0, curve0, base0, inverse0 = (
        players[0]
    )
    first1, parent1, weight1, anchor1, point1, plan1, ahead1, utility1, curve1, base1, inverse1 = (
        players[1]
    )
    indptr0, indices0, data0 = matrices[0]
    indptr1, indices1, data1 = matrices[1]
    for k in range(age, age + count):
        multiply(indptr0, indices0, data0, point1, utility0)
        move(
            first0,
            parent0,
            weight0,
            balance,
            utility0,
            point0,
            plan0,
            ahead0,
            curve0,
            base0,
            inverse0,
        )
        multiply(indptr1, indices1, data1, ahead0, utility1)
        move(
            first1,
            parent1,
            weight1,
            1.0 / balance,
            utility1,
            point1,
            plan1,
            ahead1,
            curve1,
            base1,
            inverse1,
        )
        pull(anchor0, ahead0, point0, k)
        pull(anchor1, ahead1, point1, k)
