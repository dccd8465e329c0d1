"""`seqform games` and `seqform info`: what there is, and how large it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from seqform.cli import display
from seqform.cli.arguments import AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import entry_of, load
from seqform.cli.one_game import entry_record, in_a_call, show_game, written

if TYPE_CHECKING:
    from seqform import GameEntry


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One game: all that is known of it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the games with their parameters and values, or say all that is known of one."""
    from seqform import GAMES

    if game is not None:
        show_game(entry_of(game), as_json)
    elif as_json:
        print(json.dumps([entry_record(entry) for entry in GAMES], indent=2))
    else:
        display.print_terms([(entry.name, _lines(entry)) for entry in GAMES])
        more = "`seqform games NAME` says more of one: rules, parameters, known values, sizes"
        display.print_terms([("", ["", more])])


def info(
    game: GameArgument,
    param: Parameters = None,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Count nodes, information sets and sequences; say how large the linear program is.

    The memory that it takes is estimated.
    """
    from seqform import describe

    with display.spinner(shown=not as_json):
        built, parameters = load(game, param, max_nodes)
        record = {"game": game, "params": parameters, **describe(built, max_nodes)}
    if as_json:
        print(json.dumps(record))
        return
    table = display.new_table("", game)
    for key, value in record.items():
        if key not in ("game", "params"):
            table.add_row(key.replace("_", " "), display.grouped(value))
    display.print_table(table)


def _lines(entry: GameEntry) -> list[str]:
    parameters = " ".join(in_a_call(name, found) for name, (_, found) in entry.parameters.items())
    return [entry.summary, *([parameters] if parameters else []), *_known(entry)]


def _known(entry: GameEntry) -> list[str]:
    """Say the value with the default parameters, and for how many others one is known."""
    usual = entry.known_value({})
    others = len(entry.known) - (usual is not None)
    words = [] if usual is None else [f"value {written(usual.value)}"]
    if others:
        words.append(f"{others} known with other parameters")
    return ["; ".join(words)] if words else []
