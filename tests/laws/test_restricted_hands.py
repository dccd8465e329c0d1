"""Restricted games of hands by boards, against the same with all sequences listed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform.concepts.judge import responses
from seqform.concepts.nash import certify
from seqform.concepts.rounding import of_plan
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.hand_form import HandForm, hand_form
from seqform.form.restricted_hand_passage import RestrictedHandPassage
from seqform.form.restricted_hands import Followed, restricted_hands
from seqform.strategies.exploit.model import model_from
from seqform.strategies.exploit.restricted_response import restricted_form
from tests.examples import examples
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
@examples(25, 60)
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
