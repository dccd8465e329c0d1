"""What each player gets and could gain by deviating, in fractions, by walking the tree."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from seqform.game.rules import CHANCE
from seqform.tree.tree import GameTree
from tests.reference.oracles import Behavior, expected_values


def gains(tree: GameTree, behavior: Behavior) -> list[Fraction]:
    """Return each player's gain from a best response to the others."""
    values = expected_values(tree, behavior)
    return [best_value(tree, behavior, p) - values[p] for p in range(tree.num_players)]


def best_value(tree: GameTree, behavior: Behavior, player: int) -> Fraction:
    """Return what a best response pays: in each information set, the action best there."""
    reach = _reach_by_others(tree, behavior, player)
    members: dict[int, list[int]] = {}
    for node in range(tree.num_nodes):
        members.setdefault(int(tree.infoset[node]), []).append(node)

    @cache
    def choice(infoset: int) -> int:
        def worth_of(action: int) -> Fraction:
            nodes = [v for v in members[infoset] if reach[v]]
            return sum((reach[v] * worth(tree.children(v)[action]) for v in nodes), Fraction(0))

        return max(range(int(tree.infoset_num_actions[infoset])), key=worth_of)

    @cache
    def worth(node: int) -> Fraction:
        row = int(tree.payoff[node])
        here = Fraction(tree.payoffs[row][player]) if row >= 0 else Fraction(0)
        children = tree.children(node)
        if tree.player[node] == player:
            return here + worth(children[choice(int(tree.infoset[node]))])
        return here + sum(
            (_chance(tree, behavior, node, i) * worth(c) for i, c in enumerate(children)),
            Fraction(0),
        )

    return worth(0)


def _reach_by_others(tree: GameTree, behavior: Behavior, player: int) -> list[Fraction]:
    reach = [Fraction(1)] * tree.num_nodes
    for node in range(tree.num_nodes):
        for position, child in enumerate(tree.children(node)):
            mine = tree.player[node] == player
            reach[child] = reach[node] * (1 if mine else _chance(tree, behavior, node, position))
    return reach


def _chance(tree: GameTree, behavior: Behavior, node: int, position: int) -> Fraction:
    if tree.player[node] == CHANCE:
        child = tree.children(node)[position]
        return Fraction(tree.probabilities[tree.probability[child]])
    return Fraction(behavior[tree.infoset[node]][position])
