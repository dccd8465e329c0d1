"""Regret minimization for any number of players: its iterates, its regret, and what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.random_games import random_game
from seqform import Profile, build_sequence_form, build_tree, solve
from seqform.base.errors import ResultFileError
from seqform.concepts.nash import certify
from seqform.form.sequence_form import SequenceForm
from seqform.results.solution import Status
from seqform.solvers.iterative.regret.many_players_engine import ManyPlayersEngine
from seqform.solvers.iterative.regret.rules import RULES, rule
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from tests.one_shot_games import one_shot
from tests.strategies import games

THREE = build_sequence_form(build_tree(kuhn(players=3)))


@pytest.mark.parametrize("name", RULES)
def test_two_player_zero_sum_games_are_played_as_ever(name: str) -> None:
    form = build_sequence_form(build_tree(kuhn()))
    many, two = ManyPlayersEngine(form, rule(name)), TreeplexEngine(form, rule(name))
    many.run(60)
    two.run(60)
    for mine, theirs in zip(many.plans(), two.plans(), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-12)
    lower, upper = two.bounds()
    assert many.bounds()[1] == pytest.approx(upper - lower, abs=1e-12)


@given(games(players=(1, 2, 3), zero_sum=(True, False), depth=4), st.sampled_from(sorted(RULES)))
@settings(max_examples=15)
def test_the_gap_is_that_of_the_average(form: SequenceForm, name: str) -> None:
    engine = ManyPlayersEngine(form, rule(name))
    engine.run(17)
    certificate = certify(form, Profile.from_plans(form.treeplexes, engine.plans()))
    scale = 1e-11 * (1 + form.largest_payoff)
    assert engine.bounds()[1] == pytest.approx(sum(certificate.gains), abs=scale)


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr"])
def test_the_coarse_regret_is_that_of_the_joint_play(name: str) -> None:
    """The joint play is remembered here, iteration by iteration, with its weights."""
    engine = ManyPlayersEngine(THREE, rule(name))
    weights, plays = rule(name).schedule(0, 30)[:, 2], []
    for _ in range(30):
        plays.append([player.plan.copy() for player in engine.players])
        engine.run(1)
    weights = weights / weights.sum()
    regrets = []
    for player, treeplex in enumerate(THREE.treeplexes):
        gradients = [THREE.gradient(player, play) for play in plays]
        got = sum(w * (g @ p[player]) for w, g, p in zip(weights, gradients, plays, strict=True))
        paid = np.sum([w * g for w, g in zip(weights, gradients, strict=True)], axis=0)
        regrets.append(treeplex.best_value(paid) - got)
    assert engine.coarse_regret() == pytest.approx(max(regrets), abs=1e-12)


def test_the_joint_play_is_not_the_product_of_averages() -> None:
    """In a game of coordination, taking turns is no regret; the averages miss each other."""
    form = build_sequence_form(one_shot((2, 2), lambda m: (int(m[0] == m[1]),) * 2))
    engine = ManyPlayersEngine(form, rule("cfr"))
    for choice in (1, 2):
        for player in engine.players:
            player.plan[1:] = 0.0
            player.plan[choice] = 1.0
        engine._iterate(1.0, 1.0, 1.0)
    assert engine.coarse_regret() == pytest.approx(-0.5)
    assert [plan.tolist() for plan in engine.plans()] == [[1.0, 0.5, 0.5]] * 2


def test_regrets_vanish_whatever_the_game() -> None:
    form = build_sequence_form(random_game(6, players=4, depth=5, zero_sum=False))
    engine = ManyPlayersEngine(form, rule("cfr+"))
    engine.run(2000)
    assert engine.coarse_regret() < 1e-2 * form.payoff_scale


def test_it_is_labelled_a_heuristic() -> None:
    solution = solve(THREE, method="cfr+", iterations=50, polish=False)
    assert solution.status is Status.LIMIT
    assert solution.method == "cfr+/many-players"
    assert "a heuristic for Nash equilibria of this game" in solution.message
    assert "a coarse correlated equilibrium up to" in solution.message
    assert solution.nash_gap == pytest.approx(sum(solution.certificate.gains))


def test_it_is_polished_unless_that_is_left_out() -> None:
    polished = solve(THREE, method="cfr+", iterations=1000)
    assert polished.proof == "exact"
    plain = solve(THREE, method="cfr+", iterations=1000, polish=False)
    assert plain.proof is None
    assert plain.nash_gap > polished.nash_gap


def test_a_search_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "search"
    options = {"method": "dcfr", "gap": 1e-9, "polish": False}
    solve(THREE, iterations=20, checkpoint=file, **options)
    resumed = solve(THREE, iterations=50, checkpoint=file, resume=True, **options)
    whole = solve(THREE, iterations=50, **options)
    assert resumed.iterations == whole.iterations == 50
    for mine, theirs in zip(resumed.profile.plans, whole.profile.plans, strict=True):
        assert mine.tolist() == theirs.tolist()
    assert resumed.message.split("up to")[1] == whole.message.split("up to")[1]


def test_a_checkpoint_of_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "search"
    solve(THREE, method="dcfr", iterations=5, checkpoint=file, polish=False)
    other = build_sequence_form(build_tree(kuhn(players=3, cards=5)))
    with pytest.raises(ResultFileError, match="another game"):
        solve(other, method="dcfr", iterations=9, checkpoint=file, resume=True, polish=False)


def test_progress_shows_no_value_where_there_is_none() -> None:
    told: list[object] = []
    solve(THREE, method="dcfr", iterations=10, polish=False, callback=told.append)
    assert told
    assert all("value" not in str(now) and "gap" in str(now) for now in told)
