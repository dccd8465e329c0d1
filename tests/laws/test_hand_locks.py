"""Locked games of hands, against the same lock of the game dealt out card by card."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform.base.arrays import Floats, Mask
from seqform.concepts.nash import certify
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame
from seqform.form.lock import Lock
from seqform.form.treeplex import Treeplex
from seqform.links.lifting import lift_profile
from seqform.links.locked_game import lock_game
from seqform.solvers.iterative.regret.hand_engine import HandEngine, by_decision
from seqform.solvers.iterative.regret.hand_layout import lay_out
from seqform.solvers.iterative.regret.rules import rule
from tests.examples import examples
from tests.laws.test_hand_engine import KINDS, WITHOUT, Watched, distance, regrets_now
from tests.random_hand_locks import explicit_lock, hand_lock, random_said
from tests.random_ranges import (
    exchangeable_hand_game,
    raked,
    random_hand_game,
    symmetric_hand_game,
)

SEEDS = st.integers(0, 100_000)


class Locked(Watched):
    """An engine of a locked game, and the lock of the game dealt out."""

    def __init__(self, game: HandGame, seed: int, kind: str, dtype: Any, **options: Any) -> None:
        said = random_said(HandStructure(game), seed)
        super().__init__(game, KINDS[kind], dtype)
        lock = hand_lock(self.structure, said)
        self.engine = HandEngine(self.structure, self.rule, dtype, lock=lock, **options)
        self.lock = explicit_lock(self.form, said, self.place)


def played(treeplex: Treeplex, lock: Lock, player: int, regrets: Floats) -> Floats:
    """Return what is locked, and regret matching of what is free, as plain as can be."""
    found = np.ones_like(regrets)
    for first, stop in pairwise(treeplex.first_sequence.tolist()):
        numbers = lock.fixed[player][first:stop]
        left = float(1 - sum(of for of in numbers if of is not None))
        free = np.array([of is None for of in numbers])
        odds = np.maximum(regrets[first:stop], 0.0) * free
        odds = odds / odds.sum() if odds.sum() > 0 else free / max(1, free.sum())
        found[first:stop] = [float(of or 0) for of in numbers] + left * odds
    return found


def of_free(treeplex: Treeplex, lock: Lock, player: int, now: Floats, behavior: Floats) -> Floats:
    """Return regrets against what free actions are worth together, and 0 of those locked."""
    found = np.zeros_like(now)
    for first, stop in pairwise(treeplex.first_sequence.tolist()):
        numbers = lock.fixed[player][first:stop]
        free = np.array([of is None for of in numbers])
        share = behavior[first:stop] * free
        if share.sum() > 0:
            mean = now[first:stop] @ share / share.sum()
            found[first:stop] = np.where(free, now[first:stop] - mean, 0.0)
    return found


def learned(of: Locked, player: int) -> Floats:
    """Return regrets by sequences: where some actions are locked, those that are kept apart."""
    found = {}
    for number, street in enumerate(of.engine.layout.streets):
        at_work = of.engine._streets[number]
        cells = at_work.regret[player].copy()
        for part in at_work.locked[player].parts:
            cells.reshape(-1)[part.places] = part.learned
        found.update(by_decision(street, player, cells))
    return of.vector(player, found)


def is_whole(lock: Lock, player: int) -> Mask:
    """Return which sequences are of sets that leave nothing to decide."""
    treeplex = lock.form.treeplexes[player]
    found = np.zeros(treeplex.num_sequences, dtype=bool)
    for first, stop in pairwise(treeplex.first_sequence.tolist()):
        numbers = lock.fixed[player][first:stop]
        left = 1 - sum(of for of in numbers if of is not None)
        found[first:stop] = None not in numbers or numbers.count(None) < 2 or not left
    return found


def check_iterations(of: Locked, count: int, accuracy: float) -> None:
    """Make iterations, and compare each with the same one by the plain rule."""
    treeplexes = of.form.treeplexes
    for _ in range(count):
        positive, negative, weight = of.rule.schedule(of.engine.iterations, 1)[0, :3]
        share = weight / (of.engine.total_weight + weight)
        regrets = [learned(of, player) for player in (0, 1)]
        averages = [of.kept(player, "average") for player in (0, 1)]
        of.engine.run(1)
        for player, treeplex in enumerate(treeplexes):
            behaviors = [played(t, of.lock, p, regrets[p]) for p, t in enumerate(treeplexes)]
            plans = [t.to_plan(each) for t, each in zip(treeplexes, behaviors, strict=True)]
            gradient = of.form.gradient(player, plans) * of.engine.layout.total / of.hands(player)
            now = regrets_now(treeplex, behaviors[player], gradient)
            now = of_free(treeplex, of.lock, player, now, behaviors[player])
            now += regrets[player] * np.where(regrets[player] > 0, positive, negative)
            scale = max(1.0, float(np.abs(gradient).max()))
            regrets[player], free = learned(of, player), ~is_whole(of.lock, player)
            assert distance(regrets[player][free][1:], now[free][1:]) < accuracy * scale
            reach = averages[player] + share * (of.hands(player) * plans[player] - averages[player])
            assert distance(of.kept(player, "average")[1:], reach[1:]) < accuracy


def check_bounds(of: Locked, accuracy: float) -> None:
    """The engine's bounds are what the certificate of the locked game says of its average."""
    locked = lock_game(of.lock)
    behaviors = [np.ones(treeplex.num_sequences) for treeplex in locked.form.treeplexes]
    images, shares = locked.inverse.sequences, locked.inverse.shares
    assert shares is not None
    for player, behavior in enumerate(of.behaviors()):
        free = np.flatnonzero(images[player] > 0)
        behaviors[player][images[player][free]] = behavior[free] / shares[player][free]
    treeplexes = locked.form.treeplexes
    plans = [t.to_plan(each) for t, each in zip(treeplexes, behaviors, strict=True)]
    found = certify(locked.form, locked.form.profile_of_plans(plans))
    wanted = (found.lower, found.upper) if found.is_constant_sum else (0.0, found.nash_gap)
    assert of.engine.bounds() == pytest.approx(wanted, abs=accuracy * of.form.largest_payoff)
    kept = lift_profile(locked.form.profile_of_plans(plans), locked.inverse)
    assert len(kept.behaviors) == 2


