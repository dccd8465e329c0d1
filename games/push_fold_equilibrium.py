"""What push or fold comes to, in fractions: the value, and how often each class pushes and calls.

A linear program in floats says which classes mix. How often they do follows from the classes of the
other player that mix, who must not care: some equations in fractions, of hardly more than two
unknowns. That the result is an equilibrium is then proven in integers: no class of either player
does better by another action. Where that fails, as it may if a class does not care though nobody
mixes, the whole game is solved in fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from games.hand_classes import NUM_CLASSES
from games.preflop_equities import NUM_BOARDS, class_pairs
from games.push_fold import push_fold_tree
from games.push_fold_rules import PushFoldRules
from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.base.errors import SolverError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.exact.linear_system import solve_exactly
from seqform.methods.solve import solve

SURE = 1e-7
"""A probability that is so close to 0 or 1 is taken to be that."""

Weights = tuple[Fraction, ...]
"""A probability for each class."""


@dataclass(frozen=True)
class PushFoldEquilibrium:
    """An equilibrium.

    Parameters
    ----------
    rules
        The game.
    value
        What the small blind wins, in big blinds.
    push, call
        How often each class does: 169 probabilities.
    """

    rules: PushFoldRules
    value: Fraction
    push: Weights
    call: Weights


def push_fold_equilibrium(rules: PushFoldRules) -> PushFoldEquilibrium:
    """Return an equilibrium, proven in integers.

    Raises
    ------
    SolverError
        If none is found.

    Examples
    --------
    >>> found = push_fold_equilibrium(PushFoldRules(Fraction(12)))
    >>> found.value, sum(0 < weight < 1 for weight in found.push + found.call)
    (Fraction(-367859567, 4457341350), 0)
    """
    game = PushFoldMatrix.of(rules)
    if not rules.is_answered:
        return game.against((Fraction(1),) * NUM_CLASSES)
    found = game.settled(*game.in_floats())
    return solved_in_fractions(rules) if found is None else found


@dataclass(frozen=True, eq=False)
class PushFoldMatrix:
    """The game as a bilinear function of how often classes push, x, and call, y.

    The small blind wins ``(base + gain x + x pays y) / unit`` big blinds. All are integers: int64,
    or Python's where these might overflow.

    Parameters
    ----------
    rules
        The game.
    unit
        What amounts are over.
    base
        What is won if nobody pushes.
    gain
        What each class wins by a push that is never called, beside a fold: (169,).
    pays
        What a call adds to that, by both classes: (169, 169).
    """

    rules: PushFoldRules
    unit: int
    base: int
    gain: Exact
    pays: Exact

    @classmethod
    def of(cls, rules: PushFoldRules) -> PushFoldMatrix:
        """Return the game of some rules."""
        amounts = (rules.stack, rules.folded, rules.taken)
        common = lcm(*(amount.denominator for amount in amounts))
        stack, folded, taken = (int(amount * common) for amount in amounts)
        pairs = class_pairs()
        total = int(pairs.deals.sum())
        largest = (stack + folded + taken) * total * NUM_BOARDS
        kind = np.int64 if largest < 2**63 else object
        deals, ahead = (of.astype(kind) for of in (pairs.deals, pairs.wins - pairs.losses))
        return cls(
            rules=rules,
            unit=common * total * NUM_BOARDS,
            base=-folded * total * NUM_BOARDS,
            gain=deals.sum(axis=1) * ((folded + taken) * NUM_BOARDS),
            pays=ahead * stack - deals * (taken * NUM_BOARDS),
        )

    def in_floats(self) -> tuple[Floats, Floats]:
        """Return how often classes push and call in an equilibrium, as a linear program finds it.

        The small blind maximizes ``gain x - sum t`` with ``t >= -x pays`` and ``t >= 0``: a class
        of the big blind calls if that costs the small blind something. What the rows are worth is
        how often it does.

        Raises
        ------
        SolverError
            If the program is not solved.
        """
        scale = self.unit / int(class_pairs().deals.sum())  # big blinds, summed over pairs of hands
        pays, gain = (np.asarray(of / scale, dtype=float) for of in (self.pays, self.gain))
        costs = np.concatenate([-gain, np.ones(NUM_CLASSES)])
        rows = np.hstack([-pays.T, -np.eye(NUM_CLASSES)])
        bounds = np.array([(0, 1)] * NUM_CLASSES + [(0, np.inf)] * NUM_CLASSES)
        found = linprog(
            costs, A_ub=rows, b_ub=np.zeros(NUM_CLASSES), bounds=bounds, method="highs-ds"
        )
        if found.x is None:
            raise SolverError(f"the program of push or fold was not solved: {found.message}")
        return found.x[:NUM_CLASSES], -found.ineqlin.marginals

    def settled(self, push: Floats, call: Floats) -> PushFoldEquilibrium | None:
        """Return the equilibrium that is near to floats; None if there is none by these classes.

        Parameters
        ----------
        push, call
            How often each class does: float64 (169,).
        """
        pushing, calling = _sides(push), _sides(call)
        pays = self.pays
        pushed = _balanced(pushing, pays[:, calling.mixed].T, 0 * pays[0, calling.mixed])
        called = _balanced(calling, pays[pushing.mixed], self.gain[pushing.mixed])
        if pushed is None or called is None:
            return None
        return self.proven(pushed, called)

    def proven(self, push: Weights, call: Weights) -> PushFoldEquilibrium | None:
        """Return strategies as an equilibrium; None if a class would do better otherwise."""
        of_push = _total(self.gain, self.pays.T, call)
        of_call = _total(0 * self.gain, self.pays, push)
        if not (_are_best(push, of_push) and _are_best(call, [-paid for paid in of_call])):
            return None
        won = sum((often * paid for often, paid in zip(push, of_push, strict=True)), Fraction(0))
        return PushFoldEquilibrium(self.rules, (self.base + won) / self.unit, push, call)

    def against(self, call: Weights) -> PushFoldEquilibrium:
        """Return the best pushes against a big blind that has no choice."""
        of_push = _total(self.gain, self.pays.T, call)
        push = tuple(Fraction(paid > 0) for paid in of_push)
        won = sum(max(paid, Fraction(0)) for paid in of_push)
        return PushFoldEquilibrium(self.rules, (self.base + won) / self.unit, push, call)


class _Sides(NamedTuple):
    """Classes of a player that surely act, and those that mix: places of them."""

    sure: Index
    mixed: Index


def _sides(weights: Floats) -> _Sides:
    sure = np.flatnonzero(weights > 1 - SURE)
    return _Sides(sure, np.flatnonzero((weights >= SURE) & (weights <= 1 - SURE)))


def _balanced(of: _Sides, rows: Exact, constant: Exact) -> Weights | None:
    """Return the weights by which classes of the other player do not care; None without any.

    Parameters
    ----------
    of
        Of the player whose weights are sought.
    rows
        What each class of this player adds for the classes of the other one that mix:
        (num_mixed_there, 169).
    constant
        What there is for these anyway: (num_mixed_there,).
    """
    anyway = constant + rows[:, of.sure].sum(axis=1)
    found = _solved(rows[:, of.mixed], -anyway)
    if found is None or not all(0 <= weight <= 1 for weight in found):
        return None
    weights = [Fraction(0)] * NUM_CLASSES
    for place in of.sure.tolist():
        weights[place] = Fraction(1)
    for place, weight in zip(of.mixed.tolist(), found, strict=True):
        weights[place] = weight
    return tuple(weights)


def _solved(matrix: Exact, rhs: Exact) -> list[Fraction] | None:
    """Return the solution of some equations; None if there is none, or more than one."""
    if matrix.shape == (0, 0):
        return []
    rows, columns = np.nonzero(matrix)
    try:
        above, below = solve_exactly(
            IntegerMatrix.from_entries(rows, columns, matrix[rows, columns], matrix.shape), rhs
        )
    except SolverError:  # not square, or singular
        return None
    return [Fraction(int(of), below) for of in above]


def _total(constant: Exact, rows: Exact, weights: Weights) -> list[Fraction]:
    """Return ``constant + weights rows`` in fractions; what has weight 1 is added up first."""
    sure = np.array([weight == 1 for weight in weights])
    found = [Fraction(int(of)) for of in constant + rows[sure].sum(axis=0)]
    for place, weight in enumerate(weights):
        if 0 < weight < 1:
            row = rows[place].tolist()
            found = [of + weight * more for of, more in zip(found, row, strict=True)]
    return found


def _are_best(weights: Weights, paid: Sequence[Fraction]) -> bool:
    """Return whether classes act only where that pays, and always where it does."""
    return all(
        (weight == 0 or of >= 0) and (weight == 1 or of <= 0)
        for weight, of in zip(weights, paid, strict=True)
    )


def solved_in_fractions(rules: PushFoldRules) -> PushFoldEquilibrium:
    """Return an equilibrium of the game's tree, by a linear program in fractions.

    Raises
    ------
    SolverError
        If none is found.
    """
    solution: Any = solve(push_fold_tree(rules), method="lp", exact=True)
    exact = solution.exact
    if exact is None:
        raise SolverError(f"push or fold was not solved in fractions: {solution.message}")
    push, call = (
        _acting(plan, denominator, treeplex.first_sequence[:-1])
        for plan, denominator, treeplex in zip(
            exact.plans, exact.denominators, exact.game.treeplexes, strict=True
        )
    )
    return PushFoldEquilibrium(rules, exact.values[0], push, call)


def _acting(plan: Exact, denominator: int, fold: Ints) -> Weights:
    """Return how often each class does the other than fold, from the places of folds in a plan."""
    return tuple(Fraction(int(plan[place + 1]), denominator) for place in fold.tolist())
