"""Games in which everybody chooses once, without having seen what others chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from seqform import TreeBuilder
from seqform.base.number import Number
from seqform.tree.tree import GameTree


def one_shot(
    actions: Sequence[int], payoffs: Callable[[tuple[int, ...]], Sequence[Number]]
) -> GameTree:
    """Return the game in which player p has so many actions."""
    builder = TreeBuilder(len(actions))
    nodes = {(): builder.root}
    for player, count in enumerate(actions):
        for moves in product(*map(range, actions[:player])):
            names = [f"a{i}" for i in range(count)]
            children = builder.decision(nodes[moves], player, f"p{player}", names)
            nodes |= {(*moves, i): child for i, child in enumerate(children)}
    for moves in product(*map(range, actions)):
        builder.terminal(nodes[moves], tuple(payoffs(moves)))
    return builder.freeze()
