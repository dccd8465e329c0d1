"""Pictures of game trees: `draw_tree` takes a part; `draw_figure` and `draw_text` show it."""

from __future__ import annotations

from seqform.base.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
