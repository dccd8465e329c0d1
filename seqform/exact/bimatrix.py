"""What two players' plans pay each of them, as one matrix of integers for each player."""

from __future__ import annotations

import numpy as np

from seqform.base.integer_matrix import IntegerMatrix
from seqform.exact.products import integer_entries
from seqform.form.sequence_form import SequenceForm


def payoff_matrix(game: SequenceForm, player: int) -> tuple[IntegerMatrix, int]:
    """Return a player's payoffs, sequences of player 0 by those of player 1, and a denominator.

    Of player 1 in a constant-sum game the constant is paid at the empty sequences.

    Raises
    ------
    UnsupportedGameError
        If the player's payoffs were made from floats.
    """
    places, numbers, denominator = integer_entries(game, player)
    sums: dict[tuple[int, int], int] = {}
    for place, number in zip(zip(*(p.tolist() for p in places), strict=True), numbers, strict=True):
        sums[place] = sums.get(place, 0) + number
    kept = {place: number for place, number in sums.items() if number}
    where = np.array(list(kept), dtype=np.int64).reshape(-1, 2)
    entries = np.empty(len(kept), dtype=object)
    entries[:] = list(kept.values())
    shape = game.treeplexes[0].num_sequences, game.treeplexes[1].num_sequences
    return IntegerMatrix.from_entries(where[:, 0], where[:, 1], entries, shape), denominator
