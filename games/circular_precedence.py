"""Information sets that each come before the next, in a circle, in a game without chance.

References
----------
von Stengel & Forges, "Extensive-form correlated equilibrium: definition and computational
complexity", Math. of OR 33, 2008, Figure 6; the tree as in Gambit's catalogue.
"""

from __future__ import annotations

from typing import Any

from seqform.game.catalogue import GameEntry
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

INFOSETS = {"h": (0, "LR"), "k": (0, "ST"), "m": (0, "UV")}
INFOSETS |= {"first": (1, "ab"), "k'": (1, "cd"), "m'": (1, "ef")}
"""Whose each information set is, and its actions; the names are ours."""

Subtree = tuple[str, dict[str, Any]]

AFTER_A: Subtree = ("h", {"L": ("k", {"T": ("k'", {})}), "R": ("k'", {"d": ("m", {})})})
AFTER_B: Subtree = ("h", {"L": ("m'", {"e": ("k", {})}), "R": ("m", {"V": ("m'", {})})})
TREE: Subtree = ("first", {"a": AFTER_A, "b": AFTER_B})
"""An information set, and what follows its actions; the game ends where nothing does."""


def circular_precedence() -> GameTree:
    """Return the game; all payoffs are 0, since only the order of moves is of interest.

    On some path k comes before k', on others k' before m, m before m', and m' before k. So there is
    no order of all information sets in which recommendations could be drawn one after the other.
    Still there is no triangle, since chance does not move.
    """
    b = TreeBuilder(num_players=2)
    pending = [(b.root, TREE)]
    while pending:
        node, (infoset, after) = pending.pop()
        player, actions = INFOSETS[infoset]
        for action, child in zip(actions, b.decision(node, player, infoset, actions), strict=True):
            if action in after:
                pending.append((child, after[action]))
            else:
                b.terminal(child, (0, 0))
    return b.freeze()


CIRCULAR_PRECEDENCE = GameEntry(
    "circular-precedence",
    "Information sets before each other in a circle, without chance; pays nothing",
    circular_precedence,
)
