"""Regret minimization in games of any number of players and any sums.

Every player minimizes regret, as in two-player zero-sum games. What that proves is another thing.
Let everybody draw the iteration to play from one common draw, by the weights of the average. This
joint play is a coarse correlated equilibrium up to the average regret: nobody gains more than that
by leaving it for a fixed plan, without having seen the draw (Hannan 1957; Moulin & Vial, Int. J. of
Game Theory 7, 1978; in extensive form, Celli, Marchesi, Bianchi & Gatti, NeurIPS 2019). The regret
is measured here, against what the others in fact played; `seqform.concepts.joint_regret` bounds it
with all rounding errors.

The average plans, on the other hand, are each player's own average. Their product is not the joint
play, and nothing makes it a Nash equilibrium. It is often near to one; that is a heuristic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats
from seqform.form.joint_play import JointPlay
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.regret import treeplex_kernels as kernels
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.regret.treeplex_player import Player
from seqform.solvers.iterative.search import Engine


class ManyPlayersEngine(Engine):
    """Applies a regret rule to a game of any number of players and any sums."""

    name = "many-players"
    bounds_value = False

    def __init__(self, form: SequenceForm, rule: RegretRule) -> None:
        self.form, self.rule = form, rule
        self.players = tuple(Player.start(treeplex) for treeplex in form.treeplexes)
        self.paid = tuple(np.zeros(t.num_sequences) for t in form.treeplexes)
        """For each player, what sequences were paid on average against the others' play."""
        self.got = np.zeros(len(self.players))
        self.iterations = 0

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        for step in self.rule.schedule(self.iterations, count):
            self._iterate(step)
        self.iterations += count

    def _iterate(self, step: Floats) -> None:
        plans, weight = [player.plan for player in self.players], float(step[2])
        before = [self._gradient(number, plans) for number in range(len(plans))]
        for number, utility in enumerate(before):
            self.paid[number][:] += weight * utility
            self.got[number] += weight * (utility * plans[number]).sum()  # without BLAS's threads
        for number, player in enumerate(self.players):
            again = self.rule.alternating and number > 0  # some of the others have learned since
            utility = self._gradient(number, plans) if again else before[number]
            first, parent, regret, last, behavior, plan, average, _ = player
            kernels.respond(
                first,
                parent,
                utility,
                regret,
                last,
                behavior,
                step,
                self.rule.prediction,
            )
            kernels.follow(first, parent, behavior, plan, average, weight)

    def _gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return what a player's sequences are paid; compiled, as that is most of an iteration."""
        payoffs = self.form.payoffs
        if not isinstance(payoffs, PayoffTensor):
            return self.form.gradient(player, plans)
        paid = np.empty(len(plans[player]))
        kernels.contract(payoffs.sequences, payoffs.weights, player, tuple(plans), paid)
        return paid

    def plans(self) -> tuple[Floats, ...]:
        """Return the average plans so far."""
        return tuple(player.average / (player.average[0] or 1.0) for player in self.players)

    def bounds(self) -> tuple[float, float]:
        """Return 0 and the nash_gap of the average plans, as computed: not a certificate."""
        plans, gap = self.plans(), 0.0
        for number, player in enumerate(self.players):
            utility = self._gradient(number, plans)
            value = float(utility @ plans[number])
            gap += max(0.0, float(kernels.best_value(player.first, player.parent, utility)) - value)
        return 0.0, gap

    @property
    def weight(self) -> float:
        """The sum of the weights of all iterations so far."""
        return float(self.players[0].average[0])

    def remark(self) -> str:
        """Return what averages are here."""
        return "a heuristic for Nash equilibria of this game"

    def joint_play(self) -> JointPlay | None:
        """Return the play of all iterations; None before the first one with a weight."""
        weight, got = self.weight, tuple(self.got.tolist())
        return JointPlay(self.plans(), self.paid, got, weight, self.iterations) if weight else None

    def coarse_regret(self) -> float:
        """Return the largest gain from leaving the joint play for a fixed plan, as measured."""
        weight = self.weight or 1.0
        return max(
            float(kernels.best_value(player.first, player.parent, paid / weight)) - got / weight
            for player, paid, got in zip(self.players, self.paid, self.got.tolist(), strict=True)
        )

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint must hold to go on from here."""
        names = ("regret", "last", "behavior", "plan", "average")
        arrays: dict[str, NDArray[Any]] = {"got": self.got}
        for number, player in enumerate(self.players):
            arrays |= {f"{name}{number}": getattr(player, name) for name in names}
            arrays[f"paid{number}"] = self.paid[number]
        return arrays

    def restore(self, state: dict[str, NDArray[Any]], iterations: int) -> None:
        """Go on from a state that `state` returned."""
        for name, vector in self.state().items():
            vector[:] = state[name]
        self.iterations = iterations
