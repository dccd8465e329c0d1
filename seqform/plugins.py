"""What packages that add to seqform import: contracts, and what it takes to keep them.

The names stay here whatever moves behind them (CONTRIBUTING.md has recipes).
"""

from seqform.base.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
