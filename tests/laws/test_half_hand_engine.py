"""Regrets and averages of games of hands in 16 bits, against the same in more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform.base.arrays import Floats, Numbers
from seqform.form.hand_structure import HandStructure
from seqform.solvers.iterative.regret.hand_engine import HandEngine
from seqform.solvers.iterative.regret.hand_half_kernels import PARTS
from seqform.solvers.iterative.regret.rules import rule
from tests.examples import examples
from tests.laws.test_hand_engine import KINDS, Watched, check_claim, matched, regrets_now
from tests.random_ranges import raked, random_hand_game

PART = 1 / PARTS
ULP = 2.0**-7
"""Of a short float, as a share of it."""


class WatchedHalf(Watched):
    """An engine in 16 bits, and its regrets and average plans by sequences."""

    def kept(self, player: int, name: str) -> Floats:
        """Return regrets or average plans, times the weights of hands, by sequences."""
        if name == "regret":
            return super().kept(player, name)
        plan = self.form.treeplexes[player].to_plan(self.behaviors()[player])
        return self.hands(player) * plan

    def cells(self, name: str) -> Numbers:
        """Return an array of the engine's, short floats as such."""
        found = super().cells(name)
        if found.dtype != np.uint16 or not name.startswith("regret"):
            return found
        return (found.astype(np.uint32) << 16).view(np.float32)

    def is_last(self, player: int) -> Any:
        """Tell which sequences are of the last street."""
        last = len(self.engine.layout.streets) - 1
        of_infoset = [len(label[3]) == last for label in self.labels(player)]
        counts = self.form.treeplexes[player].num_actions
        return np.append(False, np.repeat(np.array(of_infoset, dtype=np.bool_), counts))


class Steps:
    """What an iteration should have left, in doubles, and what it left."""

    def __init__(self, of: WatchedHalf) -> None:
        positive, negative, weight = of.rule.schedule(of.engine.iterations, 1)[0, :3]
        self.share = weight / (of.engine.total_weight + weight)
        players, forms = (0, 1), of.form.treeplexes
        regrets = [of.kept(player, "regret") for player in players]
        self.before = of.behaviors()
        of.engine.run(1)
        self.wanted, self.found, self.scale = [], [], []
        self.mixed, self.after = [], of.behaviors()
        for player in players:
            strategies = [matched(*each) for each in zip(forms, regrets, strict=True)]
            plans = [t.to_plan(each) for t, each in zip(forms, strategies, strict=True)]
            gradient = of.form.gradient(player, plans) * of.engine.layout.total
            gradient /= of.hands(player)
            new = regrets_now(forms[player], strategies[player], gradient)
            new += regrets[player] * np.where(regrets[player] > 0, positive, negative)
            regrets[player] = of.kept(player, "regret")
            self.wanted.append(new)
            self.found.append(regrets[player])
            self.scale.append(max(1.0, float(np.abs(gradient).max())))
            average = forms[player].to_plan(self.before[player])
            mixed = average + self.share * (plans[player] - average)
            self.mixed.append(of.form.treeplexes[player].to_behavior(mixed))


@given(st.integers(0, 100_000), st.sampled_from(list(KINDS)))
@examples(7, 15)
def test_iterations_are_those_of_the_game_dealt_out_up_to_16_bits(seed: int, kind: str) -> None:
    of = WatchedHalf(random_hand_game(seed), KINDS[kind], np.float32, half=True)
    for _ in range(5):
        step = Steps(of)
        for player in (0, 1):
            last = of.is_last(player)
            wanted, found = step.wanted[player], step.found[player]
            exact = 1e-5 * step.scale[player]
            near = exact + np.where(last, ULP * np.abs(wanted), 0)
            assert (np.abs(found - wanted) <= near)[1:].all()
            reached = of.form.treeplexes[player].to_plan(step.mixed[player]) > 1e-3
            off = np.abs(step.after[player] - step.mixed[player])
            assert (off[reached] <= np.where(last, PART, 0)[reached] + 2e-6).all()
    check_claim(of, 1e-5)


def test_rounding_is_right_on_average() -> None:
    averages: list[Floats] = []
    regrets: list[Floats] = []
    for seed in (5, 6, 7, 11):
        of = WatchedHalf(random_hand_game(seed, (2, 2)), rule("dcfr"), np.float32, half=True)
        of.engine.run(3)
        for _ in range(40):
            step = Steps(of)
            for player in (0, 1):
                last, wanted = of.is_last(player), step.wanted[player]
                plan = of.form.treeplexes[player].to_plan(step.mixed[player])
                parts = (step.after[player] - step.mixed[player]) * PARTS
                changed = np.abs(parts) > 1e-2  # what is whole stays so
                averages.append(parts[last & changed & (plan > 0.1)])
                large = last & (np.abs(wanted) > 1e-3 * step.scale[player])
                unit = np.ldexp(1.0, np.frexp(wanted[large])[1] - 8)
                regrets.append((step.found[player] - wanted)[large] / unit)
    for errors in map(np.concatenate, (averages, regrets)):
        assert len(errors) > 200
        assert 0.2 < errors.std() < 0.6
        assert abs(errors.mean()) < 5 * errors.std() / np.sqrt(len(errors))


@given(st.integers(0, 100_000))
@settings(max_examples=6)
def test_gaps_go_where_those_of_single_precision_go(seed: int) -> None:
    structure = HandStructure(random_hand_game(seed))
    half, single = (HandEngine(structure, rule("dcfr"), half=each) for each in (True, False))
    for engine in (half, single):
        engine.run(600)
    scale = float(np.abs(structure.game.betting.paid).max() / structure.game.betting.denominator)
    gaps = [upper - lower for lower, upper in (half.bounds(), single.bounds())]
    assert gaps[0] <= 2 * gaps[1] + 1e-3 * scale
    assert gaps[0] >= -1e-5 * scale


@given(st.integers(0, 100_000))
@settings(max_examples=4)
def test_games_with_rake_have_the_gains_that_are_claimed(seed: int) -> None:
    of = WatchedHalf(raked(random_hand_game(seed), seed), rule("dcfr"), np.float32, half=True)
    of.engine.run(6)
    check_claim(of, 1e-5)


def test_before_the_first_iteration_all_actions_are_alike() -> None:
    structure = HandStructure(random_hand_game(5, (2, 2)))
    for tables in HandEngine(structure, rule("dcfr"), half=True).behaviors():
        for table in tables.values():
            played = table[table > 0]
            assert played == pytest.approx(np.full(len(played), 1 / table.shape[1]), abs=2 * PART)
