"""Plans in integers by hand: how probabilities are rounded to them, and what is none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from games.random_games import random_game
from seqform import build_sequence_form
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, UnsupportedGameError
from seqform.exact.bracket import interval_of
from seqform.exact.interval import bounds
from seqform.exact.plan_proof import ProvenInterval, outwards
from seqform.exact.plans import check_plan, round_plan
from seqform.form.profile import Profile
from seqform.form.sparse_payoff import SparsePayoff
from tests.intervals import BEHAVIOR, HAND, NOTHING, chain, form_of, objects, of_actions, sparse

EIGHTHS = np.array([8, 4, 4, 1, 1, 2, 3, 1, 2])
"""Eight times the plan of BEHAVIOR."""


def test_a_plan_is_split_from_the_top_down() -> None:
    assert round_plan(HAND, BEHAVIOR, 3).tolist() == EIGHTHS.tolist()
    assert round_plan(NOTHING, np.ones(1), 3).tolist() == [8]


def test_what_is_left_goes_to_the_last_action_that_is_played() -> None:
    third = np.array([1, 1 / 3, 1 / 3, 1 / 3, 0])
    assert round_plan(of_actions(4), third, 3).tolist() == [8, 3, 2, 3, 0]
    assert round_plan(of_actions(4), third, 0).tolist() == [1, 0, 0, 1, 0]
    # probabilities need not sum to one: each is a share of those that are left
    assert round_plan(of_actions(2), np.array([1, 3.0, 1.0]), 3).tolist() == [8, 6, 2]


@pytest.mark.parametrize("wrong", [-1e-300, np.nan, np.inf])
def test_what_is_no_probability_is_not_rounded(wrong: float) -> None:
    behavior = BEHAVIOR.copy()
    behavior[4] = wrong
    with pytest.raises(InvalidStrategyError, match="9 probabilities, finite and not negative"):
        round_plan(HAND, behavior, 3)


def test_behavior_of_another_game_is_not_rounded() -> None:
    with pytest.raises(InvalidStrategyError, match="has 9 probabilities"):
        round_plan(HAND, np.append(BEHAVIOR, 1.0), 3)


def test_plans_have_at_most_52_bits() -> None:
    one = chain(0)
    game = form_of((one, one), sparse(np.array([[1]])))
    profile = Profile.uniform((one, one))
    assert interval_of(game, profile, 0).bits == 0
    assert interval_of(game, profile, 52).bits == 52
    for bits in (-1, 53):
        with pytest.raises(InvalidParameterError, match=f"bits={bits}: use 0 to 52"):
            interval_of(game, profile, bits)


@pytest.mark.parametrize("factor", [1, 2**59, 2**70])
def test_plans_may_be_of_int64_or_of_python_ints(factor: int) -> None:
    numbers = [factor * entry for entry in EIGHTHS.tolist()]
    check_plan(HAND, objects(numbers), 8 * factor)
    if factor < 2**60:
        check_plan(HAND, np.array(numbers), 8 * factor)


@pytest.mark.parametrize(
    "plan",
    [
        EIGHTHS.astype(np.float64),
        EIGHTHS.astype(np.int32),
        objects(EIGHTHS),  # numpy's integers, which overflow
        objects([8, 4, 4, True, True, 2, 3, 1, 2]),
        objects([8.0, *EIGHTHS.tolist()[1:]]),
        EIGHTHS[:-1],
        np.append(EIGHTHS, 0),
        EIGHTHS[:, None],
    ],
)
def test_anything_else_is_no_plan(plan: Any) -> None:
    with pytest.raises(InvalidStrategyError, match=r"int64, or Python ints, of shape \(9,\)"):
        check_plan(HAND, plan, 8)


@pytest.mark.parametrize(
    ("sequence", "entry", "whole"), [(0, 7, 8), (0, 9, 8), (0, 8, 7), (3, -1, 8), (3, 9, 8)]
)
def test_plans_start_with_the_whole_and_stay_within(sequence: int, entry: int, whole: int) -> None:
    plan = EIGHTHS.copy()
    plan[sequence] = entry
    for numbers in (plan, objects(plan.tolist())):
        with pytest.raises(InvalidStrategyError, match=f"starts with {whole}, and all others lie"):
            check_plan(HAND, numbers, whole)


def test_there_is_a_whole_of_at_least_one() -> None:
    check_plan(of_actions(1), np.array([1, 1]), 1)
    with pytest.raises(InvalidStrategyError, match="starts with 0"):
        check_plan(of_actions(1), np.array([0, 0]), 0)
    check_plan(NOTHING, np.array([8]), 8)


def test_the_first_set_that_does_not_add_up_is_named() -> None:
    plan = EIGHTHS.copy()
    plan[[7, 8]] = 2, 1
    with pytest.raises(InvalidStrategyError, match=r"set 2: .* add up to 5, .* there has 4"):
        check_plan(HAND, plan, 8)


@pytest.mark.parametrize(("bits", "text"), [(128, str(2**127)), (129, "a number of 129 bits")])
def test_long_integers_are_named_by_their_size(bits: int, text: str) -> None:
    plan = objects([2 ** (bits - 1), 2 ** (bits - 1) - 1])
    with pytest.raises(InvalidStrategyError, match=f"that leads there has {text}"):
        check_plan(of_actions(1), plan, 2 ** (bits - 1))


@pytest.mark.parametrize("payoff", [5, 2**21 - 1, 2**40 + 1, 2**62 - 1, 2**80 + 1])
@pytest.mark.parametrize("wholes", [(3, 7), (2**52, 2**61 + 1), (2**62, 2**63), (2**63 + 1, 1)])
def test_plans_of_any_size_prove_the_same(payoff: int, wholes: tuple[int, int]) -> None:
    """Player 0 is paid so much whatever happens, and plans may be Python ints or int64."""
    number = np.array([payoff], dtype=np.int64 if payoff < 2**63 else object)
    game = form_of((chain(0), chain(0)), SparsePayoff(sp.csr_array(np.ones((1, 1))), number, 2))
    assert bounds(game, (objects(wholes[:1]), objects(wholes[1:])), wholes) == (
        (Fraction(payoff, 2),) * 2
    )
    if max(wholes) < 2**63:
        plans = np.array(wholes[:1]), np.array(wholes[1:])
        assert bounds(game, plans, wholes) == (Fraction(payoff, 2),) * 2


def test_what_one_player_does_alone_has_no_interval() -> None:
    game = build_sequence_form(random_game(1, players=1, depth=2))
    with pytest.raises(UnsupportedGameError, match="R10"):
        interval_of(game, Profile.uniform(game.treeplexes))


def test_bounds_are_written_with_15_digits_outwards() -> None:
    bounds_of = ProvenInterval(Fraction(-1, 3), Fraction(1, 3), 0, (), None)  # type: ignore[arg-type]
    assert outwards(bounds_of) == ("-0.333333333333334", "0.333333333333334")
