"""Extensive-form coarse correlated equilibrium: obey, or do without recommendations from here on.

A player who reaches an information set decides, before seeing the recommended move, whether to
follow it. Who does not is told nothing more (Farina, Bianchi & Sandholm, AAAI 2020).
"""

from __future__ import annotations

from collections.abc import Iterator

from seqform.concepts.correlated import CorrelatedConcept
from seqform.concepts.trigger_deviations import Trigger
from seqform.form.treeplex import Treeplex


def triggers(treeplex: Treeplex) -> Iterator[Trigger]:
    """Yield a trigger for each information set, with its number: that it was reached."""
    first = treeplex.first_sequence.tolist()
    for infoset, told in enumerate(treeplex.parent_sequence.tolist()):
        moves = range(first[infoset], first[infoset + 1])
        yield Trigger(infoset, told, (infoset,), tuple(moves))


EFCCE = CorrelatedConcept("efcce", triggers)
