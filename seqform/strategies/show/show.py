"""show: strategies for people, as tables; and the same as rows for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO, cast

import numpy as np

from seqform.base.arrays import Index
from seqform.base.errors import InvalidParameterError, UnknownNameError, UnsupportedGameError
from seqform.base.frame import Listed, frame_of, save_frame, write_rows
from seqform.base.number import check_player
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.results.record import jsonable
from seqform.results.solution import Solution
from seqform.strategies.as_profile import Strategy
from seqform.strategies.given import GivenStrategy
from seqform.strategies.show.by_action import action_table, belief_table, matching
from seqform.strategies.show.by_hand import HandTables, Part
from seqform.strategies.show.subject import Subject, subject_in, subject_of
from seqform.strategies.show.table_text import Table, written
from seqform.strategies.show.told import Told, told_in, told_table
from seqform.tree.from_any import AnyGame

LAYOUTS = ("auto", "hands", "actions")

MOST_ROWS = 200
"""Rows that are shown unless more are asked for."""

MOST_LINES = 40
"""Lines of actions after a deal up to which tables are by hand, unless that is asked for."""

MOST_COMPARED = 20_000
"""Names of information sets that a text which is in none of them is compared with."""

NEVER = "(in brackets: where play never comes)"


@dataclass(frozen=True, eq=False)
class Shown:
    """Strategies, as they are shown.

    Parameters
    ----------
    tables
        As people read them.
    left_out
        How many rows there are at most beside those of the tables.
    subject
        The strategies.
    """

    tables: tuple[Table, ...]
    left_out: int
    subject: Subject | Told = field(repr=False)
    _chosen: _Chosen = field(repr=False)

    @cached_property
    def text(self) -> str:
        """The tables, and what signs mean, in lines."""
        found = [written(self.tables)]
        if any(table.has_brackets for table in self.tables):
            found.append(NEVER)
        if self.subject.note:
            found.append(self.subject.note)
        if self.left_out:
            found.append(
                f"{self.left_out:,} rows more: choose a player, infosets or a board, or ask for "
                "more rows"
            )
        return "\n\n".join(found)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the tables for notebooks."""
        from seqform.strategies.show.table_html import table_html

        return table_html(self.tables)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each action of what was chosen; see `StrategyAnalysis.rows`.

        Of a correlated answer see `seqform.strategies.recommended.Recommendations.rows`.
        """
        for player, infosets in self._chosen.infosets.items():
            yield from self.subject.analysis.rows(player, infosets)

    def record(self, name: str = "", parameters: Any = None) -> dict[str, Any]:
        """Return the rows as JSON values: names are text, and what is not defined is null.

        Parameters
        ----------
        name, parameters
            The game's, as `make` takes them.
        """
        rows = [{**row, **_as_text(row)} for row in self.rows()]
        about = {"game": name, "params": parameters or {}, "unit": self.subject.form.unit}
        return cast("dict[str, Any]", jsonable({**about, "rows": rows}))

    @property
    def columns(self) -> tuple[str, ...]:
        """What a row says, in order."""
        return self.subject.analysis.columns

    def write_csv(self, file: TextIO) -> None:
        """Write the rows as a table under `columns`; what is not defined is empty."""
        write_rows(self.columns, self.rows(), file)

    def to_frame(self) -> Any:
        """Return the rows as a `pandas.DataFrame`.

        Raises
        ------
        SolverError
            If pandas is not installed.
        """
        return frame_of(self)

    def save_frame(self, path: Path | str) -> None:
        """Write the rows to a table .csv, without pandas; errors as for `save_frame`.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        save_frame(self, path)


def _as_text(row: dict[str, Any]) -> dict[str, str]:
    return {name: str(row[name]) for name in ("infoset", "action")}


