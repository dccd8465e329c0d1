"""`seqform games` and `seqform info`: what there is, and how large it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seqform.base.errors import GameTooLargeError
from seqform.cli import display
from seqform.cli.arguments import AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import OPEN_SPIEL, entry_of, given_parameters, load, split
from seqform.cli.one_game import entry_record, in_a_call, show_game, written

if TYPE_CHECKING:
    from seqform import GameEntry

PROBE_SECONDS = 3.0
"""How long a tree that is too large is probed."""

MOST_PROBES = 100_000
"""In this time."""


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
        print(json.dumps([entry_record(entry) for entry in GAMES.usable()], indent=2))
    else:
        display.print_terms([(entry.name, _lines(entry)) for entry in GAMES.usable()])
        more = "`seqform games NAME` says more of one: rules, parameters, known values, sizes"
        display.print_terms([("", ["", more])])


def info(
    game: GameArgument,
    param: Parameters = None,
    max_nodes: MaxNodes = None,
    probes: Annotated[
        int | None,
        typer.Option(
            help="Random probes that estimate a tree too large to be built. "
            f"[default: as many as {PROBE_SECONDS:g} s take]"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of these probes.")] = 0,
    method: Annotated[
        str, typer.Option(help="By which the game is to be solved, for the estimate of memory.")
    ] = "auto",
    as_json: AsJson = False,
) -> None:
    """Count nodes, information sets and sequences; say how large the linear program is.

    The memory that it takes is estimated. So is the tree of a game that nobody can build: its
    nodes, its branching factor b and its depth m, by random probes.
    """
    asked = (
        {"probes": MOST_PROBES, "probe_seconds": PROBE_SECONDS}
        if probes is None
        else {"probes": probes}
    )
    with display.spinner(shown=not as_json):
        record = _described(game, param, max_nodes, {**asked, "seed": seed}, method)
    if as_json:
        print(json.dumps(record))
        return
    table = display.new_table("", game)
    for key, value in record.items():
        if key not in ("game", "params"):
            table.add_row(*display.count(key, value))
    display.print_table(table)


def _described(
    game: str,
    param: list[str] | None,
    max_nodes: int | None,
    asked: dict[str, Any],
    method: str,
) -> dict[str, Any]:
    """Return the record of a game; that of one of OpenSpiel's is estimated if it has no tree."""
    from seqform import describe
    from seqform.io import describe_open_spiel

    try:
        built, parameters = load(game, param, max_nodes)
    except GameTooLargeError as error:
        if not game.startswith(OPEN_SPIEL):
            raise
        whole, moves = split(game)
        own = whole.removeprefix(OPEN_SPIEL)
        found = describe_open_spiel(own, **asked, why=str(error), at=moves)
        return {"game": game, "params": given_parameters(param), **found}
    counts = describe(built, max_nodes, **asked, method=method)
    return {"game": game, "params": parameters, **counts}


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
