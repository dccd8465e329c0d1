"""What regret minimization keeps of a player with a treeplex."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Ints
from seqform.form.treeplex import Treeplex


class Player(NamedTuple):
    """One player's treeplex and vectors over its sequences; see `treeplex_kernels`."""

    first: Ints
    parent: Ints
    regret: Floats
    last: Floats
    behavior: Floats
    plan: Floats
    average: Floats
    utility: Floats

    @classmethod
    def start(cls, treeplex: Treeplex) -> Player:
        """Return a player who has no regrets yet and plays uniformly."""
        size, uniform = treeplex.num_sequences, treeplex.uniform()
        zeros = [np.zeros(size) for _ in range(4)]
        return cls(
            treeplex.first_sequence,
            treeplex.parent_sequence,
            zeros[0],
            zeros[1],
            uniform,
            treeplex.to_plan(uniform),
            zeros[2],
            zeros[3],
        )