def show(
    what: Solution | Strategy,
    player: int | None = None,
    infoset: str = "",
    board: str | Sequence[str] = "",
    ask: tuple[str, str] | None = None,
    layout: str = "auto",
    values: bool = False,
    beliefs: bool = False,
    rows: int = MOST_ROWS,
    game: AnyGame | SequenceForm | Solution | None = None,
    complete: str | Profile = "uniform",
    max_nodes: int | None = None,
) -> Shown:
    """Return strategies as tables for people; ``print(show(solution).text)``.

    Parameters
    ----------
    what
        A solution, or a strategy for each player: a profile, a strategy as `read_given` reads it,
        and with `game` whatever `evaluate` takes, such as a mapping or a callable.
    player
        Whose strategy; None for all players.
    infoset
        A text: information sets in whose names it is are shown. Of games that deal signals, names
        are such as ``"Ks 7h:check-bet"``.
    board
        Of games that deal signals: the cards that everybody sees, such as ``"7h"``.
    ask
        Of games that deal signals: cards and history, as `Solution.ask` takes them.
    layout
        ``"hands"``: hands down and lines of actions across, for games that deal signals.
        ``"actions"``: a line for each action. ``"auto"``: by hand where lines are few.
    values
        Whether tables by hand show the value of each information set, too.
    beliefs
        Whether the beliefs over the nodes of each information set are shown, too.
    rows
        The most rows of all tables together.
    game
        The game that a strategy is of, if it does not know that itself. Of games that deal signals
        it is shown by them then.
    complete
        How information sets of which a strategy says nothing are filled: see
        `GivenStrategy.completed`.
    max_nodes
        The largest tree to build of `game`.

    Raises
    ------
    InvalidStrategyError
        If the strategy is not of the game.
    InvalidParameterError
        If there is no such player, or cards or a history that cannot be.
    UnknownNameError
        If there is no such layout, or no information set whose name has the text in it.
    UnsupportedGameError
        If there is no strategy for each player, or the game deals no signals and is asked for them.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> from seqform import solve
    >>> print(show(solve(kuhn()), player=0).text)
    player 0
         first         check-bet
         check  bet     fold   call
      J      1    0        1      0
      Q      1    0    0.667  0.333
      K      1    0        0      1
    """
    subject = _subject(what, game, complete, max_nodes)
    if layout not in LAYOUTS:
        raise UnknownNameError.of("layout", layout, LAYOUTS)
    if player is not None:
        check_player(player, subject.form.num_players)
    if rows < 1:
        raise InvalidParameterError(f"rows={rows}: show at least one row")
    cards = board.split() if isinstance(board, str) else list(board)
    if subject.signals is None and (ask or cards or layout == "hands"):
        raise UnsupportedGameError(
            "only games that deal signals, such as cards, are shown by them: choose information "
            "sets by infoset=... and use layout='actions'"
        )
    chosen = _Chosen(subject, player, infoset, cards, ask, values)
    tables, left_out = chosen.tables(layout, rows)
    if beliefs:
        if isinstance(subject, Told):
            raise UnsupportedGameError(
                "what players believe hangs on what a mediator told them, and is not shown"
            )
        tables += tuple(belief_table(subject, *each) for each in chosen.infosets.items())
    return Shown(tables, left_out, subject, chosen)


def listed(solution: Solution) -> Listed:
    """Return what has a row for each action of a solution: what `Solution.to_frame` is made of.

    Raises
    ------
    SeqformError
        As `show` does.
    """
    return _subject(solution, None, "uniform", None).analysis


def _subject(
    what: Any, game: Any, complete: str | Profile, max_nodes: int | None
) -> Subject | Told:
    """Return what is shown, of a solution, or of a strategy and its game."""
    if isinstance(what, Solution) and (told := told_in(what)) is not None:
        return told
    if game is None and isinstance(what, GivenStrategy):
        game = what.form
    if game is None:
        return subject_of(what)
    return subject_in(game, what, complete, max_nodes)


