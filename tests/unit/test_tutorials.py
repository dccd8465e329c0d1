"""The tutorials run, and say what they are shown to say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.notebooks import ROOT, TUTORIALS, read, run, said

NAMES = [path.stem for path in TUTORIALS]

ONE_OF_MANY = [
    "seqform.show(solution, player=0)",
    'print(at.by("made").text)',
    'print(at.matrix("bet90"))',
    'print(at_line(found, "").by("made").text)',
    'print(at_line(found, "check-bet90-call/2c").by("made").text)',
]
"""Cells that show one of many equilibria: which one is up to HiGHS, or to the search."""


def compared(cell: Any) -> str:
    """Return what a cell has to say again; of a strategy only for whom it is, and after what."""
    if cell.source not in ONE_OF_MANY:
        return said(cell)
    return "\n".join(line for line in said(cell).splitlines() if line.startswith("player "))


@pytest.fixture(scope="module")
def ran() -> dict[Path, Any]:
    return run(TUTORIALS)


def test_there_are_seven() -> None:
    first = ["gameshrink-slides", "river-to-flop", "shrink-and-solve", "tic-tac-toe"]
    assert [*first, "tournaments", "what-is-a-sequence", "your-own-game"] == NAMES


@pytest.mark.parametrize("path", TUTORIALS, ids=NAMES)
def test_what_comes_out_is_what_is_shown(path: Path, ran: dict[Path, Any]) -> None:
    shown = [cell for cell in read(path).cells if cell.cell_type == "code"]
    found = [cell for cell in ran[path].cells if cell.cell_type == "code"]
    assert [compared(cell) for cell in found] == [compared(cell) for cell in shown]
    assert all(len(line) <= 100 for cell in shown for line in cell.source.split("\n"))
    assert path.stat().st_size < 300_000


@pytest.mark.parametrize("path", TUTORIALS, ids=NAMES)
def test_theory_comes_first_and_nothing_differs_from_run_to_run(path: Path) -> None:
    notebook = read(path)
    assert notebook.cells[0].cell_type == "markdown"
    assert notebook.cells[0].source.startswith("# ")
    assert all(not cell.metadata for cell in notebook.cells)
    counts = {cell.execution_count for cell in notebook.cells if cell.cell_type == "code"}
    assert counts == {None}
    assert str(ROOT) not in path.read_text()
