"""Strategies of any game as a table that sorts: a row for each action of each information set."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import isnan
from typing import Any

from markupsafe import Markup

from seqform.report.numbers import amount, share, typeset
from seqform.report.tables import Cell, Head, Table
from seqform.strategies.show.subject import Subject

MOST_ROWS = 600
"""Actions that the table has at most."""

HEADS = (
    Head("information set"),
    Head("player", True),
    Head("reach", True),
    Head("action"),
    Head("probability", True),
    Head("action value", True),
    Head("regret", True),
)


PLAYED = Markup(
    '<span class="share{}" data-sequence="{}:{}" data-share="{:.6g}">'
    '<span class="track" aria-hidden="true"><span style="width:{:.3g}%" class="fill"></span></span>'
    "{}</span>"
)
"""A probability, and a bar of that length."""


def infoset_table(subject: Subject) -> tuple[Table, int]:
    """Return the table of the first actions, and how many it leaves out."""
    rows = list(islice(_rows(subject), MOST_ROWS))
    form = subject.form
    total = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
    title = f"What is played, in each information set (values in {form.unit})"
    return Table(title, HEADS, rows), total - len(rows)


def _rows(subject: Subject) -> Iterator[tuple[object, ...]]:
    scale = subject.form.payoff_scale
    for player, treeplex in enumerate(subject.form.treeplexes):
        numbered = zip(
            range(1, treeplex.num_sequences),
            subject.analysis.rows(player, as_text=True),
            strict=True,
        )
        for sequence, row in numbered:
            yield _row(row, sequence, scale, subject.form.player_names)


def _row(
    row: dict[str, Any], sequence: int, scale: float, names: tuple[str, ...]
) -> tuple[object, ...]:
    is_reached = row["is_reached"]
    chance = row["probability"]
    never = "" if is_reached else " never"
    played = PLAYED.format(never, row["player"], sequence, chance, 100 * chance, share(chance))
    values = (row["action_value"], row["action_regret"])
    return (
        str(row["infoset"]),
        Cell(f"{row['player']} ({names[row['player']]})", row["player"])
        if names
        else row["player"],
        Cell(share(row["reach"]) if is_reached else "never", row["reach"]),
        str(row["action"]),
        Cell(played, chance),
        *(Cell(typeset(amount(v, scale)), None if isnan(v) else v) for v in values),
    )
