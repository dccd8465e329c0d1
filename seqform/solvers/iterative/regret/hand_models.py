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
from seqform.form.restricted_hands import Followed
from seqform.solvers.iterative.regret.hand_layout import (
    Layout,
    Street,
    as_vectors,
    boards_of_places,
)
from seqform.solvers.iterative.regret.hand_rounds import WIDTH


def lines_of_model(layout: Layout, followed: Followed, dtype: DTypeLike) -> Iterator[Numbers]:
    """Yield, street by street, the model's reach of all lines, times how often it is followed.

    (vectors, lines, width), the entries first; hands weigh what they weigh in `layout`.
    """
    weights = layout.weights[followed.player]
    reach = np.zeros((1, len(weights) + 1, 1), dtype)  # of the root
    reach[0, :-1, 0] = weights * float(followed.p)
    for street in layout.streets:
        check_time("laying out a model")
        lines = _lines(street, followed, reach)
        yield lines
        reach = _at_exits(street, followed.player, len(weights), lines)


def _lines(street: Street, followed: Followed, reach: Numbers) -> Numbers:
    """Return the reach of all lines from that of the exits before, (boards, hands + 1, exits)."""
    player, tables = followed.player, followed.strategy.behaviors[followed.player]
    side, hand = street.round.sides[player], street.held[player].hand
    entries, shape = len(street.round.entries), (len(hand) // WIDTH, WIDTH)
    found = np.empty((shape[0], entries + side.num_actions, WIDTH), reach.dtype)
    above = reach[street.parent[boards_of_places(street, player)], hand]
    found[:, :entries] = above.reshape(*shape, entries).transpose(0, 2, 1)
    decisions = zip(side.public.tolist(), side.nodes.tolist(), strict=True)
    for public, (first, count, before) in decisions:
        actions = slice(entries + first, entries + first + count)
        sigma = as_vectors(tables[public], 0.0, street, player)
        np.multiply(sigma, found[:, before, None], out=found[:, actions], casting="same_kind")
    return found


def _at_exits(street: Street, player: int, num_hands: int, lines: Numbers) -> Numbers:
    """Return the reach of the exits of a street: (boards, hands + 1, exits)."""
    exits = street.round.sides[player].exits
    found = np.zeros((street.num_boards, num_hands + 1, len(exits)), lines.dtype)
    hand = street.held[player].hand
    there = lines[:, exits].transpose(0, 2, 1).reshape(len(hand), len(exits))
    found[boards_of_places(street, player), hand] = there
    return found
