"""Public names of a package that load their modules only when they are asked for (PEP 562).

A package declares them in its ``__init__.pyi``, a module in the ``.pyi`` beside it:

    from seqform.form.treeplex import Treeplex as Treeplex

Type checkers and editors read the stub as they read any; Python reads it here, word by word.
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # to import `typing` takes as long as all else that importing seqform does
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


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
    """Return the module that is the home of each name in the stub of a package or module."""
    with open(f"{sys.modules[package].__file__}i", encoding="utf-8") as stub:
        return homes_in(stub.read())


def homes_in(stub: str) -> dict[str, str]:
    r"""Return the module of each name that a stub imports as itself, on one line or on several.

    Examples
    --------
    >>> homes_in("from a.b import c as c\nfrom a.d import (\n    e as e,\n    f as f,\n)")
    {'c': 'a.b', 'e': 'a.d', 'f': 'a.d'}
    """
    words = stub.replace(",", " ").replace("(", " ").replace(")", " ").split()
    module, homes = "", {}
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        if word == "import":
            module = before
        elif word == "as" and before == after:
            homes[after] = module
    return homes


def _no_such_name(package: str, name: str, names: list[str]) -> str:
    from seqform.base.nearest import nearest

    near = nearest(name, names)
    hint = "" if near is None else f"; did you mean {near!r}?"
    return f"module {package!r} has no attribute {name!r}{hint}"
