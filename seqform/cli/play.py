"""`seqform play`: a game in the terminal, against an equilibrium."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seqform.cli import display
from seqform.cli.arguments import PLAYER, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load
from seqform.cli.stages import play_at
from seqform.cli.strategies import STRATEGY_HELP, Complete, too_large_to_wait

if TYPE_CHECKING:
    from seqform import AnyGame


def play(
    game: GameArgument,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="FILE",
            help=f"Who you play against: {STRATEGY_HELP}. Of a recursive game, a folder that "
            "`seqform solve --out` wrote, or uniform. Default: the game is solved.",
        ),
    ] = None,
    param: Parameters = None,
    player: Annotated[
        str | None,
        typer.Option(metavar=PLAYER, help="Your seat, from 0, or its name; default: all in turn."),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many hands, or whole plays of a recursive game; default: until you quit.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Deal the same cards again; default: others.")
    ] = None,
    think: Annotated[
        float, typer.Option(help="Seconds of search for a move in large games of full information.")
    ] = 2.0,
    complete: Complete = "uniform",
    max_nodes: MaxNodes = None,
) -> None:
    """Play a game against an equilibrium; afterwards hear what your decisions cost.

    Games of perfect information are played against backward induction, or a search.
    """
    import seqform

    found, _ = load(game, param, max_nodes)
    if seqform.is_recursive(found):
        play_at(found, against, hands, player, seed)
        return
    with display.spinner(shown=True):
        other, rule = _opponent(game, found, against, complete, max_nodes)
    seqform.play(
        found,
        other,
        hands=hands,
        player=player,
        seed=seed,
        think=think,
        complete=rule,
        symbols="utf" in (sys.stdout.encoding or "").lower(),
        max_nodes=max_nodes,
    )


def _opponent(
    name: str, game: AnyGame, against: str | None, complete: str, max_nodes: int | None
) -> tuple[Any, Any]:
    """Return whom one plays against, and how what they leave open is filled."""
    import seqform
    from seqform.io import read_rule, read_signal_strategy, read_strategy

    is_large = seqform.is_too_large(game, max_nodes)
    if against is None:
        if getattr(game, "perfect_information", False):
            return None, complete
        if is_large:
            raise too_large_to_wait(name)
        return seqform.solve(game, max_nodes=max_nodes), complete
    if is_large and isinstance(game, seqform.SignalGame):
        return read_signal_strategy(against, game), complete
    form = seqform.form_of(game, max_nodes)
    return read_strategy(against, form), read_rule(complete, form)
