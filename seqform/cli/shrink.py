"""`seqform shrink`: a game and its linear program, before and after a reduction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.arguments import AsJson, GameArgument, MaxNodes, Parameters, Threshold
from seqform.cli.compared import compare as compare_all
from seqform.cli.loading import load
from seqform.cli.shrink_steps import print_steps


def shrink(
    game: GameArgument,
    param: Parameters = None,
    criterion: Annotated[
        str | None,
        typer.Option(
            help="{reductions}. Default: outcome where signals are dealt to two, else equitable; "
            "with --steps contraction."
        ),
    ] = None,
    threshold: Threshold = 0.0,
    steps: Annotated[
        bool,
        typer.Option(
            "--steps", help="List what is merged, one pair of nodes after the other, and its loss."
        ),
    ] = False,
    max_nodes: MaxNodes = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare all reductions in one table.")
    ] = False,
    loss: Annotated[
        bool | None,
        typer.Option(
            "--loss/--no-loss",
            help="Measure what each loses: with --steps by default, with --compare where it takes "
            "seconds.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="With --compare a picture: .svg, .pdf or .png. With --steps a folder for the "
            "game after each of them: .npz and .svg.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Shrink a game and compare sizes before and after: of its linear program, if it has one."""
    import seqform

    if steps and compare:
        raise InvalidParameterError("--steps and --compare are two tables: take one of them")
    if compare:
        if criterion is not None:
            raise InvalidParameterError("--compare is of all criteria: leave out --criterion")
        compare_all(game, param, threshold, loss, out, max_nodes, as_json)
        return
    if steps:
        if threshold:
            raise InvalidParameterError("--steps merge what is isomorphic; leave out --threshold")
        print_steps(game, param, criterion, max_nodes, loss is not False, out, as_json)
        return
    if loss is not None or out is not None:
        raise InvalidParameterError(
            "--loss, --no-loss and --out are for --compare and --steps: add one of them"
        )
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
    nodes = record.get("nodes", [])
    if record["before"] == record["after"] and len(set(nodes)) < 2:
        return "nothing to merge"
    if record["lossless"]:
        return "lossless, by a theorem"
    return "not lossless: `seqform solve --abstract` says what it loses"
