"""Commands run as their users run them: in a process of its own, in this one, or by typer's runner.

A process of its own loads everything anew, which takes longer than most commands.
"""

from __future__ import annotations

import gc
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from seqform.base.interrupt import SIGNALS
from seqform.cli import app, main
from tests.imports import ROOT

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
        patch.setattr(gc, "freeze", lambda: None)  # the process does not end here
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


class Terminal:
    """A process in which one command is typed after the other; it loads libraries once.

    Parameters
    ----------
    folder
        Where it is.
    environment
        Its variables; this repository is added to the path.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        path = f"{environment.get('PYTHONPATH', '')}:{ROOT}"
        self._child = subprocess.Popen(
            [sys.executable, "-c", "from tests.command_line import answer; answer()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**environment, "PYTHONPATH": path},
        )

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Type a command and return what came of it."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(f"{json.dumps(arguments)}\n")
        self._child.stdin.flush()
        return subprocess.CompletedProcess(arguments, *json.loads(self._child.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self._child.communicate()


def answer() -> None:
    """Run the commands that a `Terminal` sends."""
    for line in sys.stdin:
        done = typed(*json.loads(line))
        print(json.dumps([done.returncode, done.stdout, done.stderr]), flush=True)
