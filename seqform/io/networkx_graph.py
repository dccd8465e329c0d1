"""Game trees as networkx graphs, with all that a tree says in their attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    import networkx as nx

KINDS = {CHANCE: "chance", TERMINAL: "terminal"}


def to_networkx(tree: GameTree) -> nx.DiGraph[int]:
    """Return the tree as a directed graph; nodes have the tree's numbers, the root is 0.

    ===== ============= =======================================================================
    of    attribute     meaning
    ===== ============= =======================================================================
    graph `num_players` how many players there are
    graph `unit`        what payoffs are counted in
    node  `kind`        'decision', 'chance' or 'terminal'
    node  `player`      who moves at a decision, else absent
    node  `infoset`     the key of a decision's information set, else absent
    node  `payoffs`     what each player is paid on arriving there; absent where nothing is paid
    edge  `action`      the label of the action or outcome
    edge  `position`    its place among the moves of the node above, from 0
    edge  `probability` after a chance node, as the tree has it (int, Fraction or float)
    ===== ============= =======================================================================

    Examples
    --------
    >>> from games.textbook import matching_pennies
    >>> graph = to_networkx(matching_pennies())
    >>> graph.nodes[0]
    {'kind': 'decision', 'player': 0, 'infoset': 'player 0'}
    >>> graph.edges[0, 1]
    {'action': 'heads', 'position': 0}
    """
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph(num_players=tree.num_players, unit=tree.unit)
    for node in range(tree.num_nodes):
        graph.add_node(node, **_node(tree, node))
        for position, child in enumerate(tree.children(node)):
            graph.add_edge(node, child, **_edge(tree, child, position))
    return graph


def _node(tree: GameTree, node: int) -> dict[str, Any]:
    player, payoff = int(tree.player[node]), int(tree.payoff[node])
    attributes: dict[str, Any] = {"kind": KINDS.get(player, "decision")}
    if player >= 0:
        attributes |= {"player": player, "infoset": tree.infoset_labels[int(tree.infoset[node])]}
    if payoff >= 0:
        attributes["payoffs"] = tree.payoffs[payoff]
    return attributes


def _edge(tree: GameTree, child: int, position: int) -> dict[str, Any]:
    attributes: dict[str, Any] = {"action": tree.labels[tree.label[child]], "position": position}
    if tree.probability[child] >= 0:
        attributes["probability"] = tree.probabilities[int(tree.probability[child])]
    return attributes
