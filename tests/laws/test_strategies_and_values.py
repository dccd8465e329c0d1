"""Laws of plans, values and best responses on random games of one to three players."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

from seqform.concepts.best_response import best_response, expected_values
from seqform.concepts.nash import certify
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from tests.reference import oracles
from tests.strategies import games, random_profile, seeds, trees

ANY = {"players": (1, 2, 3), "zero_sum": (True, False)}
ROUNDING = 1e-11
"""Payoffs are at most 3,000 times 5 nodes and sums have under 1,000 terms of relative error
1e-16."""


@given(games(**ANY), seeds)
def test_plan_to_behavior_to_plan_is_the_identity(game: SequenceForm, seed: int) -> None:
    for treeplex, plan in zip(
        game.treeplexes, random_profile(game, seed, sparse=True).plans, strict=True
    ):
        assert treeplex.to_plan(treeplex.to_behavior(plan)) == pytest.approx(plan, abs=1e-14)


@given(games(**ANY), seeds)
def test_behavior_to_plan_to_behavior_is_the_identity_where_reached(
    game: SequenceForm, seed: int
) -> None:
    profile = random_profile(game, seed)
    for treeplex, behavior, plan in zip(
        game.treeplexes, profile.behaviors, profile.plans, strict=True
    ):
        assert treeplex.to_behavior(plan) == pytest.approx(behavior, abs=1e-13)


@given(games(**ANY), seeds)
def test_plans_satisfy_the_constraints(game: SequenceForm, seed: int) -> None:
    for treeplex, plan in zip(
        game.treeplexes, random_profile(game, seed, sparse=True).plans, strict=True
    ):
        constraints, right_side = treeplex.constraints()
        assert constraints @ plan == pytest.approx(right_side, abs=1e-14)
        assert max(treeplex.residuals(plan)) < 1e-14
        spoiled = plan + 0.25
        assert max(treeplex.residuals(spoiled)) >= 0.25


@given(games(**ANY), seeds)
def test_values_by_sequences_are_values_by_walking_the_tree(game: SequenceForm, seed: int) -> None:
    profile = random_profile(game, seed, sparse=True)
    walked = oracles.expected_values(game.tree, oracles.tree_behavior(game, profile.behaviors))
    assert expected_values(game, profile) == pytest.approx([float(v) for v in walked], abs=ROUNDING)
    by_tensor = [
        game.payoffs.gradient(p, profile.plans) @ profile.plans[p] for p in range(game.num_players)
    ]
    assert by_tensor == pytest.approx([float(v) for v in walked], abs=ROUNDING)


def operator_of(game: SequenceForm) -> SparsePayoff:
    """Player 0's payoffs as a matrix."""
    if isinstance(game, ZeroSumForm):
        return game.operator.to_sparse()
    return game.payoffs.matrix(0, tuple(t.num_sequences for t in game.treeplexes))


@given(games(zero_sum=(True, False)), seeds)
def test_the_operator_is_bilinear_in_the_plans(game: SequenceForm, seed: int) -> None:
    x, y = random_profile(game, seed).plans
    operator = operator_of(game)
    walked = oracles.expected_values(
        game.tree,
        oracles.tree_behavior(
            game, [t.to_behavior(p) for t, p in zip(game.treeplexes, (x, y), strict=True)]
        ),
    )
    for value in (
        x @ operator.times(y),
        operator.transposed_times(x) @ y,
        x @ operator.to_csr() @ y,
    ):
        assert value == pytest.approx(float(walked[0]), abs=ROUNDING)


@given(games(zero_sum=(True, False)))
def test_exact_numerators_are_the_float_matrix(game: SequenceForm) -> None:
    matrix = operator_of(game)
    exact = [float(Fraction(int(n), matrix.denominator)) for n in matrix.numerators]
    assert exact == matrix.to_csr().data.tolist()
    assert matrix.num_nonzeros == len(exact)
    assert 0 not in exact


@given(games(depth=4, **ANY), seeds)
def test_a_best_response_is_the_best_of_all_pure_strategies(game: SequenceForm, seed: int) -> None:
    profile = random_profile(game, seed, sparse=True)
    behavior = oracles.tree_behavior(game, profile.behaviors)
    for player in range(game.num_players):
        assume(oracles.num_pure_strategies(game.tree, player) <= 256)
        value, plan = best_response(game, profile, player)
        assert value == pytest.approx(
            float(oracles.best_response_value(game.tree, behavior, player)), abs=ROUNDING
        )
        assert game.gradient(player, profile.plans) @ plan == pytest.approx(value, abs=ROUNDING)
        assert set(plan.tolist()) <= {0.0, 1.0}
        assert max(game.treeplexes[player].residuals(plan)) == 0


