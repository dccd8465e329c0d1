"""`seqform best-response`: what a strategy is answered by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from seqform.cli import display
from seqform.cli.arguments import PLAYER, AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load
from seqform.cli.strategies import Complete, Exact, ProfileOption


def best_response(
    game: GameArgument,
    profile: ProfileOption,
    player: Annotated[
        str, typer.Option(metavar=PLAYER, help="Who answers: a number from 0 on, or a name.")
    ],
    param: Parameters = None,
    complete: Complete = "uniform",
    exact: Exact = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File for the answer and what it answers: .csv, or .npz by classes of hands."
        ),
    ] = None,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Find a best response to the others' strategies, and write it as a strategy.

    The method of that name (`seqform solve --method best-response`) is for games in which one
    player has something to decide.
    """
    import seqform
    from seqform.io import read_rule, read_strategy

    if out is not None:
        seqform.check_strategy_file(out)
    found, _ = load(game, param, max_nodes)
    with display.spinner(shown=not as_json):
        form = seqform.playing_form(found, max_nodes)
        named = getattr(form, "named", form)
        mine = read_strategy(profile, named)
        rule = read_rule(complete, named)
        answer = seqform.respond(form, mine, player, complete=rule, exact=exact)
        if out is not None:
            answer.save(out)
    if as_json:
        print(json.dumps({"game": game, **answer.record()}))
        return
    table = display.new_table("", game)
    for row in answer.summary():
        table.add_row(*row)
    display.print_table(table)
    if out is not None:
        print(f"written to {out}, with the strategies that it answers")
