"""What `analyze` says, by walking the tree from every node of every information set."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from seqform.game.rules import CHANCE
from seqform.tree.tree import GameTree
from tests.reference.oracles import Behavior


class WalkedSet(NamedTuple):
    """One information set of the tree; None where a probability to divide by is 0."""

    own_reach: Any
    others_reach: Any
    reach: Any
    action_values: list[Any] | None
    value: Any | None
    beliefs: list[Any] | None


def walked(tree: GameTree, behavior: Behavior, infoset: int) -> WalkedSet:
    """Look at one information set, of the numbers of the tree."""
    player = int(tree.infoset_player[infoset])
    nodes = [node for node in range(tree.num_nodes) if tree.infoset[node] == infoset]
    parts = [_parts(tree, behavior, node, player) for node in nodes]
    own, others = parts[0][0], [part for _, part in parts]
    total = sum(others)
    if not total:
        return WalkedSet(own, total, 0, None, None, None)
    pays = [
        [_pays(tree, behavior, child, player) for child in tree.children(node)] for node in nodes
    ]
    actions = range(int(tree.infoset_num_actions[infoset]))
    each = [sum(w * p[a] for w, p in zip(others, pays, strict=True)) / total for a in actions]
    value = sum(behavior[infoset][a] * each[a] for a in actions)
    return WalkedSet(own, total, own * total, each, value, [w / total for w in others])


def _up(tree: GameTree, node: int) -> Iterator[tuple[int, int]]:
    """Yield the edges from a node to the root: parent and child."""
    while node:
        yield int(tree.parent[node]), node
        node = int(tree.parent[node])


def _weight(tree: GameTree, behavior: Behavior, above: int, node: int) -> Any:
    if tree.player[above] == CHANCE:
        return tree.probabilities[tree.probability[node]]
    return behavior[tree.infoset[above]][node - tree.first_child[above]]


def _parts(tree: GameTree, behavior: Behavior, node: int, player: int) -> tuple[Any, Any]:
    """Return the player's own part, and that of all others, in the reach of a node."""
    own: Any = Fraction(1)
    others: Any = Fraction(1)
    for above, below in _up(tree, node):
        weight = _weight(tree, behavior, above, below)
        if tree.player[above] == player:
            own *= weight
        else:
            others *= weight
    return own, others


def _pays(tree: GameTree, behavior: Behavior, node: int, player: int) -> Any:
    """Return what a player gets in the whole game, in expectation, once the node is reached."""
    on_the_way = sum(_paid(tree, above, player) for above, _ in _up(tree, node))
    return on_the_way + _from(tree, behavior, node, player)


def _from(tree: GameTree, behavior: Behavior, node: int, player: int) -> Any:
    return _paid(tree, node, player) + sum(
        _weight(tree, behavior, node, child) * _from(tree, behavior, child, player)
        for child in tree.children(node)
    )


def _paid(tree: GameTree, node: int, player: int) -> Any:
    return 0 if tree.payoff[node] < 0 else tree.payoffs[tree.payoff[node]][player]
