"""What the command line shows: tables, solutions, and how far a search has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any

from seqform.base.number import power_of_ten
from seqform.cli.forecast import Countdown, Forecast

if TYPE_CHECKING:
    from seqform import Progress, Solution


VALUE = ("value to", "what the")
"""How the row begins that the known value is shown below."""

POWER = "log10_"
"""How the names of powers of ten begin."""

FIRST_LINE = 8.0
"""Seconds after which progress is told where there is no terminal."""

CLOCK = 8
"""Letters of a line of progress that the time so far takes."""


@contextmanager
def spinner(shown: bool) -> Iterator[Callable[[object], None] | None]:
    """Show a line of progress on standard error: what the library tells, or what is set.

    Yields what changes the line, or None where nothing is shown. It takes anything that is a text
    by `str`, which is asked for whenever the line is drawn.
    """
    if not shown:
        yield None
        return
    from seqform import listening

    if not sys.stderr.isatty():
        lines = SparseLines()
        with listening(lines):
            yield lines
        return
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn, TimeElapsedColumn
    from rich.text import Text

    line: list[object] = ["working"]

    class Words(ProgressColumn):
        """What the line says at the moment when it is drawn."""

        def render(self, _: object) -> Text:
            return Text(str(line[0]), no_wrap=True, overflow="ellipsis")

    def show(text: object) -> None:
        line[0] = text

    console = Console(stderr=True)
    with Bar(Words(), TimeElapsedColumn(), console=console, transient=True) as bar:
        bar.add_task("")
        with listening(show):
            yield show


class SparseLines:
    """Progress where there is no terminal: whole lines, the first late and then ever more rarely.

    So a log of what is soon done has none, and whoever waits learns what goes on.
    """

    def __init__(self) -> None:
        self._start, self._next = time.perf_counter(), FIRST_LINE

    def __call__(self, text: object) -> None:
        """Print a line if it is time for one."""
        seconds = time.perf_counter() - self._start
        if seconds >= self._next:
            self._next = 2 * seconds
            print(f"seqform: {text}, after {seconds:.0f} s", file=sys.stderr, flush=True)


@contextmanager
def progress(shown: bool) -> Iterator[Callable[[Any], None] | None]:
    """Show how far a search has come.

    Yields the callback to tell, or None where nothing is shown.
    """
    with spinner(shown) as tell:
        if tell is None:
            yield None
            return
        forecast = Forecast()

        def show(now: Any) -> None:
            tell(_Line(now, forecast) if hasattr(now, "aim") else now)

        yield show


class _Line:
    """How far a search has come, with the time that is left when the line is drawn."""

    def __init__(self, now: Progress, forecast: Forecast) -> None:
        self._now = str(now)
        self._left = Countdown(forecast.until_seen(now), now.after)

    def __str__(self) -> str:
        return fitting(self._now, str(self._left), width() - CLOCK)


def fitting(now: str, left: str, room: int) -> str:
    """Return how far a search has come in at most so many letters, with the time left in full.

    What does not fit is left out: the claimed value first, then the rate.
    """
    parts = now.split(", ", maxsplit=3)
    for kept in (parts, parts[:3], parts[::2], parts[2:3], []):
        text = ", ".join([*kept, *([left] if left else [])])
        if len(text) <= room:
            return text
    return left


def grouped(value: Any) -> str:
    """Write integers with separators, lists of them with commas."""
    if isinstance(value, list):
        return ", ".join(map(grouped, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def count(key: str, value: Any) -> tuple[str, str]:
    """Return how a count of a game is called and written."""
    name = key.removeprefix(POWER).replace("_", " ")
    if name != key.replace("_", " "):
        return name, power_of_ten(value)
    return name, f"{value:.4g}" if isinstance(value, float) else grouped(value)


def short(value: Any) -> str:
    """Write floats with at most 12 digits."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def print_solution(game: str, solution: Solution, known: Any) -> None:
    """Print a solution as a table: what it claims is what its certificate proves.

    Parameters
    ----------
    known
        The value that the registry knows for the game, if any.
    """
    from seqform.base.wrapped import wrapped_rows

    rows: list[tuple[str, str]] = []
    for name, text in solution.rows():
        rows.append((name, text))
        if known is not None and name.startswith(VALUE):
            rows.append(("known value", f"{known.value} ({known.source})"))
            known = None
    print("\n".join([game, *wrapped_rows(rows, room()), ""]))


def new_table(*headers: str, no_wrap: bool = False) -> Any:
    """Return an empty table."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for header in headers:
        table.add_column(header, overflow="fold", no_wrap=no_wrap)
    return table


def width() -> int:
    """Return how many letters a line of the terminal takes; 80 where there is none."""
    from rich.console import Console

    return Console().width


def room() -> float:
    """Return how many letters a line of output takes: no end of them but in a terminal."""
    return width() if sys.stdout.isatty() else float("inf")


def _console() -> Any:
    """Return where to print texts as they are: no colons around a word make a picture of it."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)


def print_panel(title: str, rows: list[tuple[str, str]]) -> None:
    """Print names and texts in a frame, as in the help of commands."""
    from rich.panel import Panel
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 1))
    for row in rows:
        table.add_row(*row)
    panel = Panel(table, title=title, title_align="left", border_style="dim")
    _console().print(panel)


def print_terms(terms: list[tuple[str, list[str]]], indent: int = 0) -> None:
    """Print names, and beside each its lines; lines are broken between words."""
    named = any(name for name, _ in terms)
    rows = [(*([name] if named else []), "\n".join(lines)) for name, lines in terms]
    print_columns(rows, indent)


def print_columns(rows: Sequence[tuple[str, ...]], indent: int = 0) -> None:
    """Print rows of texts; the first column is bold if there are others, and not broken."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2), pad_edge=False)
    for column in range(len(rows[0])):
        is_name = column == 0 and len(rows[0]) > 1
        table.add_column(no_wrap=is_name, overflow="fold", style="bold" if is_name else "")
    for row in rows:
        table.add_row(*map(Text, row))
    _console().print(Padding(table, (0, 0, 0, indent), expand=False))


def print_table(table: Any) -> None:
    """Print a table: within the lines of a terminal, and whole anywhere else."""
    if isfinite(room()):
        _console().print(table)
    else:
        print_whole(table)


def print_whole(what: Any) -> None:
    """Print a tree or a table, no line of it cut or wrapped."""
    console = _console()
    widest = console.measure(what, options=console.options.update(max_width=10**6)).maximum
    console.width = max(console.width, widest)
    console.print(what)
