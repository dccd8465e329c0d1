"""Regret minimization over games of hands, against the same game dealt out card by card."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform import build_sequence_form, build_tree
from seqform.base.arrays import Floats, Numbers
from seqform.concepts.nash import certify
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.solvers.iterative.regret import hand_returns
from seqform.solvers.iterative.regret.hand_engine import HandEngine, by_decision
from seqform.solvers.iterative.regret.hand_layout import lay_out
from seqform.solvers.iterative.regret.rules import RegretRule, rule
from tests.examples import examples
from tests.random_ranges import (
    exchangeable_hand_game,
    raked,
    random_hand_game,
    symmetric_hand_game,
)
from tests.reference.dealt_out import DealtOut

KINDS = {
    **{name: rule(name) for name in ("dcfr", "cfr", "cfr+", "linear-cfr", "tuned-dcfr")},
    "general dcfr": RegretRule("general", 2.5, 0.5, 3.0),
}


WITHOUT = pytest.param(False, marks=pytest.mark.long)
"""Loops without vectors take long to compile, and in single precision only laws ask for them."""


def dealt_out(game: HandGame) -> SequenceForm:
    return build_sequence_form(build_tree(DealtOut(game)))


class Watched:
    """An engine, and its regrets and averages by the sequences of the game dealt out."""

    def __init__(self, game: HandGame, chosen: RegretRule, dtype: Any, **options: Any) -> None:
        self.form, self.structure, self.rule = dealt_out(game), HandStructure(game), chosen
        self.engine = HandEngine(self.structure, chosen, dtype, **options)
        self.places = [list(map(self.place, self.labels(player))) for player in (0, 1)]

    @property
    def judged(self) -> SequenceForm:
        """The game that is solved."""
        return self.form

    def gradient(self, player: int, plans: list[Floats]) -> Floats:
        """Return what the player's sequences are paid, as the engine counts."""
        return self.form.gradient(player, plans) * self.engine.layout.total / self.hands(player)

    def labels(self, player: int) -> list[Any]:
        count = self.form.treeplexes[player].num_infosets
        return [self.form.infoset_label(player, infoset) for infoset in range(count)]

    def place(self, label: Any) -> tuple[int, int, int]:
        """Return the public node, the orbit of the board, and the hand there."""
        player, node, hand, board = label
        orbits, number = self.structure.orbits[len(board)], self.structure.board_number(board)
        images = self.structure.symmetries[orbits.symmetry[number]].hands[player]
        return node, int(orbits.orbit[number]), int(np.flatnonzero(images == hand)[0])

    def vector(self, player: int, by_node: Any) -> Floats:
        """Return numbers by public node, orbit, action and hand as a vector over sequences."""
        found = [np.ones(1)]
        found += [by_node[node][orbit, :, hand] for node, orbit, hand in self.places[player]]
        return np.concatenate(found).astype(float)

    def kept(self, player: int, name: str) -> Floats:
        """Return regrets or sums, by sequences."""
        found = {}
        for number, street in enumerate(self.engine.layout.streets):
            found.update(by_decision(street, player, self.cells(f"{name}{player}.{number}")))
        return self.vector(player, found)

    def cells(self, name: str) -> Numbers:
        """Return an array of the engine's."""
        return self.engine.state()[name]

    def hands(self, player: int) -> Floats:
        """Return the weight of the hand of each sequence."""
        weights = self.engine.layout.weights[player]
        by_infoset = np.array([weights[label[2]] for label in self.labels(player)])
        return np.append(1.0, np.repeat(by_infoset, self.form.treeplexes[player].num_actions))

    def behaviors(self) -> list[Floats]:
        return [self.vector(player, of) for player, of in enumerate(self.engine.behaviors())]


def matched(treeplex: Treeplex, regrets: Floats) -> Floats:
    """Return regret matching, as plain as can be."""
    found = np.maximum(regrets, 0.0)
    for first, stop in pairwise(treeplex.first_sequence.tolist()):
        total = found[first:stop].sum()
        found[first:stop] = found[first:stop] / total if total > 0 else 1 / (stop - first)
    return found


