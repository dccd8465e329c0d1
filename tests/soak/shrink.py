"""From a game on which something is wrong to the smallest one on which it still is.

Delta debugging on the tree (A. Zeller and R. Hildebrandt, "Simplifying and isolating
failure-inducing input", IEEE Transactions on Software Engineering 28(2), 2002): make it smaller in
one of the ways below, keep what still fails, and go on until nothing smaller does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from seqform.base.errors import SeqformError
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree
from tests.soak.branches import Branch, Payoffs, branch_of, grow


def shrink(tree: GameTree, fails: Callable[[GameTree], bool], seconds: float = 60.0) -> GameTree:
    """Return a smaller game that fails, too; the game itself if there is none."""
    end, root, players = time.monotonic() + seconds, branch_of(tree), tree.num_players
    found = True
    while found:
        found = False
        for smaller in simpler(root, players):
            if time.monotonic() > end:
                return tree
            try:
                grown = grow(smaller, players)
                found = fails(grown)
            except SeqformError:  # no game, or none with perfect recall: not this way
                continue
            if found:
                root, tree = smaller, grown
                break
    return tree


def simpler(root: Branch, players: int) -> Iterator[Branch]:
    """Go through the games that are one step simpler; those with the largest steps first."""
    yield from (child for child in root.children)
    for infoset in sorted({b.infoset for b in root.nodes() if b.player >= 0}, key=str):
        actions = next(len(b.children) for b in root.nodes() if b.infoset == infoset)
        yield from (_always(root, infoset, action) for action in range(actions))
        if actions > 1:
            yield from (_without(root, infoset, action) for action in range(actions))
    inner = sorted(_paths(root), key=len)
    for path in inner:
        here = _at(root, path)
        if here.player == TERMINAL:
            continue
        paid = here.paid or next((b.paid for b in here.nodes() if b.paid), (0,) * players)
        yield _put(root, path, Branch(TERMINAL, paid))
        yield from (_put(root, path, child) for child in here.children)
        if here.player == CHANCE and len(here.children) > 1:
            yield from (_put(root, path, _less_chance(here, i)) for i in range(len(here.children)))
            even = (Fraction(1, len(here.chances)),) * len(here.chances)
            if here.chances != even:
                yield _put(root, path, replace(here, chances=even))
        if here.paid is not None:
            yield _put(root, path, replace(here, paid=None))
    for old in dict.fromkeys(b.paid for b in root.nodes() if b.paid):
        yield from (_paying(root, old, new) for new in _rounder(old))


def _paths(branch: Branch, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield path
    for i, child in enumerate(branch.children):
        yield from _paths(child, (*path, i))


def _at(branch: Branch, path: tuple[int, ...]) -> Branch:
    for step in path:
        branch = branch.children[step]
    return branch


def _put(branch: Branch, path: tuple[int, ...], new: Branch) -> Branch:
    if not path:
        return new
    children = list(branch.children)
    children[path[0]] = _put(children[path[0]], path[1:], new)
    return replace(branch, children=tuple(children))


def _drop(items: tuple[Any, ...], index: int) -> tuple[Any, ...]:
    return (*items[:index], *items[index + 1 :])


def _always(root: Branch, infoset: Hashable, action: int) -> Branch:
    """Take an action everywhere in an information set, which keeps perfect recall."""
    return root.mapped(lambda b: b.children[action] if b.infoset == infoset else b)


def _without(root: Branch, infoset: Hashable, action: int) -> Branch:
    """Take an action away from an information set."""
    return root.mapped(lambda b: _less(b, action) if b.infoset == infoset else b)


def _less(branch: Branch, index: int) -> Branch:
    return replace(
        branch, labels=_drop(branch.labels, index), children=_drop(branch.children, index)
    )


def _less_chance(branch: Branch, index: int) -> Branch:
    left = _drop(branch.chances, index)
    total = sum(left)
    chances = tuple(p / total for p in left) if total else (Fraction(1, len(left)),) * len(left)
    return replace(_less(branch, index), chances=chances)


def _rounder(paid: Payoffs) -> Iterator[Payoffs]:
    """Go through simpler payoffs: nothing, 1 or -1, an integer, fewer digits."""
    first = paid[0]
    zero_sum = len(paid) == 2 and first == -paid[1]
    for new in (0, 1 if first > 0 else -1, round(first), float(f"{float(first):.1g}")):
        other = (new, -new) if zero_sum else (new, *paid[1:])
        if len(str(other)) < len(str(paid)) and other != paid:
            yield other


def _paying(root: Branch, old: Payoffs, new: Payoffs) -> Branch:
    return root.mapped(lambda b: replace(b, paid=new) if b.paid == old else b)
