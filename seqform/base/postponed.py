"""Parts of NumPy that SciPy loads by name and nothing here uses: left to whoever asks for them.

SciPy copies every public name of NumPy into its array namespace. That loads all of NumPy, with its
Fortran compiler and its tests: half of what importing SciPy costs. NumPy itself loads these parts
when they are first asked for. Here SciPy's copy is made of what is loaded already, and asks NumPy
for the rest. Only the command line does so, whose process is its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

NAMESPACE = "scipy._lib.array_api_compat.numpy"
"""SciPy's copy of NumPy's names."""


class BriefNamespace:
    """Finds SciPy's copy of NumPy's names, and leaves all else to others to find."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how the copy is loaded; None for all else, or if that is no plain source file."""
        spec = PathFinder.find_spec(name, path, target) if name == NAMESPACE else None
        if spec is None or type(spec.loader) is not SourceFileLoader:
            return None
        spec.loader = _BriefLoader(spec.loader.name, spec.loader.path)
        return spec


class _BriefLoader(SourceFileLoader):
    """Copies the names of what is loaded; the copy asks NumPy for others when they are used."""

    def exec_module(self, module: ModuleType) -> None:
        import numpy as np

        with _only_what_is_loaded(np):
            super().exec_module(module)
        vars(module).setdefault("__getattr__", np.__getattr__)


@contextmanager
def _only_what_is_loaded(package: ModuleType) -> Iterator[None]:
    """Let `from numpy import *` and `dir(numpy)` tell of no part that they would have to load."""
    known = vars(package)
    parts, names = known.get("__numpy_submodules__", set()), known["__all__"]
    unloaded = {part for part in parts if f"{package.__name__}.{part}" not in sys.modules}
    known["__numpy_submodules__"] = parts - unloaded
    known["__all__"] = [name for name in names if name not in unloaded]
    try:
        yield
    finally:
        known["__numpy_submodules__"], known["__all__"] = parts, names
