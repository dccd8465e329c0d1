"""Best responses in integers: what they are worth, and which sequences they may play."""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.form.treeplex import Treeplex


def best_sequences(treeplex: Treeplex, gradient: Exact) -> tuple[int, Mask]:
    """Return what a best response gets, and which sequences one may play.

    A plan is a best response exactly if it plays no other sequences.

    Parameters
    ----------
    gradient
        Python ints, object (num_sequences,): what each sequence pays.

    Returns
    -------
    value, best
        The most that a plan gets; bool (num_sequences,).
    """
    worth = gradient.tolist()
    first, parents = treeplex.first_sequence.tolist(), treeplex.parent_sequence.tolist()
    found = [True] * treeplex.num_sequences
    for infoset in reversed(range(treeplex.num_infosets)):
        start, stop = first[infoset], first[infoset + 1]
        best = max(worth[start:stop])
        worth[parents[infoset]] += best
        found[start:stop] = [value == best for value in worth[start:stop]]
    for infoset, above in enumerate(parents):  # what follows a loss is not played either
        if not found[above]:
            found[first[infoset] : first[infoset + 1]] = [False] * (
                first[infoset + 1] - first[infoset]
            )
    return worth[0], np.array(found, dtype=np.bool_)


def first_plan(treeplex: Treeplex, allowed: Mask) -> Exact:
    """Return the pure plan that plays the first allowed sequence wherever it comes.

    int64 (num_sequences,).
    """
    plan = np.zeros(treeplex.num_sequences, dtype=np.int64)
    plan[0] = 1
    first = treeplex.first_sequence.tolist()
    for infoset, above in enumerate(treeplex.parent_sequence.tolist()):
        if plan[above]:
            start, stop = first[infoset], first[infoset + 1]
            plan[start + int(np.argmax(allowed[start:stop]))] = 1
    return plan
