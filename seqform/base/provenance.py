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

from seqform.base.machine import processors

PACKAGES = ("seqform", "numpy", "scipy", "highspy", "clarabel", "cvxpy")

HERE = Path(__file__).parents[2]
"""The checkout, if this package is run from one."""


def provenance(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Return versions, platform, processor and time, all as text; of a checkout, the commit too.

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
    record |= {package: installed(package) for package in packages}
    return record | ({"commit": commit()} if commit() else {})


@cache
def installed(package: str) -> str:
    """Return the version of a package; each row of an experiment names several."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


@cache
def commit() -> str:
    """Return the commit of this checkout, with a + if files were changed since; else nothing."""
    if not (HERE / ".git").exists():  # a package, be it within somebody else's checkout
        return ""
    describe = ["git", "-C", str(HERE), "describe", "--always", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(
            [*describe, "--dirty=+"], check=True, capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):  # no git, or not for this folder
        return ""
    return done.stdout.strip()


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
