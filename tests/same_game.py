"""Whether two trees are the same game: node by node, whatever their rows and information sets are
numbered."""

from __future__ import annotations

from fractions import Fraction

from seqform.base.number import Number
from seqform.tree.tree import GameTree


def assert_same_game(
    a: GameTree, b: GameTree, labels: bool = True, infoset_labels: bool = True
) -> None:
    """Go down both trees at once; numbers must be equal, labels equal as text, and information sets
    the same sets of nodes."""
    assert (a.num_players, a.num_nodes, a.num_infosets) == (
        b.num_players,
        b.num_nodes,
        b.num_infosets,
    )
    partner: dict[int, int] = {}
    stack = [(0, 0)]
    while stack:
        pair = stack.pop()
        assert a.player[pair[0]] == b.player[pair[1]]
        assert numbers_at(a, pair[0]) == numbers_at(b, pair[1])
        assert not labels or labels_at(a, pair[0]) == labels_at(b, pair[1])
        x, y = int(a.infoset[pair[0]]), int(b.infoset[pair[1]])
        assert partner.setdefault(x, y) == y
        if infoset_labels and x >= 0:
            assert a.infoset_text(x) == b.infoset_text(y)
        stack += zip(a.children(pair[0]), b.children(pair[1]), strict=True)
    assert len(set(partner.values())) == len(partner)


def numbers_at(tree: GameTree, node: int) -> tuple[list[Number] | None, list[Number]]:
    """Return what is paid at a node, and the probabilities of its edges."""
    row = int(tree.payoff[node])
    payoffs = list(map(shortest, tree.payoffs[row])) if row >= 0 else None
    return payoffs, [
        shortest(tree.probabilities[tree.probability[c]])
        for c in tree.children(node)
        if tree.probability[c] >= 0
    ]


def labels_at(tree: GameTree, node: int) -> list[str]:
    """Return the labels of the edges below a node, as text."""
    return [str(tree.labels[tree.label[c]]) for c in tree.children(node)]


def shortest(number: Number) -> Number:
    """Return a float as the shortest decimal that is the same float, which is how text formats hold
    it."""
    return Fraction(repr(number)) if isinstance(number, float) else number
