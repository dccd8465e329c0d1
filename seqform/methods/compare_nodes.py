"""compare_nodes: whether two nodes of a game are isomorphic by GameShrink's algorithm, and why."""

from __future__ import annotations

from typing import Any

from seqform.base.errors import InvalidParameterError
from seqform.links.link import REDUCTIONS
from seqform.results.node_comparison import ComparesNodes, NodeComparison


def compare_nodes(
    game: Any,
    x: str | int,
    y: str | int,
    *,
    literal: bool = False,
    reduction: str = "contraction-matched",
    max_nodes: int | None = None,
) -> NodeComparison:
    """Return whether two nodes of equal depth are isomorphic, with the graph that decides it.

    Vertices of this bipartite graph are the information sets that hold a child of either node. Two
    of them are joined if there is a bijection of isomorphic nodes between them. The nodes are
    isomorphic if the graph has a perfect matching. If it has none, some sets have too few others to
    be matched to.

    Parameters
    ----------
    game
        Rules, tree or signal game, or the sequence form of a tree.
    x, y
        Labels of the moves to a node, joined by commas, such as ``J,Q,bet``; or its number in the
        tree.
    literal
        Whether to keep to the talk's words, and not to ask that the children themselves are
        matched.
    reduction
        The reduction whose relation it is; one that compares nodes by matchings, as
        ``contraction-matched`` does. The relation of ``contraction`` is that of `isomorphism`.
    max_nodes
        Largest tree to build.

    Raises
    ------
    UnknownNameError
        If there are no such moves, or no such reduction.
    InvalidParameterError
        If there is no node of that number, the nodes are not equally deep, or the reduction
        compares no nodes.
    GameTooLargeError
        If the tree has more than `max_nodes` nodes.

    References
    ----------
    Gilpin, "Computing equilibria in extensive form games", talk, 2005, slides 24-31.

    Examples
    --------
    >>> from seqform import make
    >>> found = compare_nodes(make("leduc", ranks=2), "Qs", "Qh")
    >>> bool(found), [held.text for held in found.left]
    (True, ['Qs:: Qh, Ks, Kh'])
    >>> for reason in compare_nodes(make("kuhn"), "J,Q,bet", "Q,J,bet").reasons():
    ...     print(reason)
    [call] can be matched to no set of the other: J,Q,bet,call is not isomorphic to Q,J,bet,fold
    J,Q,bet,call pays (-2, 2), and Q,J,bet,fold pays (1, -1)
    """
    found = REDUCTIONS.get(reduction)
    if not isinstance(found, ComparesNodes):
        able = (other.name for other in REDUCTIONS.at_hand() if isinstance(other, ComparesNodes))
        names = " or ".join(able)
        raise InvalidParameterError(f"reduction {found.name!r} compares no nodes; use {names}")
    compared: NodeComparison = found.compare(game, x, y, literal=literal, max_nodes=max_nodes)
    return compared
