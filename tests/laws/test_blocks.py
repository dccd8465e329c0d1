"""One slow engine over blocks serves forms that are held in different ways."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from abstraction.suit import suit
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import certify
from seqform.form.from_signals import build_signal_form
from seqform.form.signal_strategy import SignalStrategy
from seqform.form.whole_form import whole_form
from seqform.game.observations import SignalStructure
from tests.reference.block_cfr import cfr, gradients
from tests.strategies import random_profile
from tests.toy_form import toy_kuhn


@pytest.fixture(autouse=True)
def all_games_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.form.whole_form.FEW_SEQUENCES", 0)


def test_it_solves_a_representation_that_the_package_does_not_know() -> None:
    form = toy_kuhn().explicit()
    start = form.profile([treeplex.uniform() for treeplex in form.treeplexes])
    found = certify(form, form.profile(cfr(form.through(start), 1000)))
    assert found.lower <= Fraction(-1, 18) <= found.upper
    assert found.nash_gap < 0.02


def strategy_of(structure: SignalStructure, seed: int) -> SignalStrategy:
    classes = suit(structure)
    profile = random_profile(build_signal_form(structure, classes), seed)
    return SignalStrategy(structure, classes, profile.behaviors)


def test_it_solves_a_game_by_boards_as_it_does_the_game_by_classes() -> None:
    structure = SignalStructure(leduc())
    strategy, form = strategy_of(structure, 0), whole_form(structure)
    smaller = strategy.form()
    plain = cfr(smaller.through(smaller.profile(strategy.behaviors)), 20)
    found = cfr(form.through(strategy.in_form(form)), 20)
    for mine, theirs in zip(found, plain, strict=True):
        assert np.allclose(mine, theirs, rtol=0, atol=1e-9)
    played = SignalStrategy(structure, strategy.classes, tuple(found)).in_form(form)
    assert certify(form, played).nash_gap < certify(form, strategy.in_form(form)).nash_gap / 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [leduc(), rhode_island(3, 3, 1)], ids=["leduc", "rhode island"])
def test_gradients_by_boards_are_those_by_classes(game: object, seed: int) -> None:
    structure = SignalStructure(game)  # type: ignore[arg-type]
    strategy, form = strategy_of(structure, seed), whole_form(structure)
    smaller = strategy.form()
    plans = list(smaller.profile(strategy.behaviors).plans)
    found = gradients(form.through(strategy.in_form(form)), plans)
    for player, mine in enumerate(found):
        assert np.allclose(mine, smaller.gradient(player, plans), rtol=0, atol=1e-12)
