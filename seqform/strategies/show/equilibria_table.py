"""All equilibria of a game side by side: a column for each, and rows where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from string import ascii_uppercase

from seqform.exact.extreme_equilibria import Equilibria
from seqform.exact.plan_proof import ExactEquilibrium
from seqform.strategies.show.table_text import Column, Table

SHOWN = 60
"""Equilibria that are shown."""

WIDEST = 8
"""Columns of a table; the other equilibria are in the next one."""

NEVER = "."
"""Where an equilibrium's own plan never comes."""

Key = tuple[int, int, int]
"""Player, information set, and the position of the action."""


def equilibria_tables(equilibria: Equilibria) -> tuple[Table, ...]:
    """Return tables with a column for each equilibrium, what it pays above what is played."""
    numbers = range(min(len(equilibria), SHOWN))
    plays = [_played(equilibria, equilibria[number]) for number in numbers]
    keys = sorted({key for play in plays for key in play})
    cells = {key: [_text(play.get(key)) for play in plays] for key in keys}
    differ = [key for key in keys if len(set(cells[key])) > 1]
    rows = [*_payoffs(equilibria, numbers), *_rows(equilibria, differ, cells)]
    starts = range(0, len(numbers), WIDEST)
    return tuple(_columns(rows, numbers[start : start + WIDEST]) for start in starts)


def played_in_all(equilibria: Equilibria) -> list[str]:
    """Return the actions that are taken for sure in all equilibria that come there."""
    plays = [_played(equilibria, each) for each in equilibria]
    keys = sorted({key for play in plays for key in play})
    return [_name(equilibria, key) for key in keys if all(play.get(key) == 1 for play in plays)]


def left_out(equilibria: Equilibria) -> int:
    """Return how many equilibria the tables do not show."""
    return max(0, len(equilibria) - SHOWN)


def _columns(rows: Sequence[tuple[str, Sequence[str]]], numbers: range) -> Table:
    """Return one table."""
    heads = (Column("equilibrium", "", False), *(Column(str(number + 1)) for number in numbers))
    cells = tuple((name, *texts[numbers.start : numbers.stop]) for name, texts in rows)
    return Table("", heads, cells)


def _payoffs(equilibria: Equilibria, numbers: range) -> Iterator[tuple[str, list[str]]]:
    for player in (0, 1):
        name = f"{equilibria.game.player_text(player)} gets"
        yield name, [str(equilibria[number].values[player]) for number in numbers]
    if equilibria.components is not None and len(set(equilibria.components)) > 1:
        yield "component", [_letter(equilibria.components[number]) for number in numbers]


def _rows(
    equilibria: Equilibria, keys: Sequence[Key], cells: dict[Key, list[str]]
) -> Iterator[tuple[str, list[str]]]:
    last = -1
    for key in keys:
        if key[0] != last:
            yield equilibria.game.player_text(key[0]), [""] * len(cells[key])
        last = key[0]
        yield f"  {_name(equilibria, key)}", cells[key]


def _played(equilibria: Equilibria, each: ExactEquilibrium) -> dict[Key, Fraction]:
    """Return the probability of each action where the player's own plan comes to."""
    found: dict[Key, Fraction] = {}
    for player, treeplex in enumerate(equilibria.game.treeplexes):
        plan = each.plans[player].tolist()
        for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
            if plan[parent]:
                here = range(*treeplex.first_sequence[infoset : infoset + 2].tolist())
                for position, sequence in enumerate(here):
                    found[player, infoset, position] = Fraction(plan[sequence], plan[parent])
    return found


def _text(probability: Fraction | None) -> str:
    return NEVER if probability is None else str(probability)


def _name(equilibria: Equilibria, key: Key) -> str:
    player, infoset, position = key
    action = equilibria.game.action_texts(player, infoset)[position]
    return f"{action} at {equilibria.game.infoset_text(player, infoset)}"


def _letter(component: int) -> str:
    letters = len(ascii_uppercase)
    return ascii_uppercase[component] if component < letters else str(component + 1)
