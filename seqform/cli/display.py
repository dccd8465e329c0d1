"""What the command line shows: tables, solutions, and how far a search has come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seqform.cli.forecast import Forecast, in_words

if TYPE_CHECKING:
    from fractions import Fraction

    from seqform.exact.interval import ProvenInterval
    from seqform.results.solution import Solution
    from seqform.solvers.iterative.search import Progress


LONGEST = 500
"""Characters of a fraction that a table shows."""


@contextmanager
def spinner(shown: bool) -> Iterator[Callable[[str], None] | None]:
    """Show a line that tells how far something has come, on standard error; yield what changes it, or None where it is not to be shown."""
    if not (shown and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import TextColumn, TimeElapsedColumn

    with Bar(
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("solving")
        yield lambda text: bar.update(task, description=text)


@contextmanager
def progress(shown: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Show how far an iterative method has come; yield what to tell it to, or None where it is not to be shown."""
    with spinner(shown) as tell:
        if tell is None:
            yield None
            return
        forecast = Forecast()

        def show(now: Progress) -> None:
            left = forecast.seconds_left(now)
            rate = now.iterations / max(now.seconds, 1e-9)
            interval = f"value in [{now.lower:.6f}, {now.upper:.6f}]"
            tell(
                f"{now.iterations:,} iterations, {rate:.0f} a second, gap {now.gap:.3g}, "
                f"{interval}, {in_words(left)}"
            )

        yield show


def grouped(value: Any) -> str:
    """Write integers with separators, lists of them with commas."""
    if isinstance(value, list):
        return ", ".join(map(grouped, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def short(value: Any) -> str:
    """Write floats with at most 12 digits."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


PROOFS = {
    "exact": "exact: both plans are fractions, and best responses to them, in integers, are worth "
    "the same",
    "bracketed": "bracketed: no plans in fractions were found to be optimal; the value is in the "
    "interval proven below",
}


def in_full(number: Fraction) -> str:
    """Write a fraction and what it is as a decimal; only its size if it takes pages."""
    from decimal import ROUND_HALF_EVEN

    from seqform.base.number import fraction_text
    from seqform.exact.interval import decimal

    text = fraction_text(number)
    if len(text) > LONGEST:
        text = f"a fraction of {len(text):,} characters (--json prints it)"
    return text if number.denominator == 1 else f"{text} = {decimal(number, 20, ROUND_HALF_EVEN)}"


def print_solution(
    game: str,
    solution: Solution,
    known: Any,
    abstracted: Solution | None,
    criterion: str | None,
    proven: ProvenInterval | None,
) -> None:
    """Print a solution as a table: what it claims is what its certificate proves.

    Parameters
    ----------
    known
        The value that the registry knows for the game, if any.
    abstracted, criterion
        The solution of the smaller game that was lifted, if any, and what made it.
    proven
        An interval proven in exact arithmetic, if any.
    """
    unit, sizes = solution.game.unit, solution.sizes
    table = new_table("", game)
    asked = solution.tolerance * (solution.game.largest_payoff or 1.0)
    table.add_row(
        "status", f"{solution.status.name}: {solution.status.value}; asked for: {asked:.3g} {unit}"
    )
    table.add_row(
        "method", f"{solution.method} ({solution.message}, {solution.iterations:,} iterations)"
    )
    if abstracted is not None:
        name, form = criterion, abstracted.game
        table.add_row(
            "abstraction", f"{name}: {sum(t.num_sequences for t in form.treeplexes):,} sequences"
        )
        table.add_row(
            "value of the abstract game",
            f"{abstracted.value:.15g} {unit}, nash_gap {abstracted.nash_gap:.3g} there",
        )
        table.add_row("loss (nash_gap of the lifted profile)", f"{solution.nash_gap:.3g} {unit}")
    solved = solution.status.name == "SOLVED"
    if solution.exact is not None:
        table.add_row("exact value to player 0", f"{in_full(solution.exact.value)} {unit}")
    if solution.proof is not None:
        table.add_row("proof", PROOFS[solution.proof])
    table.add_row(
        "value to player 0" if solved else "what the profile pays player 0",
        f"{solution.value:.15g} {unit}",
    )
    if known is not None:
        table.add_row("known value", f"{known.value} ({known.source})")
    if solution.certificate is not None:
        certificate = solution.certificate
        table.add_row("proven interval", f"[{solution.lower:.15g}, {solution.upper:.15g}] {unit}")
        for player, gain in enumerate(certificate.gains):
            table.add_row(f"player {player}'s gain from a best response", f"{gain:.3g} {unit}")
        table.add_row("nash_gap (sum of the gains)", f"{solution.nash_gap:.3g} {unit}")
        table.add_row("exploitability (nash_gap / 2)", f"{solution.exploitability:.3g} {unit}")
    if proven is not None:
        from seqform.exact.interval import decimal, outwards

        lower, upper = outwards(proven)
        table.add_row(
            "proven in exact arithmetic",
            f"[{lower}, {upper}] {unit}, for plans rounded to {proven.bits} bits",
        )
        table.add_row("its width", f"{decimal(proven.width, 3)} {unit}")
    table.add_row(
        "nodes, infosets, sequences",
        f"{sizes['nodes']:,}, {sizes['infosets']:,}, {sizes['sequences']:,}",
    )
    if "lp_rows" in sizes:
        name = f"{'' if abstracted is None else 'abstract '}LP rows, columns, nonzeros"
        table.add_row(
            name, f"{sizes['lp_rows']:,}, {sizes['lp_columns']:,}, {sizes['lp_nonzeros']:,}"
        )
    table.add_row(
        "seconds", ", ".join(f"{name} {value:.4f}" for name, value in solution.seconds.items())
    )
    print_table(table)


def new_table(*headers: str, no_wrap: bool = False) -> Any:
    """Return an empty table."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for header in headers:
        table.add_column(header, overflow="fold", no_wrap=no_wrap)
    return table


def print_table(table: Any) -> None:
    """Print a table."""
    from rich.console import Console

    Console(highlight=False).print(table)


def print_tree(tree: Any) -> None:
    """Print a tree, no line of it cut or wrapped."""
    from rich.console import Console

    console = Console(highlight=False)
    widest = console.measure(tree, options=console.options.update(max_width=10**6)).maximum
    console.width = max(console.width, widest)
    console.print(tree)
