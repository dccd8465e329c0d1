"""Random small games of hands: weighted ranges, symmetric or not, and random betting."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np

from seqform.base.arrays import Ints
from seqform.base.errors import InvalidGameError
from seqform.form.hands import HandGame, HandRange, Strength
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.game.rules import TERMINAL


def random_hand_game(seed: int, sizes: tuple[int, int] | None = None) -> HandGame:
    """Return a random game; another one if no two hands of the first could be dealt together."""
    rng = random.Random(seed)
    while True:
        try:
            return _drawn(rng, sizes or rng.choice([(1, 1), (2, 2), (2, 2), (1, 2), (2, 1)]))
        except InvalidGameError as error:
            assert "dealt" in str(error)  # noqa: PT017


def symmetric_hand_game(seed: int, ranks: int = 4) -> HandGame:
    """Return a random game with three suits that are treated alike before and after a deal."""
    return _drawn(random.Random(seed), (2, 2), (ranks, 3, 1), even=True)


SHAPES = (
    ((4, 2, 1), (-1, -1)),
    ((3, 3, 1), (-1, -1, -1)),
    ((3, 3, 1), (0, -1, -1)),
    ((3, 2, 2), (-1, -1)),
    ((3, 2, 2), (0, -1)),
    ((2, 4, 1), (0, 1, 0, 1)),
)
"""Decks and streets, and suits of a kind, of games in which cards may change places."""


def exchangeable_hand_game(seed: int, interleaved: bool = False) -> HandGame:
    """Return a random game in which cards of a rank and of suits of a kind may change places.

    In interleaved ones a symmetry takes suits of either kind to those of the other, but not the
    first one to the first one.
    """
    rng = random.Random(seed)
    while True:
        shape, kinds = SHAPES[-1] if interleaved else rng.choice(SHAPES)
        sizes = rng.choice([(1, 1), (2, 2), (2, 2), (1, 2), (2, 1)])
        try:
            game = _drawn(rng, sizes, shape, even=True)
        except InvalidGameError as error:
            assert "dealt" in str(error)  # noqa: PT017
            continue
        game = replace(game, strength=ranked_by(shape[1], kinds))
        if not interleaved:
            return game
        if not game.board and min(len(held.hands) for held in game.ranges) > 1:
            by = [card // 4 * 4 + 3 - card % 4 for card in range(len(game.deck))]
            return replace(game, symmetries=(tuple(by),))


def raked(game: HandGame, seed: int) -> HandGame:
    """Return the game in which winners pay something, and both half of it at a tie.

    At a fold both may pay.
    """
    rng, betting = np.random.default_rng(seed), game.betting
    taken = rng.integers(0, 1000, (betting.num_nodes, 1, 2))
    shares = np.array([[2, 0], [1, 1], [0, 2]])  # of a win of player 0, a tie, and a loss
    less = np.where(betting.is_showdown[:, None, None], taken[:, :, :1] * shares, taken)
    less[betting.player != TERMINAL] = 0
    changed = replace(
        betting, paid=betting.paid * 1000 - less, denominator=betting.denominator * 1000
    )
    return replace(game, betting=changed)


def with_gift(game: HandGame, gift: int) -> HandGame:
    """Return the game in which player 1 gets so much besides at every end."""
    betting = game.betting
    paid = betting.paid.copy()
    paid[betting.player == TERMINAL, :, 1] += gift * betting.denominator
    return replace(game, betting=replace(betting, paid=paid))


def _drawn(
    rng: random.Random,
    sizes: tuple[int, int],
    deck_and_streets: tuple[int, int, int] | None = None,
    even: bool | None = None,
) -> HandGame:
    ranks, suits, streets = deck_and_streets or rng.choice(
        [(4, 2, 1), (3, 2, 2), (3, 2, 1), (4, 2, 0), (3, 3, 1)]
    )
    deck = tuple(f"{rank}{suit}" for rank in "2345"[:ranks] for suit in "abcd"[:suits])
    board = tuple(sorted(rng.sample(range(len(deck)), rng.choice([0, 0, 1]))))
    even = rng.random() < 0.6 if even is None else even
    ranges = [_random_range(rng, len(deck), suits, size, board, even) for size in sizes]
    symmetries = [
        tuple(rank * suits + order[suit] for rank, suit in product(range(ranks), range(suits)))
        for order in permutations(range(suits))
    ]
    return HandGame(
        deck,
        board,
        (ranges[0], ranges[1]),
        random_betting(rng, streets),
        ranked_by(suits),
        tuple(symmetries),
    )


def ranked_by(suits: int, kinds: Sequence[int] | None = None) -> Strength:
    """Return a strength: suits of the board that are matched, then pairs with it, then ranks.

    Suits match that are of a kind, but for the kind -1; by default each is of its own.
    """
    kind = np.arange(suits) if kinds is None else np.array(kinds)

    def strength(hands: Ints, board: Ints) -> Ints:
        of_board = kind[board % suits]
        suited = (kind[hands % suits][:, :, None] == of_board) & (of_board >= 0)
        matched = suited.sum(axis=(1, 2))
        paired = (hands[:, :, None] // suits == board // suits).sum(axis=(1, 2))
        found: Ints = (matched * 3 + paired * 5 + (hands // suits).sum(axis=1)).astype(np.int32)
        return found

    return strength


def _random_range(
    rng: random.Random, cards: int, suits: int, size: int, board: tuple[int, ...], even: bool
) -> HandRange:
    """Return a range; an even one treats all suits alike."""
    hands = list(combinations([card for card in range(cards) if card not in board], size))
    if even:
        ranks = {tuple(sorted(card // suits for card in hand)) for hand in hands}
        of_ranks = {key: _random_weight(rng) for key in sorted(ranks)}
        weights = [of_ranks[tuple(sorted(card // suits for card in hand))] for hand in hands]
    else:
        weights = [_random_weight(rng) for _ in hands]
    kept = [place for place, weight in enumerate(weights) if weight] or [0]
    return HandRange(
        np.array([hands[place] for place in kept], dtype=np.int16),
        np.array([max(1, weights[place]) for place in kept]),
    )


def _random_weight(rng: random.Random) -> int:
    """Return a weight that hardly ever lets two actions be worth the same by chance."""
    return rng.choice([0, 0, 1, 2]) * rng.randrange(1000, 3000)


def random_betting(rng: random.Random, streets: int) -> BettingTree:
    """Return a random betting tree in which all streets are played."""
    builder = BettingTreeBuilder()
    _grow(rng, builder, builder.root, streets, 3 - (streets > 0), through=True)
    return builder.build()


def _grow(
    rng: random.Random, builder: BettingTreeBuilder, node: int, left: int, depth: int, through: bool
) -> None:
    """Grow what follows a node; `through` says that somewhere all cards must be dealt."""
    if depth and rng.random() < 0.85:
        count = rng.choice([1, 2, 2, 3])
        children = builder.act(node, rng.randrange(2), [f"act{k}" for k in range(count)])
        for child in children:
            _grow(rng, builder, child, left, depth - 1, through and child == children[0])
    elif not through and rng.random() < 0.4:
        amount = Fraction(rng.randrange(-3000, 3000), 400)
        builder.end(node, (amount, -amount))
    elif left:
        _grow(rng, builder, builder.deal(node), left - 1, rng.choice([0, 1, 1, 2]), through)
    else:
        swing, middle = Fraction(rng.randrange(1, 6000), 600), Fraction(rng.choice([0, 0, 1, -2]))
        won, tied, lost = middle + swing, middle, middle - swing
        builder.show(node, (won, -won), (tied, -tied), (lost, -lost))
