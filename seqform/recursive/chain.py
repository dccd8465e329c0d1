"""Markov chains of stages: what positions are worth once all strategies are fixed, in floats."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from seqform.base.arrays import Floats, Mask

TINY = 1e-15
"""Probabilities up to this, of play that goes on or ends, count as none: they are roundings."""


def chain_values(moves: sp.csr_array, paid: Floats, leaving: Floats, endless: Floats) -> Floats:
    """Return what each state of a chain is worth.

    Parameters
    ----------
    moves
        float64 CSR (num_states, num_states): how likely play goes on from one to another.
    paid
        float64 (num_states,): what is paid in each on average, before play goes on.
    leaving
        float64 (num_states,): how likely play ends there.
    endless
        float64 (num_states,): what play is worth that never ends. States from which no end can be
        reached are worth that.
    """
    ends = reaches_end(moves, leaving)
    values = np.where(ends, 0.0, endless)
    if ends.any():
        inside = moves[ends][:, ends]
        right = paid[ends] + moves[ends][:, ~ends] @ values[~ends]
        values[ends] = splu(sp.eye_array(inside.shape[0], format="csc") - inside.tocsc()).solve(
            right
        )
    return values


def reaches_end(moves: sp.csr_array, leaving: Floats) -> Mask:
    """Return from which states an end can be reached, bool (num_states,)."""
    reached = leaving > TINY
    links = sp.csr_array((np.ones(moves.nnz), moves.indices, moves.indptr), shape=moves.shape)
    links.data[moves.data <= TINY] = 0.0
    while True:
        wider = reached | (links @ reached.astype(np.float64) > 0)
        if (wider == reached).all():
            return reached
        reached = wider
