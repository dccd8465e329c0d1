"""`seqform games` and `seqform info`: what there is, and how large it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from seqform.cli import display
from seqform.cli.arguments import AsJson, GameArgument, MaxNodes, Parameters
from seqform.cli.loading import load

if TYPE_CHECKING:
    from seqform import GameEntry


def games(as_json: AsJson = False) -> None:
    """List the games, their parameters with defaults, and the values known for them."""
    from seqform import GAMES

    entries = list(GAMES)
    if as_json:
        print(json.dumps([_entry_record(e) for e in entries], indent=2))
        return
    table = display.new_table("game", "parameters", "known value to player 0")
    for e in entries:
        values = [f"{_value(k.value)}{_at(k.parameters)}" for k in e.known]
        table.add_row(
            f"[bold]{e.name}[/bold]\n{e.summary}",
            "\n".join(f"{n}={d}" for n, (_, d) in e.parameters.items()),
            "\n".join(values),
            end_section=True,
        )
    display.print_table(table)


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


def _entry_record(entry: GameEntry) -> dict[str, Any]:
    known = [
        {"value": str(k.value), "params": dict(k.parameters), "source": k.source}
        for k in entry.known
    ]
    return {
        "name": entry.name,
        "summary": entry.summary,
        "params": {n: d for n, (_, d) in entry.parameters.items()},
        "known_values": known,
    }


def _value(value: Any) -> str:
    """Write a number; a fraction too long for the table as a decimal."""
    text = display.short(value)
    return text if len(text) <= 20 else f"{float(value):.15g}..."


def _at(parameters: Any) -> str:
    return f" ({', '.join(f'{k}={v}' for k, v in parameters.items())})" if parameters else ""
