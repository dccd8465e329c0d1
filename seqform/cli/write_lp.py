"""`seqform write-lp`: the linear program of a game as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqform.cli import display
from seqform.cli.arguments import GameArgument, Parameters
from seqform.cli.loading import load


def write_lp(
    game: GameArgument,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .lp or .mps.")],
    param: Parameters = None,
    player: Annotated[int, typer.Option(help="Whose program: 0 (primal) or 1 (dual).")] = 0,
) -> None:
    """Write the sequence-form linear program of a game to a file."""
    import seqform

    with display.spinner(shown=True):
        program = seqform.write_lp(load(game, param)[0], path, player)
    print(
        f"wrote {program.num_rows:,} rows, {program.num_columns:,} columns, "
        f"{program.num_nonzeros:,} nonzeros to {path}"
    )
    print(f"the optimum is {program.scale:g} times what player {player} can guarantee")
