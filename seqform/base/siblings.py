"""The packages beside seqform, whose names users' own folders may have too."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from pathlib import Path

from seqform.base.errors import InvalidParameterError

SIBLINGS = ("games", "abstraction", "experiments")

HOME = Path(__file__).parents[2]
"""The folder that holds seqform and its siblings."""


def check_sibling(module: str) -> None:
    """Refuse to load from a package that hides one of ours.

    Raises
    ------
    InvalidParameterError
        If `module` is in a package beside seqform, and Python finds another of that name first.
    """
    name = module.partition(".")[0]
    if name not in SIBLINGS:
        return
    found = Path(str(import_module(name).__file__ or "")).parent
    if found != HOME / name:
        raise InvalidParameterError(
            f"{found} hides seqform's own package {name!r}: rename it, or run from another folder"
        )


def load_siblings() -> None:
    """Load the packages beside seqform before anything of their names can hide them."""
    for name in SIBLINGS:
        spec = PathFinder.find_spec(name, [str(HOME)])
        if name not in sys.modules and spec is not None:
            _load(name, spec)


def _load(name: str, spec: ModuleSpec) -> None:
    module = module_from_spec(spec)
    sys.modules[name] = module
    if spec.loader is not None:
        spec.loader.exec_module(module)