def regrets_now(treeplex: Treeplex, behavior: Floats, gradient: Floats) -> Floats:
    worth, found = gradient.copy(), np.zeros_like(gradient)
    for infoset in reversed(range(treeplex.num_infosets)):
        first, stop = treeplex.first_sequence[infoset : infoset + 2]
        value = worth[first:stop] @ behavior[first:stop]
        found[first:stop] = worth[first:stop] - value
        worth[treeplex.parent_sequence[infoset]] += value
    return found


def step(of: Watched, accuracy: float) -> None:
    """Make an iteration, and compare it with the same one in the game dealt out."""
    positive, negative, weight = of.rule.schedule(of.engine.iterations, 1)[0, :3]
    share = weight / (of.engine.total_weight + weight)
    regrets = [of.kept(player, "regret") for player in (0, 1)]
    averages = [of.kept(player, "average") for player in (0, 1)]
    of.engine.run(1)
    for player, treeplex in enumerate(of.form.treeplexes):
        behaviors = [matched(*each) for each in zip(of.form.treeplexes, regrets, strict=True)]
        plans = [t.to_plan(each) for t, each in zip(of.form.treeplexes, behaviors, strict=True)]
        gradient = of.gradient(player, plans)
        new = regrets_now(treeplex, behaviors[player], gradient)
        new += regrets[player] * np.where(regrets[player] > 0, positive, negative)
        regrets[player] = of.kept(player, "regret")
        scale = max(1.0, float(np.abs(gradient).max()))
        assert distance(regrets[player][1:], new[1:]) < accuracy * scale
        sums = averages[player] + share * (of.hands(player) * plans[player] - averages[player])
        assert distance(of.kept(player, "average")[1:], sums[1:]) < accuracy


def distance(mine: Floats, theirs: Floats) -> float:
    return float(np.abs(np.subtract(mine, theirs)).max(initial=0))


def check_claim(of: Watched, accuracy: float) -> None:
    """The engine's bounds are what the certificate says of its average; to ask changes nothing."""
    vectors = zip(of.form.treeplexes, of.behaviors(), strict=True)
    plans = [treeplex.to_plan(behavior) for treeplex, behavior in vectors]
    found = certify(of.judged, of.judged.profile_of_plans(plans))
    before = {name: array.copy() for name, array in of.engine.state().items()}
    wanted = (found.lower, found.upper) if found.is_constant_sum else (0.0, found.nash_gap)
    assert of.engine.bounds_value == found.is_constant_sum
    assert of.engine.bounds() == pytest.approx(wanted, abs=accuracy * of.form.largest_payoff)
    for name, array in of.engine.state().items():
        assert (before[name] == array).all(), name


@given(st.integers(0, 100_000), st.sampled_from(list(KINDS)))
@examples(20, 40)
def test_iterations_are_those_of_the_game_dealt_out(seed: int, kind: str) -> None:
    of = Watched(random_hand_game(seed), KINDS[kind], np.float64)
    for _ in range(4):
        step(of, 1e-11)
    check_claim(of, 1e-6)  # behaviours have 24 bits


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@given(st.integers(0, 100_000), st.sampled_from(list(KINDS)))
@examples(15, 40)
def test_hands_whose_cards_may_change_places_are_gone_through_once(
    dtype: Any, seed: int, kind: str
) -> None:
    of = Watched(exchangeable_hand_game(seed), KINDS[kind], dtype)
    accuracy = 1e-11 if dtype == np.float64 else 1e-5
    for _ in range(4):
        step(of, accuracy)
    check_claim(of, max(accuracy, 1e-6))  # behaviours have 24 bits
    layout, listed = of.engine.layout, lay_out(of.structure)
    for street, alone in zip(layout.streets, listed.streets, strict=True):
        for player, held in enumerate(street.held):
            assert held.size.sum() <= alone.held[player].size.sum()
            assert (held.size > 0).sum() <= (alone.held[player].size > 0).sum()


@pytest.mark.parametrize("seed", range(4))
def test_symmetries_and_exchanges_of_cards_go_together(seed: int) -> None:
    of = Watched(exchangeable_hand_game(seed, interleaved=True), KINDS["dcfr"], np.float64)
    assert len(of.structure.symmetries) == 2
    assert len(of.structure.orbits[1].first) == 4
    assert of.engine.layout.streets[1].num_boards == 2
    for _ in range(4):
        step(of, 1e-11)
    check_claim(of, 1e-6)


