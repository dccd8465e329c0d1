"""Checkpoints: a long search, written down so that it can go on after anything that stops it."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.errors import ResultFileError
from seqform.base.whole_file import check_writable, reason
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.search import Engine, Kept

KIND, VERSION = "seqform-checkpoint", 1


@dataclass
class Checkpoint:
    """A file that a search is saved to from time to time.

    Parameters
    ----------
    path
        The file; it is replaced as a whole.
    identity
        The search that is saved (`identify`); a file of another search is an error and stays
        unchanged.
    seconds
        Time between two saves.
    reduction
        The reduction of the game that is searched; it is saved for a later `resume`.
    """

    path: Path
    identity: str
    seconds: float = 60.0
    reduction: str = "none"

    def __post_init__(self) -> None:
        self._saved = time.perf_counter()

    def save(self, engine: Engine, kept: Kept | None, force: bool = False) -> None:
        """Write the search down if it is time to.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        if not force and time.perf_counter() < self._saved + self.seconds:
            return
        header: dict[str, Any] = {"identity": self.identity, "iterations": engine.iterations}
        header["reduction"] = self.reduction
        arrays = {f"engine.{name}": array for name, array in engine.state().items()}
        if kept is not None:
            header["kept"] = [kept.gap, kept.iterations]
            arrays |= {f"kept.{player}": plan for player, plan in enumerate(kept.plans)}
        try:
            write_arrays(self.path, KIND, VERSION, header, arrays, compress=False)
        except OSError as error:
            raise ResultFileError(f"cannot write {self.path}: {reason(error)}") from None
        self._saved = time.perf_counter()

    def resume(self, engine: Engine) -> Kept | None:
        """Take an engine to where the file left it; return the best plans so far.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, or of another search.
        """
        header, arrays = self.read()
        state = {
            name.removeprefix("engine."): array
            for name, array in arrays.items()
            if name.startswith("engine.")
        }
        try:
            engine.restore(state, int(header["iterations"]))
            if "kept" not in header:
                return None
            gap, iterations = header["kept"]
            plans = tuple(arrays[f"kept.{player}"] for player in range(len(engine.last_plans())))
            return Kept(float(gap), int(iterations), plans)
        except (KeyError, ValueError, TypeError) as error:
            raise ResultFileError(f"{self.path} does not fit this search: {error}") from None

    def read(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return header and arrays of the file if it is of this search.

        Raises
        ------
        ResultFileError
            If the file is damaged, or is of another search.
        """
        header, arrays = read_arrays(self.path, KIND, VERSION)
        if header.get("identity") != self.identity:
            raise ResultFileError(
                f"{self.path} is of another game, method or precision; "
                "give another file, or delete it"
            )
        return header, arrays


def open_checkpoint(
    path: Path,
    form: SequenceForm,
    engine: Engine,
    method: str,
    resume: bool,
    reduction: str = "none",
) -> tuple[Checkpoint, Kept | None]:
    """Return a checkpoint for a search, and the best plans of its earlier part if it is resumed.

    With `resume`, the engine is taken to where the file left it.

    Raises
    ------
    ResultFileError
        If there is a file and it is not to be resumed, or there is none and it is, or it is of
        another search.
    """
    checkpoint = Checkpoint(path, identify(form, engine, method), reduction=reduction)
    kept = checkpoint.resume(engine) if resume else None
    if os.path.exists(path) and not resume:
        raise ResultFileError(f"{path} exists; go on from it with resume=True, or delete it")
    if not os.path.isdir(path.parent):
        raise ResultFileError(f"cannot write {path}: there is no folder {path.parent}")
    try:
        check_writable(path)
    except OSError as error:
        raise ResultFileError(f"cannot write {path}: {reason(error)}") from None
    return checkpoint, kept


def first_saved(
    path: Path, form: SequenceForm, engines: Iterable[Engine], method: str
) -> Engine | None:
    """Return the first engine whose search of this game by this method was saved, if any.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    """
    identity = read_arrays(path, KIND, VERSION)[0].get("identity")
    return next((e for e in engines if identify(form, e, method) == identity), None)


def identify(form: SequenceForm, engine: Engine, method: str) -> str:
    """Return a digest of the game, the method and the arrays that an engine works on."""
    digest = hashlib.sha256(f"{method} {form.constant_sum}".encode())
    for treeplex in form.treeplexes:
        for part in treeplex.fingerprint():
            digest.update(part)
    for part in form.payoffs.fingerprint():
        digest.update(part)
    for name, array in engine.state().items():
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
    return digest.hexdigest()


def searched(path: Path) -> tuple[str | None, list[int] | None]:
    """Return the reduction that a checkpoint is of, and the lengths of its best plans.

    Checkpoints of version 0.1.0 do not say the reduction, and young ones hold no plans: None.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged.
    """
    header, arrays = read_arrays(path, KIND, VERSION)
    names = ("kept.0", "kept.1")
    sizes = [len(arrays[name]) for name in names] if all(map(arrays.__contains__, names)) else None
    return header.get("reduction"), sizes
