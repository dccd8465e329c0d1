"""First best: which of equally good actions a best response takes, however sums were rounded.

Two actions that are worth the same come out of floats a little apart, and which of them is ahead
depends on the order of additions. So every action whose value may be the largest, by the bound on
all rounding errors (`seqform.concepts.rounding`), counts as best, and the first of them is taken.
In fractions that is the first action of exactly the largest value.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.concepts.rounding import error_shares
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import HIGHER_ORDERS


def first_best(
    game: SequenceForm, player: int, plans: Sequence[Floats], gradient: Floats
) -> tuple[float, Index]:
    """Return what a best response gets, and the sequence that it takes in each information set.

    Parameters
    ----------
    plans
        For each player float64 (num_sequences,).
    gradient
        Of the player against them, float64 (num_sequences,).

    Returns
    -------
    value, choices
        The value is the largest one as computed. Choices are int64 (num_infosets,); what they get
        is as much, but for rounding errors.
    """
    treeplex = game.treeplexes[player]
    shares = error_shares(game, player)
    errors = shares.best * game.absolute_gradient(player, plans)
    merged = game.error_gradient(player, plans)
    if merged is not None:
        errors += HIGHER_ORDERS * merged
    worth = treeplex.worth(gradient)
    most = treeplex.worth(gradient + errors) + shares.lost
    least = treeplex.worth(gradient - errors) - shares.lost
    if not treeplex.num_infosets:
        return float(worth[0]), np.zeros(0, dtype=np.int64)
    sure = treeplex.to_actions(treeplex.over_actions(np.maximum, least))
    maybe = np.flatnonzero(most[1:] >= sure) + 1
    owners, places = np.unique(treeplex.infoset_of[maybe], return_index=True)
    choices = np.zeros(treeplex.num_infosets, dtype=np.int64)
    choices[owners] = maybe[places]
    return float(worth[0]), choices
