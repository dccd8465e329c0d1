"""Push or fold as a matrix: what the small blind wins by how often classes push and call."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

import numpy as np

from games.preflop_equities import NUM_BOARDS, class_pairs
from games.push_fold_rules import PushFoldRules
from seqform.base.arrays import Exact


@dataclass(frozen=True, eq=False)
class PushFoldMatrix:
    """The game as a bilinear function of how often classes push, x, and call, y.

    The small blind wins ``(base + gain x + x pays y) / unit`` big blinds. All are integers: int64,
    or Python's where sums of these might overflow.

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
        What a call adds to that, by the classes of both: (169, 169).
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
