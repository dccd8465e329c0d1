"""One step of a recorded command: `seqform` as its user runs it, or a call of the library.

Steps run in this process, through the function that the program `seqform` begins with, in the
folder where they are called. What it sets for a process of its own is put back.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

ENVIRONMENT = {
    "COLUMNS": "400",  # no table wraps, however long a masked number is
    "LINES": "50",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "OPENBLAS_NUM_THREADS": "1",
}

MEMORY = 16 * 2**30
"""Bytes that a process seems to have, whatever else is running: some texts say what fits."""


def call(words: list[str], typed: str = "") -> tuple[int, str, str]:
    """Run a step; return its exit status and what it printed, on output and on error.

    Parameters
    ----------
    words
        A command of `seqform` with its arguments, or one of `LIBRARY` with what it takes.
    typed
        What the user types while it runs.
    """
    out, err = io.StringIO(), io.StringIO()
    with (
        _put_back(),
        patch.dict(os.environ, ENVIRONMENT),
        patch("seqform.base.memory.available_bytes", lambda: MEMORY),
        patch.object(sys, "stdin", io.StringIO(typed)),
        patch.object(sys, "argv", ["seqform", *words]),
        patch.object(gc, "freeze"),  # the process does not end here
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            status = LIBRARY[words[0]](*words[1:]) if words[0] in LIBRARY else _command_line()
        except Exception as error:
            status = 1
            print(f"Traceback: {type(error).__name__}: {error}", file=err)
    return status, out.getvalue(), err.getvalue()


def _command_line() -> int:
    from seqform.cli import main

    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


@contextlib.contextmanager
def _put_back() -> Iterator[None]:
    """Put back what the command line sets for the whole process."""
    finders, thresholds = list(sys.meta_path), gc.get_threshold()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    try:
        yield
    finally:
        sys.meta_path[:] = finders
        gc.set_threshold(*thresholds)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        resource.setrlimit(resource.RLIMIT_DATA, limits)


def _load(folder: str) -> int:
    """Print what a saved result is in Python."""
    import seqform

    found = seqform.load(folder)
    print(json.dumps({**found.record(), **_members(found)}, default=str))
    for row in found.rows():
        print(*row, sep="   ")
    return 0


def _members(found: Any) -> dict[str, Any]:
    """Return what scripts read of a solution, as text."""
    proofs = ("exact", "bracket", "family", "equilibria", "optimum", "refinement")
    return {
        "what is proven": [name for name in proofs if getattr(found, name, None) is not None],
        "what it is": found.status.name,
    }


def _save_again(folder: str, out: str) -> int:
    """Load a result, and save it: certificates are written anew from what was read."""
    import seqform

    claims = json.loads((Path(folder) / "result.json").read_text())
    seqform.load(folder).save(out, claims["game"], claims["params"])
    return 0


LIBRARY: dict[str, Callable[..., int]] = {
    "python-load": _load,
    "python-save": _save_again,
}
"""Steps that are calls of the library; all others are commands."""
