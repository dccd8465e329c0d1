"""`seqform write-lcp`: the complementarity problem of a game as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqform.base.summary import counted
from seqform.cli import display
from seqform.cli.arguments import GameArgument, Parameters
from seqform.cli.loading import load


def write_lcp(
    game: GameArgument,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .mtx.")],
    param: Parameters = None,
) -> None:
    """Write the sequence-form complementarity problem of a two-player game to a file."""
    import seqform

    with display.spinner(shown=True):
        problem = seqform.write_lcp(load(game, param)[0], path)
    print(
        f"wrote {counted(problem.num_sequences, 'complementary pair')}, "
        f"{counted(problem.num_constraints, 'equation')}, "
        f"{counted(problem.num_nonzeros, 'nonzero')} to {path}"
    )
