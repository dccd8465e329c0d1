"""`seqform demo`: three games of poker, solved, saved, and reported on one page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqform.base.errors import GameTooLargeError
from seqform.cli import display

if TYPE_CHECKING:
    from seqform import Solution

WORDS = """\
Values are chips a hand, to player 0. 'within' is the width of the interval that best responses
against both plans prove, rounding errors included. Where it is exact, the value is a fraction with
a proof. A solver's own claim is never used for it."""

WORDS_FOR_LARGE = """\
Rhode Island hold'em is solved with hands merged that are played alike, and certified in the game
as it is, with all of its 6.7 billion nodes."""

WORDS_FOR_SMALL_MACHINES = """\
Rhode Island hold'em is certified with suits exchanged freely, a symmetry of the game: certifying
in the game as it is takes more memory than there is here."""

PAGE, PICTURE = "report.html", "kuhn.svg"


def demo(
    large: Annotated[
        bool, typer.Option(help="Whether to solve Rhode Island hold'em too: a minute or two.")
    ] = True,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for the results, the page and a picture.")
    ] = Path("seqform-demo"),
) -> None:
    """Solve Kuhn poker, Leduc hold'em and, to 0.01 chips, Rhode Island hold'em.

    The results are saved, and shown on a page with a button that checks their proofs.
    """
    import seqform
    from seqform.drawing import save_picture

    check_folders(out, large)
    table = display.new_table("game", "value", "within", "nodes", "solver", "seconds", no_wrap=True)
    found = {name: seqform.solve(seqform.make(name)) for name in ("kuhn", "leduc")}
    words = [WORDS]
    for name, solution in found.items():
        table.add_row(name, *_cells(solution, digits=9, seconds=3))
    if large:
        print(
            "Solving Kuhn, Leduc, and the 52 cards of Rhode Island hold'em (a minute or two) ...",
            file=sys.stderr,
        )
        found["rhode-island"], said = rhode_island()
        table.add_row("rhode-island", *_cells(found["rhode-island"], digits=4, seconds=0))
        words.append(said)
    display.print_table(table)
    print("\n".join(words))
    for name, solution in found.items():
        if solution.source is not solution.game:  # a quotient is not the game of this name
            solution.save(out / name, name)
    save_picture(found["kuhn"], out / PICTURE)
    seqform.write_report(found, out / PAGE)
    print(
        f"\n{out / PAGE}: what is played, on a page for your browser; a button checks the proofs\n"
        f"{out / PICTURE}: Kuhn poker's tree, with what is played\n"
        f"{out}/: the results; `seqform verify {out / 'leduc'}` checks one again"
    )


def check_folders(out: Path, large: bool) -> None:
    """Check that all can be written, before any work is done for it."""
    import seqform
    from seqform.report import check_report

    for name in ("kuhn", "leduc", *(["rhode-island"] if large else [])):
        seqform.check_folder(out / name)
    out.mkdir(parents=True, exist_ok=True)
    check_report(out / PAGE)


def rhode_island() -> tuple[Solution, str]:
    """Return a strategy for the 52 cards, certified in the game as it is where memory allows."""
    import seqform

    game = seqform.make("rhode-island")
    with display.progress(shown=True) as callback:
        try:
            return seqform.solve(game, gap=1e-2, callback=callback), WORDS_FOR_LARGE
        except GameTooLargeError:
            quotient, _ = seqform.reduce(game, "suit")
            return seqform.solve(quotient, gap=1e-2, callback=callback), WORDS_FOR_SMALL_MACHINES


def _cells(solution: Solution, digits: int, seconds: int) -> tuple[str, ...]:
    """Return a row of the table, without the game's name."""
    return (
        f"{solution.value:.{digits}f}",
        "exact" if solution.exact else f"{solution.upper - solution.lower:.1e}",
        f"{solution.sizes['nodes']:,}",
        solution.method.removeprefix("lp/").split("/")[0],
        f"{sum(solution.seconds.values()):.{seconds}f}",
    )
