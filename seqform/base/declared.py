"""What installed packages declare under our entry-point groups.

Their files are read here, as the specification of installed packages lays them out. The standard
library's reader does the same, but takes longer to load than a small game to solve; it is asked
wherever packages may lie otherwise than in folders.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from functools import reduce
from importlib.machinery import PathFinder
from typing import Any, NamedTuple

OURS = "seqform."
"""What names of our groups begin with."""


class Entry(NamedTuple):
    """A line of a package's entry points: in ``group``, ``name`` is the object that `value` names.

    `value` is ``module:attribute``; `package` and `version` are of the package that declares it.
    """

    group: str
    name: str
    value: str
    package: str
    version: str

    @property
    def module(self) -> str:
        """The module to import."""
        return self.value.partition(":")[0].strip()

    def load(self) -> Any:
        """Return the object; whatever its module raises passes through."""
        attributes = self.value.partition(":")[2].partition("[")[0].strip()
        module = importlib.import_module(self.module)
        return reduce(getattr, filter(None, attributes.split(".")), module)


def declared_entries() -> list[Entry]:
    """Return what is declared under our groups, by packages in the order of the search path.

    Of a package that is there more than once the first counts, as for imports.
    """
    found = _in_folders() if _only_folders() else _anywhere()
    return [entry for entry in found if entry.group.startswith(OURS)]


def _only_folders() -> bool:
    """Return whether all packages are where Python itself looks for them, in plain folders.

    The package importlib_metadata, once anybody loads it, looks there instead.
    """
    finders = (finder for finder in sys.meta_path if hasattr(finder, "find_distributions"))
    usual = all(
        finder is PathFinder or type(finder).__module__ == "importlib_metadata"
        for finder in finders
    )
    elsewhere = (path for path in _search_path() if path.endswith(".egg") or os.path.isfile(path))
    return usual and not any(elsewhere)


def _search_path() -> list[str]:
    """Return where imports look; like them it leaves out what is no string."""
    return [path for path in sys.path if isinstance(path, str)]


def _in_folders() -> Iterator[Entry]:
    seen = set()
    for folder in _search_path():
        for info in _infos(folder or "."):
            package, _, version = os.path.basename(info).rpartition(".")[0].partition("-")
            key = package.lower().replace("_", "-").replace(".", "-")
            if key not in seen:
                seen.add(key)
                yield from _read(info, package, version)


def _infos(folder: str) -> list[str]:
    """Return the folders in which packages are described, of those in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:  # no such folder, or not ours to read
        return []
    return [os.path.join(folder, n) for n in names if n.endswith((".dist-info", ".egg-info"))]


def _read(info: str, package: str, version: str) -> Iterator[Entry]:
    """Yield what a package declares, from lines ``[group]`` and ``name = value``."""
    try:
        with open(
            os.path.join(info, "entry_points.txt"), encoding="utf-8", errors="replace"
        ) as file:
            text = file.read()
    except OSError:  # most packages have none
        return
    if f"[{OURS}" not in text:
        return
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield Entry(group, name.strip(), value.strip(), package, version)


def _anywhere() -> Iterator[Entry]:
    from importlib.metadata import entry_points

    found = entry_points()
    for group in found.groups:
        for entry in found.select(group=group):
            of = entry.dist
            package, version = ("", "") if of is None else (of.name, of.version)
            yield Entry(group, entry.name, entry.value, package, version)
