"""An engine of our own: in every information set actions weigh exponentially in regrets (Hedge)."""

from __future__ import annotations

import numpy as np

from seqform.plugins import Engine, IterativeMethod


class HedgeEngine(Engine):
    """The engine, of any number of players; it is a heuristic unless there are two and zero sum."""

    name = "hedge"
    bounds_value = False  # `bounds` are 0 and the nash_gap

    def __init__(self, form):
        self.form, self.iterations = form, 0
        self.regrets = [np.zeros(treeplex.num_sequences) for treeplex in form.treeplexes]
        self.sums = [np.zeros(treeplex.num_sequences) for treeplex in form.treeplexes]

    def run(self, count):
        for _ in range(count):
            self.iterations += 1
            behaviors = [self._behavior(player) for player in range(self.form.num_players)]
            both = zip(self.form.treeplexes, behaviors, strict=True)
            plans = [treeplex.to_plan(behavior) for treeplex, behavior in both]
            for player, behavior in enumerate(behaviors):
                self.sums[player] += plans[player]
                self._learn(player, behavior, self.form.gradient(player, plans))

    def _behavior(self, player):
        """Return the weights of actions: 1 for the one that is regretted most, before they are
        divided by their sum."""
        treeplex, regrets = self.form.treeplexes[player], self.regrets[player]
        rate = 20 / (self.form.payoff_scale * self.iterations**0.5)
        behavior = np.ones_like(regrets)
        for infoset in range(treeplex.num_infosets):
            here = slice(*treeplex.first_sequence[infoset : infoset + 2])
            weights = np.exp(rate * (regrets[here] - regrets[here].max()))
            behavior[here] = weights / weights.sum()
        return behavior

    def _learn(self, player, behavior, worth):
        """Add what other actions would have paid more, from the last information sets on."""
        treeplex = self.form.treeplexes[player]
        for infoset in reversed(range(treeplex.num_infosets)):
            here = slice(*treeplex.first_sequence[infoset : infoset + 2])
            paid = behavior[here] @ worth[here]
            self.regrets[player][here] += worth[here] - paid
            worth[treeplex.parent_sequence[infoset]] += paid

    def plans(self):
        return tuple(total / (self.iterations or 1) for total in self.sums)

    def bounds(self):
        gap, plans = 0.0, self.plans()
        for player, treeplex in enumerate(self.form.treeplexes):
            worth = self.form.gradient(player, plans)
            gap += treeplex.best_value(worth) - worth @ plans[player]
        return 0.0, gap

    def state(self):
        regrets = {f"regrets{player}": array for player, array in enumerate(self.regrets)}
        return regrets | {f"sums{player}": array for player, array in enumerate(self.sums)}

    def restore(self, state, iterations):
        for name, array in self.state().items():
            array[:] = state[name]
        self.iterations = iterations


class Hedge(IterativeMethod):
    """The method that runs it."""

    name = "hedge"
    summary = "exponential weights in every information set"

    def engine(self, form, single=False, threads=1):
        return HedgeEngine(form)


HEDGE = Hedge()
