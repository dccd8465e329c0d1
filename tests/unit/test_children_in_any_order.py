"""Trees in which the children of one level do not lie in the order of their parents, which the data
model allows."""

from __future__ import annotations

import numpy as np

from seqform import CHANCE, TERMINAL, GameTree, build_tree
from seqform.game.deals import Deck
from seqform.perfect_information import backward_induction_tree, check_one_shot
from seqform.tree.validate import validate
from tests.random_signal_games import Public, RandomSignalGame


def test_two_public_chance_nodes_beside_each_other() -> None:
    last = [Public(TERMINAL, dealt=2, end="u", stake=stake) for stake in (1, 2)]
    choice = Public(0, tuple(Public(CHANCE, (end,), 1) for end in last), 1)
    weights = {"u": np.ones(2, dtype=np.int32)}
    game = RandomSignalGame(
        Deck(("x", "y"), (2, 1)),
        Public(CHANCE, (choice,)),
        (0, 1),
        weights,
        np.arange(3, dtype=np.int32),
    )
    tree = build_tree(game)  # after x both cards can follow and after y only x can
    assert tree.count("terminal") == 2 * (2 + 1)
    chance = [node for node in range(1, tree.num_nodes) if tree.player[node] == CHANCE]
    assert sorted(chance, key=lambda node: tree.first_child[node]) != chance


def test_backward_induction_where_the_children_of_the_second_node_come_first() -> None:
    columns = {
        "parent": [-1, 0, 0, 2, 2, 2, 1],
        "first_child": [1, 6, 3, -1, -1, -1, -1],
        "num_children": [2, 1, 3, 0, 0, 0, 0],
        "player": [0, 1, 1, *[TERMINAL] * 4],
        "infoset": [0, 1, 2, -1, -1, -1, -1],
        "label": [-1, 0, 1, 0, 1, 2, 0],
        "probability": [-1] * 7,
        "payoff": [-1, -1, -1, 0, 1, 2, 3],
    }
    tables = {
        "probabilities": (),
        "payoffs": ((1, 4), (2, 5), (9, 0), (3, 1)),
        "labels": ("a", "b", "c"),
        "infoset_labels": (0, 1, 2),
    }
    tree = validate(
        GameTree.from_columns(
            {name: np.array(column) for name, column in columns.items()}, num_players=2, **tables
        )
    )
    result = backward_induction_tree(tree)
    assert result.best_child.tolist() == [1, 6, 4, -1, -1, -1, -1]
    assert result.values.tolist() == [[3, 1], [3, 1], [2, 5], [1, 4], [2, 5], [9, 0], [3, 1]]
    assert check_one_shot(tree, result).largest_gain == 0
