"""Information sets with equally many actions are gone through as tables, with the same digits."""

from __future__ import annotations

import numpy as np
import pytest

from seqform.form.treeplex import LONG_STRETCH, Treeplex


def treeplex(rng: np.random.Generator, long: bool) -> Treeplex:
    """Return one move of random numbers of actions, of which many in a row are alike, or none."""
    counts = rng.integers(1, 12, 6)
    actions = np.repeat(counts, rng.integers(1, 3 * LONG_STRETCH, 6) if long else 1)
    first = np.concatenate([[1], 1 + np.cumsum(actions)]).astype(np.int32)
    return Treeplex(np.zeros(len(actions), dtype=np.int32), first)


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_what_is_taken_over_actions_is_that_of_each_information_set(seed: int, long: bool) -> None:
    rng = np.random.default_rng(seed)
    of = treeplex(rng, long)
    vector = rng.standard_normal(of.num_sequences)
    starts = of.first_sequence[:-1]
    for operation in (np.add, np.maximum):
        expected = operation.reduceat(vector, starts)
        found = of.over_actions(operation, vector)
        assert np.allclose(found, expected, rtol=1e-15, atol=1e-15)
        assert operation is np.add or (found == expected).all()
        a, b = sorted(rng.integers(0, of.num_infosets, 2))
        assert (of.over_actions(operation, vector, slice(a, b)) == found[a:b]).all()
    values = rng.integers(0, 100, of.num_infosets)
    assert (of.to_actions(values) == np.repeat(values, of.num_actions)).all()
    assert of.to_actions(values > 50).dtype == np.bool_


@pytest.mark.parametrize("seed", range(20))
def test_rounded_behaviour_sums_to_one_exactly(seed: int) -> None:
    rng = np.random.default_rng(seed)
    of = treeplex(rng, long=True)
    behavior = of.to_behavior(np.append(1.0, rng.random(of.num_sequences - 1)))
    rounded = of.round_behavior(behavior)
    assert (np.add.reduceat(rounded, of.first_sequence[:-1]) == 1).all()
    assert np.abs(rounded - behavior).max() <= 12 * 2.0**-24
