"""Locks of random parts of a game."""

from __future__ import annotations

import random
from fractions import Fraction

from seqform.form.lock import Fixed, Lock
from seqform.form.sequence_form import SequenceForm


def random_lock(form: SequenceForm, seed: int, share: float = 0.7) -> Lock:
    """Return a lock of some information sets, of which some are fixed in part."""
    rng = random.Random(seed)
    fixed: list[Fixed] = [[None] * treeplex.num_sequences for treeplex in form.treeplexes]
    for treeplex, of in zip(form.treeplexes, fixed, strict=True):
        for start, stop in zip(treeplex.first_sequence, treeplex.first_sequence[1:], strict=False):
            if rng.random() < share:
                of[start:stop] = random_choice(rng, int(stop - start))
    return Lock(form, tuple(fixed))


def random_choice(rng: random.Random, count: int) -> Fixed:
    """Return a choice that is fixed as a whole, or in part, in which case it may bar an action."""
    if count > 1 and rng.random() < 0.7:
        fixed = rng.randint(1, max(1, count - 2))
        return [Fraction(rng.randint(0, 2), 2 * count)] * fixed + [None] * (count - fixed)
    weights = [rng.randint(0, 3) for _ in range(count)]
    weights[0] += not sum(weights)
    return [Fraction(weight, sum(weights)) for weight in weights]
