"""Checkpoints of searches over stages: all that a search needs to go on as if nothing had happened.

A search may be stopped within a sweep, when some stages have learned already and others have not.
So what is saved is always how things were after a whole sweep, of which a copy is kept.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.array_file import Arrays
from seqform.base.checkpoint_file import CheckpointFile, check_place
from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.recursive.graph import StageGraph
from seqform.recursive.saving import fingerprint
from seqform.recursive.stationary import StationaryProfile

if TYPE_CHECKING:
    from seqform.recursive.sweeps import Search

OF_BATCHES = ("average", "plans", "behavior", "regrets")
"""What stages of one form keep from sweep to sweep, by name."""


class _Kept(NamedTuple):
    header: dict[str, Any]
    arrays: Arrays


@dataclass
class SweepsFile(CheckpointFile):
    """A file that a search over stages is saved to, after a sweep."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._kept: _Kept | None = None

    def keep(self, search: Search) -> None:
        """Copy how a search is after a sweep, and write it down if it is time to."""
        self._kept = _state(search)
        if self.is_due:
            self.finish()

    def finish(self) -> None:
        """Write down what was kept last, unless that was done.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        kept = self._kept
        if kept is not None:
            self.write(kept.header, kept.arrays)
            self._kept = None

    def resume(self, search: Search) -> None:
        """Take a search to where the file left it.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, or of another search.
        """
        header, arrays = self.read()
        try:
            _restore(search, header, arrays)
        except (LookupError, ValueError, TypeError, InvalidStrategyError) as error:
            raise ResultFileError(f"{self.path} does not fit this search: {error}") from None


def open_sweeps_file(path: Path, graph: StageGraph, method: str, resume: bool) -> SweepsFile:
    """Return the file of a search by a method.

    Raises
    ------
    ResultFileError
        If there is a file and it is not to be resumed, or none can be written.
    """
    check_place(path, resume)
    identity = hashlib.sha256(f"{method} {fingerprint(graph)}".encode()).hexdigest()
    return SweepsFile(path, identity)


def _state(search: Search) -> _Kept:
    """Return a copy of all that goes on from sweep to sweep."""
    found, batches = search.found, search.batches
    header = {
        "iterations": found.sweeps,
        "gain": found.gain,
        "cycle": found.cycle,
        "played": [batch.played for batch in batches],
        "weights": [batch.weight for batch in batches],
    }
    arrays = {
        f"{name}.{number}": getattr(batch, name).copy()
        for number, batch in enumerate(batches)
        for name in OF_BATCHES
    }
    arrays["values"] = np.stack(search.history)
    arrays["best"] = np.concatenate([own for row in found.profile.behaviors for own in row])
    return _Kept(header, arrays)


def _restore(search: Search, header: dict[str, Any], arrays: Arrays) -> None:
    """Put what was saved in the place of what a search begins with."""
    for number, batch in enumerate(search.batches):
        for name in OF_BATCHES:
            array, present = arrays[f"{name}.{number}"], getattr(batch, name)
            if array.shape != present.shape or array.dtype != present.dtype:
                raise ValueError(f"{name}.{number} has shape {array.shape}, not {present.shape}")
            setattr(batch, name, array)
        batch.played = int(header["played"][number])
        batch.weight = float(header["weights"][number])
    values = arrays["values"]
    shape = len(values), *search.history[0].shape
    if values.shape != shape or not len(values) or values.dtype != np.float64:
        raise ValueError(f"values have shape {values.shape}")
    search.history = list(values)
    search.found = search.found._replace(
        profile=_profile(search.graph, arrays["best"]),
        gain=float(header["gain"]),
        sweeps=int(header["iterations"]),
        cycle=int(header["cycle"]),
    )


def _profile(graph: StageGraph, behaviors: np.ndarray[Any, Any]) -> StationaryProfile:
    """Return the profile of the behaviours of all seats of all stages, one after the other."""
    sizes = [t.num_sequences for stage in graph.stages for t in stage.form.treeplexes]
    if behaviors.shape != (sum(sizes),) or behaviors.dtype != np.float64:
        raise ValueError(f"the best strategies have shape {behaviors.shape}")
    parts = iter(np.split(behaviors, np.cumsum(sizes)[:-1]))
    rows = [tuple(next(parts) for _ in stage.form.treeplexes) for stage in graph.stages]
    StationaryProfile.checked(graph, rows)
    return StationaryProfile(graph, tuple(rows))
