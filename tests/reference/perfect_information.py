"""Slow, obvious recursions over games of perfect information: what the fast code is tested
against."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree


def subgame_values(game: Any, state: Any) -> tuple[Any, ...]:
    """Return what the subgame at `state` pays each player if everybody takes its first best
    action."""
    player = game.player(state)
    if player == TERMINAL:
        return tuple(game.payoffs(state))
    reward = game.rewards(state) if hasattr(game, "rewards") else None
    if player == CHANCE:
        total = [0] * game.num_players
        for outcome, probability in game.chance(state):
            total = [
                t + probability * u
                for t, u in zip(
                    total, subgame_values(game, game.child(state, outcome)), strict=True
                )
            ]
        best = tuple(total)
    else:
        best = ()
        for action in game.actions(state):
            values = subgame_values(game, game.child(state, action))
            if not best or values[player] > best[player]:
                best = values
    return best if reward is None else tuple(r + b for r, b in zip(reward, best, strict=True))


def profile_values(tree: GameTree, choice: dict[int, int]) -> list[tuple[Any, ...]]:
    """Return what every subgame of a tree pays if each decision node goes to the child chosen."""
    values: list[tuple[Any, ...]] = [()] * tree.num_nodes
    for node in reversed(range(tree.num_nodes)):
        paid = (0,) * tree.num_players if tree.payoff[node] < 0 else tree.payoffs[tree.payoff[node]]
        weights = (
            {choice[node]: 1}
            if node in choice
            else {c: tree.probabilities[tree.probability[c]] for c in tree.children(node)}
        )
        values[node] = tuple(
            paid[player] + sum(weight * values[child][player] for child, weight in weights.items())
            for player in range(tree.num_players)
        )
    return values


def largest_gain(tree: GameTree, choice: dict[int, int]) -> Any:
    """Return the most that anybody gains by another action at one node."""
    values = profile_values(tree, choice)
    gains = [
        values[child][tree.player[node]] - values[taken][tree.player[node]]
        for node, taken in choice.items()
        for child in tree.children(node)
    ]
    return max([0, *gains])


def all_profiles(tree: GameTree) -> Iterator[dict[int, int]]:
    """Go through all profiles of pure strategies: a child for every decision node."""
    nodes = [node for node in range(tree.num_nodes) if tree.player[node] >= 0]
    for children in product(*(tree.children(node) for node in nodes)):
        yield dict(zip(nodes, children, strict=True))
