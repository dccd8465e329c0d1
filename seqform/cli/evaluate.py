"""`seqform evaluate`: what a strategy is worth."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seqform.base.errors import InvalidParameterError
from seqform.base.summary import counted
from seqform.cli import display
from seqform.cli.arguments import AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.everywhere import print_everywhere
from seqform.cli.loading import load
from seqform.cli.stages import print_proof
from seqform.cli.strategies import STRATEGY_HELP, Complete, Exact

if TYPE_CHECKING:
    from seqform import Evaluation

MOST_DEVIATIONS = 20
"""Deviations from a correlated device that are shown."""


def evaluate(
    game: GameArgument,
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="FILE", help=f"The strategy: {STRATEGY_HELP}."),
    ] = None,
    device: Annotated[
        Path | None,
        typer.Option(
            help="Judge a correlated device instead: what each deviation from it gains. A table "
            "(strategy0, strategy1, ..., probability), a matrix of weights with an empty corner, "
            "or what `solve --method efce --out` wrote."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="FILE", help="Who plays the other seats; of any kind."),
    ] = None,
    param: Parameters = None,
    complete: Complete = "uniform",
    exact: Exact = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="What each line of play adds to the payoffs.")
    ] = False,
    hands: Annotated[
        bool, typer.Option("--hands", help="What each hand adds, where the game deals hands.")
    ] = False,
    infosets: Annotated[
        bool,
        typer.Option(
            "--infosets", help="Reach, values and regrets of every information set and action."
        ),
    ] = False,
    nodes: Annotated[
        bool,
        typer.Option(
            "--nodes", help="Reach, values and beliefs of every node of the tree, by its moves."
        ),
    ] = False,
    sequential: Annotated[
        bool,
        typer.Option(
            "--sequential", help="Whether it is a sequential equilibrium, of a small game."
        ),
    ] = False,
    beliefs: Annotated[
        Path | None,
        typer.Option(
            help="Beliefs for --sequential: a table (player, infoset, node, probability), nodes "
            "by their moves, such as 'J > Q > bet'. Default: some are looked for."
        ),
    ] = None,
    max_nodes: MaxNodes = None,
    as_json: AsJson = False,
) -> None:
    """Say what a strategy gets, alone or against another, and what a best response gains.

    With --device: what players get who obey a correlated device, and gain by not obeying.
    """
    import seqform
    from seqform.io import read_beliefs, read_rule, read_strategy

    if device is not None and profile is None:
        _judge(game, load(game, param, max_nodes)[0], device, max_nodes, as_json)
        return
    if profile is None or device is not None:
        raise InvalidParameterError(
            "give either a strategy, by --profile FILE, or a correlated device, by --device FILE"
        )
    found, _ = load(game, param, max_nodes)
    if seqform.is_recursive(found):
        print_proof(found, profile, as_json=as_json)
        return
    check: dict[str, str] = {}
    seen = None
    with display.spinner(shown=not as_json):
        form = seqform.playing_form(found, max_nodes)
        named = getattr(form, "named", form)
        evaluation = seqform.evaluate(
            form,
            read_strategy(profile, named),
            None if against is None else read_strategy(against, named),
            complete=read_rule(complete, named),
            exact=exact,
            lines=lines,
            hands=hands,
            source=found,
        )
        if infosets or nodes:
            played, rule = read_strategy(profile, form), read_rule(complete, form)
            seen = seqform.analyze(form, played, complete=rule, exact=exact)
        if sequential or beliefs is not None:
            played, rule = read_strategy(profile, form), read_rule(complete, form)
            believed = None if beliefs is None else read_beliefs(beliefs, form)
            checked = seqform.check_sequential_equilibrium(form, played, believed, complete=rule)
            check = {"sequential_equilibrium": checked.verdict, "reason": checked.reason}
    if as_json:
        everywhere = seen.record(infosets, nodes) if seen else {}
        print(json.dumps({"game": game, **evaluation.record(), **check, **everywhere}))
        return
    _print(game, evaluation, check)
    if seen is not None:
        print_everywhere(seen, infosets, nodes)


def _judge(game: str, found: Any, device: Path, max_nodes: int | None, as_json: bool) -> None:
    """Print what is found out about a correlated device."""
    import seqform

    with display.spinner(shown=not as_json):
        form = seqform.form_of(found, max_nodes)
        check = seqform.check_correlated_equilibrium(form, device)
    if as_json:
        print(json.dumps({"game": game, **check.record()}))
        return
    table = display.new_table("", game)
    for row in check.summary():
        table.add_row(*row)
    display.print_whole(table)
    gaining = check.gaining_rows()
    if gaining:
        table = display.new_table("player", "deviation", "of", "gains", "told with probability")
        for cells in gaining[:MOST_DEVIATIONS]:
            table.add_row(*cells)
        display.print_whole(table)
    if len(gaining) > MOST_DEVIATIONS:
        more = counted(
            len(gaining) - MOST_DEVIATIONS, "deviation more gains", "deviations more gain"
        )
        print(f"{more}; --json has all")


def _print(game: str, evaluation: Evaluation, check: dict[str, str]) -> None:
    table = display.new_table("", game)
    for row in evaluation.summary():
        table.add_row(*row)
    if check:
        table.add_row("sequential equilibrium", ": ".join(check.values()))
    display.print_table(table)
    for seat in evaluation.seats:
        _print_parts(seat, evaluation.player_text)


def _print_parts(seat: Any, called: Callable[[int], str]) -> None:
    """Print the parts of a seat's payoffs, which add up to them."""
    where = "" if seat.player is None else f"the profile as {called(seat.player)}: "
    if seat.lines is not None:
        players = [f"to {called(player)}" for player in range(len(seat.values))]
        table = display.new_table(f"{where}line", "probability", *players)
        for line in seat.lines:
            table.add_row(line.name or "(no move)", *_numbers(line.probability, line.contributions))
        table.add_row("sum", *_numbers(sum(line.probability for line in seat.lines), seat.values))
        display.print_table(table)
    for player, hands in enumerate(seat.hands or ()):
        table = display.new_table(
            f"{where}{called(player)}'s hand", "probability", "adds", "mean with this hand"
        )
        for hand in hands:
            mean = hand.contribution / hand.probability if hand.probability else 0.0
            table.add_row(hand.cards, *_numbers(hand.probability, (hand.contribution, mean)))
        display.print_table(table)


def _numbers(first: float, others: Any) -> list[str]:
    return ["" if isnan(number) else f"{number:.6f}" for number in (first, *others)]
