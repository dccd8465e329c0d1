"""`seqform sample`: hands played by strategies."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.arguments import PLAYER, AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load
from seqform.cli.stages import print_sample
from seqform.cli.strategies import STRATEGY_HELP, Complete, too_large_to_wait


def sample(
    game: GameArgument,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            metavar="FILE",
            help=f"The strategy that is judged: {STRATEGY_HELP}. Default: the game is solved.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="FILE", help="Who plays the other seats; of any kind."),
    ] = None,
    param: Parameters = None,
    hands: Annotated[int, typer.Option(help="How many hands.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same hands.")] = 0,
    player: Annotated[
        str | None,
        typer.Option(metavar=PLAYER, help="The strategy's seat, or name; default: all in turn."),
    ] = None,
    complete: Complete = "uniform",
    out: Annotated[
        Path | None, typer.Option(help="File for the table of hands; default: the terminal.")
    ] = None,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Play hands at random and print them as CSV, the means on standard error.

    Luck that is known, of chance and of the strategy itself, is taken out of the second mean.
    """
    import seqform
    from seqform.io import read_rule

    found, _ = load(game, param, max_nodes)
    if seqform.is_recursive(found):
        if against is not None or player is not None:
            raise InvalidParameterError(
                "--against and --player are of one hand; of a recursive game all play as --profile"
            )
        print_sample(found, profile, hands, seed, out, as_json=as_json)
        return
    with display.spinner(shown=not as_json):
        is_large = seqform.is_too_large(found, max_nodes)
        if is_large and profile is None:
            raise too_large_to_wait(game)
        read_from: Any = found if is_large else seqform.form_of(found, max_nodes)
        played = seqform.sample(
            read_from,
            seqform.solve(read_from) if profile is None else _read(profile, read_from),
            None if against is None else _read(against, read_from),
            hands=hands,
            seed=seed,
            player=player,
            complete=complete if is_large else read_rule(complete, read_from),
        )
    if out is not None:
        played.save(out)
    if as_json:
        print(json.dumps({"game": game, **played.record()}))
        return
    if out is None:
        csv.writer(sys.stdout, lineterminator="\n").writerows(played.rows())
    for name, text in played.summary():
        print(f"{name}: {text}", file=sys.stderr if out is None else sys.stdout)


def _read(path: str, game: Any) -> Any:
    """Return a strategy of a form, or of a signal game too large for a tree."""
    from seqform import SignalGame
    from seqform.io import read_signal_strategy, read_strategy

    if isinstance(game, SignalGame):
        return read_signal_strategy(path, game)
    return read_strategy(path, game)
