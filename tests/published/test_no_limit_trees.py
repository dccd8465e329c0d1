"""Sizes of betting trees that another program prints, nodes on every board counted."""

from fractions import Fraction

import pytest

from games.no_limit_betting import no_limit_betting
from games.no_limit_rules import NoLimitRules
from seqform.game.betting_tree import BettingTree
from seqform.game.rules import CHANCE

SIZES = "bet 50%,100%,a; raise 50%,100%,a"
RIVERS_OF_TURN_UP_TO_SUITS = Fraction(23 * 35 + 13 * 48, 36)
"""On Td9d6h clubs and spades are alike, until one of them is dealt."""


def on_boards(tree: BettingTree, cards: tuple[Fraction | int, ...], of: object = None) -> Fraction:
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


@pytest.mark.parametrize("sizes", ["bet 100%", "bet a", "bet 1000%"])
def test_toy(sizes: str) -> None:
    assert no_limit_betting(NoLimitRules(100, 100, sizes)).num_nodes == 9
