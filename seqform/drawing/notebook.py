"""Pictures as text of their own, for notebooks."""

from __future__ import annotations

from seqform.drawing.draw import draw_tree
from seqform.drawing.drawn_tree import DrawnTree
from seqform.drawing.figure import to_svg
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
    picture = to_svg(tree)
    return picture[picture.index("<svg") :]
