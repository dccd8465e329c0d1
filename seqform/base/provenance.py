"""Provenance: which programs, versions and machine made a result."""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("seqform", "numpy", "scipy", "highspy", "clarabel", "cvxpy")


def provenance() -> dict[str, str]:
    """Return versions, platform and time, all as text."""
    record = {
        "python": sys.version.split()[0],
        "platform": f"{platform.system()} {platform.machine()}",
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    for package in PACKAGES:
        try:
            record[package] = version(package)
        except PackageNotFoundError:
            record[package] = "not installed"
    return record
