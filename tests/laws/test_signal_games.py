"""A signal game assembled by numpy is the same game as plain rules expanded state by state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.rhode_island import rhode_island
from seqform import SequenceForm, assemble, build_sequence_form, build_tree, expand
from seqform.game.rules import CHANCE, Game
from seqform.game.signals import SignalGame
from tests.reference.plain_games import PlainLiarsDice, PlainRhodeIsland, plain_kuhn, plain_leduc

PAIRS = {
    "kuhn": (kuhn(), plain_kuhn()),
    "kuhn, 5 cards": (kuhn(5), plain_kuhn(5)),
    "leduc": (leduc(), plain_leduc(3, 2, merge=False)),
    "leduc, suits merged": (leduc(merge_suits=True), plain_leduc(3, 2, merge=True)),
    "leduc, 4 ranks, 3 suits merged, one bet": (
        leduc(4, 3, 1, merge_suits=True),
        plain_leduc(4, 3, merge=True, max_bets=1),
    ),
    "leduc, 2 ranks, 3 bets": (leduc(2, 2, 3), plain_leduc(2, 2, merge=False, max_bets=3)),
    "rhode island, 3x2": (rhode_island(3, 2, 1), PlainRhodeIsland(3, 2, 1)),
    "rhode island, 5x1, no bets": (rhode_island(5, 1, 0), PlainRhodeIsland(5, 1, 0)),
    "rhode island, 2x2, 2 bets": (rhode_island(2, 2, 2), PlainRhodeIsland(2, 2, 2)),
    "liar's dice, 3 sides": (liars_dice(1, 3), PlainLiarsDice(3)),
    "liar's dice, 4 sides": (liars_dice(1, 4), PlainLiarsDice(4)),
}


def leaf_signature(form: SequenceForm, node: int) -> Any:
    """Say what happened on the way to a node by positions of actions and deals, which both versions
    order alike."""
    tree, path = form.tree, []
    while node > 0:
        parent = int(tree.parent[node])
        path.append((tree.player[parent] == CHANCE, node - int(tree.first_child[parent])))
        node = parent
    return tuple(reversed(path))


def sequence_permutation(a: SequenceForm, b: SequenceForm, player: int) -> list[int]:
    """Map a's sequences to b's: an information set is known by its nodes, and a node by the path
    that leads to it."""
    names = []
    for form in (a, b):
        infosets: dict[int, set[Any]] = {}
        for node in np.flatnonzero(form.tree.player == player).tolist():
            infosets.setdefault(int(form.tree.infoset[node]), set()).add(leaf_signature(form, node))
        names.append([frozenset(infosets[h]) for h in form.tree_infosets[player].tolist()])
    where = {name: h for h, name in enumerate(names[1])}
    permutation = [0]
    for h, name in enumerate(names[0]):
        first = b.treeplexes[player].first_sequence[where[name]]
        count = a.treeplexes[player].num_actions[h]
        assert b.treeplexes[player].num_actions[where[name]] == count
        permutation += range(first, first + count)
    return permutation


@pytest.mark.parametrize("name", PAIRS)
def test_assembly_and_expansion_give_the_same_game(name: str) -> None:
    signal_game, rules = PAIRS[name]
    assert isinstance(signal_game, SignalGame)
    assert isinstance(rules, Game)
    a, b = build_sequence_form(assemble(signal_game)), build_sequence_form(expand(rules))
    assert a.tree.num_nodes == b.tree.num_nodes
    assert a.constant_sum == b.constant_sum == 0
    permutations = [sequence_permutation(a, b, player) for player in (0, 1)]
    for player, permutation in enumerate(permutations):
        mine, theirs = a.treeplexes[player], b.treeplexes[player]
        assert sorted(permutation) == list(range(theirs.num_sequences))
        parents = [permutation[s] for s in mine.parent_sequence]
        assert parents == [
            theirs.parent_sequence[theirs.infoset_of[permutation[f]]]
            for f in mine.first_sequence[:-1]
        ]
    moved = sp.coo_array(a.operator.to_csr())
    rows, columns = np.array(permutations[0])[moved.row], np.array(permutations[1])[moved.col]
    difference = (
        sp.csr_array((moved.data, (rows, columns)), shape=moved.shape) - b.operator.to_csr()
    )
    assert abs(difference).max() == 0  # both are exact and rounded once


@pytest.mark.parametrize("name", PAIRS)
def test_both_label_an_infoset_by_what_its_player_has_seen(name: str) -> None:
    tree = build_tree(PAIRS[name][0])
    assert len(tree.infoset_labels) == tree.num_infosets
    labels = list(tree.infoset_labels)
    owners = tree.infoset_player.tolist()
    assert len(set(zip(owners, labels, strict=True))) == tree.num_infosets
    assert labels[-1] == tree.infoset_labels[-1] == tree.infoset_labels[tree.num_infosets - 1]
    with pytest.raises(IndexError):
        tree.infoset_labels[tree.num_infosets]


def test_two_dice_are_one_roll_with_its_multiplicity() -> None:
    deck = liars_dice(2, 3).deck
    assert dict(zip(deck.cards, deck.copies, strict=True)) == {
        "11": 1,
        "12": 2,
        "13": 2,
        "22": 1,
        "23": 2,
        "33": 1,
    }
