"""A treeplex by hand: two moves at once after the first one, and one more below."""

from __future__ import annotations

import numpy as np
import pytest

from seqform.base.errors import InvalidGameError, InvalidStrategyError
from seqform.form.treeplex import UNIT_ROUNDOFF, Treeplex
from tests.intervals import BEHAVIOR, HAND, NOTHING, of_actions, treeplex

PLAN = np.array([1, 0.5, 0.5, 0.125, 0.125, 0.25, 0.375, 0.125, 0.25])


def test_who_follows_whom() -> None:
    assert (HAND.num_infosets, HAND.num_sequences) == (4, 9)
    assert HAND.num_actions.tolist() == [2, 3, 2, 1]
    assert HAND.infoset_of.tolist() == [-1, 0, 0, 1, 1, 1, 2, 2, 3]
    assert HAND.sequence_parent.tolist() == [-1, 0, 0, 1, 1, 1, 1, 1, 5]
    assert HAND.runs == [
        (slice(0, 1), slice(1, 3)),
        (slice(1, 3), slice(3, 8)),
        (slice(3, 4), slice(8, 9)),
    ]
    assert (NOTHING.num_infosets, NOTHING.num_sequences, NOTHING.runs) == (0, 1, [])
    assert HAND.summary() == [("infosets", "4"), ("sequences", "9"), ("passes", "3")]


def test_the_constraints_are_written_out() -> None:
    matrix, right = HAND.constraints()
    assert matrix.toarray().tolist() == [
        [1, 0, 0, 0, 0, 0, 0, 0, 0],
        [-1, 1, 1, 0, 0, 0, 0, 0, 0],
        [0, -1, 0, 1, 1, 1, 0, 0, 0],
        [0, -1, 0, 0, 0, 0, 1, 1, 0],
        [0, 0, 0, 0, 0, -1, 0, 0, 1],
    ]
    assert right.tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("parents", "first", "words"),
    [
        ([0], [0, 2], "start at 1"),
        ([0], [2, 3], "start at 1"),
        ([0], [1], "start at 1"),
        ([], [1, 2], "start at 1"),
        ([0, 0], [1, 3, 3], "grow by"),
        ([-1], [1, 2], "before the sequence that leads to it"),
        ([1], [1, 2], "before the sequence that leads to it"),
        ([0, 3], [1, 3, 4], "before the sequence that leads to it"),
    ],
)
def test_what_is_no_treeplex_is_refused(parents: list[int], first: list[int], words: str) -> None:
    with pytest.raises(InvalidGameError, match=f"T1: .*{words}"):
        treeplex(parents, first)


def test_nobody_changes_a_treeplex() -> None:
    for array in (HAND.parent_sequence, HAND.first_sequence):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_plans_and_behavior_go_into_each_other() -> None:
    assert HAND.to_plan(BEHAVIOR).tolist() == PLAN.tolist()
    assert HAND.to_behavior(PLAN).tolist() == BEHAVIOR.tolist()
    odd = BEHAVIOR.copy()
    odd[0] = 7  # the empty sequence is always played
    assert HAND.to_plan(odd).tolist() == PLAN.tolist()
    third = 1 / 3
    assert HAND.uniform().tolist() == [1, 0.5, 0.5, third, third, third, 0.5, 0.5, 1]
    elsewhere = np.array([1.0, 0, 1, 0, 0, 0, 0, 0, 0])
    expected = [1, 0, 1, third, third, third, 0.5, 0.5, 1]
    assert HAND.to_behavior(elsewhere).tolist() == expected
    for of in (NOTHING.to_plan, NOTHING.to_behavior, NOTHING.round_behavior):
        assert of(np.ones(1)).tolist() == [1]


def test_the_first_best_action_is_taken() -> None:
    worth = np.array([10.0, 1, 4, 2, 3, 1, 0, -1, 2])
    value, plan = HAND.best_response(worth)  # 1 + 3 + 0 is as good as 4
    assert value == HAND.best_value(worth) == 14
    assert plan.tolist() == [1, 1, 0, 0, 1, 0, 1, 0, 0]
    up, best = HAND.backward(worth)
    assert up.tolist() == [14, 4, 4, 2, 3, 3, 0, -1, 2]
    assert best.tolist() == [1, 4, 6, 8]
    assert NOTHING.best_response(np.array([5.0]))[0] == 5


def test_residuals_are_the_largest_violations() -> None:
    assert HAND.residuals(PLAN) == (0, 0)
    for sequence, change, expected in (
        (0, 0.5, (0.5, 0)),  # starts with more than 1
        (0, -0.25, (0.25, 0)),
        (8, 0.5, (0.5, 0)),
        (2, -1, (1, 0.5)),  # less than nothing
    ):
        plan = PLAN.copy()
        plan[sequence] += change
        assert HAND.residuals(plan) == expected
    assert NOTHING.residuals(np.array([1.5])) == (0.5, 0)
    assert NOTHING.residuals(np.array([-0.5])) == (1.5, 0.5)


