"""Work in a process of its own: code that may crash, or take all memory, ends itself only.

Libraries that are written in other languages end the process where Python would raise an error.
Such a call is a *task*: a function of a module that takes a record (JSON values) and arrays, and
returns both. `run_in_child` runs it in a fresh interpreter. Arrays go there and back in files,
without pickles. Errors of ours come back as they are; a process that dies is an error too.

This is no pool of loky (3.7). To end one task that sits in C ended all others of its pool there,
and a worker whose parent was killed sat on. No progress comes back from one, no signal goes there,
and of a crash it does not say how.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from select import select
from signal import SIG_IGN, SIGINT, SIGKILL, SIGTERM, Signals, signal
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any

from seqform.base import errors
from seqform.base.alarm import unbroken
from seqform.base.deadline import check_time
from seqform.base.errors import CrashError, SeqformError
from seqform.base.interrupt import First, Interrupt, leave
from seqform.base.progress import listening, tell

if TYPE_CHECKING:
    from seqform.base.array_file import Arrays

Record = dict[str, Any]

Task = Callable[[Record, "Arrays"], tuple[Record, "Arrays"]]
"""What can be run: a function of a module, named ``package.module:function``."""

LOOK_EVERY = 0.1
"""Seconds between two looks at the clock."""

START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from seqform.base.child_process import serve
serve(*sys.argv[2:])
"""
"""The program of the other process: it looks for modules where this one does."""


_is_apart: ContextVar[bool] = ContextVar("is_child", default=False)


def is_child() -> bool:
    """Return whether this process was started to run a task, and does nothing else."""
    return _is_apart.get()


def run_in_child(
    task: str,
    record: Record,
    arrays: Arrays | None = None,
    doing: str = "working",
    stops: bool = False,
) -> tuple[Record, Arrays]:
    """Run a task in a process of its own, and return what it returns.

    Parameters
    ----------
    task
        ``package.module:function``; see `Task`.
    record, arrays
        What it is called with.
    doing
        What is going on, for the message when the time limit around this call is over.
    stops
        Whether the task stops at a signal, and returns what it has: it works within `Interrupt`.
        The first signal that comes here is passed on to it; the second ends both.

    Raises
    ------
    SeqformError
        What the task raised.
    MemoryError
        If it ran out of memory, and noticed.
    CrashError
        If its process died, with the last that it said.
    OutOfTimeError
        If the time was over.
    KeyboardInterrupt, SystemExit
        If a signal ended the task, which had nothing to return; see `Interrupt.end`.
    """
    from seqform.base.array_file import read_npz

    with TemporaryDirectory(prefix="seqform-") as name:
        folder = Path(name)
        _write(folder / "in.npz", record, arrays or {})
        with Interrupt(First.WAIT if stops else First.PASS) as user:
            status = _run(task, folder, doing, user)
        if not (folder / "out.npz").exists():
            if user.asked:
                user.end()
            raise CrashError(_cause(status, folder / "stderr"))
        answer, found = read_npz(folder / "out.npz", "answer")
    if "error" in answer:
        raise _error(answer)
    return answer, found


def _run(task: str, folder: Path, doing: str, user: Interrupt) -> int:
    """Start the other process, pass on what it tells, and return its exit status."""
    told, telling = os.pipe()
    with (
        (folder / "stderr").open("wb") as said,
        os.fdopen(told, "rb", buffering=0) as progress,
        _started(task, folder, telling, said) as process,
    ):
        _pass_on(progress, doing, process, user)
        return process.wait()


class _started:  # noqa: N801 - used as a function
    """A block with the other process, which does not outlive it."""

    @unbroken
    def __init__(self, task: str, folder: Path, telling: int, said: IO[bytes]) -> None:
        place = str(folder.resolve())
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, json.dumps(sys.path), task, place, str(telling)],
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            pass_fds=[telling],
        )
        os.close(telling)

    @unbroken
    def __enter__(self) -> subprocess.Popen[bytes]:
        return self._process

    @unbroken
    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()


def _pass_on(
    progress: IO[bytes], doing: str, process: subprocess.Popen[bytes], user: Interrupt
) -> None:
    """Pass on what the other process tells, until it ends or the time is over.

    That the user asked to stop is passed on to it.
    """
    is_asked = False
    while True:
        check_time(doing)
        if user.asked and not is_asked:
            is_asked = True
            process.terminate()
        if select([progress], [], [], LOOK_EVERY)[0]:
            lines = progress.read(2**16).decode(errors="replace").splitlines()
            if not lines:
                return
            tell(lines[-1])


def serve(task: str, folder: str, telling: str) -> None:
    """Run a task, as the program of the other process."""
    from seqform.base.array_file import read_npz
    from seqform.base.memory import refuse_more_than_available

    _is_apart.set(True)
    signal(SIGINT, SIG_IGN)  # Ctrl-C is for the process that waits, which passes it on
    signal(SIGTERM, leave)  # within `Interrupt` it is taken as it is in the other process
    _end_with_parent()
    refuse_more_than_available()
    place = Path(folder)
    with os.fdopen(int(telling), "w", buffering=1) as progress:
        arrays: Arrays = {}
        try:
            with listening(lambda doing: print(doing, file=progress)):
                module, _, function = task.partition(":")
                answer, arrays = getattr(import_module(module), function)(
                    *read_npz(place / "in.npz", "request")
                )
        except (SeqformError, MemoryError) as error:
            answer = {"error": type(error).__name__, "message": str(error)}
    _write(place / "answer.npz", answer, arrays)
    os.replace(place / "answer.npz", place / "out.npz")
    os._exit(0)  # what libraries do when they are unloaded is of no interest, and may crash too


def _end_with_parent() -> None:
    """Have this process ended when the one that waits for it dies, however that dies.

    Linux does so by itself. Elsewhere a thread waits for the end of standard input, which the other
    process holds open. It has no chance while a library does not let other threads run.
    """
    die_with_parent()
    threading.Thread(target=_end_with, args=(sys.stdin,), daemon=True).start()


def die_with_parent() -> None:
    """Have Linux kill this process when the one that started it dies; elsewhere do nothing."""
    if sys.platform.startswith("linux"):
        from ctypes import CDLL

        CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL)


PR_SET_PDEATHSIG = 1
"""Of linux/prctl.h."""


def _end_with(pipe: IO[str]) -> None:
    with suppress(OSError, ValueError):
        pipe.read()
    os._exit(1)


def _write(path: Path, record: Record, arrays: Arrays) -> None:
    import numpy as np

    text = np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)
    np.savez(path, header=text, **arrays)  # type: ignore[arg-type]


def _error(answer: Record) -> Exception:
    """Return the error that a task raised."""
    if answer["error"] == "MemoryError":
        return MemoryError(answer["message"])
    kind = getattr(errors, answer["error"], SeqformError)
    return kind(answer["message"])


def _cause(status: int, stderr: Path) -> str:
    """Say how a process ended, and the last that it said."""
    with suppress(ValueError):
        how = f"was ended by {Signals(-status).name}" if status < 0 else f"exited with {status}"
        lines = stderr.read_text(errors="replace").strip().splitlines()
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{how}: {last[:300]}" if last else how
    return f"was ended by signal {-status}"
