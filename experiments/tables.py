"""How are the figures of an experiment timed, judged, printed and saved?"""

from __future__ import annotations

import csv
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from rich import box
from rich.console import Console
from rich.table import Table

from games.kuhn import kuhn
from seqform import solve
from seqform.base.provenance import provenance
from seqform.base.whole_file import replacing, write_text
from seqform.results.solution import Solution, Status

Cell = str | int | float | None
Row = dict[str, Cell]
T = TypeVar("T")

RESULTS = Path(__file__).parent / "results"
WIDTH_OF_A_FILE = 220


def arguments(description: str | None, given: Sequence[str] | None, **switches: str) -> Namespace:
    """Read the options that all experiments have, and switches with a help text each.

    The folder of results is made.
    """
    parser = ArgumentParser(description=description)
    parser.add_argument(
        "--out",
        type=Path,
        default=RESULTS,
        metavar="DIR",
        help="folder for what is found (default: %(default)s)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="only the smallest games, in a few seconds"
    )
    for name, meaning in switches.items():
        parser.add_argument(f"--{name}", action="store_true", help=meaning)
    options = parser.parse_args(given)
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def cpu(action: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of a call, and what it returns."""
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def warm_up() -> None:
    """Load the libraries of both default solvers, so that no figure holds the time that takes."""
    for solver in ("highs", "clarabel"):
        solve(kuhn(), solver=solver)


def verdict(lifted: Solution) -> str:
    """Return whether the whole game's certificate proves a lifted profile an equilibrium."""
    return {Status.SOLVED: "equilibrium", Status.LIFTED: "LOSSY"}.get(
        lifted.status, lifted.status.name
    )


def save(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as a CSV file, numbers in full."""
    table = StringIO()
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, table.getvalue())
    print(f"saved {path}")


def save_markdown(path: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Write some columns of the rows as a table of a text file."""
    lines = [
        [column.replace("_", " ") for column in columns],
        ["---"] * len(columns),
        *([text(row[c]) for c in columns] for row in rows),
    ]
    write_text(path, "".join(f"| {' | '.join(line)} |\n" for line in lines))
    print(f"saved {path}")


def save_picture(path: Path, figure: Any) -> None:
    """Write a figure of matplotlib to a file; its name says the format."""
    with replacing(path) as file:
        figure.savefig(file, format=path.suffix[1:])
    print(f"saved {path}")


def show(title: str, rows: Sequence[Row], columns: Sequence[str], section: str) -> None:
    """Print some columns of the rows, with a line wherever the column `section` changes."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for column in columns:
        is_text = any(isinstance(row[column], str) for row in rows)
        table.add_column(
            column.replace("_", " "),
            justify="left" if is_text else "right",
            no_wrap=is_text,
            overflow="fold",
        )
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        table.add_row(
            *(text(row[column]) for column in columns),
            end_section=after is None or after[section] != row[section],
        )
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH_OF_A_FILE
    console.print(table)


def show_versions() -> None:
    """Print what the figures were made with."""
    print(", ".join(f"{name} {version}" for name, version in provenance().items()))


def text(cell: Cell) -> str:
    """Return what a table shows of a value.

    Integers have separators, small floats powers of ten, and nothing is shown for nothing.
    """
    if isinstance(cell, float):
        return f"{cell:.1e}" if 0 < abs(cell) < 1e-4 else f"{cell:.9f}".rstrip("0").rstrip(".")
    return f"{cell:,}" if isinstance(cell, int) else cell or ""
