"""Push or fold: values, printed thresholds, and equilibria that nobody improves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.push_fold import PUSH_FOLD as CHARTS
from experiments.push_fold import stacks_of
from experiments.push_fold_chart import charts_of
from games.hand_classes import NUM_CLASSES, class_name
from games.preflop_equities import NUM_BOARDS, class_pairs
from games.push_fold import PUSH_FOLD
from games.push_fold_charts import Threshold, threshold
from games.push_fold_equilibrium import (
    PushFoldEquilibrium,
    push_fold_equilibria,
    push_fold_equilibrium,
    settled,
    solved_in_fractions,
)
from games.push_fold_matrix import PushFoldMatrix
from games.push_fold_program import Frequencies
from games.push_fold_rules import PushFoldRules
from seqform import build_sequence_form, certify, make, solve
from seqform.base.errors import InvalidParameterError
from tests.imports import ROOT

NUMBER = {class_name(number): number for number in range(NUM_CLASSES)}
HALF = Fraction(1, 2)

VALUES = {
    5: Fraction(1422957015868430851, 25319217912102714600),
    12: Fraction(-367859567, 4457341350),
    20: Fraction(-86286865312915601, 471024612884375550),
}
PRINTED = {
    "push": {
        **{"K2s": "19.3", "Q2s": "12.7", "J2s": "8.5", "T2s": "6.5", "92s": "3.7"},
        **{"K8o": "18.0", "T8o": "17.5"},
    },
    "call": {"Q2o": "5.6"},
}
"""The last stack, cut to 0.1, by holdemresources' heads-up push/fold Nash charts."""


def at(stack: Any) -> PushFoldEquilibrium:
    return push_fold_equilibrium(PushFoldRules(Fraction(stack)))


def plain_gains(found: PushFoldEquilibrium) -> tuple[Fraction, Fraction, Fraction]:
    """Return the value, and what each player could gain, class by class and pair by pair."""
    rules, of = found.rules, class_pairs()
    total = Fraction(int(of.deals.sum()))
    deals = of.deals.tolist()
    ahead = (of.wins - of.losses).tolist()
    value = best = worst = Fraction(0)
    calls = [[Fraction(0), Fraction(0)] for _ in range(NUM_CLASSES)]  # a fold's, and a call's
    for mine, often in enumerate(found.push):
        fold = push = Fraction(0)
        for theirs, calling in enumerate(found.call):
            met = deals[mine][theirs] / total
            shown = rules.stack * ahead[mine][theirs] / NUM_BOARDS / total
            fold -= met * (rules.small_blind + rules.ante)
            taken = met * (1 + rules.ante)
            push += calling * shown + (1 - calling) * taken
            calls[theirs][0] += often * taken
            calls[theirs][1] += often * shown
        value += often * push + (1 - often) * fold
        best += max(push, fold)
        worst += (1 - often) * fold
    worst += sum(min(pair) for pair in calls)
    return value, best - value, value - worst


@pytest.mark.parametrize("stack", VALUES)
def test_values_in_fractions(stack: int) -> None:
    assert at(stack).value == VALUES[stack]


def test_the_game_by_name_is_solved_in_fractions() -> None:
    solution: Any = solve(make("push-fold", stack=12), exact=True)
    assert solution.exact.value == VALUES[12]
    assert solution.profile[0, "AA:", "push"] == solution.profile[1, "AA:push", "call"] == 1
    assert solution.profile[0, "72o:", "push"] == 0


@pytest.mark.parametrize(("action", "hand"), [(of, hand) for of in PRINTED for hand in PRINTED[of]])
def test_printed_thresholds(action: str, hand: str) -> None:
    last = Fraction(PRINTED[action][hand])
    often = [getattr(at(stack), action)[NUMBER[hand]] for stack in (last, last + Fraction(1, 10))]
    assert often[0] >= HALF > often[1]


def test_63s_is_pushed_in_stretches() -> None:
    """Between them charts say it is, or is not, as they have one number for a hand."""
    pushed = [Fraction(number, 100) for number in (510, 515, 520, 565, 570, 575)]
    folded = [Fraction(number, 100) for number in (505, 525, 550, 580, 590)]
    assert [at(stack).push[NUMBER["63s"]] for stack in pushed] == [1] * len(pushed)
    assert [at(stack).push[NUMBER["63s"]] for stack in folded] == [0] * len(folded)


def test_the_value_is_largest_near_4_and_negative_from_780_on() -> None:
    values = {stack: at(stack).value for stack in ("3.5", "4", "4.5", "7.75", "7.8")}
    assert max(values, key=lambda stack: values[stack]) == "4"
    assert values["7.75"] > 0 > values["7.8"]


@given(
    st.fractions(1, 30, max_denominator=20),
    st.fractions(0, 1, max_denominator=8),
    st.fractions(0, 1, max_denominator=8),
)
@settings(max_examples=3)
def test_nobody_gains_by_anything_else(more: Fraction, blind: Fraction, ante: Fraction) -> None:
    found = push_fold_equilibrium(PushFoldRules(1 + ante + more, blind, ante))
    assert plain_gains(found) == (found.value, 0, 0)


def test_one_stack_after_another_is_as_each_by_itself() -> None:
    stacks = [Fraction(number, 3) for number in (60, 15, 16, 2, 90)]
    rules = [PushFoldRules(stack) for stack in stacks]
    together = [found.value for found in push_fold_equilibria(rules)]
    assert together == [push_fold_equilibrium(of).value for of in rules]


