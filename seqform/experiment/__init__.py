"""Experiments: what is asked, over which games and methods, and the rows that answer it.

Names that other packages use are declared in ``__init__.pyi``.
"""

from __future__ import annotations

from seqform.base.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
