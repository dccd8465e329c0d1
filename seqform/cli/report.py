"""`seqform report`: results as one page of HTML, which checks itself in a browser."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from seqform.cli import display
from seqform.cli.loading import load_saved


def report(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders that `seqform solve --out` wrote, or one that holds such folders.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The page to write, .html.")
    ] = Path("report.html"),
    dealt: Annotated[
        str,
        typer.Option(
            metavar="CARDS",
            help="Of hold'em endgames, only boards on which these cards are dealt next, such as "
            "8c: a page has no room for the rivers of a flop, and for those of one turn it has.",
        ),
    ] = "",
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Run the code of a game module:attribute that a result names and that is too "
            "large for a tree.",
        ),
    ] = False,
) -> None:
    """Write a page on saved results, which are verified first; it needs no network.

    It shows what is played, by hand or as a tree, and holds the certificate: a button checks it.
    """
    import seqform

    with display.spinner(shown=True):
        seqform.write_report(results, out, find=partial(load_saved, trust=trust), dealt=dealt)
        found = seqform.verify_report(out)
    size = out.stat().st_size / 1e6
    print(f"wrote {out}, {size:.2f} MB, fingerprint {found.fingerprint}")
