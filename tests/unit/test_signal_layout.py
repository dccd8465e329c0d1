"""Payoffs that are taken apart come together again, entry by entry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from seqform.solvers.iterative.regret.signal_layout import _outcomes

HANDS = 8


def whole(found: Any) -> Any:
    """Put the payoffs of one outcome in one block together again."""
    at = np.arange(HANDS)
    pattern = (at < found.lo[0][:, None]).astype(float) - (at >= found.hi[0][:, None])
    model = found.u[0][:, None] * found.v[0] * (pattern if not found.flat[0, 0] else 1.0)
    for position in range(HANDS):
        for entry in range(found.start[0, position], found.start[0, position + 1]):
            model[position, found.other[entry]] += found.value[entry]
    return model


@pytest.mark.parametrize("showdown", [False, True])
@pytest.mark.parametrize("off", [0, 1, 1_000, 4_000, 50_000, -1, -4_000])
def test_a_small_deviation_is_corrected(showdown: bool, off: int) -> None:
    """One pair of hands meets in more or fewer ways than all others, by 1e-6 to 5e-2 of them."""
    ways = np.full((HANDS, HANDS), 1_000_000)
    ways[2, 5] += off
    at = np.arange(HANDS)
    pays = ways * (np.sign(at[:, None] - at) if showdown else 1)
    order, blocks = (at, at), (np.array([0, HANDS]), np.array([0, HANDS]))
    met, table = (sp.csr_array(matrix) for matrix in (ways, pays))
    found = _outcomes(met, [table], order, blocks, player=0, ways=1)
    assert found.structured.all()
    assert found.flat.all() != showdown
    assert np.abs(whole(found) - pays).max() < 1e-3
    assert len(found.other) == (off != 0)
