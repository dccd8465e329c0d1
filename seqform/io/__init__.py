"""Games from elsewhere and back. Everything is reached lazily from here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME = {
    "to_networkx": "networkx_graph",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from seqform.io.networkx_graph import to_networkx as to_networkx


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'seqform.io' has no attribute {name!r}")
    return getattr(import_module(f"seqform.io.{_HOME[name]}"), name)
