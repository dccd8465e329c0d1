"""Regret minimization over any two treeplexes and payoff operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.base.arrays import Floats
from seqform.form.payoff import PayoffOperator
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.regret import treeplex_compile
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.regret.treeplex_player import Player
from seqform.solvers.iterative.regret.treeplex_vectors import VectorSearch
from seqform.solvers.iterative.search import Engine

SMALL = 5_000
"""Sequences of both players up to which iterations are made in numpy until loops are compiled."""

PIECE = 1_000
"""Iterations in numpy after which is seen whether loops are compiled."""


class TreeplexEngine(Engine):
    """Applies a regret rule to a two-player constant-sum game.

    With a sparse payoff matrix, iterations are compiled as a whole; with any other operator, all
    but its products are. Small games do not wait for that: they begin in numpy, with the same
    digits.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    """

    name = "treeplex"

    def __init__(self, form: SequenceForm, rule: RegretRule) -> None:
        self.rule, self.operator = rule, form.zero_sum_operator()
        self.players = tuple(Player.start(treeplex) for treeplex in form.treeplexes)
        self.iterations = 0
        self._matrices = compress(self.operator.stored_csr)
        small = sum(treeplex.num_sequences for treeplex in form.treeplexes) <= SMALL
        self._vectors = (
            VectorSearch(form.treeplexes, self._matrices)
            if small and self._matrices and not treeplex_compile.are_loaded()
            else None
        )

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        schedule = self.rule.schedule(self.iterations, count)
        if self._matrices is not None:
            self._run_stored(schedule, self._matrices)
        else:
            for step in schedule:
                self._iterate(step)
        self.iterations += count

    def use_loops(self) -> None:
        """Make all further iterations by compiled loops, even in a small game."""
        self._vectors = None

    def _run_stored(self, schedule: Floats, matrices: tuple[Any, ...]) -> None:
        """Go through a schedule, in numpy until loops are compiled."""
        rule, done = self.rule, 0
        while self._vectors is not None and done < len(schedule):
            until = min(len(schedule), done + PIECE)
            self._vectors.iterate(
                schedule[done:until], self.players, rule.prediction, rule.alternating
            )
            if treeplex_compile.is_over(until - done):
                self._vectors = None
            done = until
        if done < len(schedule):
            from seqform.solvers.iterative.regret import treeplex_kernels as kernels

            players = tuple(map(tuple, self.players))
            kernels.iterate(schedule[done:], players, matrices, rule.prediction, rule.alternating)

    def _iterate(self, step: Floats) -> None:
        from seqform.solvers.iterative.regret import treeplex_kernels as kernels

        known = (0,) if self.rule.alternating else (0, 1)
        before = [self._utility(player) for player in known]
        for number, player in enumerate(self.players):
            utility = before[number] if number < len(before) else self._utility(number)
            self._respond(number, utility, step)
            kernels.follow(
                player.first, player.parent, player.behavior, player.plan, player.average, step[2]
            )

    def _respond(self, number: int, utility: Floats, step: Floats) -> None:
        """Add regrets of a player against utilities, which are spent, and choose by them."""
        from seqform.solvers.iterative.regret import treeplex_kernels as kernels

        first, parent, regret, last, behavior, *_ = self.players[number]
        prediction = self.rule.prediction
        kernels.respond(first, parent, utility, regret, last, behavior, step, prediction)

    def _utility(self, player: int) -> Floats:
        if player == 0:
            return self.operator.times(self.players[1].plan)
        return -self.operator.transposed_times(self.players[0].plan)

    def plans(self) -> tuple[Floats, Floats]:
        """Return the average plans so far."""
        weights = [player.average / (player.average[0] or 1.0) for player in self.players]
        return weights[0], weights[1]

    def bounds(self) -> tuple[float, float]:
        """Return what the average plans guarantee, as the engine computes it: not a certificate."""
        if self._vectors is not None:
            return self._vectors.bounds(self.plans())
        return claimed_bounds(
            self.operator, [(player.first, player.parent) for player in self.players], self.plans()
        )

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint must hold to go on from here."""
        names = ("regret", "last", "behavior", "plan", "average")
        return {
            f"{name}{number}": getattr(player, name)
            for number, player in enumerate(self.players)
            for name in names
        }

    def restore(self, state: dict[str, NDArray[Any]], iterations: int) -> None:
        """Go on from a state that `state` returned."""
        for name, vector in self.state().items():
            vector[:] = state[name]
        self.iterations = iterations


def claimed_bounds(
    operator: PayoffOperator, treeplexes: Sequence[tuple[Any, Any]], plans: Sequence[Floats]
) -> tuple[float, float]:
    """Return what plans guarantee, by compiled best responses.

    Treeplexes are pairs (first_sequence, parent_sequence).
    """
    from seqform.solvers.iterative.regret import treeplex_kernels as kernels

    utilities = operator.times(plans[1]), -operator.transposed_times(plans[0])
    values = [
        kernels.best_value(*treeplex, utility)
        for treeplex, utility in zip(treeplexes, utilities, strict=True)
    ]
    return -float(values[1]), float(values[0])


def compress(payoff: sp.csr_array | None) -> tuple[tuple[Any, Any, Any], ...] | None:
    """Return A and -A' as kernels see them: row pointers, columns, entries; None for None."""
    if payoff is None:
        return None
    theirs = (-payoff).T.tocsr()
    return tuple(
        (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
        for matrix in (payoff, theirs)
    )
