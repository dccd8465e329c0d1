"""`seqform convert`: a game from anywhere as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqform.base.errors import GameFileError, InvalidParameterError
from seqform.cli.arguments import GameArgument, MaxNodes, Parameters
from seqform.cli.loading import FILES, load


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
    from seqform.io import write_efg
    from seqform.tree.file import save_tree
    from seqform.tree.from_any import build_tree

    if out.suffix not in FILES:
        raise InvalidParameterError(
            f"{out}: the name of the file says its format; let it end in {' or '.join(FILES)}"
        )
    tree = build_tree(load(game, param, max_nodes)[0], max_nodes)
    if out.suffix == ".efg":
        write_efg(tree, out, title=game)
    else:
        try:
            save_tree(tree, out)
        except OSError as error:
            raise GameFileError(f"cannot write {out}: {error.strerror}") from None
    print(
        f"wrote {tree.num_nodes:,} nodes and {tree.num_infosets:,} information sets of "
        f"{tree.num_players} players to {out}"
    )
