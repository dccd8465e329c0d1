"""Trees in which the children of one level do not lie in the order of their parents, which the data model allows."""

from __future__ import annotations

import numpy as np

from seqform import CHANCE, TERMINAL, build_tree
from seqform.deals import Deck
from tests.random_signal_games import Public, RandomSignalGame


def test_two_public_chance_nodes_beside_each_other() -> None:
    last = [Public(TERMINAL, dealt=2, end="u", stake=stake) for stake in (1, 2)]
    choice = Public(0, tuple(Public(CHANCE, (end,), 1) for end in last), 1)
    weights = {"u": np.ones(2, dtype=np.int32)}
    game = RandomSignalGame(Deck(("x", "y"), (2, 1)), Public(CHANCE, (choice,)), (0, 1), weights, np.arange(3, dtype=np.int32))
    tree = build_tree(game)  # after x both cards can follow and after y only x can
    assert tree.count("terminal") == 2 * (2 + 1)
    chance = [node for node in range(1, tree.num_nodes) if tree.player[node] == CHANCE]
    assert sorted(chance, key=lambda node: tree.first_child[node]) != chance
