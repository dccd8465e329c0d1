"""`seqform demo`: three games of poker, solved."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from seqform.cli import display

if TYPE_CHECKING:
    from seqform import Solution

WORDS = """\
Values are chips a hand, to player 0. 'within' is the width of the interval that best responses
against both plans prove, rounding errors included. Where it is exact, the value is a fraction with
a proof: `seqform solve leduc`. A solver's own claim is never used for it."""

WORDS_FOR_LARGE = """\
Rhode Island hold'em is solved and certified with suits exchanged freely, a symmetry of the game;
`seqform solve rhode-island` certifies in the unabstracted game, too."""


def demo(
    large: Annotated[
        bool, typer.Option(help="Whether to solve Rhode Island hold'em too: half a minute.")
    ] = True,
) -> None:
    """Solve Kuhn poker, Leduc hold'em and, to 0.01 chips, Rhode Island hold'em."""
    import seqform

    table = display.new_table("game", "value", "within", "nodes", "solver", "seconds", no_wrap=True)
    for name in ("kuhn", "leduc"):
        table.add_row(name, *_cells(seqform.solve(seqform.make(name)), digits=12, seconds=3))
    if large:
        print(
            "Solving Kuhn, Leduc, and the 52 cards of Rhode Island hold'em (half a minute) ...",
            file=sys.stderr,
        )
        quotient, _ = seqform.reduce(seqform.make("rhode-island"), "suit")
        with display.progress(shown=True) as callback:
            solution = seqform.solve(quotient, gap=1e-2, callback=callback)
        table.add_row("rhode-island", *_cells(solution, digits=4, seconds=0))
    display.print_table(table)
    print(WORDS)
    if large:
        print(WORDS_FOR_LARGE)


def _cells(solution: Solution, digits: int, seconds: int) -> tuple[str, ...]:
    """Return a row of the table, without the game's name."""
    return (
        f"{solution.value:.{digits}f}",
        "exact" if solution.exact else f"{solution.upper - solution.lower:.1e}",
        f"{solution.sizes['nodes']:,}",
        solution.method.removeprefix("lp/").split("/")[0],
        f"{sum(solution.seconds.values()):.{seconds}f}",
    )
