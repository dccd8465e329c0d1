"""`seqform draw`: a game tree as a picture, or as text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from seqform.base.errors import UnknownNameError
from seqform.base.summary import counted
from seqform.cli import display
from seqform.cli.arguments import GAME_HELP, Parameters
from seqform.cli.loading import load_or_result
from seqform.cli.stages import draw_stages_of


def draw(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help=f"{GAME_HELP}; or a folder `seqform solve --out` wrote."
        ),
    ],
    param: Parameters = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="File to write: .svg, .pdf or .png. Default: text in the terminal."
        ),
    ] = None,
    start: Annotated[
        str,
        typer.Option(
            "--from", metavar="MOVES", help="Where to begin: moves from the root, such as J,Q,bet."
        ),
    ] = "",
    max_depth: Annotated[
        int | None, typer.Option(min=0, help="How many moves to go down from there.")
    ] = None,
    solution: Annotated[
        bool,
        typer.Option("--solution", help="Show what is played; a saved game is not solved again."),
    ] = False,
    values: Annotated[
        bool | None,
        typer.Option(
            "--values/--no-values",
            help="Write values into the nodes, of the same solution; with --solution it is done.",
        ),
    ] = None,
    fold: Annotated[
        bool | None,
        typer.Option(
            "--fold/--no-fold",
            help="Draw moves that are alike by symmetry once. Default: where a page is too narrow.",
        ),
    ] = None,
    pruning: Annotated[
        bool, typer.Option("--pruning", help="Show which moves alpha-beta does not look at.")
    ] = False,
    infosets: Annotated[
        bool, typer.Option("--infosets", help="Write the names of information sets into the nodes.")
    ] = False,
    orientation: Annotated[
        str, typer.Option(help="down, right, or auto: down if a page is wide enough.")
    ] = "auto",
    legend: Annotated[
        bool, typer.Option("--legend/--no-legend", help="Explain the signs below the tree.")
    ] = True,
    max_nodes: Annotated[
        int | None, typer.Option(min=1, help="Most nodes to draw; default 800.")
    ] = None,
    hand: Annotated[
        str, typer.Option(metavar="CARDS", help="Only this hand of a player, such as Ks.")
    ] = "",
    player: Annotated[int, typer.Option(min=0, help="Whose hand it is.")] = 0,
    line: Annotated[
        str,
        typer.Option(
            metavar="ACTIONS", help="Only these actions at first, such as check-bet/call."
        ),
    ] = "",
) -> None:
    """Draw a game tree, or the part below a state.

    Only what is drawn is expanded, unless the game is to be solved. What is too much for a picture
    is left out, and it says so.
    """
    from seqform import is_of_stages, is_recursive
    from seqform.drawing import ORIENTATIONS, draw_text, draw_tree, save_picture

    if orientation not in ORIENTATIONS:
        raise UnknownNameError.of("orientation", orientation, ORIENTATIONS)

    part: dict[str, Any] = {
        "start": start,
        "max_depth": max_depth,
        "max_nodes": max_nodes,
        "solution": solution,
        "values": values,
        "fit": True,
        "hand": hand,
        "player": player,
        "line": line,
        "fold": fold,
        "pruning": pruning,
    }
    shape = {"infosets": infosets, "orientation": orientation, "legend": legend}
    with display.spinner(shown=True):
        found = load_or_result(game, param)
        if is_recursive(found) or is_of_stages(found):
            draw_stages_of(found, game, out)
            return
        if out is None:
            tree = draw_tree(found, **part)
        else:
            tree, figure = save_picture(found, out, **part, **shape)
    if out is None:
        display.print_whole(draw_text(tree))
        if tree.meaning:
            print(tree.meaning)
    else:
        width, height = figure.get_size_inches()
        print(
            f"wrote {counted(len(tree.nodes), 'node')} to {out}, {width:.1f} by {height:.1f} inches"
        )
    _say_what_is_left_out(tree)


def _say_what_is_left_out(tree: Any) -> None:
    if tree.left_out:
        more = "--from, --hand, --line and --max-depth draw parts, and --max-nodes draws more"
        print(f"seqform: left out: {tree.left_out}; {more}", file=sys.stderr)
