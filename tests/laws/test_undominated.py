"""Laws of plans that are best against random play among the optimal ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import load, solve
from seqform.base.errors import InvalidParameterError
from seqform.concepts.best_response import expected_values
from seqform.form.profile import Profile
from seqform.solvers.linear.undominated import against_uniform, uniform_plan
from tests.reference.pure_plans import pure_plans
from tests.strategies import games


@given(games(depth=4))
def test_the_value_is_the_same_and_random_play_pays_no_less(game):
    before = solve(game, method="lp", exact=True)
    after = solve(game, method="lp", refine="undominated")
    assert after.exact.value == before.exact.value
    for player in (0, 1):
        paid = against_uniform(before.exact, player)
        got = [
            Fraction(sum(paid * s.exact.plans[player]), s.exact.denominators[player])
            for s in (before, after)
        ]
        assert got[1] >= got[0]


@given(games(depth=3))
def test_no_pure_plan_dominates_it(game):
    """Every pure plan gets less than the plan against some pure plan of the other, or is equal."""
    found = solve(game, method="lp", refine="undominated").profile.plans
    slack = 1e-9 * game.payoff_scale
    for player in (0, 1):
        theirs = [np.array(plan, dtype=float) for plan in pure_plans(game, 1 - player)]
        against = [game.gradient(player, [plan, plan]) for plan in theirs]
        now = np.array([gradient @ found[player] for gradient in against])
        for plan in pure_plans(game, player):
            got = np.array([gradient @ np.array(plan, dtype=float) for gradient in against])
            more = got - now
            assert more.min() < -slack or more.max() < slack


def test_uniform_play_in_integers():
    treeplex = solve(leduc(), abstract="none").game.treeplexes[0]
    plan = uniform_plan(treeplex)
    expected = treeplex.to_plan(treeplex.uniform())
    np.testing.assert_allclose(plan.astype(float) / plan[0], expected, rtol=1e-12)


def test_kuhns_player_punishes_a_mistake():
    """Who holds the king calls a bet, and who holds the jack folds, though nobody bets a queen."""
    solution = solve(kuhn(), refine="undominated")
    assert solution.exact.value == Fraction(-1, 18)
    assert all(gain < 1e-12 for pair in solution.off_path.after for gain in pair)
    uniform = Profile.uniform(solution.game.treeplexes)
    for player in (0, 1):
        plans = [solution.profile.plans[p] if p == player else uniform.plans[p] for p in (0, 1)]
        mixed = Profile(uniform.behaviors, tuple(plans))
        assert expected_values(solution.game, mixed)[player] > solution.values[player]


def test_an_undominated_answer_is_saved_and_verified(tmp_path):
    solution = solve(leduc(), refine="undominated")
    solution.save(tmp_path / "result", "leduc")
    again = load(tmp_path / "result")
    assert again.exact.value == solution.exact.value
    np.testing.assert_array_equal(again.exact.plans[0], solution.exact.plans[0])


@pytest.mark.parametrize(
    "options", [{"exact": False}, {"polish": True}, {"abstract": "suit"}, {"method": "dcfr"}]
)
def test_what_needs_fractions_refuses_options_without(options):
    with pytest.raises(InvalidParameterError):
        solve(leduc(), refine="undominated", **options)
