"""The best pairs of pure strategies, against trying all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.random_games import random_game
from seqform import build_sequence_form, build_tree
from seqform.base.errors import GameTooLargeError
from seqform.concepts import strategy_pairs
from seqform.concepts.strategy_pairs import StrategyPairs
from seqform.form.pure_strategies import count_strategies, pure_plans
from seqform.form.relevant_pairs import RelevantPairs, relevant_pairs

LARGEST = {"float": 10**6, "small": 10**6, "large": 10**30, "just too large": 2**62}


def by_hand(pairs: RelevantPairs, worth: Any, x: Any, y: Any) -> Any:
    mine, theirs = pairs.pairs.sequences
    return sum(worth[x[mine] & y[theirs]].tolist())


@given(st.integers(0, 10**6), st.sampled_from(sorted(LARGEST)), st.booleans())
@settings(max_examples=25)
def test_they_are_the_best_of_all(seed: int, kind: str, chunks: bool) -> None:
    form = build_sequence_form(random_game(seed, depth=4, zero_sum=False, chance=0.3, hidden=0.9))
    counts = [count_strategies(treeplex).reduced for treeplex in form.treeplexes]
    assume(min(counts) > 1 and counts[0] * counts[1] <= 400)
    pairs, rng = relevant_pairs(form), np.random.default_rng(seed)
    signs = rng.integers(-LARGEST["small"], LARGEST["small"], pairs.num_pairs)
    worth = np.array([int(s) * LARGEST[kind] // LARGEST["small"] for s in signs], dtype=object)
    if kind == "float":
        worth = worth.astype(np.float64)
    plans = [pure_plans(treeplex) for treeplex in form.treeplexes]
    every = {
        (x.tobytes(), y.tobytes()): by_hand(pairs, worth, x, y) for x in plans[0] for y in plans[1]
    }
    with pytest.MonkeyPatch.context() as patch:
        if chunks:
            patch.setattr(strategy_pairs, "CHUNK", 2)
        found = StrategyPairs(pairs)
        assert len(found.plans) == min(counts)
        values, best = found.best(worth, 3)
    assert values[0] == max(every.values())
    assert sorted(values.tolist(), reverse=True) == values.tolist()
    assert len(best) == min(3, *counts)
    for value, (x, y) in zip(values.tolist(), best, strict=True):
        assert every[x.tobytes(), y.tobytes()] == value
    assert len(found.best(worth)[1]) == 1


def test_up_to_the_limit_strategies_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = relevant_pairs(build_sequence_form(build_tree(kuhn())))
    monkeypatch.setattr(strategy_pairs, "MOST_STRATEGIES", 27)
    assert StrategyPairs(pairs).lister == 0
    monkeypatch.setattr(strategy_pairs, "MOST_STRATEGIES", 26)
    with pytest.raises(GameTooLargeError, match="at least 27 reduced"):
        StrategyPairs(pairs)
