"""A game tree without some of its actions, and the way back.

A decision that is left with one action is left out: what follows takes its place, and what both pay
is added up. Information sets to which nobody can come any more are gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from seqform.base.arrays import Ints, Mask
from seqform.base.deadline import check_time
from seqform.base.number import Number
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE, TERMINAL
from seqform.links.link import SequenceMap
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

Places = list[list[int]]
"""For each information set of a tree, the places of the actions that are kept."""


def can_be_pruned(tree: GameTree) -> bool:
    """Return whether nothing is rounded when payments on one path are added up."""
    return tree.is_exact or not ((tree.payoff >= 0) & (tree.player != TERMINAL)).any()


def prune(
    form: SequenceForm, tree: GameTree, kept: Sequence[Mask]
) -> tuple[SequenceForm, SequenceMap]:
    """Return the game of the tree in which each player has only the actions that are kept.

    Parameters
    ----------
    form
        A game.
    tree
        The one that the form was made of.
    kept
        For each player bool (num_sequences,), with an action in every information set.
    """
    places: Places = [[] for _ in range(tree.num_infosets)]
    for player, treeplex in enumerate(form.treeplexes):
        for h, infoset in enumerate(form.tree_infosets[player].tolist()):
            here = kept[player][slice(*treeplex.first_sequence[h : h + 2])]
            places[infoset] = np.flatnonzero(here).tolist()
    pruned = _pruned(tree, places)
    numbers: Any = pruned.infoset_labels
    members: list[int] = list(numbers)
    names = tuple(tree.infoset_labels[infoset] for infoset in members)
    smaller = build_sequence_form(
        replace(pruned, infoset_labels=names, given=tree.given.without_nodes())
    )
    images = tuple(
        _images(form, smaller, player, places, members) for player in range(form.num_players)
    )
    return smaller, SequenceMap(form, images)


def _pruned(tree: GameTree, places: Places) -> GameTree:
    """Return the smaller tree, whose information sets are called by their numbers in the tree."""
    b = TreeBuilder(tree.num_players, tree.unit)
    first, label = tree.first_child.tolist(), tree.label.tolist()
    player, infoset = tree.player.tolist(), tree.infoset.tolist()
    todo = [(0, b.root)]
    while todo:
        if len(todo) % 1024 == 0:
            check_time("leaving out actions")
        node, handle = todo.pop()
        paid = _paid(tree, node)
        while player[node] >= 0 and len(places[infoset[node]]) == 1:
            node = first[node] + places[infoset[node]][0]
            paid = _added(paid, _paid(tree, node))
        if player[node] == TERMINAL:
            b.terminal(handle, paid or ())
            continue
        if paid:
            b.reward(handle, paid)
        if player[node] == CHANCE:
            nodes = list(range(first[node], first[node] + int(tree.num_children[node])))
            chances = [tree.probabilities[tree.probability[child]] for child in nodes]
            names = [tree.labels[label[child]] for child in nodes]
            children = b.chance(handle, list(zip(names, chances, strict=True)))
        else:
            nodes = [first[node] + place for place in places[infoset[node]]]
            names = [tree.labels[label[child]] for child in nodes]
            children = b.decision(handle, player[node], infoset[node], names)
        todo += zip(nodes, children, strict=True)
    return b.freeze()


def _paid(tree: GameTree, node: int) -> tuple[Number, ...]:
    row = int(tree.payoff[node])
    return tree.payoffs[row] if row >= 0 else ()


def _added(one: tuple[Number, ...], other: tuple[Number, ...]) -> tuple[Number, ...]:
    if not (one and other):
        return one or other
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _images(
    form: SequenceForm, smaller: SequenceForm, player: int, places: Places, members: Sequence[int]
) -> Ints:
    """Return the smaller game's sequence for each of a player's, as `Inverse` says."""
    starts = smaller.treeplexes[player].first_sequence.tolist()
    found = {members[g]: starts[k] for k, g in enumerate(smaller.tree_infosets[player].tolist())}
    images = np.full(form.treeplexes[player].num_sequences, -1, dtype=np.int32)
    images[0] = 0
    firsts = form.treeplexes[player].first_sequence.tolist()
    for h, infoset in enumerate(form.tree_infosets[player].tolist()):
        if infoset in found:
            left = firsts[h] + np.array(places[infoset])
            images[left] = found[infoset] + np.arange(len(left))
        else:
            images[firsts[h] + places[infoset][0]] = 0
    return images
