"""Restricted games of hands by boards, against the same with all sequences listed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seqform import make, reduce
from seqform.base.errors import GameTooLargeError, InvalidStrategyError, UnsupportedGameError
from seqform.concepts.judge import responses
from seqform.concepts.nash import certify
from seqform.concepts.rounding import of_plan
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.followed import Followed
from seqform.form.hand_form import HandForm, hand_form
from seqform.form.hand_strategy import HandStrategy
from seqform.form.restricted_hand_passage import RestrictedHandPassage
from seqform.form.restricted_hands import restricted_hands
from seqform.links.lifting import lifted
from seqform.strategies.evaluate.hand_response import hand_response
from seqform.strategies.exploit.model import model_from
from seqform.strategies.exploit.restricted_response import restricted_form
from tests.examples import examples
from tests.strategies import random_profile
from tests.symmetric_hand_games import random_strategy, small_hand_game

SEEDS = st.integers(0, 100_000)
PLAYERS = st.integers(0, 1)
SHARES = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(9, 10), Fraction(1)])


class Both:
    """A random game restricted by a random model, in both ways."""

    def __init__(self, seed: int, player: int, p: Fraction, **how: Any) -> None:
        form = hand_form(small_hand_game(seed))
        assert isinstance(form, HandForm)
        self.form, self.player, self.structure = form, player, form.structure
        self.model = random_strategy(self.structure, seed + 1, **how)
        if seed % 3 == 0:  # one with no symmetries
            self.structure = self.structure.without_symmetries
            self.model = random_strategy(self.structure, seed + 1, **how)
        depth = of_plan(form.treeplexes[player])
        self.by_boards = restricted_hands(form, Followed(player, self.model, p), depth)
        listed = model_from(self.model.in_form(form), form, player)
        self.listed = restricted_form(listed, p)


@given(SEEDS, PLAYERS, SHARES, st.sampled_from([np.float64, np.float32]))
@example(8, 0, Fraction(1), np.float64)  # nothing is paid for the free case
@example(5, 1, Fraction(1, 3), np.float64)  # boards that are like others, where hands differ
@examples(20, 60)
def test_a_certificate_is_that_of_the_listed_game(
    seed: int, player: int, p: Fraction, dtype: Any
) -> None:
    both = Both(seed, player, p, sparse=True, dtype=dtype)
    strategy = random_strategy(both.structure, seed, sparse=True, dtype=dtype)
    kept = strategy.in_form(both.by_boards)
    plain = both.listed.profile(strategy.in_form(both.form).behaviors)
    assert isinstance(both.by_boards.through(kept), RestrictedHandPassage)
    assert isinstance(both.listed.through(plain), ExplicitPassage)
    found, wanted = certify(both.by_boards, kept), certify(both.listed, plain)
    off, scale = found.rounding + wanted.rounding + 1e-12, both.form.payoff_scale
    assert found.values == pytest.approx(wanted.values, abs=1e-11 * scale)
    assert found.lower == pytest.approx(wanted.lower, abs=off)
    assert found.upper == pytest.approx(wanted.upper, abs=off)
    assert found.gains == pytest.approx(wanted.gains, abs=4 * off + 1e-8)
    assert found.rounding < 1e-8 * scale
    mine, theirs = responses(both.by_boards, kept)
    assert mine.value + theirs.value == pytest.approx(float(both.form.constant_sum), abs=1e-11)


@given(SEEDS, PLAYERS)
@examples(8, 20)
def test_best_responses_are_found_by_boards(seed: int, player: int) -> None:
    both = Both(seed, player, Fraction(1, 3))
    kept = random_strategy(both.structure, seed).in_form(both.by_boards)
    for who in (0, 1):
        answer = hand_response(both.by_boards, kept, who).in_form(both.by_boards)
        found, best = (responses(both.by_boards, of, [who])[0] for of in (answer, kept))
        assert found.value == pytest.approx(best.best, abs=1e-7 * both.form.payoff_scale)


RIVER = {"board": "QsJh2h8c3d", "pot": 100, "stack": 100, "sizes": "bet 100%"}
"""No flush is possible, so many hands of its ranges meet the same."""


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("apart", [1, 3])
def test_by_classes_of_hands_a_plan_is_certified_the_same(player: int, apart: int) -> None:
    form = make("holdem", **RIVER, oop="AA, 99, 54", ip="KK, TT-99, AQs").explicit()
    assert isinstance(form, HandForm)
    drawn = random_strategy(form.structure.without_symmetries, 5).behaviors
    tables = [{node: in_kinds(of, apart) for node, of in each.items()} for each in drawn]
    model = HandStrategy(form.structure.without_symmetries, tables)
    depth = of_plan(form.treeplexes[player])
    game = restricted_hands(form, Followed(player, model, Fraction(1, 3)), depth)
    smaller, inverse = reduce(game, "equitable")
    sizes = [sum(t.num_sequences for t in of.treeplexes) for of in (smaller, game)]
    least = sum(t.num_sequences for t in reduce(form, "equitable")[0].treeplexes)
    assert least <= sizes[0] < sizes[1]
    assert (sizes[0] == least) == (apart == 1)
    profile = random_profile(smaller, 7)
    found = lifted(profile, smaller, inverse)
    assert isinstance(game.through(found), RestrictedHandPassage)
    wanted, judged = certify(smaller, profile), certify(game, found)
    assert judged.values == pytest.approx(wanted.values, abs=1e-9)
    assert (judged.lower, judged.upper) == pytest.approx((wanted.lower, wanted.upper), abs=1e-6)


def in_kinds(table: Any, apart: int) -> Any:
    """Return a table in which hands do what the first ones do, of so many kinds."""
    return table[:, :, np.arange(table.shape[2]) % apart]


def test_what_has_other_symmetries_or_is_to_be_listed_is_refused() -> None:
    both = Both(3, 0, Fraction(1, 2))  # the model has none of the game's
    whole = random_strategy(both.form.structure, 1)
    assert len(both.form.structure.symmetries) > 1
    with pytest.raises(InvalidStrategyError, match="symmetries that the model breaks"):
        certify(both.by_boards, whole.in_form(both.by_boards))
    vectors = both.by_boards.profile(whole.in_form(both.form).behaviors)
    kept = random_strategy(both.structure, 1).in_form(both.by_boards)
    passage = both.by_boards.through(kept)
    for ask in (
        lambda: certify(both.by_boards, vectors),
        lambda: both.by_boards.gradient(0, list(vectors.plans)),
    ):
        with pytest.raises(GameTooLargeError, match="a restricted game of hands"):
            ask()
    for ask_integers in (passage.integers, lambda: next(passage.blocks()).numerators(0, [])):
        with pytest.raises(UnsupportedGameError, match="no proofs in integers"):
            ask_integers()


def test_games_differ_by_model_and_by_how_often_it_is_followed() -> None:
    third = Both(4, 0, Fraction(1, 3))
    again, half, other = (
        Both(4, 0, Fraction(1, 3)),
        Both(4, 0, Fraction(1, 2)),
        Both(4, 1, Fraction(1, 3)),
    )
    prints = [b"".join(of.by_boards.payoffs.fingerprint()) for of in (third, again, half, other)]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3
    origin, every = third.by_boards.origin, range(third.form.treeplexes[0].num_infosets)
    assert [origin.infoset_label(0, i) for i in every] == [
        third.form.infoset_label(0, i) for i in every
    ]
    assert origin.actions(0, 0) == third.form.actions(0, 0)
