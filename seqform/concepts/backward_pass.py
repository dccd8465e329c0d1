"""The backward pass of certificates in floats: what best responses are worth, block by block."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.explicit_passage import WholeBlock
from seqform.form.protocol import Block, Parts, Step
from seqform.form.sequence_form import SequenceForm


class BestResponse:
    """A backward pass over a player's information sets: the most that each is worth goes up."""

    def __init__(self) -> None:
        self._later: Parts = {}
        self.value = float("nan")

    def take(self, block: Block, steps: Iterable[Step], worth: Parts) -> None:
        """Go up a block by steps of the player; after the last one `value` is known.

        `worth` is changed.
        """
        worth = self._later | worth
        for step in steps:
            step.add(step.over_actions(np.maximum, worth), worth, self._later)
        if block.is_last:
            self.value = float(block.root(worth))


def best_value(game: SequenceForm, player: int, paid: Floats) -> float:
    """Return the most that a plan of a player gets where each sequence is paid so much.

    Parameters
    ----------
    paid
        float64 (num_sequences,); it is written over.
    """
    block, found = WholeBlock(game), BestResponse()
    found.take(block, block.steps(player), {0: paid})
    return found.value
