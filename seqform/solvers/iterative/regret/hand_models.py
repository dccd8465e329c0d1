"""What a model does on the streets of a game of hands, as regret minimization goes through them.

In a restricted game the player who answers meets a mixture: of what the opponent does where it is
free, and of the model. Both are reach by line, so the mixture is a sum, and the part of the model
never changes. The opponent is paid for the free case only. That is a share of what it is paid in
the game, and regret matching does not mind shares.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import DTypeLike

from seqform.base.arrays import Numbers
from seqform.base.deadline import check_time
from seqform.form.followed import Followed
from seqform.form.hand_tables import normalized
from seqform.solvers.iterative.regret.hand_layout import Layout, Street, as_vectors, is_alike
from seqform.solvers.iterative.regret.hand_rounds import WIDTH


def plays_alike(layout: Layout, followed: Followed) -> bool:
    """Tell whether a model does with all hands what it does with those that stand for them."""
    player, tables = followed.player, followed.strategy.behaviors[followed.player]
    return all(
        is_alike(tables[public], street, player)
        for street in layout.streets
        for public in street.round.sides[player].public.tolist()
    )


def lines_of_model(layout: Layout, followed: Followed, dtype: DTypeLike) -> Iterator[Numbers]:
    """Yield, street by street, the model's reach of all lines, times how often it is followed.

    (vectors, lines, width), the entries first; hands weigh what they weigh in `layout`. What the
    model does sums to 1 up to rounding, as certificates take it (`hand_passage`).
    """
    weights = layout.weights[followed.player] * float(followed.p)
    reach = np.append(weights, 0.0).astype(dtype)[:, None]  # of the root, by hand
    for street in layout.streets:
        check_time("laying out a model")
        lines = _lines(street, followed, reach)
        yield lines
        there = lines[:, street.round.sides[followed.player].exits].transpose(0, 2, 1)
        reach = np.zeros((len(lines) * WIDTH + 1, there.shape[2]), dtype)
        reach[:-1] = there.reshape(len(lines) * WIDTH, there.shape[2])


def _lines(street: Street, followed: Followed, reach: Numbers) -> Numbers:
    """Return the reach of all lines from that of the exits before, (places there + 1, exits)."""
    player, tables = followed.player, followed.strategy.behaviors[followed.player]
    side, parent = street.round.sides[player], street.held[player].parent
    entries, vectors = len(street.round.entries), len(parent) // WIDTH
    found = np.empty((vectors, entries + side.num_actions, WIDTH), reach.dtype)
    found[:, :entries] = reach[parent].reshape(vectors, WIDTH, entries).transpose(0, 2, 1)
    decisions = zip(side.public.tolist(), side.nodes.tolist(), strict=True)
    for public, (first, count, before) in decisions:
        actions = slice(entries + first, entries + first + count)
        sigma = as_vectors(normalized(tables[public].astype(np.float64)), 0.0, street, player)
        np.multiply(sigma, found[:, before, None], out=found[:, actions], casting="same_kind")
    return found
