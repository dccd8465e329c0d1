"""What does the published abstraction of game trees lose, whichever equilibrium is found?

`python -m benchmarks.published_losses` takes the 500 random games of `tests/shrinkable_games.py`.
The abstract game may have many equilibria, and a solver finds one of them. So the loss, the
nash_gap of a lifted equilibrium, is minimised and maximised over all of them. They are pairs of
optimal plans, and what a pair loses is the sum of what each plan does. An optimal plan is a point
of a polytope. The least loss is a linear program: the guarantee of the lifted plan is maximised.
The greatest loss is where a pure plan of the opponent gains most, a mixed-integer program. Values
are compared as fractions, proven on both sides.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, milp

from seqform import GameTree, SequenceForm, build_sequence_form, solve
from seqform.exact.products import integer_matrix
from tests.shrinkable_games import merged, observable_game

GAMES = 500
LOSES = 1e-6
"""A loss above this is one; programs are solved to 1e-9."""
SLACK = 1e-9


class Losses(NamedTuple):
    """Both values, and the least and the greatest nash_gap of a lifted equilibrium."""

    value: Fraction
    abstract_value: Fraction
    least: float
    greatest: float


def losses_of(tree: GameTree) -> Losses:
    """Return what the published abstraction loses on a two-player zero-sum game."""
    merge = merged(tree, published=True)
    small, large = build_sequence_form(merge.tree), build_sequence_form(tree)
    values = [solve(form, exact=True).exact.value for form in (large, small)]
    if merge.tree.num_nodes == tree.num_nodes:
        return Losses(values[0], values[1], 0.0, 0.0)
    images = merge.sequences(small, large)
    sides = [Side(small, large, images[player], player, *values) for player in (0, 1)]
    return Losses(
        *values, sum(side.least() for side in sides), sum(side.greatest() for side in sides)
    )


class Side:
    """A player, its optimal plans of the abstract game, and how these fare in the whole game."""

    def __init__(
        self,
        small: SequenceForm,
        large: SequenceForm,
        images: Any,
        player: int,
        value: Fraction,
        abstract_value: Fraction,
    ) -> None:
        own, self.small = small.treeplexes[player], small.treeplexes[1 - player]
        self.large, sign = large.treeplexes[1 - player], 1 - 2 * player
        above = large.treeplexes[player].sequence_parent[1:]
        # so that plans, as behaviours, are lifted entry by entry
        assert np.array_equal(images[above], own.sequence_parent[images[1:]])
        lifting = sp.csr_array(
            (np.ones(len(images)), (np.arange(len(images)), images)),
            shape=(len(images), own.num_sequences),
        )
        self.abstract = sign * payoffs(small, player)
        self.lifted = lifting.T @ (sign * payoffs(large, player))
        self.own = own
        self.value, self.abstract_value = sign * float(value), sign * float(abstract_value)

    def optimal(self, more: int) -> Iterator[LinearConstraint]:
        """Yield what an optimal plan of the abstract game satisfies.

        Variables are the plan, the duals that prove it, and so many more.
        """
        E, e = self.own.constraints()
        F, f = self.small.constraints()
        rest = sp.csr_array((E.shape[0], F.shape[0] + more))
        yield LinearConstraint(sp.hstack([E, rest]), e, e)
        rest = sp.csr_array((F.shape[1], more))
        yield LinearConstraint(sp.hstack([self.abstract.T, -F.T, rest]), 0.0, np.inf)
        worth = np.concatenate([np.zeros(self.own.num_sequences), f, np.zeros(more)])
        yield LinearConstraint(worth, self.abstract_value - SLACK, np.inf)

    def least(self) -> float:
        """Return the loss of the optimal plan that guarantees most in the whole game."""
        F, f = self.large.constraints()
        duals = len(self.small.constraints()[1])
        response = [self.lifted.T, sp.csr_array((F.shape[1], duals)), -F.T]
        before = self.own.num_sequences + duals
        found = milp(
            np.concatenate([np.zeros(before), -f]),
            constraints=[
                *self.optimal(len(f)),
                LinearConstraint(sp.hstack(response), 0.0, np.inf),
            ],
            bounds=self.bounds(len(f), -np.inf),
        )
        assert found.success, found.message
        return float(self.value + found.fun)

    def greatest(self) -> float:
        """Return the loss of the optimal plan that guarantees least in the whole game.

        A pure plan y of the opponent is 0 or 1, so that ``z = x y`` is linear: ``z >= 0`` and ``z
        >= x + y - 1``, and both are below x and y.
        """
        F, f = self.large.constraints()
        entries = self.lifted.tocoo()
        duals, others, num = len(self.small.constraints()[1]), F.shape[1], entries.nnz
        plans = self.own.num_sequences
        rows, columns = entries.coords
        x = sp.csr_array((np.ones(num), (np.arange(num), rows)), shape=(num, plans))
        y = sp.csr_array((np.ones(num), (np.arange(num), columns)), shape=(num, others))
        none, one = sp.csr_array((num, duals)), sp.eye_array(num)
        start = sp.csr_array((len(f), plans + duals))
        found = milp(
            np.concatenate([np.zeros(plans + duals + others), entries.data]),
            constraints=[
                *self.optimal(others + num),
                LinearConstraint(sp.hstack([start, F, sp.csr_array((len(f), num))]), f, f),
                LinearConstraint(sp.hstack([x, none, y, -one]), -np.inf, 1.0),
                LinearConstraint(sp.hstack([x, none, 0 * y, -one]), 0.0, np.inf),
                LinearConstraint(sp.hstack([0 * x, none, y, -one]), 0.0, np.inf),
            ],
            bounds=self.bounds(others + num, 0.0),
            integrality=np.repeat([0, 1, 0], [plans + duals, others, num]),
        )
        assert found.success, found.message
        return float(self.value - found.fun)

    def bounds(self, more: int, lower: float) -> Bounds:
        """Return the bounds of all variables: plans are at least 0, and duals are free."""
        duals = len(self.small.constraints()[1])
        return Bounds(np.repeat([0.0, -np.inf, lower], [self.own.num_sequences, duals, more]))


def payoffs(form: SequenceForm, player: int) -> sp.csr_array:
    """Return what player 0 is paid, by sequences of a player and of the other one."""
    operator, denominator = integer_matrix(form.zero_sum_operator())
    pattern = operator.pattern
    matrix = sp.csr_array(
        (operator.entries.astype(np.float64) / denominator, pattern.indices, pattern.indptr),
        shape=(form.treeplexes[0].num_sequences, form.treeplexes[1].num_sequences),
    )
    return matrix if player == 0 else matrix.T.tocsr()


def main(count: int = GAMES) -> None:
    """Count and print."""
    found = [losses_of(observable_game(seed)) for seed in range(count)]
    print(f"{count} games")
    for name, games in counts(found).items():
        print(f"{name}: {games}")


def counts(found: list[Losses]) -> dict[str, float]:
    """Return how many games lose, in which sense, and how much at most."""
    return {
        "value of the abstract game differs": sum(f.value != f.abstract_value for f in found),
        "every lifted equilibrium loses": sum(f.least > LOSES for f in found),
        "some lifted equilibrium loses": sum(f.greatest > LOSES for f in found),
        "greatest least loss": max(f.least for f in found),
        "greatest loss": max(f.greatest for f in found),
    }


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
