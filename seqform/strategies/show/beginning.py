"""What is played, as short answers show it: all of it where that is little, else how it begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.errors import GameTooLargeError, UnsupportedGameError
from seqform.strategies.show.by_hand import HandTables, Part
from seqform.strategies.show.by_play import alike, play_tables
from seqform.strategies.show.recommendations_table import (
    ShownRecommendations,
    recommendations_in,
    recommendations_table,
)
from seqform.strategies.show.show import NEVER
from seqform.strategies.show.subject import Subject, subject_of
from seqform.strategies.show.table_text import Table

if TYPE_CHECKING:
    from seqform.exact.extreme_equilibria import Equilibria
    from seqform.results.solution import Solution

MOST_ROWS = 30
"""Rows of all tables of strategies together."""

MOST_TABLES = 6
"""Tables of hands."""

LEFT_OUT = "(play after the next deal is left out)"

OF_HANDS = "(how it begins, and goes on most often)"

SAID = 8
"""Actions that are the same in all equilibria which are named."""


class Beginning(NamedTuple):
    """Tables of what is played, notes on them, whether that is all of it, and a line to go on."""

    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    is_whole: bool = False
    line: str | None = None


def beginning_of(solution: Solution) -> Beginning:
    """Return what is played, or how it begins; nothing where there are no such tables."""
    if solution.equilibria is not None:
        return _side_by_side(solution.equilibria)
    if (told := recommendations_in(solution)) is not None:
        return _recommended(told)
    try:
        subject = subject_of(solution)
    except (UnsupportedGameError, GameTooLargeError):
        return Beginning()
    varying = _varying(solution)
    if subject.form.origin.hands is not None and not _is_short(subject):
        return _of_hands(subject, varying)
    found = _hand_tables(subject) if subject.signals is not None else None
    tables, note = found or _play_tables(subject)
    tables = (*tables, *varying)
    notes = [NEVER] if any(table.has_brackets for table in tables) else []
    return Beginning(tables, (*notes, *([note] if note else [])), not note)


def _is_short(subject: Subject) -> bool:
    """Return whether all information sets fit into short tables."""
    return sum(of.num_infosets for of in subject.form.treeplexes) <= MOST_ROWS


def _varying(solution: Solution) -> tuple[Table, ...]:
    """Return what varies over all equilibria, where that was asked for."""
    if solution.family is None:
        return ()
    from seqform.strategies.show.family_table import family_tables

    return family_tables(solution.family)


def _of_hands(subject: Subject, varying: tuple[Table, ...]) -> Beginning:
    """Return how a game of hands begins, and goes on most often, with further tables."""
    from seqform.strategies.line.beginning import first_lines, first_tables, next_line

    lines = first_lines(subject.form, subject.profile)
    tables = tuple(first_tables(lines))
    notes = [NEVER] if any(table.has_brackets for table in tables) else []
    line = next_line(lines[-1]) if lines else None
    return Beginning((*tables, *varying), (*notes, OF_HANDS), False, line)


def _recommended(told: ShownRecommendations) -> Beginning:
    """Return what is recommended in the information sets that play comes to most often."""
    form, players = told.form, told.analysis.players
    every = [(p, h) for p, of in enumerate(players) for h in range(len(of.reach))]
    chosen = _fitting(told, every)
    if len(chosen) < len(every):
        reached = [(p, h) for p, h in every if players[p].is_reached[h]]
        chosen = _fitting(told, sorted(reached, key=lambda of: -players[of[0]].reach[of[1]]))
    tables = [
        recommendations_table(told, player, sorted(h for p, h in chosen if p == player))
        for player in range(form.num_players)
    ]
    tables = [table for table in tables if table.rows]
    notes = [NEVER] if any(table.has_brackets for table in tables) else []
    if len(chosen) < len(every):
        most = f"the {len(chosen)} of {len(every):,} information sets that play comes to most often"
        return Beginning(tuple(tables), (*notes, told.note, most))
    return Beginning(tuple(tables), (*notes, told.note), True)


def _fitting(
    told: ShownRecommendations, sets: Sequence[tuple[int, int]]
) -> Sequence[tuple[int, int]]:
    """Return the first information sets, of some, whose actions are few enough rows."""
    counts = [int(told.form.treeplexes[p].num_actions[h]) for p, h in sets]
    return sets[: max(1, int(np.searchsorted(np.cumsum(counts), MOST_ROWS, "right")))]


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
    hands, players = HandTables(subject), range(subject.form.num_players)
    stages = sorted({stage for player in players for stage in hands.numbering[player].stage})
    tables: list[Table] = []
    for number, stage in enumerate(stages):
        of = hands.parts(players, stage)
        more = [] if len(tables) + len(of) > MOST_TABLES else _short(hands, of)
        if not more or sum(len(table.rows) for table in (*tables, *more)) > MOST_ROWS:
            return (tuple(tables), LEFT_OUT) if number else None
        tables += more
    return tuple(tables), ""


def _short(hands: HandTables, parts: Sequence[Part]) -> list[Table]:
    """Return tables with hands that are alike in one row; none if they would be very long."""
    if sum(map(hands.most_rows, parts)) > MOST_ROWS * 2:
        return []
    return [alike(hands.table(part)) for part in parts]


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
    reach = np.concatenate([of.reach for of in subject.played.players])
    often = np.argsort(-reach, kind="stable")[:MOST_ROWS]
    first = np.sort(often[reach[often] > 0])
    ends = np.cumsum(sizes)
    return [
        first[(first >= end - count) & (first < end)] - (end - count)
        for end, count in zip(ends, sizes, strict=True)
    ]
