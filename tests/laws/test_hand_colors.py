"""Classes of hands that meet the same: they make the quotient, and lose nothing."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstraction.equitable import EQUITABLE
from abstraction.hand_colors import hand_colors
from seqform import SequenceForm, solve
from seqform.base.errors import InvalidParameterError
from seqform.form.hand_form import HandForm, hand_form
from seqform.form.hands import HandGame, HandRange
from seqform.form.merged_hands import merges_hands
from seqform.form.sparse_payoff import SparsePayoff
from seqform.game.betting_tree import BettingTreeBuilder
from tests.random_hand_games import random_hand_game

SEEDS = st.integers(0, 100_000)
RANKS, SUITS = "234", "cdhs"


def dealt_game(seed: int) -> HandForm:
    """Return a random game in which all cards are dealt, of the next seed that has one."""
    while True:
        form = hand_form(random_hand_game(seed))
        if merges_hands(form):
            assert isinstance(form, HandForm)
            return form
        seed += 1


def small_river(weight: int = 1) -> HandForm:
    """Return a game of two of twelve cards without a flush, of a check, a bet, a call and a fold.

    Player 0 holds any hand; player 1 any hand without a three, of the same weight or of another.
    """
    deck = tuple(map("".join, product(RANKS, SUITS)))
    every = np.array(list(combinations(range(len(deck)), 2)), dtype=np.int16)
    fewer = every[(every // 4 != 1).all(axis=1)]
    ones = [np.ones(len(hands), dtype=np.int64) for hands in (every, fewer)]
    builder = BettingTreeBuilder()
    check, bet = builder.act(builder.root, 0, ["check", "bet"])
    builder.show(check, (1, -1), (0, 0), (-1, 1))
    fold, call = builder.act(bet, 1, ["fold", "call"])
    builder.end(fold, (1, -1))
    builder.show(call, (3, -3), (0, 0), (-3, 3))
    found = hand_form(
        HandGame(
            deck,
            (),
            (HandRange(every, ones[0]), HandRange(fewer, weight * ones[1])),
            builder.build(),
            lambda hands, board: 10 * (hands // 4).max(axis=1) + (hands // 4).min(axis=1),
        )
    )
    assert isinstance(found, HandForm)
    return found


def entries(form: SequenceForm) -> dict[tuple[int, int], Fraction]:
    operator = form.zero_sum_operator().to_sparse()
    assert isinstance(operator, SparsePayoff)
    assert operator.numerators is not None
    rows, columns = operator.to_csr().tocoo().coords
    values = zip(rows.tolist(), columns.tolist(), operator.numerators.tolist(), strict=True)
    return {(r, c): Fraction(value, operator.denominator) for r, c, value in values if value}


@given(SEEDS)
def test_payoffs_are_added_up(seed: int) -> None:
    form = dealt_game(seed)
    smaller, inverse = EQUITABLE.apply(form)
    sizes = [treeplex.num_sequences for treeplex in smaller.treeplexes]
    listed = form.payoffs.merged(inverse.sequences, sizes)
    assert entries(smaller) == entries(form.with_operator(listed.operator))
    for treeplex, whole, image in zip(
        smaller.treeplexes, form.treeplexes, inverse.sequences, strict=True
    ):
        parent = whole.sequence_parent[1:]
        assert (treeplex.sequence_parent[image[1:]] == image[parent]).all()
        assert set(image.tolist()) == set(range(treeplex.num_sequences))


@given(SEEDS)
def test_nothing_is_lost(seed: int) -> None:
    form = dealt_game(seed)
    whole = solve(form, method="lp", exact=True, abstract="none")
    merged = solve(form, method="lp", exact=True, abstract="equitable")
    assert whole.exact is not None
    assert merged.exact is not None
    assert merged.exact.game is form  # and so it was proven there
    assert merged.exact.value == whole.exact.value


def test_hands_of_the_same_ranks_are_alike() -> None:
    form = small_river()
    mine, theirs = hand_colors(form.payoff)
    assert len(mine) == 66
    assert mine.max() + 1 == 6  # 22, 32, 33, 42, 43, 44
    assert theirs.max() + 1 == 3
    smaller, _ = EQUITABLE.apply(form)
    assert [t.num_sequences for t in smaller.treeplexes] == [1 + 2 * 6, 1 + 2 * 3]


def test_a_weight_of_all_hands_changes_nothing() -> None:
    colors = [hand_colors(small_river(weight).payoff) for weight in (1, 7)]
    for mine, theirs in zip(*colors, strict=True):
        assert (mine == theirs).all()


def test_a_refined_equilibrium_is_of_the_game_as_it_is() -> None:
    with pytest.raises(InvalidParameterError, match="needs the linear program of the game as it"):
        solve(small_river(), abstract="equitable", refine="quasi-perfect")


def test_an_interval_is_proven_in_the_whole_game() -> None:
    form = small_river()
    solution = solve(form, method="lp", abstract="equitable", solver="clarabel", prove=True)
    assert solution.bracket is not None
    assert solution.bracket.game is form
    assert float(solution.bracket.width) < 1e-6
