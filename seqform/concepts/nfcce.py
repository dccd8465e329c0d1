"""Normal-form coarse correlated equilibrium: obey throughout, or play without the mediator.

The players decide before the game (Moulin & Vial, Int. J. of Game Theory 7, 1978).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from seqform.concepts.correlated import CorrelatedConcept
from seqform.concepts.trigger_deviations import Trigger
from seqform.form.treeplex import Treeplex


def triggers(treeplex: Treeplex) -> Iterator[Trigger]:
    """Yield the one trigger that there is, number 0; none for a player who never moves."""
    tops = np.flatnonzero(treeplex.parent_sequence == 0)
    moves = np.flatnonzero(np.isin(treeplex.infoset_of, tops))
    if len(tops):
        yield Trigger(0, 0, tuple(tops.tolist()), tuple(moves.tolist()))


NFCCE = CorrelatedConcept("nfcce", triggers)
