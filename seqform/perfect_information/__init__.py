"""Perfect information: backward induction, minimax and alpha-beta, on rules or on a tree.

Reached lazily from here: only what goes through whole trees at once loads numpy.
"""

from __future__ import annotations

from seqform.base.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
