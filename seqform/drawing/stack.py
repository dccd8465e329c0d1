"""Stacks: a tree that is too wide for a page, as parts that stand below one another."""

from __future__ import annotations

from dataclasses import replace

from seqform.drawing.drawn_tree import DrawnTree
from seqform.drawing.layout import Layout


def stacked(tree: DrawnTree, width: float, infosets: bool) -> list[Layout]:
    """Return layouts of parts that grow down, each as wide as it may be.

    Parameters
    ----------
    tree
        What is drawn.
    width
        Of a page, in points. A single move may be wider.
    infosets
        Whether names of information sets stand in nodes.

    Returns
    -------
    list of Layout
        Of the first node with some of its moves each, in their order. None where an information set
        would have nodes in several parts, as nothing would join them.
    """
    branches = _branches(tree)
    whose = {node: place for place, branch in enumerate(branches) for node in branch}
    sets = (nodes for nodes in tree.joined.values() if len(nodes) > 1)
    if any(len({whose.get(node) for node in nodes}) > 1 for nodes in sets):
        return []
    parts: list[Layout] = []
    taken: list[list[int]] = []
    for branch in branches:
        wider = Layout(_part(tree, [*taken, branch]), True, infosets)
        if taken and wider.size[0] > width:
            taken = []
            wider = Layout(_part(tree, [branch]), True, infosets)
        elif taken:
            parts.pop()
        taken.append(branch)
        parts.append(wider)
    return parts


def _branches(tree: DrawnTree) -> list[list[int]]:
    """Return the nodes below each move of the first node, by level."""
    whose = {0: -1}
    branches: list[list[int]] = [[] for _ in tree.children[0]]
    for number, node in enumerate(tree.nodes[1:], start=1):
        place = tree.children[0].index(number) if node.parent == 0 else whose[node.parent]
        whose[number] = place
        branches[place].append(number)
    return branches


def _part(tree: DrawnTree, branches: list[list[int]]) -> DrawnTree:
    """Return the first node with some of its branches."""
    kept = [0, *sorted(node for branch in branches for node in branch)]
    place = {node: number for number, node in enumerate(kept)}
    nodes = (
        replace(tree.nodes[node], parent=place.get(tree.nodes[node].parent, -1)) for node in kept
    )
    part = replace(tree, nodes=tuple(nodes))
    joined = {
        key: tuple(place[node] for node in of if node in place)
        for key, of in tree.joined.items()
        if of[0] in place
    }
    # what is said of the whole tree holds in each part, whatever is in it
    vars(part).update(
        is_zero_sum=tree.is_zero_sum, is_pure=tree.is_pure, names=tree.names, joined=joined
    )
    return part
