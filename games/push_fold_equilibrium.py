"""What push or fold comes to, in fractions: the value, and how often each class pushes and calls.

A linear program in floats says which classes mix. How often they do follows from the classes of the
other player that mix, who must not care: some equations in integers, of hardly more than two
unknowns. That the result is an equilibrium is then proven in integers: no class of either player
does better by another action. Where that fails, as it may if a class does not care though nobody
mixes, the whole game is solved in fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from games.hand_classes import NUM_CLASSES
from games.push_fold import push_fold_tree
from games.push_fold_matrix import PushFoldMatrix
from games.push_fold_program import Frequencies, PushFoldProgram
from games.push_fold_rules import PushFoldRules
from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.base.deadline import check_time
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
    return next(push_fold_equilibria([rules]))


def push_fold_equilibria(every: Iterable[PushFoldRules]) -> Iterator[PushFoldEquilibrium]:
    """Yield an equilibrium of each of some games; quickest where stacks go down step by step.

    Raises
    ------
    SolverError
        If none is found.
    OutOfTimeError
        If a time limit is over.
    """
    program = PushFoldProgram()
    for rules in every:
        check_time("solving push or fold")
        game = PushFoldMatrix.of(rules)
        if not rules.is_answered:
            yield against_all(game)
        else:
            yield settled(game, program.solve(game)) or solved_in_fractions(rules)


class Mix(NamedTuple):
    """A strategy in integers.

    Parameters
    ----------
    sure
        The classes that surely act, int64 (num_sure,).
    mixed
        Those that act with a probability between 0 and 1, int64 (num_mixed,).
    above, below
        These probabilities: numerators, object (num_mixed,), and their denominator.
    """

    sure: Index
    mixed: Index
    above: Exact
    below: int

    @property
    def weights(self) -> Weights:
        """How often each class acts."""
        found = [Fraction(0)] * NUM_CLASSES
        for place in self.sure.tolist():
            found[place] = Fraction(1)
        for place, above in zip(self.mixed.tolist(), self.above, strict=True):
            found[place] = Fraction(int(above), self.below)
        return tuple(found)

    def total(self, constant: Exact, rows: Exact) -> Exact:
        """Return `below` times what classes of the other player are paid: (169,).

        Parameters
        ----------
        constant
            What each is paid anyway: (169,).
        rows
            What each class of this player adds when it acts: (169, 169).
        """
        found: Exact = constant + rows[self.sure].sum(axis=0)
        if len(self.mixed):
            found = found.astype(object) * self.below
            found += self.above @ rows[self.mixed].astype(object)
        return found

    def is_best(self, paid: Exact) -> bool:
        """Return whether classes act only where that pays, and always where it does.

        Parameters
        ----------
        paid
            What each class wins by acting, (169,).
        """
        acts = np.zeros(NUM_CLASSES, dtype=bool)
        acts[self.sure] = acts[self.mixed] = True
        is_needed = not (paid[self.sure] < 0).any() and not (paid[~acts] > 0).any()
        return is_needed and not (paid[self.mixed] != 0).any()


def against_all(game: PushFoldMatrix) -> PushFoldEquilibrium:
    """Return the best pushes where all classes of the big blind call, as they have no choice."""
    every = Mix(np.arange(NUM_CLASSES), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=object), 1)
    paid = every.total(game.gain, game.pays.T)
    push = every._replace(sure=np.flatnonzero(paid > 0))
    return _equilibrium(game, push, every, paid)


def settled(game: PushFoldMatrix, near: Frequencies) -> PushFoldEquilibrium | None:
    """Return the equilibrium that is near to floats; None if there is none by these classes."""
    pushing, calling = _sides(near.push), _sides(near.call)
    mine, theirs = pushing.mixed, calling.mixed
    push = _balanced(pushing, game.pays[:, theirs].T, np.zeros_like(game.gain[theirs]))
    call = _balanced(calling, game.pays[mine], game.gain[mine])
    if push is None or call is None:
        return None
    of_push = call.total(game.gain, game.pays.T)
    of_call = push.total(np.zeros_like(game.gain), game.pays)  # a cost to the small blind
    if not (push.is_best(of_push) and call.is_best(-of_call)):
        return None
    return _equilibrium(game, push, call, of_push)


def _equilibrium(game: PushFoldMatrix, push: Mix, call: Mix, paid: Exact) -> PushFoldEquilibrium:
    """Return an equilibrium; what classes are paid for a push is over the calls' denominator.

    Those that mix are paid nothing.
    """
    won = Fraction(int(paid[push.sure].sum()), call.below)
    value = (game.base + won) / game.unit
    return PushFoldEquilibrium(game.rules, value, push.weights, call.weights)


class _Sides(NamedTuple):
    """Classes of a player that surely act, and those that mix."""

    sure: Index
    mixed: Index


def _sides(weights: Floats) -> _Sides:
    mixes = (weights >= SURE) & (weights <= 1 - SURE)
    return _Sides(np.flatnonzero(weights > 1 - SURE), np.flatnonzero(mixes))


def _balanced(of: _Sides, rows: Exact, constant: Exact) -> Mix | None:
    """Return the strategy by which classes of the other player do not care; None without one.

    Parameters
    ----------
    of
        Of the player whose strategy is sought.
    rows
        What each class of this player adds for the classes of the other one that mix:
        (num_mixed_there, 169).
    constant
        What there is for these anyway: (num_mixed_there,).
    """
    anyway = constant + rows[:, of.sure].sum(axis=1)
    found = _solved(rows[:, of.mixed], -anyway)
    if found is None:
        return None
    above, below = found
    if (above < 0).any() or (above > below).any():
        return None
    return Mix(of.sure, of.mixed, above, below)


def _solved(matrix: Exact, rhs: Exact) -> tuple[Exact, int] | None:
    """Return the solution of some equations; None if there is none, or more than one."""
    if matrix.shape == (0, 0):
        return np.zeros(0, dtype=object), 1
    rows, columns = np.nonzero(matrix)
    system = IntegerMatrix.from_entries(rows, columns, matrix[rows, columns], matrix.shape)
    try:
        return solve_exactly(system, rhs)
    except SolverError:  # not square, or singular
        return None


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