def test_rounded_behavior_sums_to_one_without_rounding() -> None:
    tenth = of_actions(3, 2, 1)
    behavior = np.array([1, 0.3, 0.3, 0.4, 0.5, 0.5, 1])
    rounded = tenth.round_behavior(behavior, bits=3)
    assert (8 * rounded).tolist() == [8, 2, 2, 4, 4, 4, 8]
    tie = of_actions(2).round_behavior(np.array([1, 0.45, 0.45]), bits=1)
    assert tie.tolist() == [1, 1, 0]  # what is left goes to the first of the likeliest
    assert (2**24 * tenth.round_behavior(behavior) % 1 == 0).all()


def test_plans_of_another_shape_or_not_finite_are_refused() -> None:
    HAND.check_plan(PLAN)
    with pytest.raises(InvalidStrategyError, match=r"shape \(9,\), not \(8,\)"):
        HAND.check_plan(PLAN[1:])
    for sequence, where in ((0, "the empty sequence"), (4, "information set 1")):
        bad = PLAN.copy()
        bad[[sequence, 8]] = np.inf, np.nan
        with pytest.raises(InvalidStrategyError, match=f"{where}: the weight inf is not finite"):
            HAND.check_plan(bad)
    with pytest.raises(InvalidStrategyError, match="information set 'h1'"):
        HAND.check_plan(bad, lambda infoset: f"h{infoset}")


def test_behavior_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidStrategyError, match=r"shape \(9,\), not \(8,\)"):
        HAND.normalize(BEHAVIOR[1:])
    for wrong in (-1e-300, np.nan, np.inf):
        bad = BEHAVIOR.copy()
        bad[6] = wrong
        with pytest.raises(InvalidStrategyError, match=r"information set 2: .* no") as caught:
            HAND.normalize(bad)
        assert f"{wrong} is not a probability" in str(caught.value)
    bad = BEHAVIOR.copy()
    bad[7] = 0.5
    with pytest.raises(InvalidStrategyError, match=r"set 'h2': the probabilities sum to 1.25, not"):
        HAND.normalize(bad, label=lambda infoset: f"h{infoset}")


def test_behavior_may_sum_to_one_up_to_the_tolerance() -> None:
    two = of_actions(2)
    assert two.normalize(np.array([1, 0.75, 0.75]), tolerance=0.5).tolist() == [1, 0.5, 0.5]
    assert two.normalize(np.array([1, 0.25, 0.25]), tolerance=0.5).tolist() == [1, 0.5, 0.5]
    with pytest.raises(InvalidStrategyError, match="sum to"):
        two.normalize(np.array([1, 0.75, 0.75 + 2**-52]), tolerance=0.5)
    two.normalize(np.array([1, 0.5, 0.5 + 0.9e-9]))
    with pytest.raises(InvalidStrategyError, match="sum to"):
        two.normalize(np.array([1, 0.5, 0.5 + 1.1e-9]))
    assert two.normalize(np.array([7, 0.0, 1.0])).tolist() == [1, 0, 1]
    assert NOTHING.normalize(np.array([1.0])).tolist() == [1]


def test_rounding_errors_of_a_sum_are_left_alone() -> None:
    """Six times 1/6 is less than 1; dividing by that would change the last digit."""
    assert UNIT_ROUNDOFF == 2.0**-53
    six = of_actions(6)
    behavior = np.append(1.0, np.full(6, 1 / 6))
    assert np.add.reduceat(behavior, [1]) != 1
    assert six.normalize(behavior).tolist() == behavior.tolist()
    for actions in (2, 4):
        edge = np.append(1.0, np.full(actions, 1 / actions))
        edge[1] += actions * UNIT_ROUNDOFF  # the sum is as far off as roundings may make it
        assert of_actions(actions).normalize(edge).tolist() == edge.tolist()
        edge[1] += actions * UNIT_ROUNDOFF
        assert of_actions(actions).normalize(edge).tolist() != edge.tolist()


def test_edges_of_residuals_and_sums() -> None:
    treeplex = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 3], dtype=np.int32))
    assert treeplex.residuals(np.array([0.75, 0.5, 0.25])) == (0.25, 0.0)
    with pytest.raises(InvalidStrategyError, match=r"sum to 0\.75"):
        treeplex.normalize(np.array([1.0, 0.5, 0.25]))
    assert treeplex.round_behavior(np.array([0.0, 0.5, 0.5]))[0] == 1
