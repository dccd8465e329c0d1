"""Data-biased responses: chance draws in every information set whether the model is followed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import (
    CHANCE,
    GameTree,
    build_sequence_form,
    build_tree,
    exploit,
    read_observations,
    sample,
    solve,
)
from seqform.base.clock import Clock
from seqform.base.errors import InvalidStrategyError, ResultFileError, UnsupportedGameError
from seqform.form.whole_form import whole_form
from seqform.game.observations import SignalStructure
from seqform.strategies.exploit.biased import biased_best, biased_response
from seqform.strategies.exploit.model import model_from
from seqform.strategies.exploit.observed import BiasedModel, observations
from tests.examples import examples
from tests.strategies import random_profile, seeds, trees


class DrawnEverywhere:
    """Rules in which chance draws at each node of a player whether it follows a model there.

    States are (node, what was drawn there, what the player knows of its earlier draws and moves).
    It is told all of that, which is worth nothing: it may as well not know.
    """

    num_players = 2

    def __init__(self, tree: GameTree, player: int, model: dict[int, Any], share: Any) -> None:
        self.tree, self.modelled, self.model, self.share = tree, player, model, share

    def root(self) -> Any:
        return (0, None, ())

    def player(self, state: Any) -> int:
        node, drawn, _ = state
        mover = int(self.tree.player[node])
        return CHANCE if mover == self.modelled and drawn is not False else mover

    def actions(self, state: Any) -> Sequence[int]:
        return range(int(self.tree.num_children[state[0]]))

    def chance(self, state: Any) -> Sequence[tuple[Any, Any]]:
        node, drawn, _ = state
        if self.tree.player[node] == CHANCE:
            rows = self.tree.probability[list(self.tree.children(node))]
            return list(enumerate(self.tree.probabilities[row] for row in rows))
        infoset = int(self.tree.infoset[node])
        if drawn is None:
            return [("model", self.share[infoset]), ("free", 1 - self.share[infoset])]
        return list(enumerate(self.model[infoset]))

    def child(self, state: Any, action: Any) -> Any:
        node, drawn, past = state
        if isinstance(action, str):
            return (node, action == "model", past)
        if self.tree.player[node] == self.modelled:
            past = (*past, drawn, action)
        return (int(self.tree.first_child[node]) + action, None, past)

    def infoset(self, state: Any) -> Any:
        node, _, past = state
        mine = self.tree.player[node] == self.modelled
        return (int(self.tree.infoset[node]), past if mine else ())

    def payoffs(self, state: Any) -> Sequence[Any]:
        return self.tree.payoffs[self.tree.payoff[state[0]]]

    def rewards(self, state: Any) -> Sequence[Any] | None:
        node, drawn, _ = state
        row = int(self.tree.payoff[node])
        return None if row < 0 or drawn is not None else self.tree.payoffs[row]


def biased_model(tree: GameTree, player: int, seed: int, sure: bool) -> BiasedModel:
    form = build_sequence_form(tree).zero_sum()
    profile = random_profile(form, seed, sparse=True).rounded(form.treeplexes, 3)
    count, rng = form.treeplexes[player].num_infosets, np.random.default_rng(seed)
    confidence = rng.choice([0.0, 0.25, 0.5, 1.0] if sure else [0.0, 0.25, 0.75], count)
    return BiasedModel(model_from(profile, form, player), confidence, np.zeros(count, np.int64))


@settings(max_examples=30)
@given(trees(depth=4), seeds, st.integers(0, 1), st.booleans())
def test_the_value_is_that_of_the_tree_in_which_chance_draws_everywhere(
    tree: GameTree, seed: int, player: int, sure: bool
) -> None:
    biased = biased_model(tree, player, seed, sure)
    model, numbers = biased.model, {}
    first = model.form.treeplexes[player].first_sequence.tolist()
    infosets = model.form.tree_infosets[player].tolist()
    for infoset, (start, stop) in zip(infosets, pairwise(first), strict=True):
        numbers[infoset] = [Fraction(float(p)) for p in model.behavior[start:stop]]
    share = {h: Fraction(float(c)) for h, c in zip(infosets, biased.confidence, strict=True)}
    rules = DrawnEverywhere(tree, player, numbers, share)
    expected = solve(build_sequence_form(build_tree(rules)), method="lp", exact=True).exact
    found = biased_response(biased, "highs", None, Clock())
    assert expected is not None
    value = expected.value if player == 1 else -expected.value
    assert Fraction(found.lower) <= value <= Fraction(found.upper)
    assert found.gap <= 1e-7 * model.form.payoff_scale


@examples(7, 15)
@given(trees(depth=4), seeds, st.integers(0, 1), st.sampled_from(["dcfr", "cfr", "pcfr+"]))
def test_regret_minimization_finds_what_the_linear_program_does(
    tree: GameTree, seed: int, player: int, method: str
) -> None:
    biased = biased_model(tree, player, seed, sure=True)
    whole, form = biased.model.form, biased.model.form.without_constant()
    exact, gap = biased_response(biased, "highs", None, Clock()), 5e-3 * whole.payoff_scale
    found = exploit(whole, biased, 1 - player, method=method, gap=gap)
    assert found.is_solved
    assert found.method == f"{method}/biased"
    assert found.gap <= gap
    behaviors = [None, None]
    behaviors[1 - player] = found.profile.behaviors[1 - player]
    behaviors[player] = biased.model.behavior
    paid = form.gradient(player, form.profile(behaviors).plans)
    worst = -biased_best(form.treeplexes[player], paid, biased.model.behavior, biased.confidence)
    assert exact.lower - gap <= worst <= exact.upper + 1e-9 * whole.payoff_scale


def test_a_model_that_is_followed_always_or_half_the_time_is_answered_by_regret_minimization() -> (
    None
):
    form = build_sequence_form(build_tree(leduc(merge_suits=True))).zero_sum()
    count = form.treeplexes[1].num_infosets
    model = model_from(random_profile(form, 3), form, 1)
    always = BiasedModel(model, np.ones(count), np.zeros(count, np.int64))
    found = exploit(form, always, 0, method="dcfr", gap=1e-6)
    assert found.against_model == pytest.approx(exploit(form, model, 0).against_model, abs=1e-6)
    half = BiasedModel(model, np.full(count, 0.5), np.zeros(count, np.int64))
    found = exploit(form, half, 0, method="dcfr", gap=1e-3, iterations=3000)
    assert found.is_solved
    assert found.gap <= 1e-3


@settings(max_examples=20)
@given(trees(depth=4), seeds, st.integers(0, 1))
def test_no_confidence_gives_an_equilibrium_and_full_confidence_a_best_response(
    tree: GameTree, seed: int, player: int
) -> None:
    biased = biased_model(tree, 1 - player, seed, False)
    form, slack = biased.model.form, 1e-6 * biased.model.form.payoff_scale
    none = BiasedModel(biased.model, 0 * biased.confidence, biased.seen)
    full = BiasedModel(biased.model, 0 * biased.confidence + 1, biased.seen)
    values = solve(form, method="lp").values
    answers = [exploit(form, model, player) for model in (none, biased, full)]
    assert all(answer.is_solved for answer in answers)
    assert answers[0].guaranteed == pytest.approx(values[player], abs=slack)
    assert answers[2].against_model == pytest.approx(answers[2].most, abs=slack)
    assert answers[1].guaranteed <= answers[0].guaranteed + slack


@given(trees(depth=4), seeds)
def test_the_best_of_those_who_follow_is_no_less_than_any_of_them(
    tree: GameTree, seed: int
) -> None:
    biased = biased_model(tree, 1, seed, True)
    treeplex = biased.model.form.treeplexes[1]
    rng = np.random.default_rng(seed)
    paid = rng.normal(size=treeplex.num_sequences)
    best = biased_best(treeplex, paid, biased.model.behavior, biased.confidence)
    share = np.append(0.0, np.repeat(biased.confidence, treeplex.num_actions))
    for _ in range(5):
        free = treeplex.to_behavior(rng.random(treeplex.num_sequences))
        mixed = share * biased.model.behavior + (1 - share) * free
        assert paid @ treeplex.to_plan(mixed) <= best + 1e-9
    assert best <= treeplex.best_value(paid) + 1e-9


def test_observations_make_frequencies_and_confidences() -> None:
    form = build_sequence_form(build_tree(kuhn()))
    lines = [
        (1, "K:bet", "call", 3, ""),
        (1, "K:bet", "fold", "1", ""),
        (1, "K:bet", "call", 1, ""),
        (1, "J:bet", "fold", 20, ""),
    ]
    seen = observations(lines, form)
    biased = seen.model(1, threshold=10, reliance=0.8)
    names = [str(form.infoset_label(1, infoset)) for infoset in range(6)]
    king, jack = names.index("K:bet"), names.index("J:bet")
    first = form.treeplexes[1].first_sequence
    actions = form.actions(1, king)
    assert biased.model.behavior[first[king] + actions.index("call")] == 0.8
    assert biased.confidence[[king, jack]].tolist() == pytest.approx([0.4, 0.8])
    assert biased.seen[king] == 5
    assert biased.confidence.sum() == pytest.approx(1.2)
    prior = seen.model(1, prior=5, threshold=0)
    assert prior.model.behavior[first[king] + actions.index("call")] == 0.65
    assert prior.confidence[[king, jack]].tolist() == [1, 1]
    assert prior.confidence.sum() == 2  # nothing is known of what was not seen
    answer = exploit(form, biased, 0)
    assert answer.is_solved
    assert answer.kind == "data-biased response"
    assert exploit(form, biased, 0, p=1).kind == "best response"


def test_hands_of_a_sample_are_what_their_players_did(tmp_path: Path) -> None:
    form = build_sequence_form(build_tree(leduc()))
    mine, other = (random_profile(form, seed, sparse=True) for seed in (1, 2))
    file = tmp_path / "hands.csv"
    sample(leduc(), mine, other, hands=20_000, seed=3, player=0).save(file)
    seen = read_observations(file, form)
    assert not seen.counts[0].any()  # what the strategy that is judged does is known
    treeplex, counts = form.treeplexes[1], seen.counts[1]
    assert counts[1 : treeplex.first_sequence[1]].sum() > 0
    biased = seen.model(1, threshold=500)
    well_seen = np.repeat(biased.seen >= 500, treeplex.num_actions)
    assert well_seen.sum() > 10
    off = np.abs(biased.model.behavior - other.behaviors[1])[1:][well_seen]
    assert off.max() < 5 * 0.5 / np.sqrt(500)
    assert exploit(form, biased, 0).is_solved


def test_hands_that_are_none_are_refused(tmp_path: Path) -> None:
    form, file = build_sequence_form(build_tree(kuhn())), tmp_path / "hands.csv"
    for line, words in (
        ("1,0,JQ,fly", "line 2: 'fly' after 'JQ' is no hand of this game"),
        ("1,7,JQ,fly", "line 2: there is no seat '7'"),
        ("1,0", "line 2: 2 cells under 4 columns"),
    ):
        file.write_text(f"hand,seat,deal,actions\n{line}\n")
        with pytest.raises((InvalidStrategyError, ResultFileError)) as error:
            read_observations(file, form)
        assert words in str(error.value)
    file.write_text("hand,seat,deal,actions\n")
    with pytest.raises(InvalidStrategyError, match="counts no decision: nothing was seen"):
        read_observations(file, form)
    without = whole_form(SignalStructure(leduc()))
    file.write_text("hand,seat,deal,actions\n1,0,JQ,bet\n")
    with pytest.raises(UnsupportedGameError, match="looked up in a game's tree"):
        read_observations(file, without)
