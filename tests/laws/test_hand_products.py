"""Products over a board are sums over pairs of hands, to the last integer, and within their bounds
in floats."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform.form.hand_products import HandProducts, shared_cards

SEEDS = st.integers(0, 100_000)
UNIT = Fraction(1, 2**53)


class Instance(NamedTuple):
    here: HandProducts
    meets: np.ndarray
    """bool (own hands, other hands): whether they share no card."""
    compared: np.ndarray
    """int: 0, 1, 2 where the own hand is better, equal, worse."""


def instance(seed: int) -> Instance:
    """Return random hands of a few cards, some of which avoid the board."""
    rng = np.random.default_rng(seed)
    cards, sizes = int(rng.integers(4, 9)), rng.integers(1, 4, 2)
    if rng.random() < 0.6:
        sizes[1] = sizes[0]
    ranges, alive, strengths = [], [], []
    value = {}
    for size in sizes:
        every = list(combinations(range(cards), size))
        chosen = rng.permutation(len(every))[: rng.integers(1, len(every) + 1)]
        ranges.append(np.array([every[at] for at in chosen], dtype=np.int16))
        alive.append(np.flatnonzero(rng.random(len(chosen)) < 0.8))
        for hand in map(tuple, ranges[-1].tolist()):
            value.setdefault(hand, rng.integers(0, 4))
        hands = ranges[-1][alive[-1]].tolist()
        strengths.append(np.array([value[tuple(hand)] for hand in hands], dtype=np.int32))
    here = HandProducts.on_board(shared_cards(*ranges), *alive, *strengths)
    mine, theirs = (of[at] for of, at in zip(ranges, alive, strict=True))
    meets = np.array([[not set(h) & set(g) for g in theirs] for h in mine], dtype=bool).reshape(
        len(mine), len(theirs)
    )
    return Instance(here, meets, 1 - np.sign(strengths[0][:, None] - strengths[1][None, :]))


@given(SEEDS, st.sampled_from([1, 3, 64, 65]), st.sampled_from([np.int64, object]))
def test_sums_are_those_over_pairs(seed: int, lines: int, dtype: type) -> None:
    here, meets, compared = instance(seed)
    rng = np.random.default_rng(seed)
    vectors = rng.integers(-100, 100, (lines, meets.shape[1])).astype(dtype)
    paid = rng.integers(-9, 9, (3, lines)).astype(dtype)
    fold = here.fold(vectors)
    assert fold.shape == (lines, len(meets))
    assert fold.dtype == dtype
    assert (fold == vectors @ meets.T.astype(int)).all()
    for found, outcome in zip(here.compared(vectors), range(3), strict=True):
        assert (found == vectors @ (meets & (compared == outcome)).T.astype(int)).all()
    expected = sum(
        paid[outcome][:, None] * (vectors @ (meets & (compared == outcome)).T.astype(int))
        for outcome in range(3)
    )
    assert (here.showdown(vectors, *paid) == expected).all()


@given(SEEDS)
def test_pairs_are_counted_by_who_wins(seed: int) -> None:
    here, meets, compared = instance(seed)
    counts = [int((meets & (compared == outcome)).sum()) for outcome in range(3)]
    assert here.num_compared == tuple(counts)
    assert here.num_disjoint == sum(counts)


@given(SEEDS, st.sampled_from([0, 20, 200]))
def test_rounding_is_within_its_bound(seed: int, digits: int) -> None:
    here, meets, compared = instance(seed)
    rng = np.random.default_rng(seed)
    vectors = rng.random((2, meets.shape[1])) * 10.0 ** rng.uniform(-digits, 0, (2, meets.shape[1]))
    paid = rng.normal(size=(3, 2)) * 10.0 ** rng.integers(-3, 4, (3, 2))
    exact = np.array([[Fraction(entry) for entry in row] for row in vectors.tolist()], dtype=object)
    sizes = here.spread(vectors)
    stakes = [[Fraction(entry) for entry in row] for row in paid.tolist()]
    fold, shown = here.fold(vectors), here.showdown(vectors, *paid)
    for line, row in enumerate(exact):
        win, tie, loss = (of[line] for of in stakes)
        factor = abs(win - tie) + abs(tie - loss) + abs(loss)
        by_all = here.lost * UNIT * sum(row, Fraction(0)) * Fraction(101, 100)
        for hand in range(len(meets)):
            true = sum(row[meets[hand]], Fraction(0))
            bound = here.roundings * UNIT * Fraction(sizes[line, hand]) * Fraction(101, 100)
            bound = min(bound, by_all)  # either of them holds
            assert abs(Fraction(fold[line, hand]) - true) <= bound
            true = sum(
                (
                    (win, tie, loss)[compared[hand, other]] * row[other]
                    for other in np.flatnonzero(meets[hand])
                ),
                Fraction(0),
            )
            assert abs(Fraction(shown[line, hand]) - true) <= factor * bound


def test_what_cancels_is_not_bounded_by_what_is_left() -> None:
    """All but 1e-30 is held by hands that share a card: the difference of sums has lost it."""
    mine, theirs = np.array([[0, 1]]), np.array([[0, 2], [1, 3], [2, 3]])
    here = HandProducts.on_board(shared_cards(mine, theirs), np.arange(1), np.arange(3))
    vectors = np.array([[0.1, 0.7, 1e-30]])
    off = abs(here.fold(vectors)[0, 0] - 1e-30)
    assert off > 1e-31  # so errors are no share of the result
    assert off <= here.roundings * 2.0**-53 * here.spread(vectors)[0, 0]


@given(SEEDS)
def test_hands_that_can_be_dealt_together_are_counted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, 2)
    hands = [
        np.array([h for h in combinations(range(7), size) if rng.random() < 0.5 or h[0] == 0])
        for size in sizes
    ]
    counts = [sum(not set(h) & set(g) for g in hands[1].tolist()) for h in hands[0].tolist()]
    assert shared_cards(*hands).num_disjoint().tolist() == counts


def test_before_the_last_card_nobody_shows() -> None:
    hands = np.array([[0], [1]])
    here = HandProducts.on_board(shared_cards(hands, hands), np.arange(2), np.arange(2))
    with pytest.raises(ValueError, match="not the last one"):
        here.showdown(np.ones((1, 2)), [1], [0], [-1])
    with pytest.raises(ValueError, match="not the last one"):
        _ = here.num_compared
