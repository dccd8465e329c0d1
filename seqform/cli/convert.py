"""`seqform convert`: a game from anywhere as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqform.cli.arguments import GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load


def convert(
    game: GameArgument,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Ends in .efg (Gambit's format) or .npz (our own, smaller and faster).",
        ),
    ],
    param: Parameters = None,
    max_nodes: MaxNodes = None,
) -> None:
    """Write the tree of a game to a file, which is then a GAME for every command."""
    from seqform import save_game

    tree = save_game(load(game, param, max_nodes)[0], out, title=game, max_nodes=max_nodes)
    print(
        f"wrote {tree.num_nodes:,} nodes and {tree.num_infosets:,} information sets of "
        f"{tree.num_players} players to {out}"
    )
