"""Laws of completed profiles, and of what mistakes lead to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from games.leduc import leduc
from games.random_games import random_game
from seqform import TreeBuilder, build_sequence_form, certify, make, solve
from seqform.strategies.completion import complete, trembled, unreached
from seqform.strategies.one_mistake import after_mistakes
from tests.reference import after_mistakes as slow
from tests.strategies import games, random_profile, seeds


@given(games(players=(2, 3), zero_sum=(True, False)), seeds)
def test_a_completion_changes_no_plan_and_so_no_certificate(game, seed):
    profile = random_profile(game, seed, sparse=True)
    done = complete(game, profile)
    for before, after in zip(profile.plans, done.profile.plans, strict=True):
        np.testing.assert_array_equal(before, after)
    for treeplex, plan, behavior, sets in zip(
        game.treeplexes, profile.plans, done.profile.behaviors, done.completed, strict=True
    ):
        np.testing.assert_array_equal(treeplex.to_plan(behavior), plan)
        np.testing.assert_array_equal(sets, unreached(treeplex, plan))
        np.testing.assert_array_equal(treeplex.normalize(behavior), behavior)
    assert certify(game, profile).record() == certify(game, done.profile).record()
    assert done.num_completed == tuple(int(sets.sum()) for sets in done.completed)


@given(games(players=(2, 3), zero_sum=(True, False), depth=4), seeds)
def test_the_last_player_answers_trembling_hands(game, seed):
    """Against the others' trembling plans, nothing gets more from a completed set on."""
    done = complete(game, random_profile(game, seed, sparse=True))
    player = game.num_players - 1
    treeplex, sets = game.treeplexes[player], done.completed[player]
    plans = [trembled(t, b) for t, b in zip(game.treeplexes, done.profile.behaviors, strict=True)]
    gradient = game.gradient(player, plans)
    best = treeplex.worth(gradient)
    worth = gradient.copy()
    for infoset in reversed(range(treeplex.num_infosets)):
        here = slice(treeplex.first_sequence[infoset], treeplex.first_sequence[infoset + 1])
        value = worth[here] @ done.profile.behaviors[player][here]
        worth[treeplex.parent_sequence[infoset]] += value
        if sets[infoset]:
            assert value == pytest.approx(best[here].max(), abs=1e-9 * game.payoff_scale)


@pytest.mark.parametrize("players", [2, 3])
def test_what_mistakes_lead_to_is_what_it_is_leaf_by_leaf(players):
    own = others = 0
    for seed in range(30):
        tree = random_game(seed, players=players, branching=2 + seed % 2, chance=0.1)
        game = build_sequence_form(tree)
        before = random_profile(game, seed, sparse=True)
        profiles = [before, complete(game, before).profile]
        for profile, found in zip(profiles, after_mistakes(game, *profiles), strict=True):
            for now, then in zip(found, slow.after_mistakes(game, profile), strict=True):
                assert now == pytest.approx(then, abs=1e-9 * game.payoff_scale)
                own, others = own + (now.own > 0.01), others + (now.others > 0.01)
    assert own > 10
    assert others > 10


OPTIONS = [
    {"abstract": "none"},
    {"abstract": "suit"},
    {"abstract": "none", "method": "cfr", "iterations": 200},
    {"abstract": "none", "engine": "ipx", "solver": "highs"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_off_its_path_leduc_never_folds_a_pair_with_the_board(options):
    solution = solve(leduc(), **options)
    folds = 0
    for player, treeplex in enumerate(solution.game.treeplexes):
        for infoset in np.flatnonzero(unreached(treeplex, solution.profile.plans[player])):
            hand, _, _ = str(solution.game.infoset_label(player, infoset)).partition(":")
            actions = solution.game.actions(player, infoset)
            cards = hand.split()
            if "fold" in actions and len(cards) == 2 and cards[0][0] == cards[1][0]:
                place = treeplex.first_sequence[infoset] + actions.index("fold")
                assert solution.profile.behaviors[player][place] == 0
                folds += 1
    assert folds or "method" in options


def test_after_a_mistake_leducs_player_gives_nothing_away():
    solution = solve(leduc(), abstract="none")
    done = solution.off_path
    assert sum(done.completed) > 100
    for before, after in zip(done.before, done.after, strict=True):
        assert before[0] > 0.01
        assert after[0] < 1e-6
    assert solution.record()["off_path"]["completed"] == list(done.completed)
    counts = ", ".join(map(str, done.completed))
    assert ("information sets completed", f"{counts} (of each player)") in solution.rows()


def test_a_merged_game_knows_no_reach_and_is_completed_all_the_same():
    solution = solve(make("goofspiel", cards=4), abstract="equitable")
    assert solution.off_path.before is None
    assert sum(solution.off_path.completed) > 0
    assert "gap" not in str(solution.off_path.record())


@given(games(players=(2,), zero_sum=(False,), depth=4))
def test_answers_of_games_that_are_not_zero_sum_are_completed(game):
    """And are what they were: of the plans alone, the certificate is the same."""
    solution = solve(game, method="lcp")
    profile = solution.profile
    unreached_sets = [unreached(t, p) for t, p in zip(game.treeplexes, profile.plans, strict=True)]
    assert solution.off_path.completed == tuple(int(sets.sum()) for sets in unreached_sets)
    again = complete(game, profile).profile  # nothing is left to do
    for before, after in zip(profile.behaviors, again.behaviors, strict=True):
        np.testing.assert_array_equal(before, after)
    assert solution.certificate.record() == certify(game, game.profile(profile.behaviors)).record()


def test_who_passed_by_mistake_in_the_centipede_goes_on_as_well_as_possible():
    solution = solve(make("centipede"), method="lcp")
    assert solution.off_path.completed == (2, 0)
    assert solution.off_path.after[0][0] == pytest.approx(0, abs=1e-9)


def test_a_threat_is_left_as_it_is():
    """An entrant stays out, as the incumbent would fight; that it would rather not is no matter."""
    b = TreeBuilder(num_players=2)
    out, enter = b.decision(b.root, 0, "entrant", ["out", "enter"])
    b.terminal(out, (0, 2))
    fight, share = b.decision(enter, 1, "incumbent", ["fight", "share"])
    b.terminal(fight, (-1, -1))
    b.terminal(share, (1, 1))
    game = build_sequence_form(b.freeze())
    threat = game.profile([np.array([1.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0])])
    done = complete(game, threat)
    assert done.num_completed == (0, 0)
    assert done.profile.behaviors[1].tolist() == [1.0, 1.0, 0.0]
    assert certify(game, done.profile).nash_gap < 1e-12
    assert after_mistakes(game, done.profile)[0][0].others == pytest.approx(2)
