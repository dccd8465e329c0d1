"""Trees that texts print, compared node by node: who moves, in which information set, what follows
each action, chance's probabilities and all payoffs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.textbook import king_queen_jack, two_player_tree, von_stengel
from seqform import GameTree
from seqform.game.rules import CHANCE
from seqform.perfect_information import Decision, backward_induction_tree, minimax
from seqform.tree.as_rules import TreeGame

HALF = Fraction(1, 2)

BACKWARD_INDUCTION = (
    (0, "1"),
    {
        "A": ((1, "2"), {"C": (3, 8), "D": (8, 3)}),
        "B": (
            (1, "3"),
            {"E": (5, 5), "F": ((0, "7"), {"G": (2, 10), "H": (1, 0)})},
        ),
    },
)
"""The tree of a chapter on backward induction, whose states are numbered."""

SEQUENCE_FORM = (
    CHANCE,
    {
        ("low", HALF): (
            (0, "low"),
            {"l": (0, 0), "r": ((1, "second"), {"c": (2, -2), "d": (-2, 2)})},
        ),
        ("high", HALF): (
            (0, "high"),
            {"L": ((1, "second"), {"c": (-4, 4), "d": (8, -8)}), "R": (2, -2)},
        ),
    },
)
"""The example of von Stengel, GEB 14, 1996."""

KNOWN_CARDS = (
    (0, "P1A"),
    {
        "check": (
            (1, "P2A"),
            {
                "check": (-1, 1),
                "bet": ((0, "P1B"), {"fold": (-1, 1), "call": (-2, 2)}),
            },
        ),
        "bet": ((1, "P2B"), {"fold": (1, -1), "call": (-2, 2)}),
    },
)
"""The game tree of an article on minimax: player 1 has the queen, player 0 the jack."""

PRINTED = {
    "backward induction": (two_player_tree, BACKWARD_INDUCTION),
    "sequence form": (von_stengel, SEQUENCE_FORM),
    "minimax": (king_queen_jack, KNOWN_CARDS),
}


def written(tree: GameTree, node: int = 0) -> Any:
    """Return a tree as nested pairs, of who moves where and what follows each action in order.

    Leaves are their payoffs.
    """
    children = tree.children(node)
    if not children:
        return tree.payoffs[tree.payoff[node]]
    assert tree.payoff[node] == -1, "nothing is paid on the way"
    labels = [tree.labels[tree.label[child]] for child in children]
    below = [written(tree, child) for child in children]
    if tree.player[node] == CHANCE:
        chances = [tree.probabilities[tree.probability[child]] for child in children]
        return CHANCE, dict(zip(zip(labels, chances, strict=True), below, strict=True))
    name = tree.infoset_labels[tree.infoset[node]]
    return (int(tree.player[node]), name), dict(zip(labels, below, strict=True))


def in_order(value: Any) -> Any:
    """Return nested pairs with lists for dictionaries, so that orders of actions count."""
    if not isinstance(value[1], dict):
        return value
    return value[0], [(action, in_order(below)) for action, below in value[1].items()]


@pytest.mark.parametrize("name", PRINTED)
def test_trees_are_the_printed_ones(name: str) -> None:
    make, printed = PRINTED[name]
    tree = make()
    assert in_order(written(tree)) == in_order(printed)
    # an information set is what has one player and name
    owners = list(zip(tree.infoset_player.tolist(), tree.infoset_labels, strict=True))
    assert len(set(owners)) == tree.num_infosets
    assert tree.num_players == 2


def test_every_subgame_of_the_tree_of_backward_induction() -> None:
    tree = two_player_tree()
    values = backward_induction_tree(tree, exact=True).values
    found = {
        tree.infoset_labels[tree.infoset[node]]: tuple(values[node])
        for node in range(tree.num_nodes)
        if tree.infoset[node] >= 0
    }
    assert found == {"1": (3, 8), "2": (3, 8), "3": (2, 10), "7": (2, 10)}


def test_the_printed_trace_of_minimax() -> None:
    """Four decisions in this order, each with the ends that are compared and the one chosen."""
    ends = {
        ("check", "check"): "E1",
        ("check", "bet", "fold"): "E2",
        ("check", "bet", "call"): "E3",
        ("bet", "fold"): "E4",
        ("bet", "call"): "E5",
    }
    decisions: list[Decision] = []
    result = minimax(TreeGame(king_queen_jack()), trace=decisions.append)
    found = []
    for path, player, options, chosen, value, *_ in decisions:
        compared = {ends[(*path, action)]: worth for action, worth in options}
        ends[path] = ends[(*path, chosen)]
        found.append(("min" if player else "max", compared, ends[path], value))
    assert found == [
        ("max", {"E2": -1, "E3": -2}, "E2", -1),
        ("min", {"E1": -1, "E2": -1}, "E1", -1),
        ("min", {"E4": 1, "E5": -2}, "E5", -2),
        ("max", {"E1": -1, "E5": -2}, "E1", -1),
    ]
    assert result.principal_variation == ("check", "check")
