"""`seqform draw`: a game tree as a picture, or as text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqform.cli import display
from seqform.cli.arguments import GameArgument, Parameters
from seqform.cli.loading import load


def draw(
    game: GameArgument,
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
        bool, typer.Option("--solution", help="Solve the game and show what is played.")
    ] = False,
    values: Annotated[
        bool, typer.Option("--values", help="Solve the game and write values into the nodes.")
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
) -> None:
    """Draw a game tree, or the part below a state.

    Only what is drawn is expanded, unless the game is to be solved.
    """
    from seqform.drawing import draw_figure, draw_text, draw_tree, save_figure
    from seqform.drawing.drawn_tree import MAX_NODES
    from seqform.drawing.figure import check_orientation, check_path
    from seqform.drawing.legend import meaning_of_numbers

    check_orientation(orientation)  # before the game is solved
    if out is not None:
        check_path(out)
    limit = MAX_NODES if max_nodes is None else max_nodes
    tree = draw_tree(
        load(game, param)[0],
        start=start,
        max_depth=max_depth,
        max_nodes=limit,
        solution=solution,
        values=values,
    )
    if out is None:
        display.print_tree(draw_text(tree))
        if meaning := meaning_of_numbers(tree):
            print(meaning)
        return
    figure = draw_figure(tree, infosets=infosets, orientation=orientation, legend=legend)
    save_figure(figure, out)
    width, height = figure.get_size_inches()
    print(f"wrote {len(tree.nodes):,} nodes to {out}, {width:.1f} by {height:.1f} inches")
