"""Counterfactual regret minimization over the blocks of a form, in whichever way it is held."""

from __future__ import annotations

from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.protocol import Passage
from seqform.form.treeplex import Treeplex


def cfr(passage: Passage, iterations: int) -> list[Floats]:
    """Return the average behaviour strategies, over the sequences that the profile is kept by."""
    treeplexes = passage.treeplexes
    regrets = [np.zeros(treeplex.num_sequences) for treeplex in treeplexes]
    totals = [np.zeros(treeplex.num_sequences) for treeplex in treeplexes]
    for _ in range(iterations):
        behaviors = [matched(*of) for of in zip(treeplexes, regrets, strict=True)]
        plans = [t.to_plan(of) for t, of in zip(treeplexes, behaviors, strict=True)]
        for player, gradient in enumerate(gradients(passage, plans)):
            regrets[player] += regret(treeplexes[player], behaviors[player], gradient)
            totals[player] += plans[player]
    return [t.to_behavior(total) for t, total in zip(treeplexes, totals, strict=True)]


def gradients(passage: Passage, plans: list[Floats]) -> list[Floats]:
    """Return what each player's sequences are paid, added up over the blocks."""
    laid: list[Any] = [passage.laid_out(player, [plan]) for player, plan in enumerate(plans)]
    found = [np.zeros_like(plan) for plan in plans]
    for block in passage.blocks():
        here = [of.on(block)[0] for of in laid]
        for player in range(len(plans)):
            found[player] += passage.gathered(player, block, block.paid(player, here).gradient)
    return found


def matched(treeplex: Treeplex, regrets: Floats) -> Floats:
    """Return regret matching: uniform where there is no regret."""
    return treeplex.to_behavior(np.maximum(regrets, 0.0))


def regret(treeplex: Treeplex, behavior: Floats, gradient: Floats) -> Floats:
    """Return the counterfactual regret of each action."""
    worth, found = gradient.copy(), np.zeros_like(gradient)
    for infoset in reversed(range(treeplex.num_infosets)):
        first, stop = treeplex.first_sequence[infoset : infoset + 2]
        value = worth[first:stop] @ behavior[first:stop]
        found[first:stop] = worth[first:stop] - value
        worth[treeplex.parent_sequence[infoset]] += value
    return found
