"""Pages of results: `write_report` writes one that stands alone, and checks itself in a browser."""

from __future__ import annotations

from seqform.base.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
