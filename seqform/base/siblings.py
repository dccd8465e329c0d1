"""The packages beside seqform, whose names users' own folders and modules may have too.

Where Python finds a user's package of such a name, ours is loaded under another: ``games.kuhn`` as
``seqform.base.siblings.games.kuhn``. Within it imports of its neighbours lead to ours, so that none
of its modules need know. What is loaded so can be pickled: other processes find it by that name.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

SIBLINGS = ("games", "abstraction", "experiments")

HOME = Path(__file__).resolve().parents[2]
"""The folder that holds seqform and its siblings."""

PREFIX = f"{__name__}."
"""What names of ours begin with where they are hidden."""

__path__: list[str] = []
"""Makes a package of this module, in which `_Ours` finds what is hidden."""


def home(module: str) -> str:
    """Return the name by which a module of a package beside seqform is imported.

    That is its own, unless Python finds another package of that name. Others stay as they are.
    Nothing is imported.

    Examples
    --------
    >>> home("games.kuhn"), home("numpy.linalg")
    ('games.kuhn', 'numpy.linalg')
    """
    name = module.partition(".")[0]
    return PREFIX + module if name in SIBLINGS and _is_hidden(name) else module


def home_for(module: str, importer: str) -> str:
    """Return the name by which a module is imported that another one, `importer`, names."""
    return home(module) if importer.startswith(PREFIX) else module


def location(spec: ModuleSpec | None) -> Path | None:
    """Return the folder of a package, or the file of a module; None if there is no such place."""
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    if folders:
        return Path(folders[0]).resolve()
    return Path(spec.origin).resolve() if spec.has_location and spec.origin else None


def _is_hidden(name: str) -> bool:
    """Return whether Python finds another package of a name than ours; once it did, it stays so."""
    if PREFIX + name in sys.modules:
        return True
    known = sys.modules.get(name)
    found = location(find_spec(name) if known is None else known.__spec__)
    return found != HOME / name and (known is not None or found is not None)


class _Ours(SourceFileLoader):
    """Finds and loads our packages under the names that they have where they are hidden."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is, if it is one of ours."""
        if not fullname.startswith(PREFIX):
            return None
        parts = fullname.removeprefix(PREFIX).split(".")
        if parts[0] not in SIBLINGS:
            return None
        spec = PathFinder.find_spec(fullname, [str(HOME.joinpath(*parts[:-1]))])
        if spec is not None and spec.origin is not None:
            spec.loader = cls(fullname, spec.origin)
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run a module with an import statement that finds its neighbours."""
        vars(module)["__builtins__"] = vars(builtins) | {"__import__": _import}
        super().exec_module(module)


def _import(
    name: str,
    global_names: Any = None,
    local_names: Any = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    found = name if level else home(name)
    if found == name or fromlist:
        return builtins.__import__(found, global_names, local_names, fromlist or (), level)
    import_module(found)
    return sys.modules[PREFIX + name.partition(".")[0]]


sys.meta_path.insert(0, _Ours)  # or others would find the modules of a package of ours
