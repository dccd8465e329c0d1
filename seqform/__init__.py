"""seqform: exact, fast and certified equilibria of extensive-form games.

Everything public is declared in ``__init__.pyi`` and loaded when it is asked for, so that importing
the package costs nothing.
"""

from __future__ import annotations

from seqform.base.lazy import attach

__version__ = "0.2.0.dev0"

__getattr__, __dir__, __all__ = attach(__name__)
