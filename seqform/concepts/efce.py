"""Extensive-form correlated equilibrium: recommendations are seen move by move.

A player sees a recommended move on reaching its information set. A deviation begins there: the
player does something else and is told nothing more (von Stengel & Forges, Math. of OR 33, 2008,
Definition 2.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from seqform.concepts.correlated import CorrelatedConcept
from seqform.concepts.trigger_deviations import Trigger
from seqform.form.treeplex import Treeplex


def triggers(treeplex: Treeplex) -> Iterator[Trigger]:
    """Yield a trigger for each move, numbered by its sequence: that it was recommended."""
    for sequence, infoset in enumerate(treeplex.infoset_of.tolist()):
        if infoset >= 0:
            yield Trigger(sequence, sequence, (infoset,), (sequence,))


EFCE = CorrelatedConcept("efce", triggers)
