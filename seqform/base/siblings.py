"""The packages beside seqform, whose names users' own folders and modules may have too."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path

from seqform.base.errors import InvalidParameterError

SIBLINGS = ("games", "abstraction", "experiments")

HOME = Path(__file__).resolve().parents[2]
"""The folder that holds seqform and its siblings."""


def check_sibling(module: str) -> None:
    """Check that a module's package, if it is one of ours, is not hidden by another of its name.

    Nothing is imported.

    Raises
    ------
    InvalidParameterError
        If `module` is in a package beside seqform, and Python finds another of that name first.
    """
    name = module.partition(".")[0]
    if name not in SIBLINGS:
        return
    found = location(find_spec(name))
    if found is not None and found != HOME / name:
        raise InvalidParameterError(
            f"{found} hides seqform's own package {name!r}: rename it, or run from another folder"
        )


def load_siblings() -> None:
    """Load the packages beside seqform before anything of their names can hide them."""
    for name in SIBLINGS:
        spec = PathFinder.find_spec(name, [str(HOME)])
        if name not in sys.modules and spec is not None:
            _load(name, spec)


def location(spec: ModuleSpec | None) -> Path | None:
    """Return the folder of a package, or the file of a module; None if there is no such place."""
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    if folders:
        return Path(folders[0]).resolve()
    return Path(spec.origin).resolve() if spec.has_location and spec.origin else None


def _load(name: str, spec: ModuleSpec) -> None:
    module = module_from_spec(spec)
    sys.modules[name] = module
    if spec.loader is not None:
        spec.loader.exec_module(module)
