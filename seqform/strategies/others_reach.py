"""How likely chance and the other players let each information set of a player come about.

This is the counterfactual reach (Zinkevich, Johanson, Bowling & Piccione, "Regret minimization in
games with incomplete information", NIPS 2007, Section 3): the probability of getting to the set if
the player does all to get there. It is linear in each other plan, so parts of plans will do too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
from seqform.form.from_signals import SequenceNumbering, pair_table
from seqform.form.from_tree import chance_reach, sequences_at_nodes
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import Classes, SignalStructure
from seqform.tree.tree import GameTree


class OthersReach(Protocol):
    """Counterfactual reach in one game."""

    def of(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the counterfactual reach of each of a player's information sets.

        Parameters
        ----------
        player
            Whose information sets.
        plans
            One per player, float64 (num_sequences,); the player's own is not looked at.

        Returns
        -------
        reach
            float64 (num_infosets,).
        """


def others_reach(form: SequenceForm) -> OthersReach | None:
    """Return what computes reach in a game.

    None where only payoffs are known, since the game was made by merging information sets of
    another sequence form.
    """
    if form.tree is not None:
        return _OfTree(form.tree, form.tree_infosets)
    return None if form.signals is None else _OfSignals(*form.signals)


class _OfTree:
    """Adds up over the nodes of information sets."""

    def __init__(self, tree: GameTree, infosets: tuple[Index, ...]) -> None:
        self._tree, self._infosets = tree, infosets
        self._chance, self._at_node = chance_reach(tree), sequences_at_nodes(tree)

    def of(self, player: int, plans: Sequence[Floats]) -> Floats:
        tree = self._tree
        nodes = np.flatnonzero(tree.player == player)
        reach = self._chance[nodes]
        for other, plan in enumerate(plans):
            if other != player:
                reach = reach * plan[self._at_node[other, nodes]]
        sums = np.bincount(tree.infoset[nodes], reach, minlength=tree.num_infosets)
        return np.asarray(sums[self._infosets[player]])


class _OfSignals:
    """Multiplies the opponent's lines by the ways to deal both players' classes."""

    def __init__(self, structure: SignalStructure, classes: Classes) -> None:
        self._structure, self._classes = structure, classes
        self._players = [SequenceNumbering(structure, classes, player) for player in (0, 1)]
        self._tables: dict[tuple[int, int], sp.csr_array] = {}

    def of(self, player: int, plans: Sequence[Floats]) -> Floats:
        mine, theirs = self._players[player], self._players[1 - player]
        plan, parts = plans[1 - player], [np.zeros(0)]
        for node, stage in zip(mine.nodes.tolist(), mine.stage, strict=True):
            line = theirs.line[node]
            earlier = theirs.stage_of_line(line)
            chances = self._chances(player, stage, earlier)
            first, stride = theirs.where(line)
            parts.append(chances @ plan[first : first + stride * chances.shape[1] : stride])
        return np.concatenate(parts)

    def _chances(self, player: int, stage: int, earlier: int) -> sp.csr_array:
        """Return the chance of each class at a player's stage and at the opponent's last one."""
        stages = (stage, earlier) if player == 0 else (earlier, stage)
        if stages not in self._tables:
            check_time("finding out what is reached")
            structure = self._structure
            all_ways = structure.game.deck.num_ways(structure.stages[-1])
            table = pair_table(structure, self._classes, None, stages)
            self._tables[stages] = (table / all_ways).tocsr()
        table = self._tables[stages]
        return table if player == 0 else table.T.tocsr()
