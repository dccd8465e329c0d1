"""Commands run as their users run them: in a process of its own, or through typer's runner."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from seqform.cli import app

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
