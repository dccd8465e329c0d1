"""Layout: where nodes, labels, edges and information sets go, so that no two texts touch.

Positions across the tree are those of Reingold & Tilford's tidy trees ("Tidier drawings of trees",
IEEE Trans. Software Eng. 7(2), 1981) as igraph finds them, stretched until the texts of each level
are clear of one another. Along the tree, every level has three strips. The first holds the labels
of the edges into it, the second its nodes. In the third, edges spread and information sets run. The
third holds no text, and a label or node is met by its own edge only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from seqform.drawing.blocks import TRIANGLE, Block, edge_block, node_block
from seqform.drawing.drawn_tree import DrawnTree
from seqform.game.rules import TERMINAL

Point = tuple[float, float]

APART = {True: 5.0, False: 2.5}
"""Least room between texts side by side, in a tree that grows down, and between rows, in one that
grows to the right."""
LEAST_SPREAD, MOST_SPREAD, SLOPE = 14.0, 60.0, 0.25
"""Length of the strip in which edges spread: a share of the longest way across, within bounds."""
LANE = 4.5
"""Between the ways of two information sets."""
CLEAR = {True: 2.0, False: 6.0}
"""Before and after a label on its edge, down the page and to the right."""
BEFORE_END = {True: 0.0, False: 2.0}
"""Between an edge and what is paid at its end."""


@dataclass(frozen=True)
class Link:
    """A piece of the dashed line through an information set, from one node to the next.

    In a lane (numbered from the nodes outwards) where other nodes lie between the two; -1 for a
    straight line. Information sets of the same level have different dashes, as far as there are
    enough.
    """

    first: int
    second: int
    lane: int
    dashes: int


@dataclass(frozen=True)
class Strip:
    """How far along the tree a level lies.

    Where its labels begin, its nodes begin and end, and edges begin to spread.
    """

    labels: float
    nodes: float
    end: float


class Layout:
    """Positions of a tree's blocks, in points, ``across`` and ``along`` the tree.

    The tree grows down the page or to the right.

    Parameters
    ----------
    tree
        What to draw.
    down
        Whether the tree grows down the page.
    infosets
        Whether to write the names of information sets into nodes.
    """

    def __init__(self, tree: DrawnTree, down: bool, infosets: bool) -> None:
        self.tree, self.down = tree, down
        blocks = [node_block(tree, node, down, infosets) for node in tree.nodes]
        self.node_blocks = blocks if down else _equally_long(tree, blocks)
        self.edge_blocks = [
            Block() if node.parent < 0 else edge_block(tree, node, down) for node in tree.nodes
        ]
        self.across = self._across()
        self.links = list(_links(tree, self.across))
        self.strips = self._strips()

    def across_size(self, block: Block) -> float:
        """Return a block's size across the tree."""
        return block.size[0 if self.down else 1]

    def along_size(self, block: Block) -> float:
        """Return a block's size along the tree."""
        return block.size[1 if self.down else 0]

    @cached_property
    def breadth(self) -> float:
        """Size of the picture across the tree."""
        sizes = zip(
            map(self.across_size, self.node_blocks),
            map(self.across_size, self.edge_blocks),
            strict=True,
        )
        return max(place + max(both) / 2 for place, both in zip(self.across, sizes, strict=True))

    @property
    def length(self) -> float:
        """Size of the picture along the tree; information sets of the last level run behind it."""
        return self.strips[-1].end + self._lanes(len(self.strips) - 1)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return (self.breadth, self.length) if self.down else (self.length, self.breadth)

    def page(self, across: float, along: float) -> Point:
        """Return x and y, measured from the lower left corner."""
        return (across, self.length - along) if self.down else (along, self.breadth - across)

    def node_extent(self, node: int) -> tuple[float, float]:
        """Return where a node begins and ends along the tree, without the sign of a cut.

        Ends of the game follow their labels; other nodes end with their level, where edges begin to
        spread.
        """
        drawn, block = self.tree.nodes[node], self.along_size(self.node_blocks[node])
        strip = self.strips[drawn.depth]
        start = (
            strip.nodes
            if drawn.player == TERMINAL
            else strip.end - block - (TRIANGLE if drawn.is_cut else 0.0)
        )
        return start, start + block

    def label_center(self, node: int) -> Point:
        """Return the middle of the label of the edge into a node, across and along."""
        strip = self.strips[self.tree.nodes[node].depth]
        return self.across[node], (strip.labels + strip.nodes) / 2

    def edge(self, node: int) -> list[Point]:
        """Return the corners of the edge into a node, across and along.

        It spreads, then runs through its label straight into the node.
        """
        parent, strip = self.tree.nodes[node].parent, self.strips[self.tree.nodes[node].depth]
        here = self.across[node]
        gap = 0.0 if self.node_blocks[node].outline else BEFORE_END[self.down]
        return [
            (self.across[parent], self.node_extent(parent)[1]),
            (here, strip.labels),
            (here, self.node_extent(node)[0] - gap),
        ]

    def lane_place(self, link: Link) -> float:
        """Return where the lane of a link runs, along the tree."""
        return self.strips[self.tree.nodes[link.first].depth].end + LANE * (link.lane + 1)

    def _across(self) -> list[float]:
        """Return each node's position across the tree."""
        from igraph import Graph

        edges = [
            (node.parent, number) for number, node in enumerate(self.tree.nodes) if node.parent >= 0
        ]
        graph = Graph(n=len(self.tree.nodes), edges=edges, directed=True)
        tidy = graph.layout_reingold_tilford(mode="out", root=[0])
        unit = [float(x) for x, _ in tidy.coords]
        half = [
            max(self.across_size(a), self.across_size(b)) / 2
            for a, b in zip(self.node_blocks, self.edge_blocks, strict=True)
        ]
        neighbors = [pair for level in self.tree.levels for pair in pairwise(level)]
        stretch = max(
            ((half[a] + half[b] + APART[self.down]) / (unit[b] - unit[a]) for a, b in neighbors),
            default=1.0,
        )
        least = min(stretch * x - h for x, h in zip(unit, half, strict=True))
        return [stretch * x - least for x in unit]

    def _strips(self) -> list[Strip]:
        """Return the strips of all levels."""
        strips: list[Strip] = []
        for depth, level in enumerate(self.tree.levels):
            labels = strips[-1].end + self._spread(depth) if strips else 0.0
            longest = max(self.along_size(self.edge_blocks[node]) for node in level)
            nodes = labels + longest + 2 * CLEAR[self.down] if strips else 0.0
            sizes = [
                self.along_size(self.node_blocks[node])
                + (TRIANGLE if self.tree.nodes[node].is_cut else 0.0)
                for node in level
            ]
            strips.append(Strip(labels, nodes, nodes + max(sizes)))
        return strips

    def _spread(self, depth: int) -> float:
        """Return the room along the tree in which the edges into a level spread.

        Lanes of the level above are included.
        """
        farthest = max(
            abs(self.across[node] - self.across[self.tree.nodes[node].parent])
            for node in self.tree.levels[depth]
        )
        return max(min(max(SLOPE * farthest, LEAST_SPREAD), MOST_SPREAD), self._lanes(depth - 1))

    def _lanes(self, depth: int) -> float:
        """Return the room along the tree that information sets take behind the nodes of a level."""
        lanes = [
            link.lane
            for link in self.links
            if link.lane >= 0 and self.tree.nodes[link.first].depth == depth
        ]
        return LANE * (max(lanes) + 2.5) if lanes else 0.0


