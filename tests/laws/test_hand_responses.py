"""Best responses by boards and hands, against those by whole vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqform import respond
from seqform.form.hand_form import hand_form
from seqform.form.hand_strategy import HandStrategy
from tests.symmetric_hand_games import any_hand_game, random_strategy

SEEDS = st.integers(0, 100_000)


@pytest.fixture
def by_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.base.thresholds.COMPLETED_UP_TO", 0)


@pytest.mark.usefixtures("by_hands")
@given(seed=SEEDS, player=st.integers(0, 1), zero_sum=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_response_by_hands_gets_what_one_by_vectors_gets(
    seed: int, player: int, zero_sum: bool
) -> None:
    form = hand_form(any_hand_game(seed, zero_sum=zero_sum))
    structure = form.origin.hands
    assert structure is not None
    kept = random_strategy(structure, seed, sparse=True).in_form(form)
    found = respond(form, kept, player, exact=False)
    wanted = respond(form, form.profile(kept.behaviors), player, exact=False)
    assert found.value == pytest.approx(wanted.value, abs=1e-9)
    assert found.before == pytest.approx(wanted.before, abs=1e-9)
    assert found.bound >= wanted.value - 1e-12
    mine = found.profile.kept
    assert isinstance(mine, HandStrategy)
    assert all(set(np.unique(of)) <= {0.0, 1.0} for of in mine.behaviors[player].values())
    assert mine.behaviors[1 - player].keys() == kept.kept.behaviors[1 - player].keys()
    gradient = form.gradient(player, found.profile.plans)
    assert gradient @ found.profile.plans[player] == pytest.approx(found.value, abs=1e-9)


@pytest.mark.usefixtures("by_hands")
def test_a_response_by_hands_makes_no_vectors_and_is_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("hand_numbering.HandNumbering.treeplex", "hand_payoff.HandPayoff._product"):
        monkeypatch.setattr(f"seqform.form.{name}", property(lambda self: 1 / 0))
    form = hand_form(any_hand_game(7))
    structure: Any = form.origin.hands
    found = respond(form, random_strategy(structure, 7), 1)
    found.save(tmp_path / "response.npz")
    loaded = HandStrategy.load(tmp_path / "response.npz", structure)
    again = respond(form, loaded, 1)
    assert again.gain == pytest.approx(0, abs=1e-9)
    assert again.value == pytest.approx(found.value, abs=1e-12)
