"""Stages by types are the same as entry by entry: chances exactly, and payments while learning."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.three_handed import ThreeHanded, hand_of
from games.three_handed_one_card import RANKS, three_handed_one_card
from games.three_handed_stage import dense_hand
from games.three_way_equities import ORDERS
from seqform.base.errors import InvalidGameError
from seqform.exact.plans import round_plan
from seqform.form.treeplex import UNIT_ROUNDOFF
from seqform.recursive import contraction, dense_stage
from seqform.recursive.any_stage import AnyStage
from seqform.recursive.chance_tensor import ChanceTensor
from seqform.recursive.dense_stage import DenseStage
from seqform.recursive.proof import prove_stationary
from seqform.recursive.small_tensor import SmallTensor
from seqform.recursive.stage_form import StageForm, outcome_stage
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
from tests.examples import examples

WHOLE = 2**44
STACKS = [(9, 9, 9), (2, 9, 9), (9, 2, 9), (9, 1, 9), (5, 5, 2), (9, 9, 0), (9, 2, 0), (1, 9, 0)]
seeds = st.integers(0, 10_000)


def random_tensor(rng: np.random.Generator, types: tuple[int, ...], most: int) -> ChanceTensor:
    weights = rng.integers(0, most, (len(ORDERS), *types), endpoint=True)
    weights[:, 0, 0, 0] = 0  # these types are never dealt together
    weights[0, -1, -1, -1] = most
    return ChanceTensor(weights)


def by_entries(form: DenseStage) -> StageForm:
    """Return the same stage with every place where sequences meet listed."""
    deals = list(product(*map(range, form.tensor.num_types)))
    outcomes = []
    for line in form.lines:
        for outcome, leaf in enumerate(line.leaf.tolist()):
            weights = [int(form.tensor.weights[(outcome, *deal)]) for deal in deals]
            places = [
                [int(form.blocks[seat][line.blocks[seat]][deal[seat]]) for deal in deals]
                for seat in range(3)
            ]
            there = np.flatnonzero(weights)
            if len(there):
                outcomes.append(
                    (form.leaves[leaf].at, np.array(places)[:, there], np.array(weights)[there])
                )
    names = list(dict.fromkeys(leaf.at for leaf in form.leaves))
    listed = outcome_stage(form.treeplexes, form.origin, outcomes, form.denominator)
    # each leaf once, in the order of the other form
    leaf = np.array([names.index(listed.leaves[n].at) for n in listed.leaf], dtype=np.int32)
    return StageForm(
        form.treeplexes,
        form.origin,
        form.leaves,
        form.denominator,
        listed.places,
        leaf,
        listed.weights,
    )


def dense(rng: np.random.Generator, most: int) -> DenseStage:
    stacks = STACKS[rng.integers(len(STACKS))]
    types = tuple(int(n) for n in rng.integers(1, 5, 3))
    hand = hand_of(stacks)
    return dense_hand(hand, random_tensor(rng, types, most), ORDERS, "abcd"[: types[0]])


def random_behaviors(rng: np.random.Generator, form: AnyStage) -> list[Any]:
    return [t.to_behavior(rng.random(t.num_sequences) + 1e-3) for t in form.treeplexes]


@given(seeds, st.sampled_from((1, 1000, 2**36)), st.sampled_from((1, 2, 64)))
@examples(12, 25)
def test_chances_are_those_of_all_entries(seed: int, most: int, at_once: int) -> None:
    rng = np.random.default_rng(seed)
    form = dense(rng, most)
    listed = by_entries(form)
    lead = np.arange(len(form.leaves), dtype=np.int32)
    behaviors = [random_behaviors(rng, form) for _ in range(3)]
    floats = [
        [t.to_plan(b) for t, b in zip(form.treeplexes, own, strict=True)] for own in behaviors
    ]

    exact = [
        [round_plan(t, b, 44) for t, b in zip(form.treeplexes, own, strict=True)]
        for own in behaviors
    ]
    worth = np.array([int(n) for n in rng.integers(-(2**40), 2**40, len(lead))], dtype=object)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contraction, "AT_ONCE", at_once)
        for seat in range(3):
            here = [form.meetings(lead, seat)] * 3
            found = form.all_exactly_against(here, exact, WHOLE)
            rounded = form.all_against(here, floats)
            for stage in range(3):
                expected = listed.meetings(lead, seat).exactly_against(exact[stage], WHOLE)
                assert found[stage].denominator == expected.denominator
                paid = found[stage].gradient(worth)
                assert paid.tolist() == expected.gradient(worth).tolist()
                assert all(type(number) is int for number in paid)
                expected = listed.meetings(lead, seat).against(floats[stage])
                near = worth.astype(float) / 2**40
                assert rounded[stage].gradient(near) == pytest.approx(
                    expected.gradient(near), abs=1e-12
                )


@given(seeds, st.sampled_from((1, 1000, 2**36)))
@settings(max_examples=20)
def test_a_stage_as_a_game_pays_as_entry_by_entry(seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    form = dense(rng, most)
    listed = by_entries(form)
    worth = rng.uniform(-9, 9, (len(form.leaves), 3))
    found, expected = form.payoffs(worth), listed.payoffs(worth)
    plans = [
        t.to_plan(b) for t, b in zip(form.treeplexes, random_behaviors(rng, form), strict=True)
    ]
    for seat in range(3):
        for by_types, by_entry in (
            (found.gradient, expected.gradient),
            (found.absolute_gradient, listed.payoffs(np.abs(worth)).gradient),
            (form.ending, listed.ending),
            (form.listed().payoffs(worth).gradient, expected.gradient),
        ):
            assert by_types(seat, plans) == pytest.approx(by_entry(seat, plans), abs=1e-12)
    assert expected.num_nonzeros <= found.num_nonzeros <= form.num_entries
    assert form.listed().num_entries <= form.num_entries
    lead = np.arange(len(form.leaves), dtype=np.int32)
    exact = [round_plan(t, plan, 44) for t, plan in zip(form.treeplexes, plans, strict=True)]
    for seat in range(3):
        paid = [
            of.meetings(lead, seat).exactly_against(exact, WHOLE).gradient(lead.astype(object))
            for of in (form.listed(), listed)
        ]
        assert paid[0].tolist() == paid[1].tolist()


@given(seeds, st.sampled_from((1e-3, 1e-170)))
@settings(max_examples=10)
def test_what_rounding_may_take_is_bounded(seed: int, least: float) -> None:
    rng = np.random.default_rng(seed)
    form = dense(rng, 1000)
    worth = rng.uniform(-9, 9, (len(form.leaves), 3))
    payoffs, listed = form.payoffs(worth), by_entries(form)
    behaviors = random_behaviors(rng, form)
    for behavior, treeplex in zip(behaviors, form.treeplexes, strict=True):
        first, rare = treeplex.first_sequence[:-1], int(rng.integers(2))
        behavior[first + rare], behavior[first + 1 - rare] = least, 1.0  # products may vanish
    plans = [t.to_plan(b) for t, b in zip(form.treeplexes, behaviors, strict=True)]
    for seat in range(3):
        share = payoffs.roundings(seat) * UNIT_ROUNDOFF
        found = payoffs.gradient(seat, plans).tolist()
        off = share * payoffs.absolute_gradient(seat, plans) + payoffs.error_gradient(seat, plans)
        true = exactly(listed, worth, seat, plans)
        for at, exact in enumerate(true):
            assert abs(Fraction(found[at]) - exact) <= Fraction(off[at])


def exactly(listed: StageForm, worth: Any, seat: int, plans: list[Any]) -> list[Fraction]:
    """Return what sequences of a seat are paid, floats taken as the numbers that they are."""
    paid = [Fraction(0)] * len(plans[seat])
    fractions = [list(map(Fraction, plan.tolist())) for plan in plans]
    for places, leaf, weight in zip(
        listed.places.T.tolist(), listed.leaf, listed.weights, strict=True
    ):
        product = Fraction(int(weight), listed.denominator) * Fraction(float(worth[leaf, seat]))
        for other in range(3):
            if other != seat:
                product *= fractions[other][places[other]]
        paid[places[seat]] += product
    return paid


@given(seeds)
@settings(max_examples=25)
def test_sequences_are_paid_while_learning_as_by_all_entries(seed: int) -> None:
    rng = np.random.default_rng(seed)
    form = dense(rng, 1000)
    listed = by_entries(form)
    rows = np.cumsum([0, *(t.num_sequences for t in form.treeplexes)])
    worth = np.ascontiguousarray(rng.uniform(-9, 9, (3, len(form.leaves), 2)))
    near = np.zeros((rows[-1], 2))
    payers = form.payer(rows, worth, near), listed.payer(rows, worth, near)
    for _ in range(2):
        columns = [
            np.concatenate([t.to_plan(b) for t, b in zip(form.treeplexes, own, strict=True)])
            for own in (random_behaviors(rng, form), random_behaviors(rng, form))
        ]
        plans = np.ascontiguousarray(np.stack(columns, axis=1))
        for seat in range(3):
            paid = [np.full_like(plans, 7.0) for _ in payers]
            for payer, to in zip(payers, paid, strict=True):
                payer.pay(seat, plans, to)
            for infoset in range(form.treeplexes[seat].num_infosets):
                first, end = form.treeplexes[seat].first_sequence[infoset : infoset + 2]
                there = slice(rows[seat] + first, rows[seat] + end)
                assert paid[0][there] == pytest.approx(paid[1][there], abs=1e-4)
            outside = np.r_[0 : rows[seat], rows[seat + 1] : rows[-1]]
            assert (paid[0][outside] == 7.0).all()


@given(seeds, st.sampled_from((2, 9)))
@examples(7, 15)
def test_a_smaller_tensor_is_made_good_where_averages_are(seed: int, rank: int) -> None:
    rng = np.random.default_rng(seed)
    hand = hand_of(STACKS[0])
    form = dense_hand(hand, random_tensor(rng, (4, 3, 4), 1000), ORDERS, "abcd")
    listed = by_entries(form)
    rows = np.cumsum([0, *(t.num_sequences for t in form.treeplexes)])
    worth = np.ascontiguousarray(rng.uniform(-9, 9, (3, len(form.leaves), 1)))
    near, far = (
        np.concatenate([t.to_plan(b) for t, b in zip(form.treeplexes, own, strict=True)])[:, None]
        for own in (random_behaviors(rng, form), random_behaviors(rng, form))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense_stage, "SMALL", 0)
        patch.setattr(dense_stage, "small_of", lambda tensor: SmallTensor(tensor, rank))
        payers = form.payer(rows, worth, near), listed.payer(rows, worth, near)
    for plans, is_near in ((near, True), (far, rank > 4)):
        found = []
        for payer in payers:
            paid = np.zeros_like(plans)
            for seat in range(3):
                payer.pay(seat, plans, paid)
                paid[rows[seat]] = 0.0  # what the empty sequence is paid changes nothing
            found.append(paid)
        if is_near:
            assert found[0] == pytest.approx(found[1], abs=1e-4)
        else:  # or the test shows nothing
            assert np.abs(found[0] - found[1]).max() > 1e-4


def one_card_tensor(cards: int) -> ChanceTensor:
    orders = list(permutations(range(3)))
    weights = np.zeros((len(ORDERS), cards, cards, cards), dtype=np.int64)
    for deal in permutations(range(cards), 3):
        order = max(orders, key=lambda of: [deal[seat] for seat in of])
        weights[(ORDERS.index(tuple((seat,) for seat in order)), *deal)] = 1
    return ChanceTensor(weights)


def test_the_tournament_with_one_card_is_the_same_by_types() -> None:
    listed = three_handed_one_card(chips=6, cards=4)
    tensor = one_card_tensor(4)
    made: dict[Any, DenseStage] = {}

    def stage(hand: Any) -> DenseStage:
        return made.setdefault(hand, dense_hand(hand, tensor, ORDERS, RANKS[-4:]))

    graphs = [stage_graph(listed), stage_graph(ThreeHanded(stage, listed.first, (50, 30, 20)))]
    assert {s.key for s in graphs[0].stages} == {s.key for s in graphs[1].stages}
    rng = np.random.default_rng(3)
    behaviors = {s.key: random_behaviors(rng, s.form) for s in graphs[0].stages}
    proofs = [
        prove_stationary(StationaryProfile.checked(g, [behaviors[s.key] for s in g.stages]))
        for g in graphs
    ]
    for number, at in enumerate(graphs[0].stages):
        other = graphs[1].number(at.key)
        assert labels(at.form) == labels(graphs[1].stages[other].form)
        for bounds in ("lower", "upper"):
            one, two = getattr(proofs[0], bounds)[number], getattr(proofs[1], bounds)[other]
            assert list(map(float, one)) == pytest.approx(list(map(float, two)), abs=1e-9)


def labels(form: AnyStage) -> list[Any]:
    return [
        form.origin.infoset_label(seat, infoset)
        for seat, treeplex in enumerate(form.treeplexes)
        for infoset in range(treeplex.num_infosets)
    ]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones((2, 2, 2)), "shape"),
        (np.full((1, 2, 2, 2), -1), "not negative"),
        (np.full((1, 2, 2, 2), 0.5), "integers"),
        (np.full((1, 2, 2, 2), np.nan), "integers"),
        (np.full((1, 2, 2, 2), np.inf), "integers"),
        (np.zeros((1, 2, 2, 2)), "all chances are 0"),
        (np.full((1, 2, 2, 2), 2**60), "smaller denominator"),
        (np.ones((1, 2, 2, 2**14)), "fewer types"),
    ],
)
def test_chances_that_cannot_be_are_refused(weights: Any, words: str) -> None:
    with pytest.raises(InvalidGameError, match=words):
        ChanceTensor(weights)


def test_lines_that_do_not_add_up_are_refused() -> None:
    form = dense_hand(hand_of((9, 9, 9)), one_card_tensor(3), ORDERS, "QKA")
    given_as = {name: getattr(form, name) for name in DenseStage.__dataclass_fields__}
    for lines in (form.lines[1:], (*form.lines, form.lines[0])):
        with pytest.raises(InvalidGameError, match="exactly one line"):
            DenseStage(**{**given_as, "lines": lines}).check()
    wrong = form.lines[0]._replace(blocks=(9, 0, 0))
    with pytest.raises(InvalidGameError, match="numbers are wrong"):
        DenseStage(**{**given_as, "lines": (wrong, *form.lines[1:])}).check()
    doubled = form.blocks[0].copy()
    doubled[1] = doubled[1, 0]
    with pytest.raises(InvalidGameError, match="differ"):
        DenseStage(**{**given_as, "blocks": (doubled, *form.blocks[1:])}).check()


def test_stages_are_taken_in_portions_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    form = dense_hand(hand_of((9, 9, 9)), one_card_tensor(3), ORDERS, "QKA")
    assert form.most_at_once > 1000
    monkeypatch.setattr(dense_stage, "ROOM", 4 * 9 * 5)
    assert form.most_at_once == 5