class _Chosen:
    """The information sets that are to be shown."""

    def __init__(
        self,
        subject: Subject | Told,
        player: int | None,
        text: str,
        board: Sequence[str],
        ask: tuple[str, str] | None,
        values: bool,
    ) -> None:
        self._subject, self._text, self._ask = subject, text, ask
        self._players = range(subject.form.num_players) if player is None else (player,)
        self._hands: HandTables | None = None
        if isinstance(subject, Subject) and subject.signals:
            self._hands = HandTables(subject, text, board, values)

    @cached_property
    def infosets(self) -> Mapping[int, Index]:
        """For each player who has any, their numbers."""
        if self._ask is not None and self._subject.signals is not None:
            asked, infoset = self._subject.signals.infoset(*self._ask)
            return {asked: np.array([infoset])}
        if self._hands is not None:
            found = {player: self._hands.infosets(player) for player in self._players}
        else:
            found = {p: matching(self._subject, p, self._text) for p in self._players}
        return {player: infosets for player, infosets in found.items() if len(infosets)}

    def tables(self, layout: str, rows: int) -> tuple[tuple[Table, ...], int]:
        """Return tables of at most so many rows, and how many rows more there are at most.

        Raises
        ------
        UnknownNameError
            If nothing was chosen.
        """
        if self._hands is not None and self._ask is None and layout != "actions":
            parts = self._hands.parts(self._players)
            if not parts:
                raise self._nothing()
            lines = Counter(part[:3] for part in parts for _ in part.nodes)
            if layout == "hands" or max(lines.values()) <= MOST_LINES:
                return _hand_tables(self._hands, parts, rows)
        if not self.infosets:
            raise self._nothing()
        found, left_out = _action_tables(self._subject, self.infosets, rows)
        if self._ask is not None:
            cards, history = self._ask
            after = f"after {history}" if history else "first to act"
            found = tuple(t._replace(title=f"{t.title} with {cards}, {after}") for t in found)
        return found, left_out

    def _nothing(self) -> UnknownNameError:
        """Say that no information set was chosen, and what they are called."""
        form = self._subject.form
        names = [
            str(form.infoset_label(player, infoset))
            for player in self._players
            for infoset in range(min(form.treeplexes[player].num_infosets, MOST_COMPARED))
        ]
        if not names:
            return UnknownNameError("there is no information set to show")
        close = get_close_matches(self._text, names, n=3, cutoff=0.4) or names[:3]
        return UnknownNameError(
            f"no information set that is shown has {self._text!r} in its name; names are such as "
            f"{', '.join(map(repr, close))}"
        )


def _hand_tables(
    hands: HandTables, parts: Sequence[Part], rows: int
) -> tuple[tuple[Table, ...], int]:
    """Return the first tables by hand, and how many rows are left out at most."""
    tables: list[Table] = []
    left_out = 0
    for part in parts:
        if rows > 0:
            table = hands.table(part)
            tables.append(table._replace(rows=table.rows[:rows]))
            left_out += max(0, len(table.rows) - rows)
            rows -= len(table.rows)
        else:
            left_out += hands.most_rows(part)
    return tuple(tables), left_out


def _action_table(subject: Subject | Told, player: int, infosets: list[int]) -> Table:
    if isinstance(subject, Told):
        return told_table(subject, player, infosets)
    return action_table(subject, player, infosets)


def _action_tables(
    subject: Subject | Told, infosets: Mapping[int, Index], rows: int
) -> tuple[tuple[Table, ...], int]:
    """Return tables of the first information sets, and how many rows are left out."""
    tables: list[Table] = []
    left_out = 0
    for player, numbers in infosets.items():
        ends = np.cumsum(subject.form.treeplexes[player].num_actions[numbers])
        fit = int(np.searchsorted(ends, rows, "right"))
        if not tables:
            fit = max(fit, 1)  # of one information set all actions, at least
        if fit:
            tables.append(_action_table(subject, player, numbers[:fit].tolist()))
            rows -= int(ends[fit - 1])
        left_out += int(ends[-1]) - (int(ends[fit - 1]) if fit else 0)
    return tuple(tables), left_out
