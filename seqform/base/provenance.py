"""Provenance: which programs, versions and machine made a result."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from seqform.base.processors import processors

PACKAGES = ("seqform", "numpy", "scipy", "highspy", "clarabel", "cvxpy")

HERE = Path(__file__).parents[2]
"""The checkout, if this package is run from one."""


def provenance(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Return versions, platform, processor and time, all as text.

    Parameters
    ----------
    packages
        Whose versions to name.
    """
    record = {
        "python": sys.version.split()[0],
        "platform": f"{platform.system()} {platform.machine()}",
        "processor": f"{processor()}, {processors()} of its cores",
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return record | {package: _version(package) for package in packages}


def _version(package: str) -> str:
    """Return a version; that of a checkout of seqform has its commit, as in 0.2.0+1f2e3d4c5b6a."""
    try:
        found = version(package)
    except PackageNotFoundError:
        return "not installed"
    commit = _commit() if package == "seqform" else ""
    return f"{found}+{commit}" if commit else found


@cache
def _commit() -> str:
    """Return the commit of the checkout, with `.dirty` if files differ from it; else nothing."""
    if not (HERE / ".git").exists():
        return ""
    command = ["git", "-C", str(HERE), "describe", "--always", "--exclude=*", "--abbrev=12"]
    try:
        done = subprocess.run(
            [*command, "--dirty=.dirty"], check=False, capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):  # there is no git, or not for this folder
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@cache
def processor() -> str:
    """Return the name that the processor gives itself."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # no Linux
        pass
    return platform.processor() or platform.machine()
