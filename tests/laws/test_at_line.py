"""What is known of a point of a game of hands is what the whole game's analysis says of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import analyze, at_line, build_sequence_form, build_tree, certify, expected_values
from seqform.form.hand_policies import KeptPolicies
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.analysis import StrategyAnalysis
from seqform.strategies.line.at_line import AtLine
from tests.examples import examples
from tests.random_hand_games import random_hand_game
from tests.reference.hand_equity import equity
from tests.reference.hand_rules import HandRules
from tests.symmetric_hand_games import any_hand_game, random_strategy

SEEDS = st.integers(0, 100_000)
SOME = examples(12, 25)
"""Each example goes through many lines."""

MOST_LINES = 12


def lines(form: SequenceForm) -> Iterator[tuple[int, str, dict[str, int]]]:
    """Yield some lines: who acts, how it is written, and the information sets by hand."""
    for player, treeplex in enumerate(form.treeplexes):
        found: dict[str, dict[str, int]] = {}
        for infoset in range(treeplex.num_infosets):
            hand, line = form.infoset_parts(player, infoset) or ("", "")
            found.setdefault(str(line), {})[str(hand)] = infoset
        every = list(found.items())
        for line, hands in every[:: max(1, len(every) // MOST_LINES)]:
            yield player, line, hands


def check(at: AtLine, form: SequenceForm, found: StrategyAnalysis, hands: dict[str, int]) -> None:
    held, of = at.acting, found.players[at.player]
    infosets = [hands[name] for name in held.names]
    assert len(infosets) == len(hands)
    np.testing.assert_allclose(held.values, of.values[infosets], atol=1e-9)
    first = form.treeplexes[at.player].first_sequence
    for place, infoset in enumerate(infosets):
        here = slice(first[infoset], first[infoset + 1])
        assert held.probabilities is not None
        assert held.action_values is not None
        np.testing.assert_allclose(held.probabilities[place], of.probability[here], atol=1e-12)
        np.testing.assert_allclose(held.action_values[place], of.action_values[here], atol=1e-9)
    assert at.reach == pytest.approx(of.reach[infosets].sum(), abs=1e-12)
    np.testing.assert_array_equal(held.is_reached, of.is_reached[infosets])
    if at.reach > 1e-9:
        np.testing.assert_allclose(held.shares * at.reach, of.reach[infosets], atol=1e-12)


@SOME
@given(SEEDS)
def test_it_is_what_the_analysis_says(seed: int) -> None:
    form = any_hand_game(seed).explicit()
    strategy = random_strategy(form.origin.hands, seed, sparse=seed % 3 == 0)  # type: ignore[arg-type]
    listed = form.profile(strategy.in_form(form).behaviors)
    found = analyze(form, listed)
    for player, line, hands in lines(form):
        for what in (strategy, listed):
            at = at_line(what, line)
            assert (at.player, at.line) == (player, line)
            check(at, form, found, hands)


@SOME
@given(SEEDS)
def test_of_general_sums_too(seed: int) -> None:
    game = random_hand_game(seed, zero_sum=False)
    form = game.explicit()
    strategy = random_strategy(form.origin.hands, seed)  # type: ignore[arg-type]
    listed = form.profile(strategy.in_form(form).behaviors)
    found = analyze(form, listed)
    for _, line, hands in lines(form):
        check(at_line(listed, line), form, found, hands)


@SOME
@given(SEEDS)
def test_the_mean_over_hands_is_the_value_of_the_certificate(seed: int) -> None:
    game = any_hand_game(seed)
    if game.betting.player[0] < 0:
        return
    form = game.explicit()
    profile = random_strategy(form.origin.hands, seed).in_form(form)  # type: ignore[arg-type]
    at, certificate = at_line(profile), certify(form, profile)
    assert at.values == pytest.approx(certificate.values, abs=1e-9)
    assert at.values == pytest.approx(expected_values(form, profile), abs=1e-9)
    assert at.reach == pytest.approx(1)


@SOME
@given(SEEDS)
def test_what_is_done_makes_the_value_and_goes_down_the_tree(seed: int) -> None:
    form = any_hand_game(seed).explicit()
    strategy = random_strategy(form.origin.hands, seed)  # type: ignore[arg-type]
    for player, line, _ in lines(form):
        at = at_line(strategy, line)
        held = at.acting
        assert held.probabilities is not None
        assert held.action_values is not None
        mean = (held.probabilities * held.action_values).sum(axis=1)
        np.testing.assert_allclose(mean, held.values, atol=1e-9)
        for place, action in enumerate(at.actions):
            try:
                below = at_line(strategy, f"{line}-{action}".removeprefix("-"))
            except ValueError:  # play is over, or a card is dealt
                continue
            worth = below.ranges[player].values
            np.testing.assert_allclose(worth, held.action_values[:, place], atol=1e-9)
            often = at.frequencies[action]
            assert below.reach == pytest.approx(at.reach * often, abs=1e-12)


@SOME
@given(SEEDS)
def test_equity_is_counted_over_all_showdowns(seed: int) -> None:
    game = any_hand_game(seed)
    form = game.explicit()
    strategy = random_strategy(form.origin.hands, seed)  # type: ignore[arg-type]
    for player, line, _ in list(lines(form))[:3]:
        at = at_line(strategy, line)
        other = at.ranges[1 - player]
        weights = np.zeros(game.ranges[1 - player].num_hands)
        place = {tuple(hand): n for n, hand in enumerate(game.ranges[1 - player].hands.tolist())}
        weights[[place[tuple(hand)] for hand in other.cards.tolist()]] = other.weights
        dealt = tuple(at.board[len(game.board) :].tolist())
        expected = np.array(equity(game, player, dealt, weights))
        alive = ~np.isin(game.ranges[player].hands, dealt).any(axis=1)
        np.testing.assert_allclose(at.acting.equity, expected[alive], atol=1e-9)


@SOME
@given(SEEDS)
def test_values_without_a_tree_are_those_of_the_tree(seed: int) -> None:
    """Those of player 1 include the constant that payoffs add up to."""
    game = random_hand_game(seed)
    forms = game.explicit(), build_sequence_form(build_tree(HandRules(game)))
    values = []
    for form in forms:
        found = analyze(form, Profile.uniform(form.treeplexes).of(form))
        values.append(
            {
                (player, form.infoset_text(player, infoset)): worth
                for player, of in enumerate(found.players)
                for infoset, worth in enumerate(of.values.tolist())
            }
        )
    for name, worth in values[1].items():
        assert values[0][name] == pytest.approx(worth, abs=1e-9)


@pytest.mark.parametrize("seed", range(1, 60, 2))
def test_hands_are_played_as_on_the_first_board(seed: int) -> None:
    structure = any_hand_game(seed).explicit().origin.hands
    assert structure is not None
    strategy = random_strategy(structure, seed)
    policies, betting = KeptPolicies(strategy), structure.game.betting
    for player, tables in enumerate(strategy.behaviors):
        for node in list(tables)[-2:]:
            dealt = int(betting.dealt[node])
            for board, avoids in enumerate(structure.avoids(player, dealt)):
                hands = np.flatnonzero(avoids)
                found = policies.on(player, [node], board, hands)[0]
                expected = strategy.on_board(player, node, board)[:, hands]
                np.testing.assert_allclose(found, expected, atol=1e-12)
