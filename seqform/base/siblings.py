"""The packages beside seqform, whose names users' own folders and modules may have too.

Both may be loaded: a module of ours that another hides is imported with ours in its place, and then
that other one is there again. So neither is in the way of the other, whichever comes first.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import RLock
from types import ModuleType

SIBLINGS = ("games", "abstraction", "experiments")

HOME = Path(__file__).resolve().parents[2]
"""The folder that holds seqform and its siblings."""

_hidden: dict[str, ModuleType] = {}
"""Modules of ours that were imported while others have their packages' names."""

_lock = RLock()


def import_ours(module: str) -> ModuleType:
    """Import a module; if there is one of ours, that one, whatever hides its package."""
    with ours_in_place(module):
        return import_module(module)


@contextmanager
def ours_in_place(module: str) -> Iterator[None]:
    """Within this block a module of ours is found by its name, and all that it imports."""
    hidden = [name for name in SIBLINGS if _is_hidden(name)] if _is_one(module) else []
    if hidden:
        with _lock, _ours(hidden):
            yield
    else:
        yield


def step_aside(name: str, wanted: Path) -> None:
    """Make room for a package of one of our names at another place, which is imported next."""
    if name in SIBLINGS and wanted != HOME / name and not _is_hidden(name):
        with _lock:
            _hidden.update(_taken_out([name]))


def location(spec: ModuleSpec | None) -> Path | None:
    """Return the folder of a package, or the file of a module; None if there is no such place."""
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    if folders:
        return Path(folders[0]).resolve()
    return Path(spec.origin).resolve() if spec.has_location and spec.origin else None


def _is_one(module: str) -> bool:
    """Return whether we have a module of that name beside seqform."""
    path = HOME.joinpath(*module.split("."))
    return _root(module) in SIBLINGS and (path.is_dir() or path.with_suffix(".py").is_file())


def _is_hidden(name: str) -> bool:
    """Return whether Python finds another package than ours; nothing is imported."""
    try:
        return location(find_spec(name)) != HOME / name
    except ValueError:  # there is one that was found by no import
        return True


@contextmanager
def _ours(names: Collection[str]) -> Iterator[None]:
    """Within this block our packages of these names are those that are imported."""
    theirs = _taken_out(names)
    sys.modules.update({name: _hidden.pop(name) for name in list(_hidden) if _root(name) in names})
    try:
        for name in names:
            if name not in sys.modules:
                _load(name)
        yield
    finally:
        _hidden.update(_taken_out(names))
        sys.modules.update(theirs)


def _taken_out(names: Collection[str]) -> dict[str, ModuleType]:
    """Take packages and what is in them from the modules that are loaded."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if _root(name) in names}


def _root(module: str) -> str:
    return module.partition(".")[0]


def _load(name: str) -> None:
    """Load a package of ours; where it is not installed, importing it says so."""
    spec = PathFinder.find_spec(name, [str(HOME)])
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
