"""A locked game as a tree: where something is fixed, chance moves, and no sequences are merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from seqform import CHANCE, GameTree


class LockedTree:
    """Rules of a tree in which chance plays what is fixed; states are (node, is it still free).

    `fixed` has the probabilities of actions, by information set of the tree and place of the
    action. Chance takes one of them, or leaves the others to the player.
    """

    def __init__(self, tree: GameTree, fixed: Mapping[int, Mapping[int, Fraction]]) -> None:
        self.tree, self.fixed, self.num_players = tree, fixed, tree.num_players

    def root(self) -> tuple[int, bool]:
        return (0, False)

    def _here(self, state: tuple[int, bool]) -> Mapping[int, Fraction]:
        node, left = state
        return {} if left else self.fixed.get(int(self.tree.infoset[node]), {})

    def player(self, state: tuple[int, bool]) -> int:
        node = state[0]
        mover = int(self.tree.player[node])
        return CHANCE if mover >= 0 and self._here(state) else mover

    def _free(self, node: int) -> list[int]:
        fixed = self.fixed.get(int(self.tree.infoset[node]), {})
        return [place for place in range(int(self.tree.num_children[node])) if place not in fixed]

    def actions(self, state: tuple[int, bool]) -> Sequence[int]:
        return self._free(state[0])

    def chance(self, state: tuple[int, bool]) -> Sequence[tuple[Any, Any]]:
        node, tree = state[0], self.tree
        if tree.player[node] == CHANCE:
            return [
                (place, tree.probabilities[tree.probability[child]])
                for place, child in enumerate(tree.children(node))
            ]
        fixed = self._here(state)
        left = 1 - sum(fixed.values())
        return [*fixed.items(), *([("left", left)] if self._free(node) else [])]

    def child(self, state: tuple[int, bool], action: Any) -> tuple[int, bool]:
        if action == "left":
            return (state[0], True)
        return (int(self.tree.first_child[state[0]]) + action, False)

    def infoset(self, state: tuple[int, bool]) -> int:
        return int(self.tree.infoset[state[0]])

    def payoffs(self, state: tuple[int, bool]) -> Sequence[Any]:
        return self.tree.payoffs[self.tree.payoff[state[0]]]

    def rewards(self, state: tuple[int, bool]) -> Sequence[Any] | None:
        node, left = state
        row = int(self.tree.payoff[node])
        return None if row < 0 or left else self.tree.payoffs[row]
