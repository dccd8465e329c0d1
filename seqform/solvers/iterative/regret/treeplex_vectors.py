"""Regret minimization over small treeplexes in numpy, for as long as loops are not compiled.

All sums are made in the order of `treeplex_kernels`, so that the numbers are the same to the last
digit: it changes nothing when a search goes on with compiled loops.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.form.treeplex import Treeplex
from seqform.solvers.iterative.regret.rules import TIE
from seqform.solvers.iterative.regret.treeplex_player import Player

Compressed = tuple[Index, Index, Floats]
"""A matrix by rows: row pointers, columns, entries."""


class TreeplexVectors:
    """The passes over one treeplex; see `treeplex_kernels` for the words."""

    def __init__(self, treeplex: Treeplex) -> None:
        self._treeplex = treeplex
        first, actions = treeplex.first_sequence[:-1], treeplex.num_actions
        place = np.arange(treeplex.most_actions)
        there = place < actions[:, None]
        self._places = np.where(there, first[:, None] + place, treeplex.num_sequences)
        """By information set, its sequences; past its last one a place behind all of them."""
        self._uniform = treeplex.uniform()[1:]

    def respond(self, player: Player, utility: Floats, step: Floats, prediction: float) -> None:
        """Add regrets against `utility`, which is spent; choose by regret matching."""
        positive, negative, _, next_positive, next_negative = step.tolist()
        behavior, regret, last = player.behavior, player.regret[1:], player.last[1:]
        worth, value = self._backward(utility, np.append(behavior, 0.0))
        got, value = worth[1:-1], np.repeat(value, self._treeplex.num_actions)
        np.subtract(got, value, out=last)
        last[np.abs(last) <= TIE * (np.abs(value) + np.abs(got))] = 0.0
        regret *= np.where(regret > 0.0, positive, negative)
        regret += last
        basis = regret
        if prediction != 0.0:
            discounted = regret * np.where(regret > 0.0, next_positive, next_negative)
            basis = discounted + prediction * last
        chosen = np.where(basis > 0.0, basis, 0.0)
        padded = np.concatenate([[0.0], chosen, [0.0]])
        total = np.repeat(_added_up(padded[self._places]), self._treeplex.num_actions)
        np.divide(chosen, total, out=chosen, where=total > 0.0)
        behavior[1:] = np.where(total > 0.0, chosen, self._uniform)

    def follow(self, player: Player, weight: float) -> None:
        """Add the plan to the average, and make the plan of the new behaviour."""
        plan, above = player.plan, self._treeplex.sequence_parent
        player.average[0] += weight
        player.average[1:] += weight * plan[1:]
        for _, sequences in self._treeplex.runs:
            plan[sequences] = plan[above[sequences]] * player.behavior[sequences]

    def best_value(self, utility: Floats) -> float:
        """Return the best response value against `utility`."""
        worth, _ = self._backward(utility, None)
        return float(worth[0])

    def _backward(self, utility: Floats, behavior: Floats | None) -> tuple[Floats, Floats]:
        """Return what sequences are worth, a place behind them included, and information sets.

        That is under a behaviour, or without one if the best is done everywhere.
        """
        treeplex, value = self._treeplex, np.empty(self._treeplex.num_infosets)
        worth = np.append(utility, 0.0 if behavior is not None else -np.inf)
        for infosets, _ in reversed(treeplex.runs):
            places = self._places[infosets]
            if behavior is None:
                value[infosets] = worth[places].max(axis=1)
            else:
                value[infosets] = _added_up(behavior[places] * worth[places])
            above = treeplex.parent_sequence[infosets]
            np.add.at(worth, above[::-1], value[infosets][::-1])
        return worth, value


class VectorSearch:
    """Iterations of two players with a stored payoff matrix."""

    def __init__(self, treeplexes: Sequence[Treeplex], matrices: Sequence[Compressed]) -> None:
        self._passes = tuple(map(TreeplexVectors, treeplexes))
        self._sizes = [treeplex.num_sequences for treeplex in treeplexes]
        self._matrices = [
            (np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), indices, data)
            for indptr, indices, data in matrices
        ]

    def iterate(
        self, schedule: Floats, players: Sequence[Player], prediction: float, alternating: bool
    ) -> None:
        """Run as many iterations as the schedule has rows."""
        for step in schedule:
            known = (0,) if alternating else (0, 1)
            before = [self._utility(number, players[1 - number].plan) for number in known]
            for number, (passes, player) in enumerate(zip(self._passes, players, strict=True)):
                late = number >= len(before)
                utility = self._utility(1, players[0].plan) if late else before[number]
                passes.respond(player, utility, step, prediction)
                passes.follow(player, float(step[2]))

    def bounds(self, plans: Sequence[Floats]) -> tuple[float, float]:
        """Return what plans guarantee: not a certificate."""
        mine, theirs = (
            passes.best_value(self._utility(number, plans[1 - number]))
            for number, passes in enumerate(self._passes)
        )
        return -theirs, mine

    def _utility(self, player: int, plan: Floats) -> Floats:
        """Return what a player's sequences are paid against the other's plan."""
        rows, columns, entries = self._matrices[player]
        paid = np.bincount(rows, entries * plan[columns], self._sizes[player])
        return paid.astype(np.float64, copy=False)  # of no entries at all they are integers


def _added_up(table: Floats) -> Floats:
    """Return the sums of rows, added up from left to right."""
    total = np.zeros(len(table))
    for column in table.T:
        total += column
    return total
