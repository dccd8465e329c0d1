"""Boards that an exchange of two cards makes alike are judged once, where they are played alike."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform.base.arrays import Ints
from seqform.concepts.judge import responses
from seqform.form.folded_hand_passage import FoldedHandPassage
from seqform.form.hand_form import hand_form
from seqform.form.hand_passage import HandPassage
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame, HandRange
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from tests.examples import examples
from tests.random_hand_games import random_betting
from tests.symmetric_hand_games import random_strategy

SEEDS = st.integers(0, 100_000)
RANKS, SUITS = 3, 3


def exchangeable_game(seed: int) -> HandGame:
    """Return a game with one card to come, in which only one suit and ranks make a difference."""
    rng = random.Random(seed)
    deck = tuple(f"{rank}{suit}" for rank in "234"[:RANKS] for suit in "hsd"[:SUITS])
    worth = np.array([rng.randint(0, 9) for _ in range(RANKS * 2)])
    kinds = [2 * (card // SUITS) + (card % SUITS > 0) for card in range(len(deck))]

    def strength(hands: Ints, board: Ints) -> Ints:
        of = worth[np.array(kinds)]
        found: Ints = (of[hands].prod(axis=1) + of[board].sum() * of[hands].sum(axis=1)) % 7
        return found

    sizes = rng.choice([(1, 1), (2, 2), (1, 2)])
    ranges = tuple(whole_range(rng, kinds, size) for size in sizes)
    trees = (random_betting(rng, 2, True) for _ in range(1000))
    betting = next(tree for tree in trees if tree.num_dealt == 1)
    return HandGame(deck, (), ranges, betting, strength)  # type: ignore[arg-type]


def whole_range(rng: random.Random, kinds: list[int], size: int) -> HandRange:
    """Return a range with all hands of some kinds of cards, weighted alike."""
    every = list(combinations(range(len(kinds)), size))
    weights = dict[Any, int]()
    for hand in every:
        weights.setdefault(tuple(sorted(kinds[card] for card in hand)), rng.choice([0, 1, 1, 3]))
    weighted = [(hand, weights[tuple(sorted(kinds[card] for card in hand))]) for hand in every]
    kept = [(hand, weight) for hand, weight in weighted if weight] or [(of, 1) for of in every]
    return HandRange(*map(np.array, zip(*kept, strict=True)))


def alike_strategy(structure: HandStructure, seed: int) -> HandStrategy:
    """Return random strategies that tell cards apart by their classes only."""
    strategy, classes = random_strategy(structure, seed), structure.alike_cards
    tables: Any = [{node: t.copy() for node, t in of.items()} for of in strategy.behaviors]
    for player, of in enumerate(tables):
        hands = np.sort(classes[structure.game.ranges[player].hands], axis=1).tolist()
        for node, table in of.items():
            dealt, seen = int(structure.game.betting.dealt[node]), dict[Any, Any]()
            for board, cards in enumerate(classes[structure.boards(dealt)].tolist()):
                for hand, held in enumerate(hands):
                    if strategy.alive[player][dealt][board, hand]:
                        key = (*cards, *held)
                        table[board, :, hand] = seen.setdefault(key, table[board, :, hand].copy())
    return HandStrategy(structure, tables)


def drawn(seed: int) -> tuple[SequenceForm, HandStrategy]:
    """Return a game in which boards fold, and strategies that are alike on them."""
    form = hand_form(exchangeable_game(seed))
    assert form.origin.hands is not None
    return form, alike_strategy(form.origin.hands, seed)


def as_by_vectors(form: SequenceForm, kept: Profile) -> None:
    """Check that a profile is judged as the same one by vectors."""
    plain = form.profile(kept.behaviors)
    for found, wanted in zip(responses(form, kept), responses(form, plain), strict=True):
        off = found.widened + wanted.widened + 1e-12
        assert found.best == pytest.approx(wanted.best, abs=off)
        assert found.value == pytest.approx(wanted.value, abs=1e-12)


@examples(15, 60)
@given(SEEDS)
def test_boards_that_are_alike_are_gone_through_once(seed: int) -> None:
    form, strategy = drawn(seed)
    kept = strategy.in_form(form)
    judged, every = form.judged(kept), form.through(kept)
    assert isinstance(judged, FoldedHandPassage)
    assert isinstance(every, HandPassage)
    assert len(list(judged.blocks())) < len(list(every.blocks()))
    as_by_vectors(form, kept)


@examples(15, 60)
@given(SEEDS, SEEDS)
def test_a_strategy_that_tells_them_apart_anywhere_is_judged_on_all_boards(
    seed: int, where: int
) -> None:
    form, strategy = drawn(seed)
    rng, structure = np.random.default_rng(where), strategy.structure
    tables: Any = [dict(of) for of in strategy.behaviors]
    player = int(rng.integers(2))
    several = [node for node, table in tables[player].items() if table.shape[1] > 1]
    if not several:
        return
    node = several[int(rng.integers(len(several)))]
    dealt = int(structure.game.betting.dealt[node])
    alive = np.argwhere(strategy.alive[player][dealt])
    board, hand = alive[int(rng.integers(len(alive)))].tolist()
    table = tables[player][node] = tables[player][node].copy()
    table[board, :, hand] = np.eye(table.shape[1])[int(rng.integers(table.shape[1]))]
    as_by_vectors(form, HandStrategy(structure, tables).in_form(form))
