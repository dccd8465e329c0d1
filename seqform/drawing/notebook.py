"""Pictures as text of their own, for notebooks."""

from __future__ import annotations

from seqform.drawing.figure import to_svg
from seqform.tree.tree import GameTree


def tree_svg(tree: GameTree) -> str:
    """Return the picture of a whole tree as an SVG element.

    Raises
    ------
    SeqformError
        If the tree is too large to be drawn.
    """
    picture = to_svg(tree)
    return picture[picture.index("<svg") :]
