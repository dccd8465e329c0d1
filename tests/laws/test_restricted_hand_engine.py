"""Regret minimization over restricted games of hands, against the same games dealt out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import make
from seqform.base.arrays import Floats
from seqform.form.followed import Followed
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.regret.hand_engine import HandEngine
from seqform.strategies.exploit.model import model_from
from seqform.strategies.exploit.restricted_response import restricted_form
from tests.examples import examples
from tests.laws.test_hand_engine import KINDS, WITHOUT, Watched, check_claim, step
from tests.random_ranges import random_hand_game, symmetric_hand_game, with_gift
from tests.symmetric_hand_games import random_strategy

SEEDS, PLAYERS = st.integers(0, 100_000), st.integers(0, 1)
SHARES = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(9, 10)])


class Restricted(Watched):
    """An engine of a restricted game, and the restricted game dealt out."""

    def __init__(
        self, game: HandGame, player: int, p: Fraction, kind: str, dtype: Any, **options: Any
    ) -> None:
        super().__init__(game, KINDS[kind], dtype)
        self.player, self.p = player, p
        model = random_strategy(self.structure, 3, np.float32, sparse=True)
        followed = Followed(player, model, p)
        self.engine = HandEngine(self.structure, self.rule, dtype, followed=followed, **options)
        behaviors = [self.vector(who, of) for who, of in enumerate(model.behaviors)]
        self._judged = restricted_form(model_from(behaviors, self.form.zero_sum(), player), p)

    @property
    def judged(self) -> SequenceForm:
        """The restricted game."""
        return self._judged

    def gradient(self, player: int, plans: list[Floats]) -> Floats:
        """Return what sequences are paid; the modelled player counts what it is paid if free."""
        free = float(1 - self.p) if player == self.player else 1.0
        found = self._judged.gradient(player, plans) / free
        return found * self.engine.layout.total / self.hands(player)


@given(SEEDS, PLAYERS, SHARES, st.sampled_from(["dcfr", "cfr+", "general dcfr"]))
@examples(12, 25)
def test_iterations_are_those_of_the_restricted_game_dealt_out(
    seed: int, player: int, p: Fraction, kind: str
) -> None:
    of = Restricted(with_gift(random_hand_game(seed), seed % 3), player, p, kind, np.float64)
    assert of.structure.game.constant_sum == seed % 3
    for _ in range(3):
        step(of, 1e-10)
    check_claim(of, 1e-10)


@pytest.mark.parametrize("vectors", [True, WITHOUT])
@given(seed=SEEDS, player=PLAYERS, p=SHARES)
@examples(7, 15)
def test_single_precision_does_the_same_by_vectors_and_without(
    seed: int, player: int, p: Fraction, vectors: bool
) -> None:
    of = Restricted(random_hand_game(seed), player, p, "dcfr", np.float32, vectors=vectors)
    for _ in range(3):
        step(of, 1e-5)
    check_claim(of, 1e-5)


@given(SEEDS, PLAYERS)
@examples(4, 8)
def test_restricted_games_with_symmetries(seed: int, player: int) -> None:
    of = Restricted(symmetric_hand_game(seed, ranks=3), player, Fraction(1, 2), "dcfr", np.float64)
    step(of, 1e-10)
    step(of, 1e-10)
    check_claim(of, 1e-10)


@given(SEEDS, PLAYERS)
@examples(4, 8)
def test_half_precision_and_threads_meet_the_same_mixture(seed: int, player: int) -> None:
    game, p = random_hand_game(seed), Fraction(1, 3)
    structure = HandStructure(game)
    followed = Followed(player, random_strategy(structure, 3, sparse=True), p)
    half, shared = (
        HandEngine(structure, KINDS["dcfr"], threads=threads, half=True, followed=followed)
        for threads in (1, 2)
    )
    half.run(40)
    shared.run(40)
    assert half.bounds() == shared.bounds()
    found = Restricted(game, player, p, "dcfr", np.float32)
    found.engine = half
    check_claim(found, 2e-4)


def test_hands_that_the_model_treats_alike_are_gone_through_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spot = {"board": "QsJh2h8c3d", "pot": 100, "stack": 100, "sizes": "bet 100%"}
    form = make("holdem", **spot, oop="AA, 99, 54", ip="KK, TT-99, AQs").explicit()
    structure = form.origin.hands
    assert structure is not None
    uniform, other = HandStrategy.uniform(structure), random_strategy(structure, 1)
    merged, apart = (
        HandEngine(structure, KINDS["dcfr"], np.float64, followed=Followed(1, of, Fraction(1, 3)))
        for of in (uniform, other)
    )
    hands = structure.game.ranges[0].num_hands
    count = [int(of.layout.streets[0].held[0].size.astype(bool).sum()) for of in (merged, apart)]
    assert count[0] < count[1] == hands
    free = HandEngine(structure, KINDS["dcfr"], np.float64)
    taken = merged._num_bytes(half=False) - free._num_bytes(half=False)
    assert taken == sum(of.model[1].nbytes for of in merged._streets) > 0
    monkeypatch.setattr(
        "seqform.solvers.iterative.regret.hand_engine.plays_alike", lambda *_: False
    )
    followed = Followed(1, uniform, Fraction(1, 3))
    plain = HandEngine(structure, KINDS["dcfr"], np.float64, followed=followed)
    merged.run(30)
    plain.run(30)
    assert merged.bounds() == pytest.approx(plain.bounds(), abs=1e-6)
