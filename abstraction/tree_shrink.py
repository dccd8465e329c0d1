"""GameShrink on explicit game trees: merge outcomes of chance that are alike."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from abstraction.node_classes import NodeClasses
from seqform.base.arrays import Index, Ints, distinct
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.base.interner import Interner
from seqform.base.number import Number
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE
from seqform.links.link import EXACTLY, ReductionOptions, SequenceMap
from seqform.tree.from_any import build_tree
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

Actions = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TreeMerge:
    """A smaller tree, and what its information sets and actions stand for.

    Parameters
    ----------
    tree
        The smaller tree.
    infoset
        int32: for each information set of the original tree, the one of the smaller tree it became
        part of.
    action
        For each information set of the original tree, the place that each of its actions has in the
        smaller one; -1 for an action that is never played any more, as another one stands for it.
    """

    tree: GameTree
    infoset: Ints
    action: tuple[Actions, ...]

    def sequences(self, small: SequenceForm, large: SequenceForm) -> tuple[Ints, ...]:
        """Return, for each player, the smaller tree's sequence for each of the original's.

        Each is int32 (num_sequences of the original,).
        """
        return tuple(self._sequences(player, small, large) for player in range(large.num_players))

    def _sequences(self, player: int, small: SequenceForm, large: SequenceForm) -> Ints:
        first = np.zeros(self.tree.num_infosets, dtype=np.int64)
        first[small.tree_infosets[player]] = small.treeplexes[player].first_sequence[:-1]
        images = [
            first[self.infoset[h]] + action if action >= 0 else -1
            for h in large.tree_infosets[player].tolist()
            for action in self.action[h]
        ]
        return np.array([0, *images], dtype=np.int32)


def why_no_tree(name: str, game: Any) -> str | None:
    """Return why a reduction that looks at the tree cannot take a game; None if it can."""
    if isinstance(game, SequenceForm) and game.tree is None:
        return (
            f"reduction {name!r} needs the game's tree, and this sequence form did not "
            "come from one; use 'equitable'"
        )
    return None


@dataclass(frozen=True)
class TreeReduction:
    """Merge the nodes of a game tree by a relation.

    The threshold says which payoffs may be taken for equal: those that differ by at most that much,
    in the game's unit. What is merged has then been matched at a cost, the largest difference
    between matched payoffs, of at most twice the threshold.

    Parameters
    ----------
    name
        What the command line calls it.
    relation
        Which nodes are alike.
    lossless
        Whether a theorem says so.
    theorem
        Which, in a few words.
    """

    name: str
    relation: Callable[[GameTree], NodeClasses]
    lossless: bool = False
    theorem: str = ""
    takes_threshold = True

    def accepts(self, game: Any) -> str | None:
        """Return None for every game but a sequence form that did not come from a tree."""
        return why_no_tree(self.name, game)

    def apply(
        self, game: Any, options: ReductionOptions = EXACTLY
    ) -> tuple[SequenceForm, SequenceMap]:
        """Return the sequence form of the smaller tree, and the way back to that of the whole tree.

        Raises
        ------
        UnsupportedGameError
            If the game is a sequence form that did not come from a tree.
        GameTooLargeError
            If the tree would have more than `max_nodes` nodes.
        ImperfectRecallError
            If players do not remember in the game, or would not in the smaller one.
        """
        refusal = self.accepts(game)
        if refusal is not None:
            raise UnsupportedGameError(refusal)
        if isinstance(game, SequenceForm) and game.tree is not None:
            large, tree = game, game.tree
        else:
            tree = build_tree(game, options.max_nodes)
            large = build_sequence_form(tree)
        rounded = round_payoffs(tree, options.threshold)
        merge = shrink_tree(rounded, self.relation(rounded))
        small = build_sequence_form(merge.tree)
        return small, SequenceMap(large, merge.sequences(small, large))


def round_payoffs(tree: GameTree, threshold: float) -> GameTree:
    """Return the tree with payoffs replaced by few, none farther than `threshold` for any player.

    An equilibrium of the result has a nash_gap of at most 2 * num_players * threshold in the
    original, times the most payoffs and rewards on a path.
    """
    if threshold == 0:
        return tree
    kept: list[tuple[Number, ...]] = []
    nearest: dict[tuple[Number, ...], tuple[Number, ...]] = {}
    for row in sorted(set(tree.payoffs)):
        nearest[row] = next((other for other in kept if _is_near(row, other, threshold)), row)
        if nearest[row] is row:
            kept.append(row)
    return replace(tree, payoffs=tuple(nearest[row] for row in tree.payoffs))


def _is_near(row: tuple[Number, ...], other: tuple[Number, ...], threshold: float) -> bool:
    return all(abs(float(a - b)) <= threshold for a, b in zip(row, other, strict=True))


def shrink_tree(tree: GameTree, classes: NodeClasses) -> TreeMerge:
    """Merge the outcomes of chance that are alike, and everything below them.

    Their probabilities are added. Players may be any number and payoffs may have any sum.

    References
    ----------
    Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
    Section 5.
    """
    return merge_nodes(tree, _kept(tree, classes))


def merge_nodes(tree: GameTree, kept: Index) -> TreeMerge:
    """Merge nodes, and all information sets that have nodes which become one.

    Probabilities of outcomes of chance that become one are added. Of actions that become one, at an
    information set with one node, the first is kept.

    Parameters
    ----------
    kept
        For each node the first of those that it becomes one with. Below nodes that become one,
        children become one in pairs.
    """
    root, action = _correspondence(tree, kept)
    _drop_actions(tree, kept, action)
    roots, infoset = np.unique(root, return_inverse=True)
    small = _quotient(tree, kept, roots, infoset, action)
    return TreeMerge(small, infoset.astype(np.int32), tuple(action))


def _drop_actions(tree: GameTree, kept: Index, action: list[Actions]) -> None:
    """Give no place to the actions that lead to nodes which become one with a sibling."""
    siblings = np.flatnonzero(tree.parent == tree.parent[kept])
    lost = siblings[(kept[siblings] != siblings) & (tree.infoset[tree.parent[siblings]] >= 0)]
    for parent in distinct(tree.parent[lost]).tolist():
        children = tree.children(parent)
        places = count()
        action[tree.infoset[parent]] = tuple(
            next(places) if kept[child] == child else -1 for child in children
        )


def _kept(tree: GameTree, classes: NodeClasses) -> Index:
    """Return, for each node, the first of the nodes that it becomes one with."""
    kept = np.zeros(tree.num_nodes, dtype=np.int64)
    for level in tree.levels():
        above = tree.parent[level]
        slot = np.where(tree.player[above] == CHANCE, classes.key[level], classes.rank[level])
        pair = kept[above] * tree.num_nodes + slot
        # first the children of nodes that are kept themselves
        order = np.argsort(kept[above] != above, kind="stable")
        _, first, inverse = np.unique(pair[order], return_index=True, return_inverse=True)
        kept[level.start + order] = level.start + order[first[inverse]]
    return kept


def _correspondence(tree: GameTree, kept: Index) -> tuple[Index, list[Actions]]:
    """Return the first information set that each becomes one with, and the places of actions."""
    links: list[list[tuple[int, Actions]]] = [[] for _ in range(tree.num_infosets)]
    for node, other in _pairs(tree, kept):
        check_time("matching subtrees")
        action = _matched(tree, kept, node, other)
        h, g = int(tree.infoset[node]), int(tree.infoset[other])
        links[h].append((g, action))
        links[g].append((h, tuple(np.argsort(action).tolist())))
    root = np.full(tree.num_infosets, -1, dtype=np.int64)
    actions: list[Actions] = [tuple(range(n)) for n in tree.infoset_num_actions.tolist()]
    for start in range(tree.num_infosets):
        if root[start] < 0:
            _follow(links, start, root, actions)
    return root, actions


def _follow(
    links: list[list[tuple[int, Actions]]], start: int, root: Index, actions: list[Actions]
) -> None:
    """Make `start` the root of all information sets linked to it; place their actions there."""
    check_time("merging subtrees")
    root[start] = start
    queue = deque([start])
    while queue:
        h = queue.popleft()
        for g, into in links[h]:
            if root[g] < 0:
                root[g] = start
                back = np.argsort(into)
                actions[g] = tuple(actions[h][i] for i in back.tolist())
                queue.append(g)


def _pairs(tree: GameTree, kept: Index) -> Iterator[tuple[int, int]]:
    """Yield merged decision nodes with the node that is kept, once for any two information sets."""
    nodes = np.flatnonzero((tree.infoset >= 0) & (tree.infoset != tree.infoset[kept]))
    pairs = tree.infoset[nodes].astype(np.int64) * tree.num_infosets + tree.infoset[kept[nodes]]
    first = nodes[np.unique(pairs, return_index=True)[1]]
    return zip(first.tolist(), kept[first].tolist(), strict=True)


def _matched(tree: GameTree, kept: Index, node: int, other: int) -> Actions:
    """Return the action at `other` that each action at `node` becomes one with."""
    children = tree.children(node)
    places = kept[children.start : children.stop] - tree.first_child[other]
    return tuple(places.tolist())


def _quotient(
    tree: GameTree, kept: Index, roots: Index, infoset: Index, action: list[Actions]
) -> GameTree:
    """Return the tree of the kept nodes, validated."""
    place = _places(tree, action)
    nodes = _layout(tree, kept, place)
    number = np.zeros(tree.num_nodes, dtype=np.int64)
    number[nodes] = np.arange(len(nodes))
    probability, probabilities = _probabilities(tree, kept, nodes)
    parent = np.append(-1, number[tree.parent[nodes[1:]]])
    count = np.bincount(parent[1:], minlength=len(nodes))
    columns = {
        "parent": parent,
        "first_child": np.where(count > 0, np.cumsum(count) - count + 1, -1),
        "num_children": count,
        "player": tree.player[nodes],
        "infoset": np.append(infoset, -1)[tree.infoset[nodes]],
        "label": _labels(tree, nodes, roots, infoset, place),
        "probability": probability,
        "payoff": tree.payoff[nodes],
    }
    tables: dict[str, Any] = {
        name: getattr(tree, name) for name in ("num_players", "payoffs", "labels", "unit")
    }
    names = [tree.infoset_labels[h] for h in roots.tolist()]
    tables["given"] = tree.given.without_nodes()
    return validate(
        GameTree.from_columns(columns, probabilities=probabilities, infoset_labels=names, **tables)
    )


def _places(tree: GameTree, action: list[Actions]) -> Index:
    """Return each node's place among its siblings in the smaller tree.

    It is its action's there; below chance it stays what it was.
    """
    above = tree.parent
    place = np.arange(tree.num_nodes) - tree.first_child[above]
    first = np.cumsum(tree.infoset_num_actions, dtype=np.int64) - tree.infoset_num_actions
    table = np.array([p for row in action for p in row], dtype=np.int64)
    chosen = np.flatnonzero((above >= 0) & (tree.player[above] >= 0))
    place[chosen] = table[first[tree.infoset[above[chosen]]] + place[chosen]]
    return place


def _layout(tree: GameTree, kept: Index, place: Index) -> Index:
    """Return the kept nodes in level order, siblings by place."""
    number = np.zeros(tree.num_nodes, dtype=np.int64)
    levels = [np.zeros(1, dtype=np.int64)]
    for level in tree.levels():
        nodes = np.flatnonzero(kept[level] == np.arange(level.start, level.stop)) + level.start
        nodes = nodes[np.lexsort((place[nodes], number[tree.parent[nodes]]))]
        number[nodes] = np.arange(len(nodes))
        levels.append(nodes)
    return np.concatenate(levels)


def _probabilities(tree: GameTree, kept: Index, nodes: Index) -> tuple[Index, tuple[Number, ...]]:
    """Return the added probabilities of the edges into `nodes`, as rows of a table."""
    above = tree.parent
    # once: not below nodes that were merged away
    dealt = np.flatnonzero((tree.probability >= 0) & (kept[above] == above))
    totals: dict[int, Number] = {}
    for node, row in zip(kept[dealt].tolist(), tree.probability[dealt].tolist(), strict=True):
        totals[node] = totals.get(node, 0) + tree.probabilities[row]
    table = Interner()
    rows = np.array([table(totals[node]) if node in totals else -1 for node in nodes.tolist()])
    values: tuple[Any, ...] = table.values()
    return rows, values


def _labels(tree: GameTree, nodes: Index, roots: Index, infoset: Index, place: Index) -> Index:
    """Return the labels of the edges into `nodes`.

    Those of actions are the ones at the first of the merged information sets.
    """
    above = tree.parent[nodes]
    label = tree.label[nodes].astype(np.int64)
    chosen = np.flatnonzero((above >= 0) & (tree.player[above] >= 0))
    owner = tree.infoset[above[chosen]]
    chosen = chosen[roots[infoset[owner]] != owner]
    named = tree.infoset_first_node[roots[infoset[tree.infoset[above[chosen]]]]]
    label[chosen] = tree.label[tree.first_child[named] + place[nodes[chosen]]]
    return label
