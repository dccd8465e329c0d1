"""Tables of all information sets and all nodes, in fractions where they are known so."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING, Any

from seqform.base.number import fraction_text
from seqform.cli import display

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqform import StrategyAnalysis

OF_SETS = ("reach", "value", "action_value", "action_regret")
"""Columns of numbers in the table of information sets."""

LONGEST = 24
"""Characters of a fraction in a table; longer ones are shown as decimals."""


def print_everywhere(seen: StrategyAnalysis, infosets: bool, nodes: bool) -> None:
    """Print a line for each action of each information set, and one for each node."""
    shown = seen.exact or seen
    if infosets:
        numbers = [name.replace("_", " ") for name in ("probability", *OF_SETS)]
        table = display.new_table("player", "information set", "action", *numbers)
        for row in shown.rows():
            named = (str(row["player"]), str(row["infoset"]), str(row["action"]))
            table.add_row(*named, *(_text(row[name]) for name in ("probability", *OF_SETS)))
        display.print_table(table)
    if nodes:
        players = [f"to player {player}" for player in range(seen.form.num_players)]
        table = display.new_table("node", "mover", "information set", "reach", "belief", *players)
        for row in shown.nodes.rows():
            named = (row["path"], _name(row["player"]), _name(row["infoset"]))
            found = (row["reach"], row["belief"], *row["values"])
            table.add_row(*named, *map(_text, found))
        display.print_table(table)


def everywhere_record(seen: StrategyAnalysis, infosets: bool, nodes: bool) -> dict[str, Any]:
    """Return the same as JSON values: floats, and beside them fractions as text where known."""
    found: dict[str, Any] = {}
    if infosets:
        found["infosets"] = _records(seen.rows())
        found["exact_infosets"] = None if seen.exact is None else _records(seen.exact.rows())
    if nodes:
        found["nodes"] = _records(seen.nodes.rows())
        found["exact_nodes"] = None if seen.exact is None else _records(seen.exact.nodes.rows())
    return found


def _records(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: _jsonable(value) for name, value in row.items()} for row in rows]


def _jsonable(value: Any) -> Any:
    if isinstance(value, tuple) and any(isinstance(part, (float, Fraction)) for part in value):
        return [_jsonable(part) for part in value]
    if isinstance(value, Fraction):
        return fraction_text(value)
    if isinstance(value, float):
        return None if isnan(value) else value
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def _name(value: object) -> str:
    return "" if value is None else str(value)


def _text(number: Any) -> str:
    """Return a number for a table; empty where it is not defined."""
    if isinstance(number, Fraction) and len(text := fraction_text(number)) <= LONGEST:
        return text
    return "" if number is None or isnan(number) else f"{float(number):.6g}"
