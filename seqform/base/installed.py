"""Which libraries are installed, what each is for, and which versions do not fit together."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING

from seqform.base.health import Finding, State

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NEEDED = {
    "numpy": ("numpy", "arrays"),
    "scipy": ("scipy", "sparse matrices"),
    "highspy": ("highspy", "linear and mixed-integer programs: HiGHS"),
    "qdldl": ("qdldl", "factors of sparse matrices, for polishing"),
    "clarabel": ("clarabel", "linear programs of large games: Clarabel"),
    "cvxpy": ("cvxpy", "linear programs by any other solver"),
    "networkx": ("networkx", "games as graphs"),
    "igraph": ("igraph", "the layout of pictures"),
    "matplotlib": ("matplotlib", "pictures"),
    "numba": ("numba", "compiled loops of iterative methods"),
    "loky": ("loky", "sweeps on several cores"),
    "jinja2": ("jinja2", "pages of results"),
    "markupsafe": ("markupsafe", "pages of results"),
    "packaging": ("packaging", "this examination"),
    "click": ("click", "the command line"),
    "typer": ("typer", "the command line"),
    "rich": ("rich", "tables and progress"),
}
"""For each library that is needed: the module to import, and what it is for."""

OPTIONAL = {
    "pandas": "tables of results as data frames",
    "pyarrow": "tables of sweeps as Parquet",
    "distributed": "sweeps on a Dask cluster",
    "open-spiel": "games of OpenSpiel",
    "pygambit": "comparisons with Gambit",
    "ecos": "the solver ECOS, by cvxpy",
    "pypardiso": "linear programs of tens of millions of nonzeros: MKL's Pardiso",
}
"""Libraries that one can do without, and what each is for."""


def examine_libraries() -> Iterator[Finding]:
    """Yield a finding for Python, each library, and each requirement that is not met."""
    yield Finding("versions", "python", "fine", sys.version.split()[0], sys.executable)
    yield Finding("versions", "seqform", "fine", _version("seqform") or "not installed", "")
    for name, (module, purpose) in NEEDED.items():
        wrong = _import_error(module)
        state: State = "broken" if wrong else "fine"
        yield Finding("needed libraries", name, state, wrong or _version(name) or "?", purpose)
    for name, purpose in OPTIONAL.items():
        found = _version(name)
        state = "fine" if found else "absent"
        yield Finding("optional libraries", name, state, found or "not installed", purpose)
    if not _import_error("packaging"):
        yield from _conflicts("broken", ["seqform"])
        yield from _conflicts("doubtful", OPTIONAL)


def _import_error(module: str) -> str:
    """Import a library; return why that fails, or "". A broken library may raise anything."""
    try:
        import_module(module)
    except Exception as error:
        return f"cannot be imported: {type(error).__name__}: {error}"
    return ""


def _conflicts(state: State, roots: Iterable[str]) -> Iterator[Finding]:
    """Yield the requirements that are not met, of libraries and of what they require in turn."""
    from packaging.utils import canonicalize_name

    todo = [canonicalize_name(name) for name in roots if _version(name)]
    seen = set(todo)
    for name in todo:  # which grows
        for wanted in _requirements(name):
            if clash := _clash(wanted):
                repair = f"pip install '{wanted.name}{wanted.specifier}'"
                yield Finding("conflicts", name, state, f"needs {clash}", repair)
            required = canonicalize_name(wanted.name)
            if required not in seen and _version(required):
                seen.add(required)
                todo.append(required)


def _clash(wanted: Requirement) -> str:
    """Return how a requirement is not met, or ""."""
    found = _version(wanted.name)
    if found is not None and wanted.specifier.contains(found, prereleases=True):
        return ""
    return f"{wanted.name}{wanted.specifier}; there is {found or 'none'}"


def _requirements(name: str) -> list[Requirement]:
    """Return what a library requires here, its extras left out."""
    from packaging.requirements import Requirement

    found = [Requirement(line) for line in requires(name) or ()]
    here = {"extra": ""}
    return [wanted for wanted in found if not wanted.marker or wanted.marker.evaluate(here)]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
