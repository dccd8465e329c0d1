"""`seqform shrink`: a game and its linear program, before and after a reduction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.arguments import AsJson, GameArgument, MaxNodes, Parameters, Threshold
from seqform.cli.loading import load
from seqform.cli.shrink_steps import print_steps


def shrink(
    game: GameArgument,
    param: Parameters = None,
    criterion: Annotated[
        str | None,
        typer.Option(
            help="{reductions}. Default: outcome where signals are dealt, else equitable; with "
            "--steps contraction."
        ),
    ] = None,
    threshold: Threshold = 0.0,
    steps: Annotated[
        bool,
        typer.Option(
            "--steps", help="List what is merged, one pair of nodes after the other, and its loss."
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Folder for the game after each of the steps: .npz, and .svg."
        ),
    ] = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure/--no-measure", help="Solve the game after each of the steps, and lift."
        ),
    ] = True,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Shrink a game and compare sizes before and after: of its linear program, if it has one."""
    import seqform

    if out is not None and not steps:
        raise InvalidParameterError("--out writes the games after steps; give --steps too")
    if steps and threshold:
        raise InvalidParameterError("--steps merge what is isomorphic; leave out --threshold")
    if steps:
        print_steps(game, param, criterion, max_nodes, measure, out, as_json)
        return
    with display.spinner(shown=not as_json):
        built, parameters = load(game, param, max_nodes)
        record = seqform.shrink(built, criterion, threshold, max_nodes)
    if as_json:
        print(json.dumps({"game": game, "params": parameters, **record}))
    else:
        _print(game, record)


def _print(game: str, record: dict[str, Any]) -> None:
    print(
        f"{game}, criterion {record['criterion']}: classes {display.grouped(record['classes'])}; "
        f"found in {record['seconds']:.3f} s of CPU"
    )
    print(_loss(record))
    if "nodes" in record:
        before, after = record["nodes"]
        print(f"nodes of the tree: {before:,} before, {after:,} after")
    table = display.new_table("", "before", "after", "ratio")
    for name, before in record["before"].items():
        ratio = record["ratio"].get(name)
        table.add_row(
            name, f"{before:,}", f"{record['after'][name]:,}", "" if ratio is None else f"{ratio:,}"
        )
    display.print_table(table)


def _loss(record: dict[str, Any]) -> str:
    if record["before"] == record["after"]:
        return "nothing to merge"
    if record["lossless"]:
        return "lossless, by a theorem"
    return "not lossless: `seqform solve --abstract` says what it loses"
