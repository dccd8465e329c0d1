"""Public names of a package that load their modules only when they are asked for (PEP 562).

A package declares them in its ``__init__.pyi``, one line each:

    from seqform.form.treeplex import Treeplex as Treeplex

Type checkers and editors read the stub as they read any; Python reads it here, line by line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

FORM_OF_A_LINE = ["from", "import", "as"]
"""The words at positions 0, 2 and 4 of a line that declares a name."""


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the ``__getattr__``, ``__dir__`` and ``__all__`` of a package with a stub.

    Examples
    --------
    >>> find, names, public = attach("seqform")
    >>> find("Treeplex").__name__, "Treeplex" in names(), "Treeplex" in public
    ('Treeplex', True, True)
    """
    homes = declared(package)

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(_no_such_name(package, name, list(homes)), name=name)
        return getattr(import_module(homes[name]), name)

    def names() -> list[str]:
        own = [name for name in vars(sys.modules[package]) if name.startswith("__")]
        return sorted({*homes, *own})

    return find, names, list(homes)


def declared(package: str) -> dict[str, str]:
    """Return the module that is the home of each name in a package's stub."""
    homes = {}
    with open(f"{sys.modules[package].__path__[0]}/__init__.pyi", encoding="utf-8") as stub:
        for line in stub:
            words = line.split()
            if words[:5:2] == FORM_OF_A_LINE:
                homes[words[5]] = words[1]
    return homes


def _no_such_name(package: str, name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"module {package!r} has no attribute {name!r}{hint}"
