"""Regret minimization against somebody who follows a model in each information set so often.

There the player plays ``c m + (1 - c) f``, where m is the model's behaviour, c how often it is
followed, and f is free (Johanson & Bowling, "Data biased robust counter strategies", AISTATS 2009,
Section 4). Regrets are those of f: what the model does is nobody's to regret. They would all count
1 - c times, which regret matching does not see. With c = 1 an information set is locked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.regret import treeplex_kernels as kernels
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine


class BiasedEngine(TreeplexEngine):
    """Applies a regret rule where one player follows a model so often.

    Parameters
    ----------
    form
        The game, two-player and constant-sum.
    rule
        The regret rule.
    biased
        Who follows the model.
    behavior
        float64 (num_sequences,): the model.
    confidence
        float64 (num_infosets,): how often it is followed, from 0 to 1.
    """

    name = "biased"

    def __init__(
        self,
        form: SequenceForm,
        rule: RegretRule,
        biased: int,
        behavior: Floats,
        confidence: Floats,
    ) -> None:
        super().__init__(form, rule)
        treeplex, player = form.treeplexes[biased], self.players[biased]
        self._matrices = self._vectors = None  # only plain iterations are made as a whole
        self.biased = biased
        self.followed = np.append(0.0, np.repeat(confidence, treeplex.num_actions)) * behavior
        self.free = 1.0 - confidence
        self.chosen = player.behavior.copy()
        player.behavior[1:] *= np.repeat(self.free, treeplex.num_actions)
        player.behavior[1:] += self.followed[1:]
        player.plan[:] = treeplex.to_plan(player.behavior)

    def _respond(self, number: int, utility: Floats, step: Floats) -> None:
        if number != self.biased:
            super()._respond(number, utility, step)
            return
        first, parent, regret, last, behavior, *_ = self.players[number]
        kernels.respond_partly(
            first,
            parent,
            utility,
            self.followed,
            self.free,
            regret,
            last,
            self.chosen,
            behavior,
            step,
            self.rule.prediction,
        )

    def bounds(self) -> tuple[float, float]:
        """Return what the average plans guarantee, as the engine computes it: not a certificate."""
        plans, best = self.plans(), []
        utilities = self.operator.times(plans[1]), -self.operator.transposed_times(plans[0])
        for number, (player, utility) in enumerate(zip(self.players, utilities, strict=True)):
            treeplex = player.first, player.parent
            if number == self.biased:
                value = kernels.best_value_partly(*treeplex, utility, self.followed, self.free)
            else:
                value = kernels.best_value(*treeplex, utility)
            best.append(float(value))
        return -best[1], best[0]

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint must hold to go on from here."""
        return {**super().state(), "chosen": self.chosen}
