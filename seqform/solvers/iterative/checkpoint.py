"""Checkpoints: a long search, written down so that it can go on after anything that stops it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from seqform.base.array_file import read_arrays
from seqform.base.checkpoint_file import KIND, VERSION, CheckpointFile, check_place
from seqform.base.errors import ResultFileError
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.search import Engine, Kept, NextLook, next_look


@dataclass
class Checkpoint(CheckpointFile):
    """A file that the search of an engine is saved to from time to time.

    Parameters
    ----------
    path, identity, seconds
        See `CheckpointFile`; the search is identified by `identify`.
    reduction
        The reduction of the game that is searched; it is saved for a later `resume`.
    look
        When the search looks at its gap next.
    """

    reduction: str = "none"
    look: NextLook = field(default_factory=NextLook)

    def save(self, engine: Engine, kept: Kept | None, force: bool = False) -> None:
        """Write the search down if it is time to.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        if not force and not self.is_due:
            return
        header: dict[str, Any] = {
            "iterations": engine.iterations,
            "look": self.look.at,
            "reduction": self.reduction,
        }
        arrays = {f"engine.{name}": array for name, array in engine.state().items()}
        if kept is not None:
            header["kept"] = [kept.gap, kept.iterations]
            arrays |= {f"kept.{player}": plan for player, plan in enumerate(kept.plans)}
        self.write(header, arrays)

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
            look = int(header.get("look", 0))  # older files do not say it
            self.look.at = min(look, next_look(engine.iterations, inf, 0.0))
            if "kept" not in header:
                return None
            gap, iterations = header["kept"]
            plans = tuple(arrays[f"kept.{player}"] for player in range(len(engine.last_plans())))
            return Kept(float(gap), int(iterations), plans)
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            raise ResultFileError(f"{self.path} does not fit this search: {error}") from None


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
    check_place(path, resume)
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
    """Return a digest of the game, the method and the arrays that an engine works on.

    Arrays count by their names, types and shapes, and by what their numbers are of.
    """
    digest = hashlib.sha256(f"{method} {form.constant_sum}".encode())
    for treeplex in form.treeplexes:
        for part in treeplex.fingerprint():
            digest.update(part)
    for part in form.payoffs.fingerprint():
        digest.update(part)
    for name, array in engine.state().items():
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
    for part in engine.order():
        digest.update(part)
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
