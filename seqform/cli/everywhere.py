"""Tables of all information sets and all nodes, in fractions where they are known so."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING, Any

from seqform.cli import display

if TYPE_CHECKING:
    from seqform import StrategyAnalysis

OF_SETS = ("reach", "value", "action_value", "action_regret")
"""Columns of numbers in the table of information sets."""

MOST_BITS = 64
"""Of the numerator and the denominator of a fraction in a table; others are shown as decimals."""


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


def _name(value: object) -> str:
    return "" if value is None else str(value)


def _text(number: Any) -> str:
    """Return a number for a table; empty where it is not defined."""
    if isinstance(number, Fraction):
        bits = number.numerator.bit_length() + number.denominator.bit_length()
        return str(number) if bits <= MOST_BITS else f"{float(number):.6g}"
    return "" if number is None or isnan(number) else f"{float(number):.6g}"
