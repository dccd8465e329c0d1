"""`seqform compare-nodes`: whether GameShrink takes two nodes for the same, and why."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED, AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load


def compare_nodes(
    game: GameArgument,
    x: Annotated[
        str,
        typer.Argument(metavar="X", help="Moves from the root to a node, such as J1,K,bet."),
    ],
    y: Annotated[str, typer.Argument(metavar="Y", help="Moves to a node of the same depth.")],
    param: Parameters = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File for the bipartite graph: .svg, .pdf or .png."),
    ] = None,
    literal: Annotated[
        bool,
        typer.Option(
            "--literal",
            help="Match information sets only, as the talk has it, and not the children they hold.",
        ),
    ] = False,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Ask GameShrink whether two nodes are isomorphic: the bipartite graph, and what it lacks.

    Vertices are the information sets that hold a child of X or of Y. Exit status 0 only if there is
    a perfect matching.
    """
    import seqform
    from seqform.drawing import check_path, draw_nodes_compared, save_figure

    if out is not None:
        check_path(out)
    with display.spinner(shown=not as_json):
        built = load(game, param, max_nodes)[0]
        found = seqform.compare_nodes(built, x, y, literal=literal, max_nodes=max_nodes)
        if out is not None:
            save_figure(draw_nodes_compared(found), out)
    if as_json:
        print(json.dumps({"game": game, **found.record()}))
    else:
        _print(found)
        if out is not None:
            print(f"wrote the bipartite graph to {out}")
    if not found:
        sys.exit(EXIT_UNSOLVED)


def _print(found: Any) -> None:
    x, y = found.names
    print(f"{x} and {y} are {'' if found else 'not '}isomorphic")
    for depth, reason in enumerate(found.reasons()):
        print(f"{'  ' * depth}because {reason}")
    if not found.left:
        return
    matched, joined = dict(found.matching), set(found.edges)
    table = display.new_table(f"sets below {x}", f"joined to, below {y}", "matched")
    for i, held in enumerate(found.left):
        others = [j for j in range(len(found.right)) if (i, j) in joined]
        names = "\n".join(found.right[j].text for j in others) or "none"
        partner = found.right[matched[i]].text if i in matched else "to nothing"
        table.add_row(held.text, names, partner)
    display.print_table(table)
