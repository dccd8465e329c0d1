"""Public names of a package that load their modules only when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attributes(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package (PEP 562): each name of `homes` is looked up in the module that is its home.

    Examples
    --------
    >>> find = attributes("seqform", {"Treeplex": "form.treeplex"})
    >>> find("Treeplex").__name__
    'Treeplex'
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find
