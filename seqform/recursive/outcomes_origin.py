"""OutcomesOrigin: the names of a stage of outcomes, and how often its information sets are reached.

Such a stage has no nodes. But whatever a player does at an information set, play ends somewhere; so
others lead there as often as play ends at or after any one of its actions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.origin import QuotientOrigin
from seqform.form.treeplex import Treeplex
from seqform.recursive.any_stage import AnyStage


class OutcomesOrigin(QuotientOrigin):
    """What a stage of outcomes calls its information sets.

    Parameters
    ----------
    form
        The stage.
    """

    def __init__(self, form: AnyStage) -> None:
        members = tuple(np.arange(t.num_infosets, dtype=np.int64) for t in form.treeplexes)
        super().__init__(form.origin, members)
        self.form = form

    def others_reach(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return how likely the others and chance lead to each information set of a seat."""
        return reached(self.form.treeplexes[player], self.form.ending(player, plans))


def reached(treeplex: Treeplex, ending: Floats) -> Floats:
    """Return how likely others lead to each information set of a player: (num_infosets,).

    Parameters
    ----------
    ending
        float64 (num_sequences,): how likely the others and chance let play end in each sequence.
    """
    total = ending.copy()
    first = treeplex.first_sequence[:-1]
    for infoset in reversed(range(treeplex.num_infosets)):  # those that follow come later
        total[treeplex.parent_sequence[infoset]] += total[first[infoset]]
    return total[first]
