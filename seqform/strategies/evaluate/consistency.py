"""Consistency: whether beliefs are a limit of those that mistakes lead to, decided.

An assessment is consistent if some strategies that play every action tend to it, and so do the
beliefs that follow from them by Bayes' rule (Kreps & Wilson, "Sequential equilibria", Econometrica
50, 1982, Section 5). It is so exactly if each action a that is never played can be given an order
K[a] > 0 and a weight w[a] > 0 such that, with ``w[a] e**K[a]`` as its probability, the limits for e
to 0 are the beliefs (their Lemmas A1 and A2; Perea, Jansen & Peters, "Characterization of
consistent assessments in extensive form games", GEB 21, 1997; Kohlberg & Reny, "Independence on
relative probability spaces and consistent assessments in game trees", J. of Econ. Theory 75, 1997).

Two systems decide it, one after the other. K(n) is the sum of the orders on the way to a node n.

* Orders: in each set all nodes that are believed in have the same K, and all others a larger one.
  These are linear inequalities.
* Weights: the ratios of beliefs are those of products of weights. These are equations that are
  linear in logarithms, and are solved by multiplying them together.

Why two: if strategies tend to the assessment, and some rows of the first system added up to a
contradiction, then logarithms of their probabilities would add up to one. In the same way, where
rows of the second cancel, so do ratios on the way, and their limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, log

import numpy as np

from seqform.base.deadline import check_time
from seqform.exact.feasibility import Infeasible, feasible
from seqform.strategies.evaluate.assessment import Behavior

Action = tuple[int, int]
"""An action: the tree's information set, and the place there."""

MOST_ENTRIES = 50_000
"""Numbers of a system that is still solved in fractions, in seconds."""

Exponents = dict[Action, int]


@dataclass(frozen=True, eq=False)
class Mistakes:
    """Mistakes that lead to an assessment: what is never played has probability ``w e**K``.

    Parameters
    ----------
    orders
        K of each action that is never played: integers above 0.
    weights
        w of each such action.
    """

    orders: Mapping[Action, int]
    weights: Mapping[Action, float]

    def strategies(self, behavior: Behavior, e: float) -> list[list[float]]:
        """Return the probabilities of the tree's information sets for some e, 0 < e < 1."""
        found = []
        for infoset, probabilities in enumerate(behavior.probabilities):
            here = [
                float(p) if p else self.weights[infoset, a] * e ** self.orders[infoset, a]
                for a, p in enumerate(probabilities)
            ]
            found.append([p / sum(here) for p in here])
        return found


@dataclass(frozen=True, eq=False)
class Consistency:
    """Whether an assessment is consistent: by mistakes that lead to it, or for a reason why not."""

    mistakes: Mistakes | None
    reason: str = ""
    is_decided: bool = True


@dataclass(frozen=True)
class _Row:
    """What a node has more of than one that is believed in: actions never played, and a ratio."""

    infoset: int
    exponents: Exponents
    ratio: Fraction | None
    """Of the weights' product; None where the node is not believed in."""


def consistency(
    behavior: Behavior, beliefs: Sequence[Sequence[Fraction]], tolerance: float = 0.0
) -> Consistency:
    """Decide whether beliefs are consistent with behaviour strategies.

    Parameters
    ----------
    beliefs
        For each of the tree's information sets, the probability of each node.
    tolerance
        By how much logarithms of ratios may differ; 0 in exact arithmetic.

    Raises
    ------
    OutOfTimeError
        If the time limit is over.
    """
    rows = _rows(behavior, beliefs)
    for row in rows:
        if not row.exponents and (row.ratio is None or _differs(row.ratio, tolerance)):
            reason = "beliefs are not those of Bayes' rule, and no mistake tells its nodes apart"
            return Consistency(None, f"at {behavior.name(row.infoset)} {reason}")
    never = unplayed(behavior)
    size = len(rows) * (len(never) + len(rows))
    if size > MOST_ENTRIES:
        reason = (
            f"consistency is a system with {size:,} numbers: too many to decide it in fractions"
        )
        return Consistency(None, reason, is_decided=False)
    orders = _orders(behavior, rows, never)
    if isinstance(orders, str):
        return Consistency(None, orders)
    weights = _weights(behavior, rows, never, tolerance)
    if isinstance(weights, str):
        return Consistency(None, weights)
    return Consistency(Mistakes(orders, weights))


def unplayed(behavior: Behavior) -> list[Action]:
    """Return the actions that are never played where they are."""
    return [
        (infoset, place)
        for infoset, probabilities in enumerate(behavior.probabilities)
        for place, probability in enumerate(probabilities)
        if not probability
    ]


def leading(behavior: Behavior) -> list[tuple[Fraction, Exponents]]:
    """Return the reach of each node: the product of what is played, and mistakes on the way."""
    tree, found = behavior.tree, [(Fraction(1), Exponents())]
    for node in range(1, tree.num_nodes):
        above = int(tree.parent[node])
        product, mistakes = found[above]
        share = behavior.share(node)
        if share:
            found.append((product * share, mistakes))
        else:
            action = int(tree.infoset[above]), node - int(tree.first_child[above])
            found.append((product, {**mistakes, action: 1}))
    return found


