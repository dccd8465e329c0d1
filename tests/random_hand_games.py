"""Random games of hands on small decks: sizes of hands, ranges, boards, betting and strengths."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import perm
from typing import Any

import numpy as np

from seqform.base.arrays import Ints
from seqform.base.errors import InvalidGameError
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder

SIZES = [(1, 1), (1, 1), (2, 2), (2, 2), (1, 2), (2, 1), (3, 3), (2, 3)]


MANY_BOARDS = 1000
FEW_BOARDS = 30
"""Whole boards of a game, where nothing hangs on how many there are: three streets are among them,
and hands of one card and of two."""


def random_hand_game(
    seed: int, *, zero_sum: bool = True, most_boards: int = MANY_BOARDS
) -> HandGame:
    """Return a game of at most three streets, with some tens of pairs of hands."""
    rng = random.Random(seed)
    for _ in range(1000):
        sizes = rng.choice(SIZES)
        streets = rng.randint(1, 3)
        known = rng.randint(0, 2)
        cards = sum(sizes) + known + streets - 1 + rng.randint(0, 2)
        if perm(cards - known, streets - 1) > most_boards:
            continue
        deck = tuple("23456789TJ"[:cards])
        board = tuple(rng.sample(range(cards), known))
        betting = random_betting(rng, streets, zero_sum)
        ranges = tuple(random_range(rng, cards, board, size) for size in sizes)
        try:
            return HandGame(deck, board, ranges, betting, random_strength(rng, cards))  # type: ignore[arg-type]
        except InvalidGameError:  # no pair of hands, or no card left
            continue
    raise AssertionError


def random_range(rng: random.Random, cards: int, board: tuple[int, ...], size: int) -> HandRange:
    left = [card for card in range(cards) if card not in board]
    every = list(combinations(left, size))
    hands = sorted(rng.sample(every, min(len(every), rng.randint(1, 6))))
    if rng.random() < 0.3:
        rng.shuffle(hands)
    weights = [rng.choice([1, 1, 2, 3, 7, 1000]) for _ in hands]
    return HandRange(np.array(hands, dtype=np.int16), np.array(weights, dtype=np.int64))


def random_strength(rng: random.Random, cards: int) -> Any:
    values = np.array([rng.randint(0, 3) for _ in range(cards)])
    pairs = np.array([[rng.randint(0, 2) for _ in range(cards)] for _ in range(cards)])

    def strength(hands: Ints, board: Ints) -> Ints:
        total = values[hands].sum(axis=1)
        for place, card in enumerate(board):
            total = total + (place + 1) * pairs[hands, card].sum(axis=1)
        return total % 5

    return strength


def random_betting(rng: random.Random, streets: int, zero_sum: bool) -> BettingTree:
    builder = BettingTreeBuilder()
    constant = rng.choice([0, 0, 1, Fraction(5, 2)])

    def paid(size: int) -> tuple[Fraction, Fraction]:
        mine = Fraction(rng.randint(-size, size), rng.choice([1, 1, 2, 3]))
        return mine, (constant - mine if zero_sum else Fraction(rng.randint(-size, size)))

    def show(node: int) -> None:
        if rng.random() < 0.6 and zero_sum:
            stake = rng.randint(0, 3)
            amounts = [(m, constant - m) for m in (stake, Fraction(constant) / 2, -stake)]
            builder.show(node, *amounts)  # type: ignore[arg-type]
        else:
            builder.show(node, paid(3), paid(3), paid(3))

    def all_in(node: int, street: int) -> None:
        for _ in range(streets - street):
            node = builder.deal(node)
        show(node)

    def go_on(node: int, street: int) -> None:
        if street == streets:
            show(node)
        else:
            play(builder.deal(node), street + 1, 0)

    def play(node: int, street: int, depth: int) -> None:
        if depth == 3 or (depth and rng.random() < 0.3):
            go_on(node, street)
            return
        player = rng.randint(0, 1)
        names = rng.sample(["a", "b", "c"], rng.choice([1, 2, 2, 3] if depth == 0 else [1, 2]))
        for child in builder.act(node, player, names):
            choice = rng.random()
            if choice < 0.25:
                builder.end(child, paid(2))
            elif choice < 0.4:
                all_in(child, street)
            elif choice < 0.75 or depth == 2 or street == 3:
                go_on(child, street)
            else:
                play(child, street, depth + 1)

    if streets > 1 and rng.random() < 0.2:
        all_in(builder.root, 1) if rng.random() < 0.1 else play(builder.root, 1, 0)
    else:
        play(builder.root, 1, 0)
    return builder.build()
