"""Pictures of game trees.

`draw_tree` takes the part to be shown; `draw_figure`, `draw_text` and `to_svg` show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.lazy import attributes

_HOME = {
    "DrawnNode": "drawn_tree",
    "DrawnTree": "drawn_tree",
    "draw_figure": "figure",
    "draw_text": "text",
    "draw_tree": "draw",
    "save_figure": "figure",
    "to_svg": "figure",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from seqform.drawing.draw import draw_tree as draw_tree
    from seqform.drawing.drawn_tree import DrawnNode as DrawnNode
    from seqform.drawing.drawn_tree import DrawnTree as DrawnTree
    from seqform.drawing.figure import draw_figure as draw_figure
    from seqform.drawing.figure import save_figure as save_figure
    from seqform.drawing.figure import to_svg as to_svg
    from seqform.drawing.text import draw_text as draw_text

__getattr__ = attributes(__name__, _HOME)