def _rows(behavior: Behavior, beliefs: Sequence[Sequence[Fraction]]) -> list[_Row]:
    """Return what beliefs ask of mistakes, each demand once."""
    reach, rows, seen = leading(behavior), [], set()
    for infoset, (nodes, believed) in enumerate(zip(behavior.nodes, beliefs, strict=True)):
        base = next(place for place, belief in enumerate(believed) if belief)
        product, mistakes = reach[nodes[base]]
        for node, belief in zip(nodes, believed, strict=True):
            if node == nodes[base]:
                continue
            check_time("comparing beliefs")
            other, made = reach[node]
            both = mistakes.keys() | made.keys()
            exponents = {
                a: made.get(a, 0) - mistakes.get(a, 0)
                for a in sorted(both)
                if made.get(a, 0) != mistakes.get(a, 0)
            }
            ratio = (belief / believed[base]) * (product / other) if belief else None
            key = (*exponents.items(), ratio)
            if key not in seen:
                seen.add(key)
                rows.append(_Row(infoset, exponents, ratio))
    return rows


def _orders(
    behavior: Behavior, rows: Sequence[_Row], never: Sequence[Action]
) -> dict[Action, int] | str:
    """Return orders of mistakes, or why there are none: K = 1 + y, and slacks, with y >= 0."""
    asked = [row for row in rows if row.exponents]
    places = {action: place for place, action in enumerate(never)}
    strict = [number for number, row in enumerate(asked) if row.ratio is None]
    slack = {number: len(never) + place for place, number in enumerate(strict)}
    matrix, rhs = [], []
    for number, row in enumerate(asked):
        line = [0] * (len(never) + len(strict))
        for action, exponent in row.exponents.items():
            line[places[action]] = exponent
        if number in slack:
            line[slack[number]] = -1
        matrix.append(line)
        rhs.append(int(number in slack) - sum(row.exponents.values()))
    found = feasible(matrix, rhs)
    if isinstance(found, Infeasible):
        sets = {asked[n].infoset: None for n, factor in enumerate(found.conflict) if factor}
        names = ", ".join(map(behavior.name, sets))
        return f"no orders of mistakes lead to the nodes that are believed in at {names}"
    numbers = (
        [1 + y for y in found.solution[: len(never)]] if matrix else [Fraction(1)] * len(never)
    )
    whole = lcm(*(number.denominator for number in numbers))
    return {action: int(number * whole) for action, number in zip(never, numbers, strict=True)}


def _weights(
    behavior: Behavior, rows: Sequence[_Row], never: Sequence[Action], tolerance: float
) -> dict[Action, float] | str:
    """Return weights of mistakes, or why there are none."""
    asked = [row for row in rows if row.ratio is not None and row.exponents]
    solved: list[tuple[Action, Exponents, Fraction, set[int]]] = []
    for row in asked:
        exponents, ratio, sets = dict(row.exponents), row.ratio or Fraction(1), {row.infoset}
        for pivot, other, known, there in solved:
            check_time("comparing beliefs")
            if pivot in exponents:
                exponents, ratio = _without(pivot, exponents, ratio, other, known)
                sets |= there
        if exponents:
            solved.append((next(iter(exponents)), exponents, ratio, sets))
        elif _differs(ratio, tolerance):
            names = ", ".join(map(behavior.name, sorted(sets)))
            return f"the ratios of beliefs contradict each other at {names}"
    logs = dict.fromkeys(never, 0.0)
    if asked:
        places = {action: place for place, action in enumerate(never)}
        matrix = np.zeros((len(asked), len(never)))
        for number, row in enumerate(asked):
            for action, exponent in row.exponents.items():
                matrix[number, places[action]] = exponent
        right = np.array([_log(row.ratio or Fraction(1)) for row in asked])
        found = np.linalg.lstsq(matrix, right, rcond=None)[0]
        logs = dict(zip(never, found.tolist(), strict=True))
    return {action: float(np.exp(number)) for action, number in logs.items()}


def _without(
    pivot: Action, exponents: Exponents, ratio: Fraction, other: Exponents, known: Fraction
) -> tuple[Exponents, Fraction]:
    """Return a product of powers of two equations from which an action has gone."""
    mine, theirs = exponents[pivot], other[pivot]
    common = gcd(mine, theirs)
    mine, theirs = mine // common, theirs // common
    left = {
        action: theirs * exponents.get(action, 0) - mine * other.get(action, 0)
        for action in exponents.keys() | other.keys()
    }
    return {a: n for a, n in sorted(left.items()) if n}, ratio**theirs / known**mine


def _differs(ratio: Fraction, tolerance: float) -> bool:
    """Return whether a ratio is not 1, up to the tolerance of its logarithm."""
    return ratio != 1 if not tolerance else abs(_log(ratio)) > tolerance


def _log(ratio: Fraction) -> float:
    return log(ratio.numerator) - log(ratio.denominator)
