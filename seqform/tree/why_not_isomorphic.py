"""Why two games are not isomorphic: what is counted first, and what all around a node tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator

import numpy as np

from seqform.base.summary import counted
from seqform.tree.colored_graph import colored_graphs, paid_rows
from seqform.tree.tree import GameTree

Counts = Counter[Hashable]


def first_difference(tree: GameTree, other: GameTree) -> str:
    """Return a difference between two games that can be counted, in words; none is empty."""
    if tree.num_players != other.num_players:
        return (
            f"one game has {counted(tree.num_players, 'player')} and the other {other.num_players}"
        )
    for kind, count in KINDS:
        one, two = count(tree), count(other)
        different = next((key for key in (*one, *two) if one[key] != two[key]), None)
        if different is not None:
            what = kind.format(_text(different))
            return f"{what}: {one[different]:,} in one game and {two[different]:,} in the other"
    return ""


def _text(value: Hashable) -> str:
    """Write a count, a probability, or the payoffs of all players."""
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _depths(tree: GameTree) -> Counts:
    sizes = np.diff(tree.level_start).tolist()
    return Counter(dict(enumerate(sizes)))


def _movers(tree: GameTree) -> Counts:
    return Counter(tree.player[tree.player >= 0].tolist())


def _children(tree: GameTree) -> Counts:
    return Counter(tree.num_children[tree.num_children > 0].tolist())


def _owners(tree: GameTree) -> Counts:
    return Counter(tree.infoset_player.tolist())


def _set_sizes(tree: GameTree) -> Counts:
    return Counter(np.bincount(tree.infoset[tree.infoset >= 0]).tolist())


def _paid(tree: GameTree, at_ends: bool) -> Counts:
    paid = paid_rows(tree)
    nodes = (paid >= 0) & ((tree.num_children == 0) == at_ends)
    rows = np.bincount(paid[nodes], minlength=len(tree.payoffs)).tolist()
    found: Counts = Counter()
    for row, count in zip(tree.payoffs, rows, strict=True):
        found[row] += count  # rows may be equal, as numbers
    return found


def _dealt(tree: GameTree) -> Counts:
    rows = np.bincount(tree.probability[tree.probability >= 0], minlength=len(tree.probabilities))
    found: Counts = Counter()
    for probability, count in zip(tree.probabilities, rows.tolist(), strict=True):
        found[probability] += count
    return found


KINDS: tuple[tuple[str, Callable[[GameTree], Counts]], ...] = (
    ("nodes at depth {}", _depths),
    ("nodes of player {}", _movers),
    ("nodes with {} moves", _children),
    ("information sets of player {}", _owners),
    ("information sets with {} nodes", _set_sizes),
    ("ends that pay {}", lambda tree: _paid(tree, at_ends=True)),
    ("nodes before the end that pay {}", lambda tree: _paid(tree, at_ends=False)),
    ("moves of chance with probability {}", _dealt),
)
"""What is counted, each in words with a gap for what it is counted by."""


def last_difference(tree: GameTree, other: GameTree, alike_actions: bool) -> str:
    """Return what tells two games apart that are not isomorphic, as far as it has few words."""
    for colors in _refinements(tree, other, alike_actions):
        one, two = (Counter(of.tolist()) for of in colors)
        for node, color in enumerate(colors[0].tolist()):
            if one[color] != two[color]:
                return (
                    f"nodes like {tree.describe(node)}, by all that is around them: "
                    f"{one[color]:,} in one game and {two[color]:,} in the other"
                )
    return (
        "no bijection exists: every node has its like in the other game, one by one, but not all "
        "of them at once"
    )


def _refinements(
    tree: GameTree, other: GameTree, alike_actions: bool
) -> Iterator[list[np.ndarray[tuple[int], np.dtype[np.uint64]]]]:
    """Yield the colors of both games' nodes, finer each time, until nothing splits."""
    graphs = colored_graphs((tree, other), alike_actions)
    rounds, classes = 1, 0
    while True:
        colors = [graph.refined(rounds) for graph in graphs]
        yield [of[: graph.num_nodes] for of, graph in zip(colors, graphs, strict=True)]
        found = len(np.unique(np.concatenate(colors)))
        if found == classes:
            return
        rounds, classes = 2 * rounds, found
