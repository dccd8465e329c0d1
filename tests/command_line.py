"""Commands run as their users run them: in a process of its own, in this one, or by typer's runner.

A process of its own loads everything anew, which takes longer than most commands.
"""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from seqform.base.interrupt import SIGNALS
from seqform.cli import app, main

KEYS = {
    "game",
    "params",
    "method",
    "status",
    "value",
    "lower",
    "upper",
    "nash_gap",
    "exploitability",
    "unit",
    "sizes",
    "seconds",
    "peak_rss_mb",
}
SIZES = {
    *("nodes", "infosets", "sequences", "lp_rows", "lp_columns", "lp_nonzeros"),
    *("solver_rows", "solver_columns", "solver_nonzeros"),
}


def call(*arguments: str) -> str:
    """Run a command in this process and return what it prints; errors of our own are raised."""
    result = CliRunner().invoke(app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def process(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    code = "from seqform.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
    )


def typed(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the whole command line in this process: errors are lines, and it ends with a status."""
    status = 0
    with (
        pytest.MonkeyPatch.context() as patch,
        _left_as_it_was(folder),
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as error,
    ):
        patch.setattr(sys, "argv", ["seqform", *arguments])
        patch.setattr("seqform.base.memory.refuse_more_than_available", lambda: None)
        if folder is not None:
            patch.chdir(folder)
            patch.setattr(sys, "path", ["", *sys.path])
        try:
            main()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), error.getvalue())


@contextmanager
def _left_as_it_was(folder: Path | None) -> Iterator[None]:
    """Put back what a program sets for its whole process, and modules of the folder."""
    own = {path.stem for path in folder.iterdir()} if folder is not None else set()
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    thresholds, before = gc.get_threshold(), _forgotten(own)
    try:
        yield
    finally:
        _forgotten(own)
        sys.modules.update(before)
        gc.set_threshold(*thresholds)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _forgotten(names: set[str]) -> dict[str, ModuleType]:
    """Forget modules of these names, which another folder may have too, and return them."""
    found = [name for name in sys.modules if name.partition(".")[0] in names]
    return {name: sys.modules.pop(name) for name in found}
