"""Pictures as text of their own, for notebooks."""

from __future__ import annotations

from io import StringIO

from seqform.drawing.draw import draw_tree
from seqform.drawing.figure import draw_figure
from seqform.tree.tree import GameTree


def tree_svg(tree: GameTree) -> str:
    """Return the picture of a whole tree as an SVG element.

    Raises
    ------
    SeqformError
        If the tree is too large to be drawn.
    """
    text = StringIO()
    draw_figure(draw_tree(tree)).savefig(text, format="svg")
    picture = text.getvalue()
    return picture[picture.index("<svg") :]
