"""Packages that seem to be installed."""

from __future__ import annotations

from pathlib import Path


def install(folder: Path, package: str, *lines: str, group: str = "seqform.tests") -> None:
    """Put what pip writes of an installed package into a folder."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n" + "\n".join(lines) + "\n")
