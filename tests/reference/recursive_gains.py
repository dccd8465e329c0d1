"""What deviations in a recursive game are worth, by trying all pure plans of each stage, node by
node and in fractions, over longer and longer horizons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from seqform.game.rules import CHANCE, TERMINAL
from seqform.recursive.graph import StageGraph
from seqform.tree.tree import GameTree

Values = list[list[Fraction]]
"""For each stage and seat."""

Choice = dict[int, list[Fraction]]
"""For information sets of a tree the probability of each action."""

BITS = 80
"""Bounds of horizons are rounded outwards to so many."""


def horizon(
    graph: StageGraph, plans: Sequence[Sequence[Any]], own: bool, start: Fraction, sweeps: int
) -> Values:
    """Return what is got at each position in so many stages, after which `start` is paid.

    Parameters
    ----------
    plans
        For each stage and seat integers in the proportions of a realization plan.
    own
        Whether the player keeps to its plan, too, instead of deviating.
    """
    stages = [_Stage(graph, number, plans[number]) for number in range(len(graph.stages))]
    values = [[start] * graph.num_players for _ in stages]
    for _ in range(sweeps):
        values = [
            [_rounded(stage.worth(seat, values, own)) for seat in range(graph.num_players)]
            for stage in stages
        ]
    return values


def _rounded(number: Fraction) -> Fraction:
    return Fraction(round(number * 2**BITS), 2**BITS)


class _Stage:
    """A stage as its tree, with what everybody does there."""

    def __init__(self, graph: StageGraph, number: int, plans: Sequence[Any]) -> None:
        self.stage, self.form = graph.stages[number], graph.stages[number].form
        tree = self.form.origin.tree
        assert tree is not None
        self.tree: GameTree = tree
        ends = [n for n in range(tree.num_nodes) if tree.player[n] == TERMINAL and tree.possible[n]]
        self.leads = {
            node: self.stage.leads[lead]
            for node, lead in zip(ends, self.stage.lead.tolist(), strict=True)
        }
        self.choices = [self._choice(seat, plan) for seat, plan in enumerate(plans)]

    def _choice(self, seat: int, plan: Any) -> Choice:
        """Return what a plan does in each information set of the tree."""
        treeplex, names = self.form.treeplexes[seat], self.form.origin.tree_infosets[seat]
        found = {}
        for infoset, name in enumerate(names.tolist()):
            first, last = treeplex.first_sequence[infoset : infoset + 2].tolist()
            weights = [Fraction(int(number)) for number in plan[first:last]]
            total = sum(weights)
            count = last - first
            found[name] = [w / total if total else Fraction(1, count) for w in weights]
        return found

    def worth(self, seat: int, values: Values, own: bool) -> Fraction:
        """Return what a seat gets where positions are worth so much: by its plan, or the best."""
        if own:
            return self._walk(0, seat, self.choices, values)
        return max(
            self._walk(0, seat, [*self.choices[:seat], pure, *self.choices[seat + 1 :]], values)
            for pure in self._pure(seat)
        )

    def _pure(self, seat: int) -> Iterator[Choice]:
        names = list(self.choices[seat])
        sizes = [range(len(self.choices[seat][name])) for name in names]
        for actions in product(*sizes):
            yield {
                name: [Fraction(a == action) for a in range(len(self.choices[seat][name]))]
                for name, action in zip(names, actions, strict=True)
            }

    def _walk(self, node: int, seat: int, choices: Sequence[Choice], values: Values) -> Fraction:
        tree = self.tree
        player = int(tree.player[node])
        if player == TERMINAL:
            lead = self.leads[node]
            later = values[lead.stage][lead.seat[seat]] if lead.stage >= 0 else 0
            return lead.payoffs[seat] + later
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        total = Fraction(0)
        for action, child in enumerate(range(first, first + count)):
            if player == CHANCE:
                chance = Fraction(tree.probabilities[tree.probability[child]])
            else:
                chance = choices[player][int(tree.infoset[node])][action]
            if chance:
                total += chance * self._walk(child, seat, choices, values)
        return total
