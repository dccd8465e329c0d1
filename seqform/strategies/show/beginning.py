"""What is played, as short answers show it: all of it where that is little, else how it begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.errors import GameTooLargeError, UnsupportedGameError
from seqform.strategies.show.by_hand import HandTables
from seqform.strategies.show.by_play import alike, play_tables
from seqform.strategies.show.show import NEVER
from seqform.strategies.show.subject import Subject, subject_of
from seqform.strategies.show.table_text import Table

if TYPE_CHECKING:
    from seqform.exact.extreme_equilibria import Equilibria
    from seqform.results.solution import Solution

MOST_ROWS = 24
"""Rows of all tables of strategies together."""

MOST_TABLES = 6
"""Tables of hands."""

SAID = 8
"""Actions that are the same in all equilibria which are named."""


class Beginning(NamedTuple):
    """Tables of what is played, notes on them, and whether that is all of it."""

    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    is_whole: bool = False


def beginning_of(solution: Solution) -> Beginning:
    """Return what is played, or how it begins; nothing where there are no such tables."""
    if solution.equilibria is not None:
        return _side_by_side(solution.equilibria)
    try:
        subject = subject_of(solution)
    except (UnsupportedGameError, GameTooLargeError):
        return Beginning()
    found = _hand_tables(subject) if subject.signals is not None else None
    tables, note = found or _play_tables(subject)
    if solution.family is not None:
        from seqform.strategies.show.family_table import family_tables

        tables = (*tables, *family_tables(solution.family))
    notes = [NEVER] if any(table.has_brackets for table in tables) else []
    return Beginning(tables, (*notes, *([note] if note else [])), not note)


def _side_by_side(equilibria: Equilibria) -> Beginning:
    from seqform.strategies.show.equilibria_table import equilibria_tables, left_out, played_in_all

    same, left = played_in_all(equilibria), left_out(equilibria)
    notes = []
    if same:
        more = "" if len(same) <= SAID else f" and {len(same) - SAID:,} more"
        notes.append(f"in all of them: {'; '.join(same[:SAID])}{more}")
    if left:
        notes.append(f"{left:,} more are in --json")
    return Beginning(equilibria_tables(equilibria), tuple(notes), True)


def _hand_tables(subject: Subject) -> tuple[tuple[Table, ...], str] | None:
    """Return tables of hands, from the first deal on as far as they are short; None if none is."""
    hands = HandTables(subject)
    parts = hands.parts(range(subject.form.num_players))
    stages: dict[int, list[Any]] = {}
    for part in parts:
        stages.setdefault(part.stage, []).append(part)
    tables: list[Table] = []
    for of in stages.values():
        if sum(map(hands.most_rows, of)) > MOST_ROWS * 2 or len(tables) + len(of) > MOST_TABLES:
            break
        more = [alike(hands.table(part)) for part in of]
        if sum(len(table.rows) for table in (*tables, *more)) > MOST_ROWS:
            break
        tables += more
    if not tables:
        return None
    is_whole = len(tables) == len(parts)
    return tuple(tables), "" if is_whole else "(play after the next deal is left out)"


def _play_tables(subject: Subject) -> tuple[tuple[Table, ...], str]:
    """Return what is done in the information sets that play comes to most often."""
    sizes = [treeplex.num_infosets for treeplex in subject.form.treeplexes]
    chosen = [np.arange(count) for count in sizes]
    note = ""
    if sum(sizes) > MOST_ROWS:
        chosen = _most_reached(subject, sizes)
        shown = sum(map(len, chosen))
        most = " most often" if shown == MOST_ROWS else ""
        note = f"the {shown} of {sum(sizes):,} information sets that play comes to{most}"
    tables = [
        table
        for player, infosets in enumerate(chosen)
        for table in play_tables(subject, player, infosets.tolist())
    ]
    return tuple(tables), note


def _most_reached(subject: Subject, sizes: Sequence[int]) -> list[Any]:
    """Return for each player those of some information sets, of all, that are reached most."""
    reach = np.concatenate([of.reach for of in subject.analysis.players])
    often = np.argsort(-reach, kind="stable")[:MOST_ROWS]
    first = np.sort(often[reach[often] > 0])
    ends = np.cumsum(sizes)
    return [
        first[(first >= end - count) & (first < end)] - (end - count)
        for end, count in zip(ends, sizes, strict=True)
    ]
