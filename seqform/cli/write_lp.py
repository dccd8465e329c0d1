"""`seqform write-lp`: the linear program of a game as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqform.cli.arguments import GameArgument, Parameters
from seqform.cli.loading import load


def write_lp(
    game: GameArgument,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .lp or .mps.")],
    param: Parameters = None,
    player: Annotated[int, typer.Option(help="Whose program: 0 (primal) or 1 (dual).")] = 0,
) -> None:
    """Write the sequence-form linear program of a game to a file."""
    from seqform.form.from_tree import build_sequence_form
    from seqform.solvers.linear.highs import write_lp as write
    from seqform.solvers.linear.program import build_lp
    from seqform.tree.from_any import build_tree

    program = build_lp(build_sequence_form(build_tree(load(game, param)[0])), player)
    write(program, path)
    print(
        f"wrote {program.num_rows:,} rows, {program.num_columns:,} columns, "
        f"{program.num_nonzeros:,} nonzeros to {path}"
    )
    print(f"the optimum is {program.scale:g} times what player {player} can guarantee")
