"""How much memory a node of a tree takes, so that ten million fit into 4 GB."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

from games.random_games import random_game
from seqform import build_sequence_form


def peak(action: Callable[[], Any]) -> tuple[Any, int]:
    """Return what an action makes, and the most bytes that it holds on the way."""
    tracemalloc.start()
    try:
        return action(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_ten_million_nodes_of_a_random_game_fit_into_four_gigabytes() -> None:
    tree, building = peak(lambda: random_game(1, depth=7, branching=8, max_payoff=1000))
    _, forming = peak(lambda: build_sequence_form(tree))
    assert tree.num_nodes == 7052
    assert max(building, forming) / tree.num_nodes < 350
