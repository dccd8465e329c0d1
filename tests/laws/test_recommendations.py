"""What each player is told: against pairs of pure strategies that are played on the tree."""

from __future__ import annotations

from fractions import Fraction
from math import isnan, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from games.signalling import signalling
from seqform import analyze, build_sequence_form, build_tree, show, solve
from seqform.base.errors import UnsupportedGameError
from seqform.form.correlation_plan import product_plan
from seqform.form.profile import Profile
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.form.strategy_mixture import StrategyMixture
from seqform.game.rules import CHANCE
from seqform.strategies.recommended import recommendations
from tests.reference.correlated import Strategy, obeys, pure_strategies
from tests.strategies import games, random_profile, seeds

MOST = 200
"""Pure strategies of a player."""


@given(games(zero_sum=(True, False), depth=4), seeds)
def test_of_players_who_do_not_correlate_it_is_what_they_play(
    game: SequenceForm, seed: int
) -> None:
    profile = random_profile(game, seed, sparse=True).rounded(game.treeplexes, 6)
    plans = [(np.array([Fraction(float(p)) for p in plan])) for plan in profile.plans]
    denominators = [max(p.denominator for p in plan) for plan in plans]
    whole = [
        np.array([int(p * d) for p in plan], dtype=object)
        for plan, d in zip(plans, denominators, strict=True)
    ]
    found = recommendations(game, product_plan(relevant_pairs(game), whole, denominators))
    seen = analyze(game, profile)
    for told, player, treeplex in zip(found.players, seen.players, game.treeplexes, strict=True):
        np.testing.assert_allclose(told.reach, player.reach, atol=1e-12)
        led = treeplex.to_actions(player.own_reach > 1e-9)
        np.testing.assert_allclose(
            told.probability[1:][led], player.probability[1:][led], atol=1e-6
        )
        assert np.isnan(told.probability[1:][~led]).all()


@settings(max_examples=30)
@given(games(zero_sum=(False,), depth=4), seeds)
def test_it_is_what_pairs_of_pure_strategies_do_on_the_tree(game: SequenceForm, seed: int) -> None:
    each = [pure_strategies(game, player) for player in (0, 1)]
    assume(max(map(len, each)) <= MOST)
    rng = np.random.default_rng(seed)
    drawn = [(rng.integers(len(each[0])), rng.integers(len(each[1]))) for _ in range(3)]
    pairs = [(each[0][i], each[1][j]) for i, j in drawn]
    weights = rng.integers(1, 5, len(pairs)).tolist()
    sizes = [range(treeplex.num_sequences) for treeplex in game.treeplexes]
    mine, theirs = (
        np.array([[obeys(game, player, pair[player], s) for s in size] for pair in pairs])
        for player, size in enumerate(sizes)
    )
    mixture = StrategyMixture((mine, theirs), np.array(weights, dtype=object), sum(weights))
    found = recommendations(game, mixture.plan(relevant_pairs(game)))
    visits, told = walked(game, pairs, [w / sum(weights) for w in weights])
    for player, treeplex in enumerate(game.treeplexes):
        names = game.tree_infosets[player].tolist()
        for infoset, first in enumerate(treeplex.first_sequence[:-1].tolist()):
            reach, of = visits.get(names[infoset], 0.0), found.players[player]
            assert of.reach[infoset] == pytest.approx(reach, abs=1e-12)
            assert of.is_reached[infoset] == (reach > 0)
            for action in range(int(treeplex.num_actions[infoset])):
                expected = told.get((names[infoset], action), 0.0) / reach if reach else nan
                if reach:
                    assert of.probability[first + action] == pytest.approx(expected, abs=1e-12)


def walked(
    form: SequenceForm, pairs: list[tuple[Strategy, Strategy]], weights: list[float]
) -> tuple[dict[int, float], dict[tuple[int, int], float]]:
    """Return how often information sets of the tree, and actions there, are come to."""
    tree = form.tree
    assert tree is not None
    visits: dict[int, float] = {}
    told: dict[tuple[int, int], float] = {}
    for pair, share in zip(pairs, weights, strict=True):
        stack = [(0, share)]
        while stack:
            node, weight = stack.pop()
            mover, children = int(tree.player[node]), tree.children(node)
            if mover == CHANCE:
                rows = [float(tree.probabilities[int(tree.probability[c])]) for c in children]
                stack += [(c, weight * row) for c, row in zip(children, rows, strict=True)]
            elif mover >= 0:
                infoset = int(tree.infoset[node])
                move = pair[mover][infoset]
                visits[infoset] = visits.get(infoset, 0.0) + weight
                told[infoset, move] = told.get((infoset, move), 0.0) + weight
                stack.append((children[move], weight))
    return visits, told


def test_a_password_is_told_to_the_good_type_alone() -> None:
    solution = solve(signalling(), method="efce", optimize="player1")
    rows = list(show(solution).rows())
    assert len(rows) == 8
    sent = {(r["infoset"], r["action"]): r["reach"] * r["probability"] for r in rows[:4]}
    for row in rows[4:]:
        come = sum(reach for (_, signal), reach in sent.items() if signal == row["infoset"])
        assert row["reach"] == pytest.approx(come)


def test_where_own_recommendations_never_lead_nothing_is_told() -> None:
    form = build_sequence_form(build_tree(signalling()))
    never = [np.array([1, 1, 0, 1, 0], dtype=object), np.array([1, 0, 1, 1, 0], dtype=object)]
    found = recommendations(form, product_plan(relevant_pairs(form), never, [1, 1]))
    assert found.players[1].is_reached.tolist() == [True, False]
    assert found.players[1].probability.tolist() == [1, 0, 1, 1, 0]
    text = {row["infoset"]: row["probability"] for row in found.rows(0)}
    assert not any(map(isnan, text.values()))


def test_the_tables_say_what_is_never_reached_and_refuse_beliefs() -> None:
    solution = solve(signalling(), method="efce")
    shown = show(solution, player=1)
    assert "what a mediator recommends" in shown.text
    assert shown.columns == ("player", "infoset", "action", "probability", "reach", "is_reached")
    assert "recommended" in shown._repr_html_()
    with pytest.raises(UnsupportedGameError, match="what a mediator told them"):
        show(solution, beliefs=True)


def test_of_a_form_without_a_tree_it_cannot_be_said() -> None:
    form: Any = build_sequence_form(build_tree(signalling()))
    plain = form.quotient(
        form.treeplexes,
        [np.arange(t.num_sequences, dtype=np.int32) for t in form.treeplexes],
        [np.arange(t.num_infosets) for t in form.treeplexes],
    )
    profile = Profile.uniform(form.treeplexes)
    whole = [np.array([2, 1, 1, 1, 1], dtype=object)] * 2
    plan = product_plan(relevant_pairs(form), whole, [2, 2])
    assert profile is not None
    with pytest.raises(UnsupportedGameError, match="have a tree"):
        recommendations(plain, plan)
