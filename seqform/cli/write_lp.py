"""`seqform write-lp`: the linear program of a game as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqform.base.summary import counted
from seqform.cli import display
from seqform.cli.arguments import PLAYER, GameArgument, MaxNodes, Parameters, Threshold
from seqform.cli.loading import load


def write_lp(
    game: GameArgument,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .lp or .mps.")],
    param: Parameters = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar=PLAYER,
            help="Whose program: 0 (primal) or 1 (dual), or a name. Default: 0, of slides 1.",
        ),
    ] = None,
    style: Annotated[
        str,
        typer.Option(
            help="named: lines are called after sequences; slide: x1, x2, ... as textbooks print "
            "the program, in player 0's payoffs."
        ),
    ] = "named",
    abstract: Annotated[
        str, typer.Option(help="The program of a smaller game: none, or {reductions}.")
    ] = "none",
    threshold: Threshold = 0.0,
    max_nodes: MaxNodes = None,
) -> None:
    """Write the sequence-form linear program of a game to a file."""
    import seqform

    with display.spinner(shown=True):
        built, _ = load(game, param, max_nodes)
        program = seqform.write_lp(built, path, player, max_nodes, abstract, threshold, style)
    print(
        f"wrote {counted(program.num_rows, 'row')}, {counted(program.num_columns, 'column')}, "
        f"{counted(program.num_nonzeros, 'nonzero')} to {path}"
    )
    print(f"the optimum is {program.scale!r} times {program.optimum}")
