"""Game trees as nested values, which are easy to change: cut, drawn again, and grown back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from seqform import TreeBuilder
from seqform.base.number import Number
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree

Payoffs = tuple[Number, ...]


@dataclass(frozen=True)
class Branch:
    """A node with all below it.

    Parameters
    ----------
    player
        Who moves, or `CHANCE` or `TERMINAL`.
    paid
        What each player gets on arriving here, if anything.
    infoset
        The information set; of decisions only.
    chances
        A probability for each child; of chance nodes only.
    """

    player: int
    paid: Payoffs | None = None
    infoset: Hashable = None
    labels: tuple[Hashable, ...] = ()
    chances: tuple[Number, ...] = ()
    children: tuple[Branch, ...] = ()

    def nodes(self) -> Iterator[Branch]:
        """Go through this branch, parents first."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def mapped(self, change: Callable[[Branch], Branch]) -> Branch:
        """Return the branch with every node changed, children before parents."""
        return change(replace(self, children=tuple(c.mapped(change) for c in self.children)))


def branch_of(tree: GameTree, node: int = 0) -> Branch:
    """Return a tree, from a node on, as nested values."""
    below, row = tree.children(node), int(tree.payoff[node])
    player = int(tree.player[node])
    return Branch(
        player,
        tuple(tree.payoffs[row]) if row >= 0 else None,
        int(tree.infoset[node]) if player >= 0 else None,
        tuple(tree.labels[tree.label[c]] for c in below),
        tuple(tree.probabilities[tree.probability[c]] for c in below) if player == CHANCE else (),
        tuple(branch_of(tree, c) for c in below),
    )


def grow(root: Branch, num_players: int) -> GameTree:
    """Return the tree of nested values, which is validated.

    Raises
    ------
    InvalidGameError
        If it is no game.
    """
    builder = TreeBuilder(num_players)
    queue = [(builder.root, root)]
    for node, branch in queue:  # level by level, as trees are numbered
        if branch.player == TERMINAL:
            builder.terminal(node, branch.paid or (0,) * num_players)
            continue
        if branch.paid is not None:
            builder.reward(node, branch.paid)
        if branch.player == CHANCE:
            edges: Any = zip(branch.labels, branch.chances, strict=True)
            made = builder.chance(node, list(edges))
        else:
            key = (branch.player, branch.infoset)
            made = builder.decision(node, branch.player, key, branch.labels)
        queue += zip(made, branch.children, strict=True)
    return builder.freeze()


def in_general_sum(tree: GameTree) -> GameTree:
    """Return the tree with player 1 paid what player 0 gets where one comes in reverse order."""
    root = branch_of(tree)
    paid = [branch.paid[0] for branch in root.nodes() if branch.paid is not None]

    def change(branch: Branch) -> Branch:
        return branch if branch.paid is None else replace(branch, paid=(branch.paid[0], paid.pop()))

    return grow(root.mapped(change), tree.num_players)


def in_fractions(tree: GameTree) -> GameTree:
    """Return the game that floats mean, in fractions: every expectation is the same.

    Floats of chance hardly ever add up to 1, and fractions must. What is lost or won at a chance
    node is made good by the payoffs below it.
    """

    def exact(branch: Branch, factor: Fraction) -> Branch:
        chances = [Fraction(p) for p in branch.chances]
        total = sum(chances) if chances else Fraction(1)
        paid = None if branch.paid is None else tuple(Fraction(u) * factor for u in branch.paid)
        return replace(
            branch,
            paid=paid,
            chances=tuple(p / total for p in chances),
            children=tuple(exact(child, factor * total) for child in branch.children),
        )

    return grow(exact(branch_of(tree), Fraction(1)), tree.num_players)
