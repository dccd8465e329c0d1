"""`analyze` on random games against walks of the tree, and what must hold of its numbers."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.leduc import leduc
from seqform import TreeBuilder, build_sequence_form, build_tree, solve
from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    SolverError,
    UnsupportedGameError,
)
from seqform.concepts.best_response import expected_values
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.strategies.analysis import COLUMNS, PLAYED_FROM
from seqform.strategies.analyze import analyze
from tests.random_signal_games import POKER, random_signal_game
from tests.reference import oracles
from tests.reference.walked_analysis import walked
from tests.strategies import games, random_profile, seeds

ANY = {"players": (1, 2, 3), "zero_sum": (True, False), "depth": 4}
CLOSE = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}


@settings(max_examples=40)
@given(games(**ANY), seeds, st.booleans())
def test_all_of_it_is_what_walking_the_tree_finds(
    form: SequenceForm, seed: int, sparse: bool
) -> None:
    profile = random_profile(form, seed, sparse)
    seen = analyze(form, profile)
    table = oracles.exact_behavior(oracles.tree_behavior(form, profile.behaviors))
    nan = float("nan")
    for player, (treeplex, of) in enumerate(zip(form.treeplexes, seen.players, strict=True)):
        for infoset, number in enumerate(form.tree_infosets[player].tolist()):
            truth = walked(form.tree, table, number)
            here = slice(*treeplex.first_sequence[infoset : infoset + 2])
            each = [nan] * int(treeplex.num_actions[infoset])
            each = each if truth.action_values is None else list(map(float, truth.action_values))
            value = nan if truth.value is None else float(truth.value)
            assert of.own_reach[infoset] == pytest.approx(float(truth.own_reach), **CLOSE)
            assert of.others_reach[infoset] == pytest.approx(float(truth.others_reach), **CLOSE)
            assert of.reach[infoset] == pytest.approx(float(truth.reach), **CLOSE)
            assert of.is_reached[infoset] == (truth.reach > 0)
            assert of.action_values[here] == pytest.approx(each, **CLOSE)
            assert of.values[infoset] == pytest.approx(value, **CLOSE)
            assert of.regrets[infoset] == pytest.approx(max(each) - value, **CLOSE)
            nodes, beliefs = seen.beliefs_over(player, infoset)
            expected = truth.beliefs or [nan] * len(nodes)
            assert beliefs == pytest.approx(list(map(float, expected)), **CLOSE)


@settings(max_examples=40)
@given(games(**ANY), seeds, st.booleans())
def test_values_are_quotients_and_add_up(form: SequenceForm, seed: int, sparse: bool) -> None:
    profile = random_profile(form, seed, sparse)
    seen, values = analyze(form, profile), expected_values(form, profile)
    for value, of in zip(values, seen.players, strict=True):
        assert of.counterfactual_action_values[0] == pytest.approx(value, **CLOSE)
        there = of.others_reach > 0
        assert (of.values * of.others_reach)[there] == pytest.approx(
            of.counterfactual_values[there], **CLOSE
        )
        assert np.isnan(of.values[~there]).all()
        assert not of.counterfactual_values[~there].any()
        assert (of.regrets[there] >= 0).all()
        assert of.action_regrets[0] == 0


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc, suits merged", "rhode island, 3x2"])
def test_signal_games_without_trees_say_the_same(name: str) -> None:
    structure = SignalStructure(POKER[name])
    form, tree = build_signal_form(structure), build_sequence_form(build_tree(POKER[name]))
    check_same(form, tree, random_profile(tree, 5, sparse=True))


@settings(max_examples=40)
@given(seeds, seeds)
def test_random_signal_games_without_trees_say_the_same(game: int, seed: int) -> None:
    rules = random_signal_game(game)
    tree = build_sequence_form(build_tree(rules))
    form = build_signal_form(SignalStructure(rules))
    check_same(form, tree, random_profile(tree, seed, sparse=True))


def check_same(form: SequenceForm, tree: SequenceForm, profile: Profile) -> None:
    """Check that the analysis by classes is the one on the tree."""
    seen = analyze(form, profile)
    assert seen.beliefs is None
    for mine, theirs in zip(seen.players, analyze(tree, profile).players, strict=True):
        for field in ("others_reach", "values", "action_values", "regrets", "is_reached"):
            assert getattr(mine, field) == pytest.approx(getattr(theirs, field), **CLOSE)


def test_equilibria_have_no_regret_where_they_lead() -> None:
    solution = solve(leduc())
    for of in analyze(solution.game, solution.profile).players:
        assert of.regrets[of.is_reached].max() < 1e-9
        assert np.nanmax(of.regrets[of.own_reach == 0]) < 1e-9  # completed
        assert not of.is_reached.all()


def test_a_constant_sum_is_in_the_values_of_player_1_and_so_is_what_was_paid_before() -> None:
    builder = TreeBuilder(2)
    left, right = builder.decision(builder.root, 0, "a", ["left", "right"])
    builder.terminal(left, (4, 6))
    builder.reward(right, (1, 2))
    for child, pays in zip(
        builder.decision(right, 1, "b", ["up", "down"]), ((3, 4), (0, 7)), strict=True
    ):
        builder.terminal(child, pays)
    form = build_sequence_form(builder.freeze())
    assert form.constant_sum == 10
    seen = analyze(form, Profile.uniform(form.treeplexes))
    assert seen.players[1].action_values.tolist() == [6.75, 6, 9]
    assert seen.players[1].values.tolist() == [7.5]
    assert seen.players[0].action_values.tolist() == [3.25, 4, 2.5]
    assert seen.players[1].counterfactual_values.tolist() == [3.75]


def test_what_is_played_almost_never_leads_nowhere() -> None:
    form = build_sequence_form(build_tree(leduc()))
    behaviors = [treeplex.uniform() for treeplex in form.treeplexes]
    assert [form.actions(0, h) for h in range(6)] == [("check", "bet")] * 6
    behaviors[0][1:13] = [1 - PLAYED_FROM / 2, PLAYED_FROM / 2] * 6  # hardly ever bets
    seen = analyze(form, form.profile(behaviors))
    below = form.treeplexes[0].parent_sequence == 2
    assert below.any()
    assert not seen.players[0].is_reached[below].any()
    assert (seen.players[0].reach[below] > 0).all()
    assert (~seen.players[1].is_reached & (seen.players[1].own_reach == 1)).any()


def test_rows_and_frames() -> None:
    form = build_sequence_form(build_tree(leduc()))
    seen = analyze(form, Profile.uniform(form.treeplexes))
    frame = seen.to_frame()
    assert tuple(frame.columns) == COLUMNS
    assert len(frame) == sum(t.num_sequences - 1 for t in form.treeplexes)
    assert len(list(seen.rows(1))) == form.treeplexes[1].num_sequences - 1
    assert set(next(seen.rows())) == set(COLUMNS)
    player = seen.players[1]
    mine = frame[frame.player == 1]
    assert mine.action_value.tolist() == player.action_values[1:].tolist()
    actions = form.treeplexes[1].num_actions
    assert mine.regret.tolist() == np.repeat(player.regrets, actions).tolist()


def test_refusals() -> None:
    form = build_sequence_form(build_tree(leduc()))
    profile = Profile.uniform(form.treeplexes)
    with pytest.raises(InvalidStrategyError, match="another game"):
        analyze(build_signal_form(SignalStructure(POKER["kuhn"])), profile)
    with pytest.raises(InvalidParameterError, match="no player 2"):
        list(analyze(form, profile).rows(2))
    by_cards = build_signal_form(SignalStructure(leduc()))
    with pytest.raises(InvalidParameterError, match="tree"):
        analyze(by_cards, profile).beliefs_over(0, 0)
    images = [np.arange(t.num_sequences, dtype=np.int32) for t in form.treeplexes]
    every = [np.arange(t.num_infosets) for t in form.treeplexes]
    with pytest.raises(UnsupportedGameError, match="lift"):
        analyze(form.quotient(form.treeplexes, images, every), profile)


def test_frames_say_how_to_install_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    form = build_sequence_form(build_tree(POKER["kuhn"]))
    with pytest.raises(SolverError, match=r"pip install 'seqform\[pandas\]'"):
        analyze(form, Profile.uniform(form.treeplexes)).to_frame()