def test_some_of_these_games_have_far_fewer_hands_than_suits_alone_leave() -> None:
    shares = []
    for seed in range(20):
        structure = HandStructure(exchangeable_hand_game(seed))
        few, all_hands = (
            sum(int((held.size > 0).sum()) for street in of.streets for held in street.held)
            for of in (lay_out(structure, structure.alike_cards), lay_out(structure))
        )
        shares.append(few / all_hands)
    assert min(shares) < 0.6
    assert np.mean(shares) < 1


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@given(st.integers(0, 100_000), st.sampled_from(list(KINDS)))
@examples(10, 20)
def test_games_with_rake_are_gone_through_alike(dtype: Any, seed: int, kind: str) -> None:
    of = Watched(raked(random_hand_game(seed), seed), KINDS[kind], dtype)
    accuracy = 1e-11 if dtype == np.float64 else 1e-5
    for _ in range(4):
        step(of, accuracy)
    check_claim(of, max(accuracy, 2e-6))  # behaviours have 24 bits


@pytest.mark.parametrize("vectors", [True, WITHOUT])
@given(st.integers(0, 100_000), st.sampled_from(list(KINDS)))
@examples(7, 15)
def test_single_precision_does_the_same_by_vectors_and_without(
    vectors: bool, seed: int, kind: str
) -> None:
    of = Watched(random_hand_game(seed), KINDS[kind], np.float32, vectors=vectors)
    for _ in range(4):
        step(of, 1e-5)
    check_claim(of, 1e-5)


@pytest.mark.parametrize("half", [False, True])
@given(st.integers(0, 100_000), st.integers(2, 3))
@settings(max_examples=6)
def test_threads_and_restored_states_change_no_digit(half: bool, seed: int, threads: int) -> None:
    game = random_hand_game(seed)
    alone, shared, resumed = (
        HandEngine(HandStructure(game), rule("dcfr"), threads=count, half=half)
        for count in (1, threads, 1)
    )
    alone.run(3)
    resumed.restore({name: array.copy() for name, array in alone.state().items()}, 3)
    alone.run(4)
    resumed.run(4)
    shared.run(7)
    for other in (shared, resumed):
        for name, array in alone.state().items():
            assert (other.state()[name] == array).all(), name
        assert other.bounds() == alone.bounds()


@given(st.integers(0, 100_000), st.integers(1, 3))
@settings(max_examples=6)
def test_how_boards_are_cut_into_runs_changes_roundings_only(seed: int, runs: int) -> None:
    structure = HandStructure(random_hand_game(seed))
    by_board = HandEngine(structure, rule("dcfr"), np.float64)
    with patch.object(hand_returns, "RUNS", runs):
        by_run = HandEngine(structure, rule("dcfr"), np.float64)
    for engine in (by_board, by_run):
        engine.run(2)
    for name, array in by_board.state().items():
        assert by_run.state()[name] == pytest.approx(array, rel=1e-11, abs=1e-11), name
    assert by_run.bounds() == pytest.approx(by_board.bounds(), rel=1e-11, abs=1e-11)


@given(st.integers(0, 100_000))
@settings(max_examples=6)
def test_regrets_that_are_forgotten_down_to_nothing_leave_strategies(seed: int) -> None:
    engine = HandEngine(HandStructure(random_hand_game(seed)), RegretRule("half", 0.0, 0.0, 1.0))
    engine.run(300)  # regrets that are halved as often are smaller than single precision holds
    for array in engine.state().values():
        assert np.isfinite(array).all()
    low, high = engine.bounds()
    assert low <= high + 1e-5  # where nothing is left to gain, roundings of single precision are


@pytest.mark.parametrize("half", [False, True])
@given(st.integers(0, 100_000))
@settings(max_examples=10)
def test_hands_that_symmetries_exchange_are_played_alike_to_the_last_digit(
    half: bool, seed: int
) -> None:
    structure = HandStructure(symmetric_hand_game(seed))
    engine = HandEngine(structure, rule("dcfr"), half=half)
    engine.run(30)
    for player, tables in enumerate(engine.behaviors()):
        for node, table in tables.items():
            dealt = int(structure.game.betting.dealt[node])
            boards = structure.boards(dealt)[structure.orbits[dealt].first]
            for symmetry in structure.symmetries:
                kept = (symmetry.cards[boards] == boards).all(axis=1)
                images = table[:, :, symmetry.hands[player]]
                assert (images[kept] == table[kept]).all()
