"""`seqform demo`: three games of poker, solved."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from seqform.cli import display
from seqform.cli.loading import registry


def demo(
    large: Annotated[
        bool, typer.Option(help="Whether to solve Rhode Island hold'em too: half a minute.")
    ] = True,
) -> None:
    """Solve Kuhn poker, Leduc hold'em and, to 0.01 chips, Rhode Island hold'em, and print what was proven."""
    from seqform.methods.solve import solve as run
    from seqform.results.reduction import REDUCTIONS

    table = display.new_table("game", "value", "within", "nodes", "solver", "seconds", no_wrap=True)
    if large:
        print(
            "Solving Kuhn, Leduc, and the 52 cards of Rhode Island hold'em (half a minute) ...",
            file=sys.stderr,
        )
    with display.progress(shown=True) as callback:
        for name in ("kuhn", "leduc", *(["rhode-island"] if large else [])):
            game = registry().make(name)
            options: dict[str, Any] = {}
            if name == "rhode-island":
                game, _ = REDUCTIONS.get("suit").apply(game)
                options = {"gap": 1e-2, "callback": callback}
            s = run(game, **options)
            digits, total = (
                (12, f"{sum(s.seconds.values()):.3f}")
                if not options
                else (4, f"{sum(s.seconds.values()):.0f}")
            )
            width = "exact" if s.exact else f"{s.upper - s.lower:.1e}"
            solver = s.method.removeprefix("lp/").split("/")[0]
            table.add_row(
                name, f"{s.value:.{digits}f}", width, f"{s.sizes['nodes']:,}", solver, total
            )
    display.print_table(table)
    print(
        "Values are chips a hand, to player 0; 'within' is the width of the interval proven by "
        "best responses"
    )
    print(
        "against both plans, rounding errors included; where it is exact the value is a fraction, "
        "with a proof: `seqform solve leduc`."
    )
    print("A solver's own claim is never used for it.")
    if large:
        print(
            "Rhode Island hold'em is solved and certified with suits exchanged freely, a symmetry "
            "of the game;"
        )
        print("`seqform solve rhode-island` certifies in the unabstracted game, too.")
