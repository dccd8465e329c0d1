"""The commands, and what is recorded of them."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import tempfile
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.imports import ROOT
from tests.net.call import call
from tests.net.masked import masked, without_progress
from tests.net.saved import saved

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"

LONGEST = 200
"""Lines of a text, and items in a line, that are recorded; of more, the first and the last."""


@dataclass(frozen=True)
class Recorded:
    """A chain of commands in one folder.

    Attributes
    ----------
    run
        The steps, one after the other.
    typed
        What the user types.
    free, free_files
        Patterns of what hangs on a solver's choice: of text, for which ``<free>`` stands, and of
        files, of which only the names are recorded.
    needs
        Packages without which it cannot be run.
    """

    name: str
    run: tuple[str, ...]
    typed: str = ""
    free: tuple[str, ...] = ()
    free_files: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Where it is recorded."""
        return RECORDED / f"{self.name}.txt"

    def text(self) -> str:
        """Run it in a folder of its own, and return what is recorded."""
        with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
            folder = Path(name)
            if "data/" in " ".join(self.run):  # copied: a search writes its checkpoint anew
                shutil.copytree(ROOT / "tests" / "data", folder / "data")
            shutil.copytree(HERE / "files", folder / "files")
            parts = [part for step in self.run for part in self._step(step)]
            text = "\n".join([*parts, *map(shortened, saved(folder, self.free_files))])
        for place, stands in ((name, "<here>"), (str(ROOT), "<checkout>")):
            text = text.replace(place, stands)
        for pattern in self.free:
            text = re.sub(pattern, "<free>", text, flags=re.MULTILINE)
        return f"{text.rstrip()}\n"

    def _step(self, step: str) -> list[str]:
        status, out, err = call(shlex.split(step), self.typed)
        err = without_progress(err)
        printed = [f"$ {step}", f"exit status {status}", shortened(masked(out))]
        return [*printed, "--- on standard error", masked(err)] if err else printed


def shortened(text: str) -> str:
    """Return a text with the middle of long ones left out: of lines, and of lists in a line."""
    lines = [_shortened(line.split(", "), ", ") for line in text.splitlines()]
    return _shortened(lines, "\n")


def _shortened(parts: list[str], between: str) -> str:
    if len(parts) <= LONGEST:
        return between.join(parts)
    left_out = f"... {len(parts)} in all ..."
    return between.join([*parts[: LONGEST // 2], left_out, *parts[-LONGEST // 2 :]])


@cache
def commands() -> dict[str, Recorded]:
    """Return all commands by their names."""
    listed: dict[str, dict[str, Any]] = tomllib.loads((HERE / "commands.toml").read_text())
    return {name: _recorded(name, **of) for name, of in listed.items()}


def _recorded(name: str, run: list[str] | str, **more: Any) -> Recorded:
    steps = (run,) if isinstance(run, str) else tuple(run)
    lists = {key: tuple(of) if isinstance(of, list) else of for key, of in more.items()}
    return Recorded(name, steps, **lists)