@given(games(**ANY), seeds)
def test_a_best_response_beats_a_hundred_random_plans(game: SequenceForm, seed: int) -> None:
    profile = random_profile(game, seed)
    for player in range(game.num_players):
        value, _ = best_response(game, profile, player)
        gradient = game.gradient(player, profile.plans)
        for other in range(100):
            assert (
                gradient @ random_profile(game, seed + other, sparse=True).plans[player]
                <= value + ROUNDING
            )


@given(games(), seeds)
def test_weak_duality_holds_for_every_pair_of_plans(game: SequenceForm, seed: int) -> None:
    one = certify(game, random_profile(game, seed))
    two = certify(game, random_profile(game, seed + 1, sparse=True))
    for certificate in (one, two):
        assert certificate.lower <= certificate.values[0] <= certificate.upper
    assert max(one.lower, two.lower) <= min(one.upper, two.upper)


@given(games(depth=4, **ANY), seeds)
def test_the_certificate_contains_the_exact_numbers(game: SequenceForm, seed: int) -> None:
    """Its bounds are for floats; the same profile evaluated in fractions must lie inside them, with
    no tolerance."""
    profile = random_profile(game, seed)
    assume(all(oracles.num_pure_strategies(game.tree, p) <= 128 for p in range(game.num_players)))
    behavior = oracles.exact_behavior(oracles.tree_behavior(game, profile.behaviors))
    values = oracles.expected_values(game.tree, behavior)
    best = [
        oracles.best_response_value(game.tree, behavior, player)
        for player in range(game.num_players)
    ]
    certificate = certify(game, profile)
    for player in range(game.num_players):
        # the value is a float next to the true one, so a gain may be off by its last digits, but
        # not a bound
        gain = Fraction(certificate.gains[player]) + Fraction(ROUNDING)
        assert best[player] - values[player] <= gain
    if game.num_players == 2 and game.constant_sum is not None:
        assert Fraction(certificate.lower) <= game.constant_sum - best[1]
        assert best[0] <= Fraction(certificate.upper)
        assert certificate.nash_gap == pytest.approx(
            certificate.upper - certificate.lower, abs=1e-12
        )


@given(games(**ANY))
def test_runs_cover_every_infoset_once_and_hold_none_below_another(game: SequenceForm) -> None:
    for treeplex in game.treeplexes:
        covered = [h for infosets, _ in treeplex.runs for h in range(infosets.start, infosets.stop)]
        assert covered == list(range(treeplex.num_infosets))
        for infosets, sequences in treeplex.runs:
            assert sequences.start == treeplex.first_sequence[infosets.start]
            assert sequences.stop == treeplex.first_sequence[infosets.stop]
            assert (treeplex.parent_sequence[infosets] < sequences.start).all()


@given(games(**ANY))
def test_arrays_are_read_only(game: SequenceForm) -> None:
    for array in (
        game.tree.parent,
        game.tree.payoff,
        *(t.parent_sequence for t in game.treeplexes),
        *(t.first_sequence for t in game.treeplexes),
    ):
        assert not array.flags.writeable


def test_a_treeplex_may_be_numbered_in_any_order_with_parents_first() -> None:
    # information set 1 is below sequence 1, 2 below the root again, 3 below both 1 and itself in
    # line
    treeplex = Treeplex(
        np.array([0, 1, 0, 4], dtype=np.int32), np.array([1, 3, 5, 7, 9], dtype=np.int32)
    )
    behavior = np.array([1, 0.25, 0.75, 0.5, 0.5, 0.1, 0.9, 0.2, 0.8])
    plan = treeplex.to_plan(behavior)
    assert plan == pytest.approx([1, 0.25, 0.75, 0.125, 0.125, 0.1, 0.9, 0.025, 0.1])
    assert treeplex.to_behavior(plan) == pytest.approx(behavior)
    value, best = treeplex.best_response(np.array([1.0, 0, 3, 1, 0, 2, 1, 5, 4]))
    # below sequence 1: max(1, 0 + max(5, 4)) = 5 > 3; beside it max(2, 1) = 2; and 1 in any case
    assert value == 8
    assert best.tolist() == [1, 1, 0, 0, 1, 1, 0, 1, 0]


@given(trees())
def test_profiles_of_the_wrong_game_are_refused(tree: object) -> None:
    from seqform import build_sequence_form
    from seqform.base.errors import InvalidStrategyError
    from seqform.form.sequence_form import SequenceForm as Form

    game: Form = build_sequence_form(tree)  # type: ignore[arg-type]
    longer = [np.append(t.uniform(), 1.0) for t in game.treeplexes]
    with pytest.raises(InvalidStrategyError):
        Profile.from_behaviors(game.treeplexes, longer)
    with pytest.raises(InvalidStrategyError):
        expected_values(game, Profile(tuple(longer), tuple(longer)))
