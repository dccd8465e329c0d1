"""Games of hands completed by boards: free ones against listed ones, locked ones by their lock."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from seqform.concepts.nash import certify
from seqform.form.hand_form import HandForm, hand_form
from seqform.links.locked_hands import lock_hands
from seqform.strategies.completion import complete, trembled, unreached
from seqform.strategies.hand_completion import complete_by_hands
from tests.examples import examples
from tests.random_hand_locks import hand_lock, random_said
from tests.symmetric_hand_games import random_strategy, small_hand_game

SEEDS = st.integers(0, 100_000)


@given(SEEDS)
@settings(max_examples=20)
def test_sets_that_own_plans_avoid_are_answered_best(seed: int) -> None:
    form = hand_form(small_hand_game(seed))
    assert isinstance(form, HandForm)
    given = random_strategy(form.structure, seed, sparse=True).in_form(form)
    found, counts = complete_by_hands(form, given)
    plain = form.profile(given.behaviors)
    assert counts == complete(form, plain).num_completed
    np.testing.assert_allclose(np.concatenate(found.plans), np.concatenate(plain.plans), atol=1e-15)
    treeplex, other = form.treeplexes[1], form.treeplexes[0]  # player 1 answers last
    sets = unreached(treeplex, plain.plans[1])
    there = np.append(False, treeplex.to_actions(sets))
    behavior = found.behaviors[1]
    np.testing.assert_allclose(behavior[~there], plain.behaviors[1][~there], atol=1e-15)
    assert set(behavior[there].tolist()) <= {0.0, 1.0}
    err = trembled(other, found.behaviors[0])
    worth = treeplex.worth(form.gradient(1, [err, plain.plans[1]]))
    most = treeplex.to_actions(treeplex.over_actions(np.maximum, worth))
    chosen = there[1:] & (behavior[1:] == 1)
    assert worth[1:][chosen] == pytest.approx(most[chosen], abs=1e-9 * form.payoff_scale)


@given(SEEDS)
@examples(10, 20)
def test_a_locked_game_keeps_its_lock_and_its_value(seed: int) -> None:
    form = hand_form(small_hand_game(seed))
    assert isinstance(form, HandForm)
    every = form.structure.without_symmetries
    lock = hand_lock(every, random_said(every, seed)).with_its_symmetries(form.structure)
    assume(any(lock.nodes))
    locked, inverse = lock_hands(form, lock)
    given = random_strategy(lock.structure, seed, sparse=True).in_form(locked)
    found, counts = complete_by_hands(locked, given)
    before, after = certify(locked, given), certify(locked, found)
    assert after.values == pytest.approx(before.values, abs=1e-12)
    assert (after.lower, after.upper) == pytest.approx((before.lower, before.upper), abs=1e-12)
    lifted = inverse.lifted(found, locked)
    again = certify(locked, inverse.locked(lifted, locked))  # or it does not keep to the lock
    assert again.values == pytest.approx(before.values, abs=1e-12)
    plans = inverse.lifted(given, locked).plans
    free = [unreached(t, plan) for t, plan in zip(form.treeplexes, plans, strict=True)]
    assert all(count <= int(sets.sum()) for count, sets in zip(counts, free, strict=True))
    changed = [
        (np.abs(one - two) > 1e-12).any()
        for one, two in zip(lifted.behaviors, inverse.lifted(given, locked).behaviors, strict=True)
    ]
    assert all(count or not is_changed for count, is_changed in zip(counts, changed, strict=True))


@given(SEEDS)
@example(3)
@settings(max_examples=10)
def test_what_was_certified_in_single_precision_stays_as_it_is(seed: int) -> None:
    form = hand_form(small_hand_game(seed))
    assert isinstance(form, HandForm)
    every = form.structure.without_symmetries
    lock = hand_lock(every, random_said(every, seed)).with_its_symmetries(form.structure)
    assume(any(lock.nodes))
    locked, _ = lock_hands(form, lock)
    given = random_strategy(lock.structure, seed, np.float32, sparse=True).in_form(locked)
    found, _ = complete_by_hands(locked, given)
    before, after = certify(locked, given), certify(locked, found)
    assert after.values == before.values
    assert sum(after.gains) == pytest.approx(sum(before.gains), abs=1e-12 * form.payoff_scale)
