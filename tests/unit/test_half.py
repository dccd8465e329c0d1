"""Searches in 16 bits: what they are for, what they say, and that they go on as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from seqform import Solution, make, solve
from seqform.base.aligned import aligned_zeros
from seqform.base.arrays import Numbers
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    ResultFileError,
    UnsupportedGameError,
)
from seqform.form.hand_form import hand_form
from seqform.form.hand_lock import HandLock, LockedNode
from seqform.form.hand_structure import HandStructure
from seqform.solvers.iterative.regret import hand_engine
from seqform.solvers.iterative.regret.hand_engine import HandEngine
from seqform.solvers.iterative.regret.hand_rounds import WIDTH
from seqform.solvers.iterative.regret.hand_vectors import keep_short, kept, load, store
from seqform.solvers.iterative.regret.rules import rule
from tests.random_ranges import random_hand_game

GAME = random_hand_game(5, (2, 2))


def search(iterations: int, **options: Any) -> Solution:
    return solve(
        hand_form(GAME), method="dcfr", gap=1e-4, iterations=iterations, half=True, **options
    )


def test_a_search_goes_on_from_a_checkpoint_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    path = tmp_path / "search"
    whole = search(300)
    assert whole.method == "dcfr/hand"
    assert whole.nash_gap < 1e-2 * whole.game.largest_payoff
    search(100, checkpoint=path)
    assert search(300, checkpoint=path, resume=True).nash_gap == whole.nash_gap
    with pytest.raises(ResultFileError, match="another game, method or precision"):
        solve(hand_form(GAME), method="dcfr", checkpoint=path, resume=True)


def test_a_search_is_chosen_where_16_bits_are_asked_for() -> None:
    assert solve(hand_form(GAME), half=True, gap=0.1).method == "dcfr/hand"


@pytest.mark.parametrize(
    ("method", "error", "words"),
    [
        ("dcfr", UnsupportedGameError, "16 bits in games of hands"),
        ("pdhg", InvalidParameterError, "method 'pdhg' keeps nothing in 16 bits"),
        ("pcfr\\+", UnsupportedGameError, "16 bits in games of hands"),
    ],
)
def test_where_nothing_is_kept_in_16_bits_that_is_said(
    method: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        solve(make("kuhn"), method=method.replace("\\", ""), half=True)


def test_rules_that_predict_and_double_precision_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="alternate and do not predict"):
        solve(hand_form(GAME), method="pcfr+", half=True)
    with pytest.raises(InvalidParameterError, match="16 bits go with single precision"):
        HandEngine(HandStructure(GAME), rule("dcfr"), np.float64, half=True)


def test_what_does_not_fit_is_refused_with_what_half_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def too_little(num_bytes: float, what: str, instead: str) -> None:
        asked.append(num_bytes)
        raise GameTooLargeError(f"{what}: {instead}")

    monkeypatch.setattr(hand_engine, "require_memory", too_little)
    structure = HandStructure(GAME)
    with pytest.raises(GameTooLargeError, match="keep them in 16 bits"):
        HandEngine(structure, rule("dcfr"))
    with pytest.raises(GameTooLargeError, match=r"all boards: leave out bet sizes or hands"):
        HandEngine(structure, rule("dcfr"), half=True)
    monkeypatch.undo()
    for half, wanted in zip((False, True), asked, strict=True):
        state = HandEngine(structure, rule("dcfr"), half=half).state()
        kept = [array.nbytes for name, array in state.items() if name != "total_weight"]
        assert sum(kept) == wanted
    assert asked[1] < asked[0]


@numba.njit
def through(short: Any, values: Any, scatter: Any, dithers: Any, back: Any) -> None:
    for k in range(len(dithers)):
        keep_short(short, WIDTH * k, load(values, WIDTH * k), scatter, 0, dithers, k)
        store(back, WIDTH * k, kept(short, WIDTH * k))


def shortened(values: Numbers) -> tuple[Numbers, Numbers]:
    """Return the bits of numbers, and what is left of them as short floats."""
    count = len(values) // WIDTH
    given, back = aligned_zeros(values.shape, np.float32), aligned_zeros(values.shape, np.float32)
    given[:] = values
    rng, short = np.random.default_rng(0), aligned_zeros(values.shape, np.uint16)
    scatter, dithers = aligned_zeros((WIDTH,), np.int32), np.zeros(count, dtype=np.int32)
    scatter[:] = rng.integers(-(2**31), 2**31, WIDTH)
    dithers[:] = rng.integers(-(2**31), 2**31, count)
    through(short, given, scatter, dithers, back)
    assert (back.view(np.uint32) == short.astype(np.uint32) << 16).all()
    return given.view(np.uint32), back


def test_a_short_float_is_one_of_both_neighbors_by_chance() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=160 * WIDTH) * 2.0 ** rng.integers(-100, 100, 160 * WIDTH)
    bits, found = shortened(values.astype(np.float32))
    below = (bits & 0xFFFF0000).view(np.float32)  # of the same sign, and not larger
    above = ((bits & 0xFFFF0000) + 0x10000).view(np.float32)
    assert ((found == below) | (found == above)).all()
    assert np.mean(found == above) == pytest.approx(np.mean((bits & 0xFFFF) / 65536), abs=0.03)


def test_what_a_short_float_can_hold_stays_as_it_is() -> None:
    values = np.zeros(WIDTH, dtype=np.float32)
    values[:7] = 1.0, -1.5, 3.9375, 2.0**100, -(2.0**-120), 1.9921875, -0.0
    assert (shortened(values)[1] == values).all()


def locked(dealt: int) -> tuple[HandStructure, HandLock, int, int]:
    """Return a game with a lock of the first action at a node where so many cards are dealt."""
    structure = HandStructure(GAME).without_symmetries
    betting = GAME.betting
    here = (betting.player >= 0) & (betting.dealt == dealt) & (betting.num_children > 1)
    node = int(np.flatnonzero(here)[0])
    player, actions = int(betting.player[node]), int(betting.num_children[node])
    shape = len(structure.orbits[dealt].first), actions, GAME.ranges[player].num_hands
    fixed = np.full(shape, 0.7 / (actions - 1))
    fixed[:, 0] = 0.3
    nodes: Any = ({}, {})
    nodes[player][node] = LockedNode(fixed, np.zeros((shape[0], shape[2])))
    return structure, HandLock(structure, nodes), player, node


def test_streets_before_the_last_may_be_locked() -> None:
    structure, lock, player, node = locked(0)
    half, single = (HandEngine(structure, rule("dcfr"), half=of, lock=lock) for of in (True, False))
    for engine in (half, single):
        engine.run(200)
        table = engine.behaviors()[player][node]
        assert table[:, 0] == pytest.approx(np.full(table[:, 0].shape, 0.3), abs=1e-6)
    assert half.bounds() == pytest.approx(single.bounds(), abs=5e-2)


def test_locks_of_the_last_street_are_refused() -> None:
    structure, lock, *_ = locked(GAME.betting.num_dealt)
    with pytest.raises(UnsupportedGameError, match="more digits than 16 bits hold"):
        HandEngine(structure, rule("dcfr"), half=True, lock=lock)
