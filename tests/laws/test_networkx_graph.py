"""A tree as a networkx graph says all that the tree says: it is built again from the attributes
alone."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from seqform import GameTree, TreeBuilder, build_tree
from seqform.game.catalogue import make
from seqform.io.networkx_graph import to_networkx
from tests.strategies import trees


def built_again(graph: Any) -> GameTree:
    """Write the game down node by node, from the root on."""
    builder = TreeBuilder(graph.graph["num_players"], graph.graph["unit"])
    stack = [(0, builder.root)]
    while stack:
        node, handle = stack.pop()
        attributes = graph.nodes[node]
        edges = sorted(
            (edge for *_, edge in graph.out_edges(node, data=True)),
            key=lambda edge: edge["position"],
        )
        below = sorted(
            graph.successors(node), key=lambda child: graph.edges[node, child]["position"]
        )
        if attributes["kind"] == "terminal":
            builder.terminal(handle, attributes["payoffs"])
            continue
        if "payoffs" in attributes:
            builder.reward(handle, attributes["payoffs"])
        if attributes["kind"] == "chance":
            handles = builder.chance(
                handle, [(edge["action"], edge["probability"]) for edge in edges]
            )
        else:
            handles = builder.decision(
                handle,
                attributes["player"],
                attributes["infoset"],
                [edge["action"] for edge in edges],
            )
        stack += zip(below, handles, strict=True)
    return builder.freeze()


def said_by(tree: GameTree) -> list[tuple[Any, ...]]:
    """What a tree says of each node, depth first, whatever its nodes are numbered."""
    said, stack = [], [0]
    tables = {
        "infoset": tree.infoset_labels,
        "label": tree.labels,
        "probability": tree.probabilities,
        "payoff": tree.payoffs,
    }
    while stack:
        node = stack.pop()
        rows = {name: int(getattr(tree, name)[node]) for name in tables}
        said.append(
            (
                int(tree.player[node]),
                len(tree.children(node)),
                *(tables[name][row] if row >= 0 else None for name, row in rows.items()),
            )
        )
        stack += tree.children(node)
    return said


def check(tree: GameTree) -> None:
    graph = to_networkx(tree)
    assert nx.is_arborescence(graph)
    again = built_again(graph)
    assert said_by(again) == said_by(tree)
    assert (again.num_players, again.unit, again.num_infosets) == (
        tree.num_players,
        tree.unit,
        tree.num_infosets,
    )


@given(trees(players=(1, 2, 3), zero_sum=(True, False)))
def test_random_games(tree: GameTree) -> None:
    check(tree)


@pytest.mark.parametrize("name", ["kuhn", "von-stengel", "leduc", "liars-dice"])
def test_named_games(name: str) -> None:
    check(build_tree(make(name, **({"sides": 3} if name == "liars-dice" else {}))))


def test_numbers_stay_of_their_kind() -> None:
    builder = TreeBuilder(1)
    for child, payoff in zip(
        builder.chance(builder.root, [("a", 0.5), ("b", 0.5)]), (0.1, 3), strict=True
    ):
        builder.terminal(child, [payoff])
    graph = to_networkx(builder.freeze())
    assert graph.edges[0, 1]["probability"] == 0.5
    assert [type(graph.nodes[node]["payoffs"][0]) for node in (1, 2)] == [float, int]
    assert "player" not in graph.nodes[0]
    assert "payoffs" not in graph.nodes[0]
