"""Make the gallery's pictures again: `python -m tools.gallery`.

docs/gallery.md shows each picture above its command; the commands that draw games run here.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "gallery.md"
SHOWN = re.compile(r"!\[[^\]]+\]\(([^)]+)\)\n\n```\n(.*?)```", re.DOTALL)


def shown() -> list[tuple[Path, list[str]]]:
    """Return the gallery's pictures, as paths from the root, each with its command in words."""
    found = SHOWN.findall(PAGE.read_text())
    inside = [(PAGE.parent / picture).resolve().relative_to(ROOT) for picture, _ in found]
    return [(path, shlex.split(command)) for path, (_, command) in zip(inside, found, strict=True)]


def drawings() -> list[tuple[Path, list[str]]]:
    """Return those that `seqform draw` makes; experiments make the others."""
    return [(path, words) for path, words in shown() if words[:2] == ["seqform", "draw"]]


def draw_all() -> None:
    """Have all drawings drawn."""
    for _, (_, *arguments) in drawings():
        subprocess.run([sys.executable, "-m", "seqform", *arguments], check=True, cwd=ROOT)


if __name__ == "__main__":
    draw_all()
