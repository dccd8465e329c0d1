"""NodeComparison: whether two nodes of a game are isomorphic, by the sets that hold children."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from seqform.base.pictures import PICTURES


@dataclass(frozen=True)
class HeldSet:
    """An information set that holds children of a node; a vertex of the bipartite graph.

    Parameters
    ----------
    player
        Who moves there: a player, chance or, at the end of the game, nobody (`TERMINAL`).
    name
        The label of the information set; of a node that is in none, what leads to it.
    children
        Which children of the node it holds.
    moves
        What leads to each of them from the node.
    size
        How many nodes it has at that depth, anywhere.
    """

    player: int
    name: str
    children: tuple[int, ...]
    moves: tuple[str, ...]
    size: int

    @property
    def text(self) -> str:
        """What people call it, with the children that it holds."""
        held = ", ".join(self.moves)
        return held if self.player < 0 else f"{self.name}: {held}"


@dataclass(frozen=True, repr=False)
class NodeComparison:
    """Whether two nodes of equal depth are isomorphic, and why.

    True as a condition if they are.

    Parameters
    ----------
    x, y
        The nodes.
    names
        What leads to them, in words.
    reason
        Why they are not isomorphic; empty if they are.
    left, right
        The bipartite graph: the information sets that hold a child of x, and those of y.
    edges
        Pairs of numbers of sets, one in `left` and one in `right`, that can be matched.
    missing
        For each pair that can't be matched, why not.
    matching
        A largest matching, as pairs of numbers; the nodes are isomorphic if it is perfect.
    violator, neighbors
        Numbers in `left` whose sets can be matched to those in `right` only, which are fewer; of
        sets that all have to be matched, no choice of the others helps. Empty if there are none.
    because
        Of two nodes that have to be isomorphic for an edge that is missing: why they are not.
    """

    x: int
    y: int
    names: tuple[str, str]
    reason: str = ""
    left: tuple[HeldSet, ...] = ()
    right: tuple[HeldSet, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    missing: tuple[tuple[int, int, str], ...] = ()
    matching: tuple[tuple[int, int], ...] = ()
    violator: tuple[int, ...] = ()
    neighbors: tuple[int, ...] = ()
    because: NodeComparison | None = None

    def __bool__(self) -> bool:
        return not self.reason

    def __repr__(self) -> str:
        x, y = self.names
        said = [f"{x} and {y} are {'' if self else 'not '}isomorphic"]
        return "\n".join([*said, *(f"because {reason}" for reason in self.reasons())])

    def _repr_svg_(self) -> str:
        """Return the bipartite graph, as notebooks show it."""
        return str(PICTURES.get("comparison")(self))

    def reasons(self) -> Iterator[str]:
        """Yield the reason, and the reasons for it, down to the last one."""
        found: NodeComparison | None = self
        while found is not None and found.reason:
            yield found.reason
            found = found.because

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON values; numbers of nodes are those of the tree."""
        sets = {
            side: [
                {"player": s.player, "name": s.name, "children": list(s.children)}
                | {"moves": list(s.moves), "size": s.size}
                for s in held
            ]
            for side, held in (("left", self.left), ("right", self.right))
        }
        pairs = {
            name: [list(pair) for pair in getattr(self, name)]
            for name in ("edges", "missing", "matching")
        }
        return {
            "isomorphic": bool(self),
            "nodes": [self.x, self.y],
            "names": list(self.names),
            "reasons": list(self.reasons()),
            **sets,
            **pairs,
            "violator": list(self.violator),
            "neighbors": list(self.neighbors),
        }


@runtime_checkable
class ComparesNodes(Protocol):
    """What a reduction can do that merges by a relation of nodes which it can explain."""

    def compare(self, game: Any, x: Any, y: Any, *, literal: bool, max_nodes: Any) -> Any:
        """Return the comparison of two nodes, a `NodeComparison`."""
