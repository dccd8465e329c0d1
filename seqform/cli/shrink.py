"""`seqform shrink`: a game and its linear program, before and after abstraction."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from seqform.cli import display
from seqform.cli.arguments import AsJson, GameArgument, MaxNodes, Parameters, Threshold
from seqform.cli.loading import abstraction, load


def shrink(
    game: GameArgument,
    param: Parameters = None,
    criterion: Annotated[
        str | None,
        typer.Option(
            help="outcome, suit, equitable, tree or tree-published. Default: outcome where "
            "signals are dealt, else equitable."
        ),
    ] = None,
    threshold: Threshold = 0.0,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Shrink a game with GameShrink and compare its linear program before and after."""
    built, parameters = load(game, param, max_nodes)
    record = {
        "game": game,
        "params": parameters,
        **abstraction("report").shrink(built, criterion, threshold, max_nodes),
    }
    if as_json:
        print(json.dumps(record))
        return
    table = display.new_table("", "before", "after", "ratio")
    for name in ("rows", "columns", "nonzeros"):
        table.add_row(
            name,
            f"{record['before'][name]:,}",
            f"{record['after'][name]:,}",
            f"{record['ratio'][name]:,}",
        )
    print(
        f"{game}, criterion {record['criterion']}: classes {display.grouped(record['classes'])}; "
        f"found in {record['seconds']:.3f} s of CPU"
    )
    if record["before"] == record["after"]:
        print("nothing to merge")
    else:
        print(
            "lossless, by a theorem"
            if record["lossless"]
            else "not lossless: `seqform solve --abstract` says what it loses"
        )
    if "nodes" in record:
        print(f"nodes of the tree: {record['nodes'][0]:,} before, {record['nodes'][1]:,} after")
    display.print_table(table)
