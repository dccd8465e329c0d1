"""Copies of games in which everything has another name and another place."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import Any

from seqform import CHANCE, TERMINAL, GameTree, TreeBuilder

Paid = Callable[[int], Any]
Named = Callable[[int], Hashable]


def rebuilt(
    tree: GameTree, seed: int, paid: Paid | None = None, infoset: Named | None = None
) -> GameTree:
    """Return a tree with moves in random orders, the same ones at all nodes of an information set,
    and new names; `paid` says what the nodes pay, and `infoset` what sets they lie in, if it is
    something else than in the tree."""
    rng = random.Random(seed)
    paid = paid or (
        lambda node: tree.payoffs[tree.payoff[node]] if tree.payoff[node] >= 0 else None
    )
    infoset = infoset or (lambda node: int(tree.infoset[node]))
    orders: dict[Hashable, list[int]] = {}
    b = TreeBuilder(tree.num_players)
    stack = [(b.root, 0)]
    while stack:
        node, source = stack.pop()
        children, player, pays = list(tree.children(source)), int(tree.player[source]), paid(source)
        if player == TERMINAL:
            b.terminal(node, pays)
            continue
        if pays is not None:
            b.reward(node, pays)
        # the order of a set that was split stays one
        key = ("chance", source) if player == CHANCE else int(tree.infoset[source])
        order = orders.setdefault(key, rng.sample(range(len(children)), len(children)))
        below = [children[i] for i in order]
        if player == CHANCE:
            odds = [tree.probabilities[tree.probability[c]] for c in below]
            made = b.chance(node, [(f"deal {i}", p) for i, p in enumerate(odds)])
        else:
            made = b.decision(node, player, ("set", infoset(source)), [f"move {i}" for i in order])
        pairs = list(zip(made, below, strict=True))
        rng.shuffle(pairs)
        stack += pairs
    return b.freeze()
