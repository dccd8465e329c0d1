"""Which forms keep their profiles in a way of their own: the one place that knows them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqform.form.keeping import Keeping
    from seqform.form.sequence_form import SequenceForm


def keeping_of(form: SequenceForm) -> Keeping | None:
    """Return how profiles of a form are kept in files; None: by names of information sets.

    With a tree they are kept by names, whatever the game.
    """
    if form.tree is not None:
        return None
    if form.signals is not None:
        from seqform.form.signal_strategy import BySignals

        return BySignals(form.signals[0])
    if form.origin.hands is not None:
        from seqform.form.hand_strategy import KeepingHands

        return KeepingHands(form.origin.hands)
    return None
