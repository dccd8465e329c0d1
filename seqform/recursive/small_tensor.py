"""SmallTensor: a tensor of chances in fewer types, which come near to all that there are.

What classes of hands do against others hangs on little: on how high, how well paired, how suited
they are. So a few combinations of types tell nearly all. They are those that hold most of the
weights, by the higher-order singular value decomposition (De Lathauwer, De Moor & Vandewalle, SIAM
J. Matrix Analysis and Applications 21(4), 2000). Products by a vector then take a small part of the
time. What is left out matters all the same: see `seqform.recursive.dense_payer`.
"""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Numbers
from seqform.recursive.chance_tensor import ChanceTensor, OutcomeTensor

RANK = 40
"""Combinations of types of each player."""


class SmallTensor(OutcomeTensor):
    """Chances by combinations of types.

    Parameters
    ----------
    tensor
        Chances by types.
    rank
        How many combinations of each player there are at most.

    Attributes
    ----------
    bases
        For each seat float32 (num_types, num_combinations), with orthonormal columns.
    """

    def __init__(self, tensor: ChanceTensor, rank: int = RANK) -> None:
        self.bases = [_basis(tensor, seat, rank) for seat in range(3)]
        one, other, third = self.bases
        small = []
        for weights in tensor.weights:
            left = np.tensordot(weights, third, (2, 0))
            left = np.tensordot(left, other, (1, 0))
            small.append(np.tensordot(left, one, (0, 0)).transpose())
        super().__init__(np.ascontiguousarray(small, dtype=np.float32))

    def lowered(self, seat: int, vectors: Numbers) -> Numbers:
        """Return vectors over a seat's types (..., num_types, n) over its combinations."""
        return self.bases[seat].T @ vectors

    def raised(self, seat: int, sums: Numbers) -> Numbers:
        """Return sums for a seat's combinations (num_combinations, n) for its types."""
        return self.bases[seat] @ sums


def _basis(tensor: ChanceTensor, seat: int, rank: int) -> Numbers:
    """Return the combinations of a seat's types that hold most of the weights."""
    size = tensor.num_types[seat]
    if size <= rank:
        return np.eye(size, dtype=np.float32)
    gram = np.zeros((size, size))
    for weights in tensor.weights:
        by_type = np.moveaxis(weights, seat, 0).reshape(size, -1)
        gram += by_type @ by_type.T
    return np.ascontiguousarray(np.linalg.eigh(gram)[1][:, -rank:], dtype=np.float32)
