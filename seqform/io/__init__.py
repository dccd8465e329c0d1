"""Games from elsewhere and back: Gambit's .efg files, OpenSpiel, networkx; loaded lazily."""

from __future__ import annotations

from seqform.base.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
