"""brief: the answer first. What a game is worth, how sure that is, what is played, what is next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from seqform.base.errors import GameTooLargeError, UnknownNameError, UnsupportedGameError
from seqform.base.summary import Rows, counted
from seqform.base.wrapped import wrapped_rows, wrapped_text
from seqform.game.catalogue import GAMES
from seqform.results.short import short_rows
from seqform.strategies.show.by_hand import HandTables
from seqform.strategies.show.by_play import alike, play_tables
from seqform.strategies.show.equilibria_table import equilibria_tables, left_out, played_in_all
from seqform.strategies.show.family_table import family_tables
from seqform.strategies.show.next_steps import next_steps
from seqform.strategies.show.show import NEVER
from seqform.strategies.show.subject import Subject, subject_of
from seqform.strategies.show.table_text import Table, written

if TYPE_CHECKING:
    from seqform.results.solution import Solution

MOST_ROWS = 24
"""Rows of all tables of strategies together."""

MOST_TABLES = 6
"""Tables of hands."""

LONGEST_STEP = 56
"""Letters of a command up to which all are as wide as the longest."""

SAID = 8
"""Actions that are the same in all equilibria which are named."""


@dataclass(frozen=True, eq=False)
class Brief:
    """A short answer, as data.

    Parameters
    ----------
    title
        The game, and its size.
    rows
        Names and texts: value, certainty, time, and what was asked for besides.
    tables
        What is played, or how it begins.
    notes
        What signs in the tables mean, and what is left out.
    steps
        Commands or calls, and what each gives.
    """

    title: str
    rows: Rows
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    steps: Rows

    @property
    def text(self) -> str:
        """The answer in lines as long as they need to be."""
        return "\n".join(self.lines())

    def __str__(self) -> str:
        return self.text

    def lines(self, width: float = inf) -> Iterator[str]:
        """Yield lines; rows are broken between words at a width, tables and commands never."""
        yield self.title
        yield from wrapped_rows(self.rows, width)
        for part in (*(written([table]) for table in self.tables), *self._notes(width)):
            yield ""
            yield from part.split("\n")
        if self.steps:
            yield ""
            yield "next"
            yield from _step_lines(self.steps)

    def _notes(self, width: float) -> Iterator[str]:
        if self.notes:
            yield "\n".join(wrapped_text(note, width) for note in self.notes)


def _step_lines(steps: Rows) -> Iterator[str]:
    """Yield commands and what they give; where one is long, the others do not wait for it."""
    longest = max(len(command) for command, _ in steps)
    for command, gives in steps:
        yield f"  {command:<{longest if longest <= LONGEST_STEP else 0}}  {gives}"


def brief(
    solution: Solution,
    name: str = "",
    parameters: Mapping[str, Any] | None = None,
    saved: str = "",
) -> Brief:
    """Return the short answer that ``seqform solve`` prints; ``print(solution)`` says the same.

    Parameters
    ----------
    solution
        Any.
    name, parameters
        The game's, as `make` or the command line take them: for the value that the catalogue knows,
        and for commands. Without a name, what is next are calls.
    saved
        The folder that the solution is saved in, if it is.

    Examples
    --------
    >>> from seqform import make, solve
    >>> for name, text in brief(solve(make("kuhn")), "kuhn").rows[:3]:
    ...     print(f"{name}: {text}")
    value: -1/18 chips to player 0 (-0.055555556)
    known: the same (Kuhn, A simplified two-person poker, 1950)
    certainty: exact: both strategies are fractions, and in integers no other one does better \
against them
    """
    tables, notes, is_whole = _played(solution)
    steps = next_steps(solution, is_whole=is_whole, name=name, parameters=parameters, saved=saved)
    rows = short_rows(solution, _known(name, parameters or {}))
    return Brief(_title(solution, name, parameters or {}), rows, tables, notes, steps)


def brief_text(solution: Solution) -> str:
    """Return what Python prints of a solution."""
    return brief(solution).text


def _title(solution: Solution, name: str, parameters: Mapping[str, Any]) -> str:
    given = "".join(f" -p {key}={value}" for key, value in parameters.items())
    sizes = [
        counted(solution.sizes[key], what)
        for key, what in (("nodes", "node"), ("infosets", "information set"))
        if key in solution.sizes
    ]
    about = f"{name or 'solution'}{given}"
    return f"{about}: {', '.join(sizes)}" if sizes else about


def _known(name: str, parameters: Mapping[str, Any]) -> Any:
    """Return the value that the catalogue knows for a game, if any."""
    try:
        return GAMES.get(name).known_value(parameters) if name else None
    except UnknownNameError:
        return None


def _played(solution: Solution) -> tuple[tuple[Table, ...], tuple[str, ...], bool]:
    """Return tables of what is played, notes on them, and whether that is all."""
    if solution.equilibria is not None:
        return _side_by_side(solution)
    try:
        subject = subject_of(solution)
    except (UnsupportedGameError, GameTooLargeError):
        return (), (), False
    found = _hand_tables(subject) if subject.signals is not None else None
    tables, note = found or _play_tables(subject)
    if solution.family is not None:
        tables = (*tables, *family_tables(solution.family))
    notes = [NEVER] if any(table.has_brackets for table in tables) else []
    return tables, (*notes, *([note] if note else [])), not note


def _side_by_side(solution: Solution) -> tuple[tuple[Table, ...], tuple[str, ...], bool]:
    equilibria = cast("Any", solution.equilibria)
    same, left = played_in_all(equilibria), left_out(equilibria)
    notes = []
    if same:
        more = "" if len(same) <= SAID else f" and {len(same) - SAID:,} more"
        notes.append(f"in all of them: {'; '.join(same[:SAID])}{more}")
    if left:
        notes.append(f"{left:,} more are in --json")
    return equilibria_tables(equilibria), tuple(notes), True


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