@given(SEEDS, st.sampled_from(["dcfr", "cfr+", "general dcfr"]))
@examples(12, 25)
def test_iterations_are_those_of_the_locked_game_dealt_out(seed: int, kind: str) -> None:
    of = Locked(random_hand_game(seed), seed, kind, np.float64)
    check_iterations(of, 4, 1e-10)
    check_bounds(of, 1e-6)  # behaviours have 24 bits


@pytest.mark.parametrize("vectors", [True, WITHOUT])
@given(seed=SEEDS)
@examples(7, 15)
def test_single_precision_does_the_same_by_vectors_and_without(seed: int, vectors: bool) -> None:
    of = Locked(random_hand_game(seed), seed, "dcfr", np.float32, vectors=vectors)
    check_iterations(of, 3, 1e-5)
    check_bounds(of, 1e-5)


@given(SEEDS)
@examples(5, 10)
def test_locked_games_with_symmetries_and_with_rake(seed: int) -> None:
    even = Locked(symmetric_hand_game(seed, ranks=3), seed, "dcfr", np.float64)
    check_iterations(even, 2, 1e-10)
    check_bounds(even, 1e-6)
    taxed = Locked(raked(random_hand_game(seed), seed), seed, "dcfr", np.float64)
    check_iterations(taxed, 3, 1e-10)
    check_bounds(taxed, 1e-6)


@given(SEEDS)
@examples(15, 40)
def test_locked_games_whose_cards_may_change_places_if_the_lock_lets_them(seed: int) -> None:
    of = Locked(exchangeable_hand_game(seed), seed, "dcfr", np.float64)
    check_iterations(of, 3, 1e-11)
    check_bounds(of, 1e-6)


def test_some_of_these_locks_let_cards_change_places_and_some_do_not() -> None:
    fewer = []
    for seed in range(20):
        of = Locked(exchangeable_hand_game(seed), seed, "dcfr", np.float64)
        hands = [
            sum(int((held.size > 0).sum()) for street in layout.streets for held in street.held)
            for layout in (of.engine.layout, lay_out(of.structure))
        ]
        fewer.append(hands[0] < hands[1])
    assert any(fewer)
    assert not all(fewer)


@given(SEEDS)
@settings(max_examples=5)
def test_restored_states_of_locked_games_change_no_digit(seed: int) -> None:
    structure = HandStructure(random_hand_game(seed))
    lock = hand_lock(structure, random_said(structure, seed))
    alone, resumed = (HandEngine(structure, rule("dcfr"), lock=lock) for _ in range(2))
    alone.run(3)
    resumed.restore({name: array.copy() for name, array in alone.state().items()}, 3)
    alone.run(3)
    resumed.run(3)
    for name, array in alone.state().items():
        assert (resumed.state()[name] == array).all(), name
    assert resumed.bounds() == alone.bounds()
