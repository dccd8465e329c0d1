"""Sizes of betting trees that another program prints, nodes on every board counted."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from games.no_limit_betting import no_limit_betting
from games.no_limit_counts import count_public
from games.no_limit_rules import NoLimitRules
from games.tree_size import Cards, tree_size
from seqform.form.hands import HandRange
from seqform.game.betting_tree import BettingTree
from seqform.game.rules import CHANCE

SIZES = "bet 50%,100%,a; raise 50%,100%,a"
RIVERS_OF_TURN_UP_TO_SUITS = Fraction(23 * 35 + 13 * 48, 36)
"""On Td9d6h clubs and spades are alike, until one of them is dealt."""


def on_boards(
    tree: BettingTree, cards: tuple[Fraction | int, ...], of: Iterable[int] | None = None
) -> Fraction:
    """Return how many nodes there are if so many cards differ at each deal."""
    boards = [Fraction(1)]
    for count in cards:
        boards.append(boards[-1] * count)
    counted = range(tree.num_nodes) if of is None else of
    return sum((boards[int(tree.dealt[node])] for node in counted), Fraction(0))


def test_river() -> None:
    tree = no_limit_betting(NoLimitRules(200, 900, SIZES))
    acts = int((tree.player >= 0).sum())
    ends = int(tree.is_fold.sum()), int(tree.is_showdown.sum())
    assert (tree.num_nodes, acts, *ends) == (93, 32, 30, 31)
    assert sum(action is not None for action in tree.actions) == 92


def test_turn() -> None:
    tree = no_limit_betting(NoLimitRules(200, 900, SIZES, streets=2))
    acting = [node for node in range(tree.num_nodes) if tree.player[node] >= 0]
    assert on_boards(tree, (48,)) == 18_285 == 93 + 48 * 379
    assert on_boards(tree, (48,), acting) == 6_560
    assert (tree.player == CHANCE).sum() == 31


def test_flop() -> None:
    tree = no_limit_betting(NoLimitRules(200, 900, "bet 60%,a; raise 2.5x", streets=3))
    assert on_boards(tree, (36, RIVERS_OF_TURN_UP_TO_SUITS)) == 572_782


def every_hand(board: str) -> Cards:
    """Return a board with all hands, and all permutations of suits."""
    names = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    known = [names.index(board[at : at + 2]) for at in range(0, len(board), 2)]
    left = [card for card in range(52) if card not in known]
    hands = np.array(list(combinations(left, 2)))
    held = HandRange(hands, np.ones(len(hands), dtype=np.int64))
    suits = [
        tuple(card // 4 * 4 + order[card % 4] for card in range(52))
        for order in permutations(range(4))
    ]
    return Cards((held, held), tuple(known), 52, tuple(suits))


def test_sizes_are_counted_without_boards_and_hands() -> None:
    turn = tree_size(count_public(NoLimitRules(200, 900, SIZES, 2)), every_hand("QsJh2h8c"))
    assert (turn.public_nodes, turn.nodes, turn.decision_nodes) == (472, 18_285, 6_560)
    assert turn.entries == 1_128 * 92 + 1_081 * 48 * 348  # 1,081 hands avoid a river
    assert turn.sequences[0] == 1 + 1_128 * (46 + 46 * 174)  # 46 rivers avoid a hand
    flop = count_public(NoLimitRules(200, 900, "bet 60%,a; raise 2.5x", 3))
    assert tree_size(flop, every_hand("Td9d6h")).nodes == 572_782


@pytest.mark.parametrize("sizes", ["bet 100%", "bet a", "bet 1000%"])
def test_toy(sizes: str) -> None:
    assert no_limit_betting(NoLimitRules(100, 100, sizes)).num_nodes == 9
