"""Laws of rounding behaviour strategies to few binary digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.leduc import leduc
from seqform import build_sequence_form, build_tree
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from tests.strategies import games, random_profile, seeds


def check(treeplex: Treeplex, behavior: np.ndarray, bits: int) -> None:
    before = behavior.copy()
    rounded = treeplex.round_behavior(behavior, bits)
    np.testing.assert_array_equal(behavior, before)
    units = rounded * 2.0**bits
    np.testing.assert_array_equal(units, np.round(units))
    assert (rounded >= 0).all()
    assert rounded[0] == 1
    for infoset in range(treeplex.num_infosets):
        actions = slice(*treeplex.first_sequence[infoset : infoset + 2])
        assert rounded[actions].sum() == 1.0
        assert (
            np.abs(rounded[actions] - behavior[actions]).max()
            <= 2.0 ** (1 - bits) * treeplex.num_actions[infoset]
        )
    assert (rounded[behavior == 0] == 0).all()
    if bits <= 24:
        np.testing.assert_array_equal(rounded.astype(np.float32).astype(np.float64), rounded)
    np.testing.assert_array_equal(treeplex.round_behavior(rounded, bits), rounded)
    np.testing.assert_array_equal(treeplex.normalize(rounded), rounded)


@given(games(), seeds, st.sampled_from([1, 8, 24, 30]), st.booleans())
def test_multiples_that_sum_to_one_near_to_what_was(
    game: SequenceForm, seed: int, bits: int, sparse: bool
) -> None:
    for treeplex, behavior in zip(
        game.treeplexes, random_profile(game, seed, sparse).behaviors, strict=True
    ):
        check(treeplex, behavior, bits)


@pytest.mark.parametrize("actions", [1, 2, 3, 7, 1000])
def test_uniform_and_nearly_pure_behaviour(actions: int) -> None:
    treeplex = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 1 + actions], dtype=np.int32))
    check(treeplex, treeplex.uniform(), 24)
    tiny = np.full(actions + 1, 2.0**-26)
    tiny[[0, -1]] = 1.0, 1.0 - tiny[1:-1].sum()
    check(treeplex, tiny, 24)
    assert treeplex.round_behavior(tiny)[-1] == 1.0


def test_what_is_left_goes_to_the_likeliest_action_the_first_if_several_are() -> None:
    treeplex = Treeplex(np.zeros(2, dtype=np.int32), np.array([1, 4, 6], dtype=np.int32))
    behavior = np.array([1.0, 0.3, 0.4, 0.3, 0.5, 0.5])
    np.testing.assert_array_equal(treeplex.round_behavior(behavior, 1), [1, 0, 1, 0, 0.5, 0.5])
    np.testing.assert_array_equal(
        treeplex.round_behavior(treeplex.uniform(), 2)[1:4], [0.5, 0.25, 0.25]
    )


def test_rounding_a_profile_costs_little() -> None:
    form = build_sequence_form(build_tree(leduc()))
    profile = random_profile(form, 3)
    rounded = profile.rounded(form.treeplexes)
    for player, treeplex in enumerate(form.treeplexes):
        np.testing.assert_array_equal(
            rounded.behaviors[player], treeplex.round_behavior(profile.behaviors[player])
        )
        np.testing.assert_allclose(
            rounded.plans[player], profile.plans[player], atol=8 * 3 * 2.0**-23
        )
    assert isinstance(rounded, Profile)
