"""Random games of hands in which suits may be exchanged, and random strategies of them."""

from __future__ import annotations

import random
from itertools import combinations, permutations
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Ints
from seqform.base.errors import InvalidGameError
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame, HandRange
from tests.random_hand_games import (
    FEW_BOARDS,
    MANY_BOARDS,
    SIZES,
    random_betting,
    random_hand_game,
)


def any_hand_game(seed: int, *, zero_sum: bool = True, most_boards: int = MANY_BOARDS) -> HandGame:
    """Return a random game, of which every other one has symmetries."""
    make = symmetric_hand_game if seed % 2 else random_hand_game
    return make(seed, zero_sum=zero_sum, most_boards=most_boards)


def small_hand_game(seed: int, *, zero_sum: bool = True) -> HandGame:
    """Return the same with few boards, for laws on what is done on each of them."""
    return any_hand_game(seed, zero_sum=zero_sum, most_boards=FEW_BOARDS)


def symmetric_hand_game(
    seed: int, *, zero_sum: bool = True, most_boards: int = MANY_BOARDS
) -> HandGame:
    """Return a game of at most three streets whose suits are treated alike, or some of them."""
    rng = random.Random(seed)
    for _ in range(1000):
        sizes, streets, known = rng.choice(SIZES), rng.randint(1, 3), rng.randint(0, 2)
        suits = rng.choice([2, 2, 3])
        ranks = -(-(sum(sizes) + known + streets) // suits)
        if ranks * suits > 9 or perm(ranks * suits - known, streets - 1) > most_boards:
            continue
        deck = tuple(f"{rank}{suit}" for rank in "23456789"[:ranks] for suit in "shd"[:suits])
        board = tuple(rng.sample(range(len(deck)), known))
        betting = random_betting(rng, streets, zero_sum)
        symmetries = exchanges(len(deck), suits)
        fixed = [of for of in symmetries if {of[card] for card in board} == set(board)]
        ranges = tuple(closed_range(rng, len(deck), board, size, fixed) for size in sizes)
        try:
            return HandGame(
                deck,
                board,
                ranges,  # type: ignore[arg-type]
                betting,
                suited_strength(rng, ranks, suits),
                symmetries,
            )
        except InvalidGameError:  # no pair of hands, or no card left
            continue
    raise AssertionError


def exchanges(cards: int, suits: int) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of a deck that permute the suits."""
    return tuple(
        tuple(card - card % suits + by[card % suits] for card in range(cards))
        for by in permutations(range(suits))
    )


def closed_range(
    rng: random.Random,
    cards: int,
    board: tuple[int, ...],
    size: int,
    symmetries: list[tuple[int, ...]],
) -> HandRange:
    """Return a range with all images of its hands, and mostly equal weights for these."""
    left = [card for card in range(cards) if card not in board]
    every = list(combinations(left, size))
    weights: dict[tuple[int, ...], int] = {}
    for hand in rng.sample(every, min(len(every), rng.randint(1, 4))):
        weight = rng.choice([1, 1, 2, 5])
        for of in symmetries:
            weights.setdefault(tuple(sorted(of[card] for card in hand)), weight)
    if rng.random() < 0.1:
        weights[next(iter(weights))] += 1  # which breaks some symmetry
    hands = list(weights)
    rng.shuffle(hands)
    return HandRange(
        np.array(hands, dtype=np.int16), np.array([weights[of] for of in hands], dtype=np.int64)
    )


def suited_strength(rng: random.Random, ranks: int, suits: int) -> Any:
    values = np.array([rng.randint(0, 3) for _ in range(ranks)])
    flush, pair = rng.randint(0, 4), rng.randint(0, 4)

    def strength(hands: Ints, board: Ints) -> Ints:
        total = values[hands // suits].sum(axis=1)
        for place, card in enumerate(board):
            total = total + (place + 1) * flush * (hands % suits == card % suits).sum(axis=1)
            total = total + pair * (hands // suits == card // suits).sum(axis=1)
        found: Ints = total % 7
        return found

    return strength


def random_tables(
    structure: HandStructure, seed: int, dtype: Any = np.float64, sparse: bool = False
) -> list[dict[int, NDArray[Any]]]:
    """Return random strategies, in which nothing is symmetric but by chance."""
    rng = np.random.default_rng(seed)
    betting, made = structure.game.betting, []
    for player, held in enumerate(structure.game.ranges):
        tables = {}
        for node in np.flatnonzero(betting.player == player).tolist():
            orbits = len(structure.orbits[betting.dealt[node]].first)
            shape = orbits, int(betting.num_children[node]), held.num_hands
            table = rng.random(shape) ** 3 + 1e-3
            if sparse:
                table[table < 0.3] = 0.0
                table[:, 0][table.sum(axis=1) == 0] = 1.0
            table /= table.sum(axis=1, keepdims=True)
            tables[node] = table.astype(dtype)
        made.append(tables)
    return made


def random_strategy(
    structure: HandStructure, seed: int, dtype: Any = np.float64, sparse: bool = False
) -> HandStrategy:
    return HandStrategy(structure, random_tables(structure, seed, dtype, sparse))
