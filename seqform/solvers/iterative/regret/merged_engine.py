"""Regret minimization in a game in which some information sets have to play alike.

A bucket has one behaviour, and the regrets of its information sets are added up (Waugh, Zinkevich,
Johanson, Kan, Schnizlein & Bowling, "A practical use of imperfect recall", SARA 2009). If a player
forgets something by that, nothing bounds what the averages lose, not even in the game of the
buckets (Lanctot, Gibson, Burch & Bowling, "No-regret learning in extensive-form games with
imperfect recall", ICML 2012). So they are judged in the game as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.regret import treeplex_kernels as kernels
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.regret.treeplex_player import Player
from seqform.solvers.iterative.search import Engine


class MergedEngine(Engine):
    """Applies a regret rule to a game with merged information sets, for any number of players.

    Parameters
    ----------
    form
        The game; `form.merged` says which sets play alike.
    rule
        The regret rule.
    """

    name = "merged"
    bounds_value = False

    def __init__(self, form: SequenceForm, rule: RegretRule) -> None:
        self.form, self.rule = form, rule
        self.players = tuple(Player.start(treeplex) for treeplex in form.treeplexes)
        self.kept = tuple(np.zeros((2, int(of.first_sequence[-1]))) for of in form.merged)
        """For each player the regrets of buckets' actions, and the newest ones."""
        self.iterations = 0

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        for step in self.rule.schedule(self.iterations, count):
            self._iterate(step)
        self.iterations += count

    def _iterate(self, step: Floats) -> None:
        plans = [player.plan for player in self.players]
        known = 1 if self.rule.alternating else len(plans)
        before = [self.form.gradient(number, plans) for number in range(known)]
        for number, (player, merged) in enumerate(zip(self.players, self.form.merged, strict=True)):
            utility = before[number] if number < known else self.form.gradient(number, plans)
            kernels.respond_alike(
                player.first,
                player.parent,
                utility,
                merged.first_sequence,
                merged.sequences,
                *self.kept[number],
                player.behavior,
                step,
                self.rule.prediction,
            )
            kernels.follow(
                player.first, player.parent, player.behavior, player.plan, player.average, step[2]
            )

    def plans(self) -> tuple[Floats, ...]:
        """Return the plans of the buckets' average behaviour, weighted with own reach."""
        return tuple(
            treeplex.to_plan(merged.shared(player.average))
            for treeplex, merged, player in zip(
                self.form.treeplexes, self.form.merged, self.players, strict=True
            )
        )

    def bounds(self) -> tuple[float, float]:
        """Return 0 and the nash_gap in the game as it is, as computed: not a certificate."""
        plans, gap = self.plans(), 0.0
        for number, player in enumerate(self.players):
            utility = self.form.gradient(number, plans)
            value = float(utility @ plans[number])
            gap += max(0.0, float(kernels.best_value(player.first, player.parent, utility)) - value)
        return 0.0, gap

    def remark(self) -> str:
        """Return what the search has to say besides its gap."""
        return "merged sets forget (imperfect recall), so no theorem says how near averages come"

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint must hold to go on from here."""
        arrays: dict[str, NDArray[Any]] = {}
        for number, player in enumerate(self.players):
            names = ("behavior", "plan", "average")
            arrays |= {f"{name}{number}": getattr(player, name) for name in names}
            arrays[f"kept{number}"] = self.kept[number]
            arrays[f"merged{number}"] = self.form.merged[number].sequences
        return arrays

    def restore(self, state: dict[str, NDArray[Any]], iterations: int) -> None:
        """Go on from a state that `state` returned.

        Raises
        ------
        ValueError
            If other information sets were merged.
        """
        for number, merged in enumerate(self.form.merged):
            if not np.array_equal(state[f"merged{number}"], merged.sequences):
                raise ValueError("other information sets were merged")
        for name, vector in self.state().items():
            if not name.startswith("merged"):
                vector[:] = state[name]
        self.iterations = iterations
