"""build_sequence_form: from a game tree to its treeplexes and payoffs."""

from __future__ import annotations

from typing import Any

import numpy as np

from seqform.base.arrays import Floats, Index, Ints
from seqform.base.deadline import check_time
from seqform.form.origin import TreeOrigin
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.payoffs_from_tree import payoffs_from_tree
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.treeplex import Treeplex
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.recall import explain_imperfect_recall
from seqform.tree.tree import GameTree


def build_sequence_form(game: AnyGame) -> SequenceForm:
    """Return the sequence form of the tree of a game, of any number of players.

    Parameters
    ----------
    game
        A tree; or rules or a signal game, of which the tree is built.

    Raises
    ------
    ImperfectRecallError
        R9, saying which player forgets what, and where.
    """
    tree = build_tree(game)
    sequences = _Sequences(tree)
    payoffs = payoffs_from_tree(tree, sequences.treeplexes, sequences.at_node)
    about: dict[str, Any] = {
        "treeplexes": tuple(sequences.treeplexes),
        "origin": TreeOrigin(tree, tuple(sequences.tree_infosets)),
        "unit": tree.unit,
        "largest_payoff": tree.largest_payoff,
        "num_nodes": tree.num_nodes,
    }
    if isinstance(payoffs, ZeroSumPayoffs):
        return ZeroSumForm(payoffs=payoffs, **about)
    return SequenceForm(payoffs=payoffs, **about)


def sequences_at_nodes(form: SequenceForm) -> Ints:
    """Return each player's sequence at each node, int32 (num_players, num_nodes).

    Parameters
    ----------
    form
        The sequence form of a tree, as `build_sequence_form` makes it.
    """
    tree: GameTree = form.tree  # type: ignore[assignment]
    first = np.zeros(tree.num_infosets, dtype=np.int64)
    for infosets, treeplex in zip(form.tree_infosets, form.treeplexes, strict=True):
        first[infosets] = treeplex.first_sequence[:-1]
    return _last_actions(tree, first)


def chance_reach(tree: GameTree) -> Floats:
    """Return chance's part in the probability of reaching each node, float64 (num_nodes,)."""
    step = np.ones(tree.num_nodes)
    dealt = np.flatnonzero(tree.probability >= 0)
    step[dealt] = np.array(tree.probabilities, dtype=np.float64)[tree.probability[dealt]]
    reach = step
    for level in list(tree.levels())[1:]:
        reach[level] *= reach[tree.parent[level]]
    return reach


def _last_actions(tree: GameTree, first: Index) -> Ints:
    """Return, per player and node, the number of the last own action so far, and 0 for none.

    The actions of an information set are numbered ``first[infoset] + position``.
    """
    last = np.zeros((tree.num_players, tree.num_nodes), dtype=np.int32)
    above = tree.parent
    mover = tree.player[above]
    chosen_in = first[tree.infoset[above]] if len(first) else 0
    action = (chosen_in + np.arange(tree.num_nodes) - tree.first_child[above]).astype(np.int32)
    for level in tree.levels():
        check_time("numbering sequences")
        last[:, level] = last[:, above[level]]
        nodes = level.start + np.flatnonzero(mover[level] >= 0)
        last[mover[nodes], nodes] = action[nodes]
    return last


def _depths(above: Index) -> Index:
    """Return how many steps lead up from each item; `above` is the next one, or -1.

    By pointer jumping (Wyllie, PhD thesis, Cornell, 1979): each round doubles how far was counted.
    """
    depth, above = (above >= 0).astype(np.int64), above.copy()
    while len(below := np.flatnonzero(above >= 0)):
        passed = above[below]
        depth[below] += depth[passed]
        above[below] = above[passed]
    return depth


class _Sequences:
    """Each player's sequence at every node, and the treeplexes that number them."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        # actions of all players together are numbered from 1 on
        first_action = (
            1 + np.cumsum(tree.infoset_num_actions, dtype=np.int64) - tree.infoset_num_actions
        )
        last = _last_actions(tree, first_action)
        infoset_parent = self._parents(last)
        infoset_of = np.append(
            -1, np.repeat(np.arange(tree.num_infosets), tree.infoset_num_actions)
        )
        infoset_depth = _depths(infoset_of[infoset_parent])
        self.treeplexes: list[Treeplex] = []
        self.tree_infosets: list[Index] = []
        self.at_node = last  # renumbered below, player by player
        for player in range(tree.num_players):
            self._number(player, first_action, infoset_parent, infoset_depth)

    def _parents(self, last: Ints) -> Index:
        """Return each information set's parent action, shared by all its nodes (R9)."""
        tree = self.tree
        nodes = np.flatnonzero(tree.player >= 0)
        parent, infoset = last[tree.player[nodes], nodes], tree.infoset[nodes]
        first = tree.infoset_first_node
        expected = last[tree.infoset_player, first] if len(first) else np.zeros(0, dtype=np.int32)
        wrong = np.flatnonzero(parent != expected[infoset])
        if len(wrong):
            raise explain_imperfect_recall(
                tree, int(first[infoset[wrong[0]]]), int(nodes[wrong[0]])
            )
        return expected.astype(np.int64)

    def _number(self, player: int, first_action: Index, parent: Index, depth: Index) -> None:
        """Give the player's information sets numbers by depth, to handle depths at once."""
        check_time("numbering sequences")
        tree = self.tree
        mine = np.flatnonzero(tree.infoset_player == player)
        mine = mine[np.argsort(depth[mine], kind="stable")]
        counts = tree.infoset_num_actions[mine]
        first_sequence = np.concatenate([[1], 1 + np.cumsum(counts)]).astype(np.int32)
        number = np.zeros(int(tree.infoset_num_actions.sum()) + 1, dtype=np.int32)
        offsets = np.arange(counts.sum()) - np.repeat(first_sequence[:-1] - 1, counts)
        number[np.repeat(first_action[mine], counts) + offsets] = np.arange(1, first_sequence[-1])
        self.at_node[player] = number[self.at_node[player]]
        self.treeplexes.append(Treeplex(number[parent[mine]], first_sequence))
        mine.flags.writeable = False
        self.tree_infosets.append(mine)