def _equally_long(tree: DrawnTree, blocks: list[Block]) -> list[Block]:
    """Return the blocks with all boxes of a level as wide as the widest.

    Their middles are then in line.
    """
    widest = [
        max((blocks[node].size[0] for node in level if blocks[node].is_box), default=0.0)
        for level in tree.levels
    ]
    return [
        replace(block, least_width=widest[node.depth]) if block.is_box else block
        for block, node in zip(blocks, tree.nodes, strict=True)
    ]


def _links(tree: DrawnTree, across: Sequence[float]) -> Iterator[Link]:
    """Yield the links of all information sets; in each level, links in one lane do not overlap."""
    rank = {node: place for level in tree.levels for place, node in enumerate(level)}
    between: list[Link] = []
    styles: dict[int, int] = {}
    for members in tree.joined.values():
        pairs = [
            (a, b)
            for a, b in pairwise(members)
            if tree.nodes[a].depth == tree.nodes[b].depth and rank[b] - rank[a] > 1
        ]
        yield from (Link(a, b, -1, 0) for a, b in pairwise(members) if (a, b) not in pairs)
        for a, b in pairs:
            between.append(Link(a, b, 0, styles.setdefault(tree.nodes[a].depth, 0)))
        for depth in {tree.nodes[a].depth for a, _ in pairs}:
            styles[depth] += 1
    lanes: dict[int, list[list[tuple[float, float]]]] = {}
    for link in sorted(between, key=lambda link: across[link.second] - across[link.first]):
        taken = lanes.setdefault(tree.nodes[link.first].depth, [])
        start, stop = across[link.first], across[link.second]
        free = (
            lane
            for lane, spans in enumerate(taken)
            if all(stop <= a or b <= start for a, b in spans)
        )
        lane = next(free, len(taken))
        taken[lane:] = taken[lane:] or [[]]
        taken[lane].append((start, stop))
        yield replace(link, lane=lane)
