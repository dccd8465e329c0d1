"""`doctor` examines an installation; it imports within functions, so that nothing can stop it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from importlib import import_module
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING

from seqform.base.errors import MissingLibraryError, SeqformError
from seqform.base.health import Finding, State
from seqform.base.installed import examine_libraries
from seqform.base.machine import examine_machine
from seqform.base.registry import Registry, is_ours, origin

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

REGISTRIES = {
    "GAMES": "seqform.game.catalogue",
    "METHODS": "seqform.methods.method",
    "SOLVERS": "seqform.solvers.linear.solver",
    "REDUCTIONS": "seqform.results.reduction",
    "CONCEPTS": "seqform.concepts.concept",
    "PROOFS": "seqform.exact.proof",
    "EXPERIMENTS": "seqform.experiment.spec",
}
"""The registries whose declarations are loaded, and where each is."""

SLOW = 1.0
"""Seconds from which loading what another package declares is worth a word."""

KERNELS = "seqform.solvers.iterative.regret.treeplex_kernels"
"""Compiled loops: numba keeps them in a folder, if it may write one."""

GAME = ("kuhn", -1 / 18)
"""What every solver is tried on, and the value that it has to find."""


def doctor() -> list[Finding]:
    """Examine this installation: versions, conflicts, solvers, memory, threads and caches.

    Each linear-program solver solves a small game. Nothing is written.

    Returns
    -------
    findings
        In the order of their topics. Something that is needed is broken if the `state` of any is
        ``"broken"``.

    Examples
    --------
    >>> import seqform
    >>> {finding.name for finding in seqform.doctor() if finding.topic == "solvers"}
    ... # doctest: +SKIP
    {'highs', 'clarabel', 'cvxpy', 'pardiso'}
    """
    machine = list(examine_machine())  # before the libraries take memory
    return [*examine_libraries(), *_declared(), *_solvers(), _kernels(), *machine]


def _declared() -> Iterator[Finding]:
    """Yield what is declared and cannot be loaded."""
    for name, home in REGISTRIES.items():
        try:
            registry: Registry[object] = getattr(import_module(home), name)
        except Exception as error:  # whatever a broken library raises
            yield Finding("declarations", home, "broken", _words(error), "")
            continue
        for entry in registry.declared():
            wrong = _loaded(registry, entry)
            if wrong:
                topic = f"{registry.kind} {entry.name}"
                yield Finding("declarations", topic, "doubtful", wrong, "")


def _loaded(registry: Registry[object], entry: EntryPoint) -> str:
    """Return what is wrong with an item, whatever a broken library raises; or that it is slow."""
    began = time.perf_counter()
    try:
        registry.get(entry.name)
    except Exception as error:
        return _words(error)
    seconds = time.perf_counter() - began
    is_slow = seconds >= SLOW and not is_ours(entry)
    return f"{origin(entry)} takes {seconds:.1f} s to load" if is_slow else ""


def _solvers() -> Iterator[Finding]:
    """Yield how each solver does on a small game."""
    solvers: Registry[object] = Registry("seqform.solvers", "solver")
    for solver in solvers.names():
        state, found = _tried(solver)
        yield Finding("solvers", solver, state, found, f"tried on {GAME[0]}")


def _tried(solver: str) -> tuple[State, str]:
    """Return how a solver does, and what is wrong with it; a broken one may raise anything."""
    name, value = GAME
    try:
        from seqform.game.catalogue import make
        from seqform.methods.solve import solve

        found = float(solve(make(name), method="lp", solver=solver).value)
    except MissingLibraryError as error:
        return "absent", str(error)
    except Exception as error:
        return "broken", _words(error)
    if isclose(found, value, abs_tol=1e-6):
        return "fine", "works"
    return "broken", f"finds {found:.6g}, and the value is {value:.6g}"


def _kernels() -> Finding:
    """Return where numba keeps compiled loops, and whether it may write there."""
    topic, advice = "caches", "set NUMBA_CACHE_DIR to a folder that you may write"
    try:
        kernels = import_module(KERNELS)
    except Exception as error:  # numba raises RuntimeError if no folder can be written
        return Finding(topic, "numba", "broken", _words(error), advice)
    folder = Path(kernels.multiply.stats.cache_path)
    nearest = next(path for path in (folder, *folder.parents) if os.path.exists(path))
    if os.access(nearest, os.W_OK):
        return Finding(topic, "numba", "fine", str(folder), "compiled once, then kept")
    wrong = f"{folder} cannot be written: loops are compiled in every run"
    return Finding(topic, "numba", "doubtful", wrong, advice)


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, SeqformError) else f"{type(error).__name__}: {error}"
