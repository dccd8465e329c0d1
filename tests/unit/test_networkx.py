"""Game trees as networkx graphs and back, and graphs that are no games."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from games.leduc import leduc
from seqform import build_tree
from seqform.base.errors import InvalidGameError
from seqform.io import from_networkx, parse_efg, to_networkx
from seqform.tree.tree import GameTree
from tests.same_game import assert_same_game
from tests.strategies import trees


@given(trees(players=(1, 2, 3), zero_sum=(True, False)))
def test_to_a_graph_and_back_is_the_same_game(tree: GameTree) -> None:
    graph = to_networkx(tree)
    again = from_networkx(graph)
    assert_same_game(tree, again)
    assert again.unit == tree.unit
    assert len(again.probabilities) == len(tree.probabilities)
    reordered: Any = nx.DiGraph(**graph.graph)
    reordered.add_nodes_from(
        reversed([(f"node {node}", content) for node, content in graph.nodes(data=True)])
    )
    reordered.add_edges_from(
        reversed([(f"node {a}", f"node {b}", content) for a, b, content in graph.edges(data=True)])
    )
    assert_same_game(tree, from_networkx(reordered))


def test_leduc_goes_there_and_back() -> None:
    tree = build_tree(leduc())
    assert_same_game(tree, from_networkx(to_networkx(tree)))


def test_infosets_that_are_called_alike_stay_apart() -> None:
    """Whatever they are called in an .efg file: information sets 1 and 2, one named 2 and one not
    named, and another player's."""
    text = (
        'EFG 2 R "" {"a" "b"} p "" 1 1 "2" {"x" "y"} 0 p "" 1 2 "" {"x"} 0 t "" 0 '
        'p "" 2 1 "2" {"x"} 0 p "" 1 3 "" {"x"} 0 t "" 0'
    )
    tree = parse_efg(text)
    assert_same_game(tree, from_networkx(to_networkx(tree)))


def test_depth_is_not_limited_by_recursion() -> None:
    graph: Any = nx.DiGraph(num_players=1)
    nx.add_path(graph, range(5001), action="on")
    nx.set_node_attributes(
        graph, {node: {"kind": "decision", "player": 0, "infoset": node} for node in range(5000)}
    )
    graph.nodes[5000].update(kind="terminal", payoffs=[Fraction(1, 3)])
    assert from_networkx(graph).depth == 5000


def game() -> Any:
    """Return a coin toss (node 0) before player 0 guesses (nodes 1 and 2)."""
    graph: Any = nx.DiGraph(num_players=1)
    graph.add_node(0, kind="chance")
    for side in (1, 2):
        graph.add_node(side, kind="decision", player=0, infoset="guess")
        graph.add_edge(0, side, action=f"side {side}", probability=Fraction(1, 2))
        for guess in (1, 2):
            graph.add_node((side, guess), kind="terminal", payoffs=(int(side == guess),))
            graph.add_edge(side, (side, guess), action=guess, position=guess - 1)
    return graph


MISTAKES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "empty": (lambda g: g.clear(), "R1"),
    "no players": (lambda g: g.graph.pop("num_players"), "R1: num_players is None"),
    "two roots": (lambda g: g.add_node("other"), "2 nodes without an edge into them"),
    "no root": (lambda g: g.add_edge((1, 1), 0), "0 nodes without an edge"),
    "two parents": (lambda g: g.add_edge(1, (2, 2)), r"2 edges lead to node \(2, 2\)"),
    "a cycle aside": (
        lambda g: g.add_edges_from([("x", "y"), ("y", "x")]),
        "2 nodes cannot be reached from the root 0",
    ),
    "no kind": (lambda g: g.nodes[1].pop("kind"), "'kind' is missing of node 1"),
    "unknown kind": (lambda g: g.nodes[1].update(kind="move"), "node 1 is of kind 'move'"),
    "no player": (lambda g: g.nodes[2].pop("player"), "'player' is missing of node 2"),
    "no infoset": (lambda g: g.nodes[2].pop("infoset"), "'infoset' is missing of node 2"),
    "unknown player": (lambda g: g.nodes[2].update(player=1), "R3: player 1 moves"),
    "an infoset that is no key": (lambda g: g.nodes[2].update(infoset=["guess"]), "R6"),
    "no action": (
        lambda g: g.edges[0, 1].pop("action"),
        "'action' is missing in an edge from node 0",
    ),
    "no probability": (
        lambda g: g.edges[0, 1].pop("probability"),
        "'probability' is missing in an edge from node 0",
    ),
    "a lottery of 3/2": (lambda g: g.edges[0, 1].update(probability=1), "R4.* sum to 3/2"),
    "equal positions": (
        lambda g: g.edges[1, (1, 1)].update(position=1),
        "R2: the positions of the edges from node 1",
    ),
    "one position": (
        lambda g: g.edges[1, (1, 1)].pop("position"),
        "R2: the positions of the edges from node 1",
    ),
    "other actions": (lambda g: g.edges[1, (1, 1)].update(action=3), "R8"),
    "no payoffs": (
        lambda g: g.nodes[1, 1].pop("payoffs"),
        r"'payoffs' is missing of node \(1, 1\)",
    ),
    "one payoff too many": (lambda g: g.nodes[1, 1].update(payoffs=(1, 2)), "R5"),
    "a bare payoff": (
        lambda g: g.nodes[1, 1].update(payoffs=1),
        r"R5: the payoffs of node \(1, 1\) are 1",
    ),
    "a terminal with children": (
        lambda g: g.nodes[1].update(kind="terminal", payoffs=(1,)),
        "node 1 is terminal but has 2 edges",
    ),
    "a decision at the end": (
        lambda g: g.nodes[1, 1].update(kind="decision", player=0, infoset="x"),
        "R3",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_graphs_that_are_no_games_are_refused(name: str) -> None:
    spoil, message = MISTAKES[name]
    graph = game()
    assert from_networkx(graph).num_nodes == 7
    spoil(graph)
    with pytest.raises(InvalidGameError, match=message):
        from_networkx(graph)


def test_other_kinds_of_graphs_are_refused() -> None:
    for graph in (nx.Graph(game()), nx.MultiDiGraph(game())):
        with pytest.raises(InvalidGameError, match="undirected or has parallel edges"):
            from_networkx(graph)
