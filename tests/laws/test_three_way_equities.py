"""Three hands of hold'em in order: ways to deal them, orders, and how often these come."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from games import three_way_equities
from games.hand_classes import CLASS_OF, HANDS, HANDS_OF, class_number
from games.hand_ranks import hand_strength
from games.preflop_equities import NUM_BOARDS, class_pairs
from games.three_handed_holdem import ORDERS_OF_TWO
from games.three_way_equities import (
    ORDERS,
    all_orders_come,
    order_codes,
    order_images,
    three_way_counts,
    triple_row,
    ways_to_deal,
)
from seqform.base.errors import OutOfTimeError

AA, KK, AKS, AKO, SUITED, OFF, LOW = (
    class_number(12, 12, ""),
    class_number(11, 11, ""),
    class_number(12, 11, "s"),
    class_number(12, 11, "o"),
    class_number(8, 7, "s"),
    class_number(8, 7, "o"),
    class_number(0, 0, ""),
)
FEW = (AA, AKS, AKO, SUITED, OFF, LOW)


def test_deals_are_the_same_however_many_are_drawn_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = three_way_counts(7, 3, FEW).counts
    monkeypatch.setattr(three_way_equities, "AT_ONCE", 70)
    np.testing.assert_array_equal(three_way_counts(7, 3, FEW).counts, whole)


def test_time_is_asked_between_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def time_is_up(doing: str) -> None:
        asked.append(doing)
        if len(asked) == 2:
            raise OutOfTimeError(doing)

    monkeypatch.setattr(three_way_equities, "AT_ONCE", 70)
    monkeypatch.setattr(three_way_equities, "check_time", time_is_up)
    with pytest.raises(OutOfTimeError, match="drawing deals"):
        three_way_counts(50, 3, FEW)
    assert len(asked) == 2


def test_ways_to_deal_are_all_that_there_are() -> None:
    few = (AA, AKS, AKO, KK)
    found = ways_to_deal(few)
    for one, other, third in product(range(4), repeat=3):
        deals = product(*(HANDS[HANDS_OF[few[place]]].tolist() for place in (one, other, third)))
        count = sum(len({*a, *b, *c}) == 6 for a, b, c in deals)
        assert found[one, other, third] == count
    assert found[0, 0, 0] == 0  # there are four aces
    assert ways_to_deal().sum() == 1326 * 1225 * 1128


def test_all_orders_have_numbers() -> None:
    assert len(set(ORDERS)) == 13
    assert sorted(set(order_codes().tolist())) == list(range(-1, 13))
    images = order_images()
    for to in permutations(range(3)):
        assert sorted(images[to].tolist()) == list(range(13))
    assert images[0, 1, 2].tolist() == list(range(13))
    # hand 0 is moved to place 1, hand 1 to place 2, and hand 2 to place 0
    assert ORDERS[images[1, 2, 0, 0]] == ((1,), (2,), (0,))
    rows = [(i, j, k) for k in range(5) for j in range(k + 1) for i in range(j + 1)]
    assert [triple_row(*row) for row in rows] == list(range(len(rows)))


def test_draws_hang_on_the_seed_only() -> None:
    one, same, other = (three_way_counts(50, seed, FEW) for seed in (1, 1, 2))
    assert (one.counts == same.counts).all()
    assert (one.counts != other.counts).any()
    assert one.counts[0].sum() == 0  # three pairs of aces
    assert one.counts[triple_row(0, 0, 1)].sum() == 0
    assert set(one.counts.sum(axis=1).tolist()) == {0, 50}


def test_which_orders_come_is_seen_by_the_first_deals() -> None:
    assert all_orders_come(200, 1)
    for deals, seed, classes in ((1, 1, FEW), (3, 2, FEW[:3]), (30, 1, FEW), (2, 1, (AA, KK))):
        weights = three_way_counts(deals, seed, classes).weights()
        if all_orders_come(deals, seed, classes):
            assert weights.any(axis=(1, 2, 3)).all()
    assert all_orders_come(30, 1, FEW)
    assert not all_orders_come(2, 1, (AA, KK))  # no three hands differ


def test_weights_are_the_ways_to_deal_and_move_with_the_hands() -> None:
    of = three_way_counts(30, 1, FEW)
    weights = of.weights()
    assert (weights.sum(axis=0) == 30 * of.deals).all()
    images = order_images()
    for i, j, k in permutations(range(6), 3):
        places = [sorted((i, j, k)).index(of) for of in (i, j, k)]
        to = tuple(places.index(at) for at in range(3))
        low = weights[(slice(None), *sorted((i, j, k)))]
        assert (weights[images[to], i, j, k] == low).all()


def sampled(classes: tuple[int, ...], count: int) -> np.ndarray:
    """Return how often each order comes, by other draws and `games.hand_ranks.hand_strength`."""
    rng = np.random.default_rng(5)
    found = np.zeros(13)
    number = {order: at for at, order in enumerate(ORDERS)}
    for _ in range(count):
        while True:
            hands = HANDS[[rng.choice(HANDS_OF[of]) for of in classes]]
            if len(set(hands.ravel().tolist())) == 6:
                break
        board = rng.choice(np.setdiff1d(np.arange(52), hands), 5, replace=False)
        strength = hand_strength(hands, board).tolist()
        order = tuple(
            tuple(seat for seat in range(3) if strength[seat] == level)
            for level in sorted(set(strength), reverse=True)
        )
        found[number[order]] += 1
    return found / count


@pytest.mark.parametrize("places", [(1, 2, 3), (3, 3, 4), (0, 3, 5), (2, 2, 2)])
def test_orders_come_as_often_as_by_other_draws(places: tuple[int, int, int]) -> None:
    deals, others = 4000, 1500
    of = three_way_counts(deals, 7, FEW)
    found = of.counts[triple_row(*places)] / deals
    expected = sampled(tuple(FEW[place] for place in places), others)
    near = 5 * np.sqrt((found + expected + 1e-3) / 2 * (1 / deals + 1 / others))
    assert (abs(found - expected) < near).all()


def test_over_all_third_hands_two_hands_do_as_without_one() -> None:
    """A third hand of which nothing is known changes nothing: so all 169 classes are compared."""
    deals = 2
    of = three_way_counts(deals, 1)
    weights = of.weights()
    pairs = class_pairs()
    above = [_place(order, 0) < _place(order, 1) for order in ORDERS]
    ties = [_place(order, 0) == _place(order, 1) for order in ORDERS]
    dealt = of.deals.sum(axis=2)
    assert (dealt == pairs.deals * 1128).all()
    for which, counts in ((above, pairs.wins), (ties, pairs.ties)):
        expected = counts / pairs.deals / NUM_BOARDS
        found = weights[np.array(which)].sum(axis=(0, 3), dtype=np.float64) / deals / dealt
        spread = (of.deals.astype(float) ** 2).sum(axis=2) / dealt.astype(float) ** 2 / deals
        error = (found - expected) / np.sqrt(spread * expected * (1 - expected) + 1e-9)
        assert abs(error).max() < 7
        assert abs(error.mean()) < 0.05
        assert error.std() < 1.1


def _place(order: tuple[tuple[int, ...], ...], seat: int) -> int:
    return next(place for place, group in enumerate(order) if seat in group)


def test_orders_of_two_are_all() -> None:
    assert {frozenset(order) for order in ORDERS_OF_TWO} == {
        frozenset({(0,), (1,)}),
        frozenset({(0, 1)}),
    }
    assert len(set(ORDERS_OF_TWO)) == 3
    assert len(CLASS_OF) == 1326
