"""PlayedTree: what happens in a game's tree while a profile is played, and what it pays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.concepts.best_response import check_shapes
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.tree.tree import GameTree


@dataclass(frozen=True, eq=False)
class PlayedTree:
    """What happens in a tree, with which probability, and what it pays.

    Parameters
    ----------
    tree
        The game.
    step
        float64 (num_nodes,): the probability of the edge into each node, once its parent is
        reached; 1 for the root.
    """

    tree: GameTree
    step: Floats

    @classmethod
    def of(cls, form: SequenceForm, profile: Profile) -> PlayedTree:
        """Play a profile of a form that was made of a tree.

        Raises
        ------
        UnsupportedGameError
            If the form has no tree.
        InvalidStrategyError
            If the profile is of another game.
        """
        tree = form.tree
        if tree is None:
            raise UnsupportedGameError("this needs the game's tree, and the form was made of none")
        check_shapes(form, profile)
        above = tree.parent
        chosen = np.flatnonzero(tree.player[above] >= 0)
        chosen = chosen[chosen > 0]  # the root has no parent
        parents = above[chosen]
        places = chosen - tree.first_child[parents]
        step = tree.edge_probabilities.copy()
        step[chosen] = _by_infoset(form, tree, profile)[
            _starts(tree)[tree.infoset[parents]] + places
        ]
        return cls(tree, step)

    @cached_property
    def reach(self) -> Floats:
        """The probability of reaching each node, float64 (num_nodes,)."""
        reach = self.step.copy()
        for level in self.tree.levels():
            check_time("playing a profile")
            reach[level] *= reach[self.tree.parent[level]]
        return reach

    @cached_property
    def values(self) -> Floats:
        """What each player gets from each node on, the node's own payment included.

        float64 (num_nodes, num_players).
        """
        values = self.tree.node_payoffs.copy()
        for level in reversed(list(self.tree.levels())):
            check_time("playing a profile")
            np.add.at(values, self.tree.parent[level], self.step[level, None] * values[level])
        return values


def _starts(tree: GameTree) -> Index:
    """Return where each information set's actions begin if all are laid end to end."""
    return np.cumsum(tree.infoset_num_actions, dtype=np.int64) - tree.infoset_num_actions


def _by_infoset(form: SequenceForm, tree: GameTree, profile: Profile) -> Floats:
    """Return the probabilities of all players' actions, in the order of the tree's sets."""
    starts, counts = _starts(tree), tree.infoset_num_actions
    laid = np.ones(int(counts.sum()))
    for treeplex, mine, behavior in zip(
        form.treeplexes, form.tree_infosets, profile.behaviors, strict=True
    ):
        within = np.arange(1, treeplex.num_sequences) - np.repeat(
            treeplex.first_sequence[:-1], treeplex.num_actions
        )
        laid[np.repeat(starts[mine], counts[mine]) + within] = behavior[1:]
    return laid
