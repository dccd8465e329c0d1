"""`seqform convert`: a game from anywhere as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqform.base.summary import counted
from seqform.cli.arguments import GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load

if TYPE_CHECKING:
    from seqform import GameTree


def convert(
    game: GameArgument,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Ends in .efg (Gambit's format), .npz (our own, smaller and faster), "
            "or .nfg (Gambit's for tables: the normal form of a small game).",
        ),
    ],
    param: Parameters = None,
    max_nodes: MaxNodes = None,
) -> None:
    """Write a game to a file, which is then a GAME for every command."""
    from seqform import save_game

    tree = save_game(load(game, param, max_nodes)[0], out, title=game, max_nodes=max_nodes)
    if out.suffix.lower() == ".nfg":
        print(f"wrote {_strategies(tree)} reduced pure strategies to {out}")
        return
    print(
        f"wrote {counted(tree.num_nodes, 'node')} and "
        f"{counted(tree.num_infosets, 'information set')} of "
        f"{counted(tree.num_players, 'player')} to {out}"
    )


def _strategies(tree: GameTree) -> str:
    """Return how many reduced pure strategies each player has."""
    from seqform import build_sequence_form, count_strategies

    form = build_sequence_form(tree)
    return " x ".join(f"{count_strategies(treeplex).reduced:,}" for treeplex in form.treeplexes)