def test_what_is_no_equilibrium_is_not_taken_for_one() -> None:
    """Nor is what floats say believed: then the tree is solved in fractions."""
    game = PushFoldMatrix.of(PushFoldRules(Fraction(12)))
    good = at(12)
    push, call = (np.array([float(of) for of in side]) for side in (good.push, good.call))
    assert settled(game, Frequencies(push, call)) == good
    for side in (push, call):
        for hand in ("AA", "32o"):
            side[NUMBER[hand]] = 1 - side[NUMBER[hand]]
            assert settled(game, Frequencies(push, call)) is None
            side[NUMBER[hand]] = 1 - side[NUMBER[hand]]
    push[NUMBER["K8o"]] = 0.5  # mixes alone: no equations
    assert settled(game, Frequencies(push, call)) is None


def test_the_tree_in_fractions_says_the_same() -> None:
    rules = PushFoldRules(Fraction(5))
    assert solved_in_fractions(rules) == push_fold_equilibrium(rules)


def test_the_tree_certifies_the_equilibrium() -> None:
    """With an ante, and a small blind of another size."""
    rules = PushFoldRules(Fraction(15, 2), Fraction(1, 3), Fraction(1, 8))
    found = push_fold_equilibrium(rules)
    form = build_sequence_form(make("push-fold", stack=7.5, small_blind="1/3", ante=0.125))
    behaviors = []
    for weights in (found.push, found.call):
        pairs = [[1 - float(weight), float(weight)] for weight in weights]
        behaviors.append(np.array([1.0, *np.ravel(pairs)]))
    certificate = certify(form, form.profile(behaviors))
    assert certificate.lower == pytest.approx(float(found.value), abs=1e-12)
    assert certificate.upper == pytest.approx(float(found.value), abs=1e-12)


@pytest.mark.parametrize(("stack", "ante"), [("0.75", "0"), ("1.25", "0.25")])
def test_a_big_blind_without_chips_decides_nothing(stack: str, ante: str) -> None:
    game = make("push-fold", stack=stack, ante=ante)
    assert game.infoset_player.tolist() == [0] * NUM_CLASSES
    solution: Any = solve(game, exact=True)
    found = push_fold_equilibrium(PushFoldRules(Fraction(stack), HALF, Fraction(ante)))
    assert solution.exact.value == found.value
    of = class_pairs()
    each = [  # a showdown, or a fold
        max(
            Fraction(stack) * int((of.wins - of.losses)[hand].sum()) / NUM_BOARDS,
            -int(of.deals[hand].sum()) * (HALF + Fraction(ante)),
        )
        for hand in range(NUM_CLASSES)
    ]
    assert found.value == sum(each) / int(of.deals.sum())


def test_integers_of_long_amounts_do_not_overflow() -> None:
    rules = PushFoldRules(12 + Fraction(1, 10**9 - 1))
    assert PushFoldMatrix.of(rules).pays.dtype == object
    found = push_fold_equilibrium(rules)
    assert float(found.value) == pytest.approx(float(VALUES[12]), abs=1e-8)


@pytest.mark.parametrize("written", [7.5, "7.5", "15/2", Fraction(15, 2)])
def test_a_stack_is_written_as_one_likes(written: Any) -> None:
    assert PUSH_FOLD.parse({"stack": written}) == {"stack": "7.5"}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"stack": "0.5"}, "stack=0.5: .* nobody decides anything; use more than 0.5 big blinds"),
        ({"stack": 1, "ante": 0.5}, "stack=1: .* use more than 1 big blinds"),
        ({"stack": -3}, "stack=-3"),
        ({"stack": "ten"}, "stack='ten' is no amount of big blinds"),
        ({"stack": True}, "stack=True is no amount"),
        ({"stack": "1/0"}, "stack='1/0'"),
        ({"stack": 10**7}, "stack=10000000: use at most 1,000,000 big blinds"),
        ({"small_blind": 2}, "small_blind=2: use 0 to 1"),
        ({"small_blind": "-0.1"}, "small_blind=-0.1"),
        ({"ante": "-1/3"}, "ante=-1/3: use 0 or more"),
        ({"ante": "1e-30"}, "ante=.* denominator"),
    ],
)
def test_amounts_that_cannot_be_are_refused(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        make("push-fold", **parameters)


# Charts


def test_holes_are_stretches_below_the_threshold() -> None:
    stacks = [Fraction(number) for number in range(1, 9)]
    weights = [0, 0, 1, HALF, 0, 1, Fraction(49, 100), 0]
    found = threshold(stacks, [Fraction(of) for of in weights])
    assert found == Threshold(Fraction(6), ((Fraction(1), Fraction(2)), (Fraction(5), Fraction(5))))
    assert threshold(stacks, [Fraction(0)] * 8) == Threshold(None, ())


def test_stacks_are_read_from_one_to_another() -> None:
    assert len(stacks_of("1 to 25 by 0.1")) == 241
    assert stacks_of("1 to 25 by 0.1")[-1] == 25
    for text in ("5 to 1 by 0.1", "1 to 5 by 0", "1 to 1000000 by 0.1", "some"):
        with pytest.raises(InvalidParameterError, match="stacks="):
            stacks_of(text)


def test_the_shipped_charts_have_the_printed_thresholds() -> None:
    from seqform.experiment.store import read_table

    (chart,) = charts_of(read_table(ROOT / "experiments" / "results" / CHARTS.name))
    assert len(chart.rows) == 241
    for action, printed in PRINTED.items():
        found = chart.thresholds(action)
        assert {hand: found[NUMBER[hand]].last for hand in printed} == {
            hand: Fraction(last) for hand, last in printed.items()
        }
