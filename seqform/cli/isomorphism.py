"""`seqform isomorphism`: whether two games are one, with nodes, sets and actions renamed."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED, AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load


def isomorphism(
    game: GameArgument,
    other: Annotated[
        str, typer.Argument(metavar="OTHER", help="The game to compare it with, given likewise.")
    ],
    param: Parameters = None,
    other_param: Annotated[
        list[str] | None,
        typer.Option("--other-param", "-q", metavar="key=value", help="A parameter of OTHER."),
    ] = None,
    free_actions: Annotated[
        bool,
        typer.Option(
            "--free-actions",
            help="Let the actions of an information set be matched anew at each of its nodes.",
        ),
    ] = False,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Find a map between two games that keeps their structure, or say why there is none.

    Players, payoffs, chance's probabilities and information sets are kept; names are not. Exit
    status 0 only if there is such a map.
    """
    import seqform

    with display.spinner(shown=not as_json):
        games = [load(name, of, max_nodes)[0] for name, of in ((game, param), (other, other_param))]
        found = seqform.isomorphism(*games, alike_actions=not free_actions, max_nodes=max_nodes)
    if as_json:
        print(json.dumps({"game": game, "other": other, **found.record()}))
    else:
        _print(game, other, found)
    if not found:
        sys.exit(EXIT_UNSOLVED)


def _print(game: str, other: str, found: Any) -> None:
    if not found:
        print(f"{game} and {other} are not isomorphic: {found.reason}")
        return
    print(f"{game} and {other} are isomorphic: {found.size}")
    if not len(found.infoset):
        return
    table = display.new_table("", "information set", "mapped to", "actions")
    for row in found.record()["infosets"]:
        pairs = row["actions"]
        alike = pairs and [own if own == to else f"{own} -> {to}" for own, to in pairs]
        words = ", ".join(alike) if alike else "not the same at all nodes"
        table.add_row(f"player {row['player']}", row["infoset"], row["to"], words)
    display.print_table(table)
