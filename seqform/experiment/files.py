"""The files that a point is read from: their content is an input, as its name is."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder
from pathlib import Path

from seqform.base.siblings import location
from seqform.base.whole_folder import digest
from seqform.experiment.point import Point


def files_of(point: Point) -> dict[str, str]:
    """Return the SHA-256 of the file of a game, and of a table of buckets, by name as given.

    Of a game or a method ``module:attribute`` it is the file of the module, if that is in the
    current folder.
    """
    own = point.method if ":" in point.method else ""
    paths = {name: _path(name) for name in (point.game, point.reduction, own) if name}
    found = {name: digest(path) for name, path in paths.items() if path is not None}
    return {name: content for name, content in found.items() if content is not None}


def _path(name: str) -> Path | None:
    """Return the file that a name stands for, if any."""
    if os.path.isfile(name):
        return Path(name)
    module, colon, _ = name.partition(":")
    if not colon or not module.partition(".")[0].isidentifier():
        return None
    if module.endswith(".py"):
        return Path(module)
    here = location(PathFinder.find_spec(module.partition(".")[0], [str(Path.cwd())]))
    return here if here is not None and os.path.isfile(here) else None
