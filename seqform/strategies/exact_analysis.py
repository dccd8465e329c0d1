"""analyze in fractions: reach, values, regrets and beliefs, by one walk down a tree and one up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.form.treeplex import Treeplex
from seqform.game.rules import CHANCE
from seqform.strategies.exactly import ExactStrategies, realized
from seqform.strategies.nodes import NodeAnalysis
from seqform.tree.tree import GameTree

Columns = dict[str, Any]
"""The fields of a `PlayerAnalysis`."""


class ExactWalk:
    """What happens in a tree while strategies in fractions are played.

    Parameters
    ----------
    strategies
        Of a form with a tree whose numbers are all exact.
    tree
        That tree.
    """

    def __init__(self, strategies: ExactStrategies, tree: GameTree) -> None:
        self.strategies, self.form, self.tree = strategies, strategies.form, tree
        self._nodes: list[list[int]] = [[] for _ in range(tree.num_infosets)]
        for node, infoset in enumerate(tree.infoset.tolist()):
            if infoset >= 0:
                self._nodes[infoset].append(node)
        self._steps = self._steps_of_nodes()
        self._go_down()
        self._go_up()

    def _steps_of_nodes(self) -> list[Fraction]:
        """Return the probability of the edge to each node."""
        tree, steps = self.tree, [Fraction(1)] * self.tree.num_nodes
        first: dict[int, tuple[int, int]] = {}
        for player, infosets in enumerate(self.form.tree_infosets):
            starts = self.form.treeplexes[player].first_sequence.tolist()
            first |= {h: (player, starts[i]) for i, h in enumerate(infosets.tolist())}
        for node in range(1, tree.num_nodes):
            above = int(tree.parent[node])
            if tree.player[above] == CHANCE:
                steps[node] = Fraction(tree.probabilities[tree.probability[node]])
            else:
                player, start = first[int(tree.infoset[above])]
                place = node - int(tree.first_child[above])
                steps[node] = self.strategies.behaviors[player][start + place]
        return steps

    def _go_down(self) -> None:
        """Find the parts of all players and of chance in each node's reach, and what is paid."""
        tree, count = self.tree, self.tree.num_players
        self._parts = [[Fraction(1)] * (count + 1)]
        self._earned = [list(self._paid(0))]
        for node in range(1, tree.num_nodes):
            check_time("looking at a strategy in fractions")
            above = int(tree.parent[node])
            mover = int(tree.player[above])
            parts = list(self._parts[above])
            parts[count if mover == CHANCE else mover] *= self._steps[node]
            self._parts.append(parts)
            pairs = zip(self._earned[above], self._paid(node), strict=True)
            self._earned.append([before + here for before, here in pairs])

    def _go_up(self) -> None:
        """Find what each player gets in the whole game once a node is reached."""
        tree, values = self.tree, [list(earned) for earned in self._earned]
        for node in range(tree.num_nodes - 1, 0, -1):
            check_time("looking at a strategy in fractions")
            above = int(tree.parent[node])
            step = self._steps[node]
            if step:  # what comes after, without what was paid up to there
                pairs = zip(values[node], self._earned[above], strict=True)
                for player, (value, before) in enumerate(pairs):
                    values[above][player] += step * (value - before)
        self.values = values

    def _paid(self, node: int) -> Sequence[Fraction]:
        row = int(self.tree.payoff[node])
        if row < 0:
            return [Fraction(0)] * self.tree.num_players
        return [Fraction(number) for number in self.tree.payoffs[row]]

    def _others(self, node: int, player: int) -> Fraction:
        """Return how the others and chance reach a node."""
        parts = self._parts[node]
        return prod(parts[:player] + parts[player + 1 :], start=Fraction(1))

    def nodes(self) -> NodeAnalysis:
        """Return what is known of all nodes."""
        tree = self.tree
        beliefs: list[Fraction | None] = [None] * tree.num_nodes
        for infoset, nodes in enumerate(self._nodes):
            weights = [self._others(node, int(tree.infoset_player[infoset])) for node in nodes]
            if total := sum(weights):
                for node, weight in zip(nodes, weights, strict=True):
                    beliefs[node] = weight / total
        reach = [prod(parts, start=Fraction(1)) for parts in self._parts]
        return NodeAnalysis(tree, _array(reach), _table(self.values), _array(beliefs))

    def player(self, player: int) -> Columns:
        """Return what is known of a player's information sets, by the names of the columns."""
        treeplex, behavior = self.form.treeplexes[player], self.strategies.behaviors[player]
        plan = realized(treeplex, behavior)
        root = self.values[0][player]
        own = [plan[parent] for parent in treeplex.parent_sequence.tolist()]
        sets: dict[str, list[Any]] = {"others_reach": [], "values": [], "regrets": []}
        actions: dict[str, list[Any]] = {"action_values": [root], "action_regrets": [Fraction(0)]}
        first = treeplex.first_sequence.tolist()
        for number, infoset in enumerate(self.form.tree_infosets[player].tolist()):
            here = behavior[first[number] : first[number + 1]]
            total, worths = self._worth(infoset, player, len(here))
            value, regret, each, lost = _of_set(here, worths)
            sets["others_reach"].append(total)
            sets["values"].append(value)
            sets["regrets"].append(regret)
            actions["action_values"] += each
            actions["action_regrets"] += lost
        return self._columns(treeplex, player, own, sets, actions)

    def _worth(
        self, infoset: int, player: int, count: int
    ) -> tuple[Fraction, list[Fraction] | None]:
        """Return how the others reach a set, and what each action is worth there, if they do."""
        tree, total, sums = self.tree, Fraction(0), [Fraction(0)] * count
        for node in self._nodes[infoset]:
            weight = self._others(node, player)
            total += weight
            for place, child in enumerate(tree.children(node) if weight else ()):
                sums[place] += weight * self.values[child][player]
        return total, [worth / total for worth in sums] if total else None

    def _columns(
        self,
        treeplex: Treeplex,
        player: int,
        own: list[Fraction],
        sets: dict[str, list[Any]],
        actions: dict[str, list[Any]],
    ) -> Columns:
        others = sets["others_reach"]
        of_actions = [Fraction(1), *np.repeat(_array(others), treeplex.num_actions).tolist()]
        return {
            "probability": _array(self.strategies.behaviors[player]),
            "own_reach": _array(own),
            "is_reached": np.array(
                [bool(mine and theirs) for mine, theirs in zip(own, others, strict=True)],
                dtype=np.bool_,
            ),
            "counterfactual_action_values": _weighed(actions["action_values"], of_actions),
            "counterfactual_values": _weighed(sets["values"], others),
            **{name: _array(numbers) for name, numbers in (sets | actions).items()},
        }


def _of_set(
    behavior: Sequence[Fraction], worths: list[Fraction] | None
) -> tuple[Fraction | None, Fraction | None, Sequence[Any], Sequence[Any]]:
    """Return value and regret of a set, and of its actions; None where nobody leads there."""
    if worths is None:
        nothing = [None] * len(behavior)
        return None, None, nothing, nothing
    value = sum((p * worth for p, worth in zip(behavior, worths, strict=True)), Fraction(0))
    lost = [worth - value for worth in worths]
    return value, max(Fraction(0), *lost), worths, lost


def _weighed(values: Sequence[Any], weights: Sequence[Fraction]) -> Exact:
    pairs = zip(values, weights, strict=True)
    return _array([Fraction(0) if value is None else value * weight for value, weight in pairs])


def _array(numbers: Sequence[Any]) -> Exact:
    found = np.empty(len(numbers), dtype=object)
    found[:] = list(numbers)
    return found


def _table(rows: Sequence[Sequence[Any]]) -> Exact:
    found = np.empty((len(rows), len(rows[0])), dtype=object)
    for place, row in enumerate(rows):
        found[place, :] = row
    return found
