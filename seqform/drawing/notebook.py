"""Pictures as text of their own, for notebooks."""

from __future__ import annotations

from seqform.drawing.bipartite import draw_nodes_compared
from seqform.drawing.draw import draw_tree
from seqform.drawing.drawn_tree import DrawnTree
from seqform.drawing.figure import svg_of, to_svg
from seqform.drawing.regions import draw_regions
from seqform.methods.payoff_region import PayoffRegion
from seqform.results.node_comparison import NodeComparison
from seqform.tree.tree import GameTree


def tree_svg(tree: GameTree) -> str:
    """Return the picture of a whole tree as an SVG element.

    Raises
    ------
    SeqformError
        If the tree is too large to be drawn.
    """
    return drawn_svg(draw_tree(tree))


def drawn_svg(tree: DrawnTree) -> str:
    """Return the picture of what was drawn of a tree, as an SVG element."""
    return _element(to_svg(tree))


def comparison_svg(comparison: NodeComparison) -> str:
    """Return the bipartite graph of two nodes as an SVG element."""
    return _element(svg_of(draw_nodes_compared(comparison)))


def region_svg(region: PayoffRegion) -> str:
    """Return the picture of a payoff region as an SVG element."""
    return _element(svg_of(draw_regions([region])))


def _element(picture: str) -> str:
    return picture[picture.index("<svg") :]
