"""Kuhn poker's parameters."""

from __future__ import annotations

import pytest

from seqform import build_tree, make
from seqform.base.errors import InvalidParameterError


@pytest.mark.parametrize(("players", "cards", "nodes"), [(2, 3, 58), (3, 4, 617), (3, 3, 160)])
def test_sizes(players: int, cards: int, nodes: int) -> None:
    assert build_tree(make("kuhn", players=players, cards=cards)).num_nodes == nodes
    default = build_tree(make("kuhn", players=players)).num_nodes
    assert (default == nodes) == (cards == players + 1)


@pytest.mark.parametrize("given", [{"players": 1}, {"players": 3, "cards": 2}, {"cards": -1}])
def test_too_few(given: dict[str, int]) -> None:
    with pytest.raises(InvalidParameterError, match="too small"):
        make("kuhn", **given)
