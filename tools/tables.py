"""Write tables of rows into the pages that show them: `python -m tools.tables`.

Those of benchmarks are first made anew of the rows that were saved. A page names the file that has
its table, and what stands between its two marks is remade:

    <!-- table: experiments/results/lp_losses/lp_losses.md -->
    | deck | value | ...
    <!-- end of table -->
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.gallery import ROOT

BLOCK = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def filled(page: str) -> str:
    """Return the text of a page with the tables as they are now.

    Raises
    ------
    FileNotFoundError
        If there is no such table.
    """
    return BLOCK.sub(lambda m: f"{m[1]}\n{_table(ROOT / m[2])}\n{m[3]}", page)


def _table(path: Path) -> str:
    """Return the table of a file, without what stands above it."""
    text = path.read_text()
    return text[text.index("|") :]


def fill_all() -> None:
    """Remake the tables of all pages."""
    for page in pages():
        page.write_text(filled(page.read_text()))


def pages() -> list[Path]:
    """Return the pages."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


if __name__ == "__main__":
    from benchmarks.run import write_tables

    write_tables()
    fill_all()
