"""A networkx graph as a game tree."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidGameError
from seqform.base.number import check_num_players, plain
from seqform.base.summary import counted
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    import networkx as nx


def from_networkx(graph: nx.DiGraph[Any]) -> GameTree:
    """Return the game that a directed graph describes, by the attributes of `to_networkx`.

    Nodes may be called anything. Edges without a `position` come in the order in which they were
    added. The nodes of an information set are those with the same `player` and `infoset`.

    Raises
    ------
    InvalidGameError
        If the graph is not a tree with all edges from the root down, lacks an attribute, or breaks
        another requirement of docs/data-model.md; the message names the node.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph(num_players=1)
    >>> graph.add_node("start", kind="decision", player=0, infoset="start")
    >>> for action, payoff in ("stay", 0), ("go", 1):
    ...     graph.add_node(action, kind="terminal", payoffs=(payoff,))
    ...     graph.add_edge("start", action, action=action)
    >>> from_networkx(graph).payoffs
    ((0,), (1,))
    """
    root = _root(graph)
    builder = TreeBuilder(
        check_num_players(graph.graph.get("num_players")), str(graph.graph.get("unit", "units"))
    )
    pending: list[tuple[int, Hashable]] = [(builder.root, root)]
    visited = 0
    while pending:
        handle, node = pending.pop()
        visited += 1
        children = _in_order(graph, node)
        handles = _build(builder, handle, graph, node, children)
        pending += zip(reversed(handles), reversed(children), strict=True)
    if visited < graph.number_of_nodes():
        raise InvalidGameError(
            f"R1: {graph.number_of_nodes() - visited} nodes cannot be reached from the root "
            f"{root!r}: they lie on a cycle"
        )
    return builder.freeze()


def _root(graph: nx.DiGraph[Any]) -> Hashable:
    """Return the one node without an edge into it, if all others have one."""
    if not graph.is_directed() or graph.is_multigraph():
        raise InvalidGameError(
            "R1: the graph is undirected or has parallel edges; "
            "use a networkx.DiGraph with edges from the root down"
        )
    roots = [node for node, edges in graph.in_degree() if edges == 0]
    if len(roots) != 1:
        raise InvalidGameError(
            f"R1: the graph has {counted(len(roots), 'node')} without "
            "an edge into them; a game has one, its root"
        )
    for node, edges in graph.in_degree():
        if edges > 1:
            raise InvalidGameError(
                f"R1: {edges} edges lead to node {node!r}; in a tree each node but the root has one"
            )
    return roots[0]  # type: ignore[no-any-return]


def _in_order(graph: nx.DiGraph[Any], node: Hashable) -> list[Any]:
    """Return the children of a node in the order of their positions, or else as they were added."""
    children = list(graph.successors(node))
    positions = [graph.edges[node, child].get("position") for child in children]
    if all(position is None for position in positions):
        return children
    if sorted(positions, key=str) != sorted(range(len(children)), key=str):
        raise InvalidGameError(
            f"R2: the positions of the edges from node {node!r} "
            f"are {positions}; number them 0, 1, 2, ..."
        )
    return [child for _, child in sorted(zip(positions, children, strict=True))]


def _build(
    builder: TreeBuilder, handle: int, graph: nx.DiGraph[Any], node: Hashable, children: list[Any]
) -> list[int]:
    """Write a node down; return the handles of its children."""
    attributes, edges = graph.nodes[node], [graph.edges[node, child] for child in children]
    kind = _attribute(attributes, "kind", node)
    actions = [_attribute(edge, "action", node, " in an edge from") for edge in edges]
    payoffs = attributes.get("payoffs")
    if not isinstance(payoffs, (Sequence, NoneType)):
        raise InvalidGameError(
            f"R5: the payoffs of node {node!r} are {plain(payoffs)}; "
            "give a tuple with one number per player"
        )
    if kind == "terminal":
        if children:
            raise InvalidGameError(
                f"R3: node {node!r} is terminal but has {counted(len(children), 'edge')} from it"
            )
        builder.terminal(handle, _attribute(attributes, "payoffs", node))
        return []
    if payoffs is not None:
        builder.reward(handle, payoffs)
    if kind == "chance":
        return builder.chance(
            handle,
            list(
                zip(
                    actions,
                    (_attribute(edge, "probability", node, " in an edge from") for edge in edges),
                    strict=True,
                )
            ),
        )
    if kind != "decision":
        raise InvalidGameError(
            f"R3: node {node!r} is of kind {kind!r}; use decision, chance or terminal"
        )
    player = _attribute(attributes, "player", node)
    infoset = _attribute(attributes, "infoset", node)
    return builder.decision(handle, player, infoset, actions)


def _attribute(attributes: dict[str, Any], name: str, node: Hashable, where: str = " of") -> Any:
    if name not in attributes:
        raise InvalidGameError(
            f"the attribute {name!r} is missing{where} node {node!r}; "
            "`to_networkx` lists the attributes"
        )
    return attributes[name]
