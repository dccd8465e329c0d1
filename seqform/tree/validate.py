"""Validation of a GameTree: requirements R1 to R8 of docs/data-model.md, vectorised over nodes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from seqform.base.arrays import Index, Mask, distinct
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidGameError
from seqform.base.number import Number, as_number, is_exact, plain
from seqform.base.summary import counted
from seqform.game.checks import SUM_TOLERANCE, repeated, require_text
from seqform.game.labels import joined
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import NODE_COLUMNS, GameTree


def validate(tree: GameTree) -> GameTree:
    """Return `tree` if it meets R1 to R8.

    Raises
    ------
    InvalidGameError
        Naming the first broken requirement, the node, and the remedy.
    """
    for check in (
        _check_tables,
        _check_order,
        _check_rows,
        _check_kinds,
        _check_chance,
        _check_payoffs,
        _check_infosets,
        _check_actions,
        _check_labels,
    ):
        check_time("validating the tree")
        check(tree)
    return tree


def _first(mask: Mask) -> int:
    """Return the first true position, or -1."""
    position = int(mask.argmax()) if len(mask) else 0
    return position if len(mask) and mask[position] else -1


def _check_tables(tree: GameTree) -> None:
    if tree.num_players < 1 or tree.num_nodes < 1:
        raise InvalidGameError("R1: a game needs at least one player and one node")
    if not isinstance(tree.unit, str):
        raise InvalidGameError(f"R5: the unit of payoffs is {plain(tree.unit)}; give a text")
    for value in tree.probabilities:
        if as_number(value) < 0:
            raise InvalidGameError(
                f"R4: the chance probability {value} is "
                f"negative{_where_probability(tree, value)}; use a number from 0 to 1"
            )
    for row in tree.payoffs:
        if len(row) != tree.num_players:
            raise InvalidGameError(
                f"R5: the payoffs {row} have {counted(len(row), 'entry', 'entries')} "
                f"for {counted(tree.num_players, 'player')}; give one each"
            )
        for value in row:
            as_number(value)


def _where_probability(tree: GameTree, value: Number) -> str:
    row = tree.probabilities.index(value)
    node = _first(tree.probability == row)
    return f" at {tree.describe(node)}" if node >= 0 else ""


def _check_order(tree: GameTree) -> None:
    if len({len(getattr(tree, name)) for name in NODE_COLUMNS}) != 1:
        raise InvalidGameError(
            "R2: the node columns differ in length; use TreeBuilder.freeze, which makes them"
        )
    inner = np.flatnonzero(tree.num_children > 0)
    if (tree.first_child[tree.num_children <= 0] != -1).any() or (tree.num_children < 0).any():
        raise InvalidGameError(
            "R2: a node without children must have first_child "
            "-1 and num_children 0; use TreeBuilder.freeze"
        )
    inner = inner[np.argsort(tree.first_child[inner], kind="stable")]
    count = tree.num_children[inner].astype(np.int64)
    starts = 1 + np.cumsum(count) - count
    tiled = np.array_equal(tree.first_child[inner], starts) and 1 + count.sum() == tree.num_nodes
    if (
        tree.parent[0] != -1
        or not tiled
        or not np.array_equal(tree.parent[1:], np.repeat(inner, count))
    ):
        raise InvalidGameError(
            "R2: the children of some node are not contiguous or not its own; use "
            "TreeBuilder.freeze, which orders nodes"
        )
    level = np.repeat(np.arange(len(tree.level_start) - 1), np.diff(tree.level_start))
    if len(level) != tree.num_nodes or (level[1:] != level[tree.parent[1:]] + 1).any():
        raise InvalidGameError(
            "R2: nodes are not in level order; use TreeBuilder.freeze, which orders them"
        )


def _check_rows(tree: GameTree) -> None:
    """Check that columns point into their tables, or are null."""
    columns = (
        ("R4", "probability", tree.probability, len(tree.probabilities)),
        ("R5", "payoff", tree.payoff, len(tree.payoffs)),
        ("R6", "infoset", tree.infoset, len(tree.infoset_player)),
        ("R8", "label", tree.label, len(tree.labels)),
    )
    for requirement, name, column, size in columns:
        bad = _first((column < -1) | (column >= size))
        if bad >= 0:
            raise InvalidGameError(
                f"{requirement}: {name} {column[bad]} of node "
                f"{bad} is neither -1 nor a row of a table of {size}"
            )
    bad = _first((tree.label < 0) != (tree.parent < 0))
    if bad >= 0:
        raise InvalidGameError(
            f"R8: every node but the root needs a label, and the root has none; see node {bad}"
        )


def _check_kinds(tree: GameTree) -> None:
    player, count = tree.player, tree.num_children
    bad = _first((player < TERMINAL) | (player >= tree.num_players))
    if bad >= 0:
        raise InvalidGameError(
            f"R3: {tree.describe(bad)} belongs to player {player[bad]}, but players are "
            f"0..{tree.num_players - 1}, CHANCE or TERMINAL"
        )
    bad = _first((player != TERMINAL) & (count == 0))
    if bad >= 0:
        raise InvalidGameError(
            f"R3: {tree.describe(bad)} has no actions; give it actions or make it TERMINAL"
        )
    bad = _first((player == TERMINAL) & (count > 0))
    if bad >= 0:
        raise InvalidGameError(
            f"R3: {tree.describe(bad)} is TERMINAL but has {count[bad]} children"
        )


def _check_chance(tree: GameTree) -> None:
    after_chance = np.zeros(tree.num_nodes, dtype=bool)
    after_chance[1:] = tree.player[tree.parent[1:]] == CHANCE
    bad = _first(after_chance != (tree.probability >= 0))
    if bad >= 0:
        raise InvalidGameError(
            f"R4: the edge into {tree.describe(bad)} must have "
            "a probability exactly if chance moves above it"
        )
    nodes = np.flatnonzero(tree.player == CHANCE)
    if not len(nodes):
        return
    # children need not lie in the order of their parents
    nodes = nodes[np.argsort(tree.first_child[nodes])]
    edges = np.flatnonzero(after_chance)
    starts = np.cumsum(tree.num_children[nodes]) - tree.num_children[nodes]
    sums = np.add.reduceat(tree.edge_probabilities[edges], starts)
    exact = np.array([is_exact(p) for p in tree.probabilities])
    all_exact = np.logical_and.reduceat(exact[tree.probability[edges]], starts)
    bad = _first(np.abs(sums - 1) > SUM_TOLERANCE)
    bad = int(nodes[bad]) if bad >= 0 else _first_wrong_exact_sum(tree, nodes[all_exact])
    if bad >= 0:
        total: Number = sum(
            (tree.probabilities[tree.probability[c]] for c in tree.children(bad)), Fraction(0)
        )
        raise InvalidGameError(
            f"R4: the chance probabilities at {tree.describe(bad)} sum to {total}, not to 1"
        )


def _first_wrong_exact_sum(tree: GameTree, nodes: Index) -> int:
    """Return the first of the exact chance `nodes` whose probabilities do not sum to one, or -1.

    Chance nodes repeat: each distinct list of probabilities is added up once, in fractions.
    """
    counts = tree.num_children[nodes]
    for count in distinct(counts):
        same = nodes[counts == count]
        rows = tree.probability[tree.first_child[same][:, None] + np.arange(count)]
        seen: set[bytes] = set()
        for node, row in zip(same.tolist(), rows, strict=True):
            if (key := row.tobytes()) not in seen:
                seen.add(key)
                if sum(tree.probabilities[p] for p in row.tolist()) != 1:
                    return int(node)
    return -1


def _check_payoffs(tree: GameTree) -> None:
    bad = _first((tree.player == TERMINAL) & (tree.payoff < 0))
    if bad >= 0:
        raise InvalidGameError(
            f"R5: the terminal {tree.describe(bad)} has no payoffs; "
            "give one number per player (0 is a number)"
        )


def _check_infosets(tree: GameTree) -> None:
    decision = tree.player >= 0
    bad = _first(decision != (tree.infoset >= 0))
    if bad >= 0:
        raise InvalidGameError(
            f"R6: {tree.describe(bad)} must have an information set exactly if a player moves there"
        )
    used = distinct(tree.infoset[decision])
    if not np.array_equal(used, np.arange(tree.num_infosets)):
        raise InvalidGameError("R6: information sets are not numbered 0, 1, 2, ... without gaps")
    nodes = np.flatnonzero(decision)
    owner = tree.infoset_player[tree.infoset[nodes]]
    bad = _first(tree.player[nodes] != owner)
    if bad >= 0:
        node = int(nodes[bad])
        raise InvalidGameError(
            f"R7: the information set {_name(tree, node)} is shared by player {owner[bad]} and, "
            f"at {tree.describe(node)}, "
            f"player {tree.player[node]}; make the player part of the key"
        )


def _check_actions(tree: GameTree) -> None:
    nodes = np.flatnonzero(tree.player >= 0)
    expected = tree.infoset_num_actions[tree.infoset[nodes]]
    bad = _first(tree.num_children[nodes] != expected)
    if bad >= 0:
        node = int(nodes[bad])
        raise InvalidGameError(
            f"R8: the information set {_name(tree, node)} has {expected[bad]} actions, "
            f"but {tree.num_children[node]} at {tree.describe(node)}; "
            "the player could tell the nodes apart"
        )
    children = np.flatnonzero(tree.player[tree.parent[1:]] >= 0) + 1
    above = tree.parent[children]
    twin = tree.first_child[tree.infoset_first_node[tree.infoset[above]]] + (
        children - tree.first_child[above]
    )
    bad = _first(tree.label[children] != tree.label[twin])
    if bad >= 0:
        node = int(above[bad])
        raise InvalidGameError(
            f"R8: the information set {_name(tree, node)} has the action "
            f"{_action(tree, twin[bad])} where {tree.describe(node)} has "
            f"{_action(tree, children[bad])}; labels and their order must agree"
        )


def _check_labels(tree: GameTree) -> None:
    """Check that no two moves of a node are called the same, as text.

    Labels that rise from sibling to sibling, as they mostly do, are different.
    """
    require_text(tree.labels, "R8: the label")
    require_text(tree.infoset_labels, "R6: the name of an information set")
    require_text([tree.unit], "R5: the unit")
    label, parent = tree.label, tree.parent
    texts = list(map(tree.action_text, tree.labels))
    require_text(texts, "R11: the label")
    require_text(map(joined, tree.given.infosets.values()), "R11: the label")
    require_text([*tree.given.players, *tree.given.nodes], "R11: the label")
    if len(set(texts)) < len(texts):
        label = np.unique(texts, return_inverse=True)[1].astype(np.int32)[label]
    fall = np.flatnonzero(label[2:] <= label[1:-1]) + 2
    parents = distinct(parent[fall[parent[fall] == parent[fall - 1]]])
    # other nodes of an information set have the same labels; chance nodes are in none, which is -1
    infosets = tree.infoset[parents]
    first = (infosets < 0) | (np.append(tree.infoset_first_node, -1)[infosets] == parents)
    for node in parents[first].tolist():
        children = tree.children(node)
        if len(set(label[children.start : children.stop].tolist())) < len(children):
            text = repeated(texts[tree.label[child]] for child in children)
            raise InvalidGameError(
                f"R8: two moves at {tree.describe(node)} are called {text!r}; "
                "give each a label of its own"
            )


def _name(tree: GameTree, node: int) -> str:
    return plain(tree.infoset_labels[int(tree.infoset[node])])


def _action(tree: GameTree, child: int) -> str:
    return plain(tree.labels[int(tree.label[child])])
