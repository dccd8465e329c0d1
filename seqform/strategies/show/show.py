"""show: strategies for people, as tables; and the same as rows for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO, cast

from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.base.frame import Written, frame_of, save_rows, write_rows
from seqform.base.summary import counted
from seqform.form.patterns import Matched
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.labels import which_player
from seqform.results.record import jsonable
from seqform.results.solution import Solution
from seqform.strategies.as_profile import Strategy
from seqform.strategies.given import GivenStrategy
from seqform.strategies.show.by_action import belief_table
from seqform.strategies.show.chosen import Chosen
from seqform.strategies.show.recommendations_table import (
    ShownRecommendations,
    recommendations_in,
)
from seqform.strategies.show.subject import Subject, subject_in, subject_of
from seqform.strategies.show.table_text import Table, written
from seqform.tree.from_any import AnyGame

LAYOUTS = ("auto", "hands", "actions")

MOST_ROWS = 200
"""Rows that are shown unless more are asked for."""

MOST_OF_HANDS = 500_000
"""Information sets of a game of hands up to which vectors over all sequences are made for tables.
"""


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
    matched
        What was asked for by a pattern matched.
    """

    tables: tuple[Table, ...]
    left_out: int
    subject: Subject | ShownRecommendations = field(repr=False)
    _chosen: Chosen = field(repr=False)
    matched: tuple[Matched, ...] = ()

    @cached_property
    def text(self) -> str:
        """The tables, and what signs mean, in lines."""
        found = [written(self.tables)]
        if any(table.has_brackets for table in self.tables):
            found.append(NEVER)
        if self.subject.note:
            found.append(self.subject.note)
        if self.matched:
            found.append("\n".join(map(str, self.matched)))
        if self.left_out:
            found.append(
                f"{counted(self.left_out, 'row')} more: choose a player, infosets or a board, or "
                "ask for more rows"
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

    def _texts(self) -> Iterator[dict[str, Any]]:
        """Yield the rows with information sets and actions as they are written."""
        for player, infosets in self._chosen.infosets.items():
            yield from self.subject.analysis.rows(player, infosets, as_text=True)

    def record(self, name: str = "", parameters: Any = None) -> dict[str, Any]:
        """Return the rows as JSON values: names are text, and what is not defined is null.

        Parameters
        ----------
        name, parameters
            The game's, as `make` takes them.
        """
        rows = list(self._texts())
        about = {"game": name, "params": parameters or {}, "unit": self.subject.form.unit}
        return cast("dict[str, Any]", jsonable({**about, "rows": rows}))

    @property
    def columns(self) -> tuple[str, ...]:
        """What a row says, in order."""
        return self.subject.analysis.columns

    def write_csv(self, file: TextIO) -> None:
        """Write the rows as a table under `columns`; what is not defined is empty."""
        write_rows(self.columns, self._texts(), file)

    def to_frame(self) -> Any:
        """Return the rows as a `pandas.DataFrame`.

        Raises
        ------
        SolverError
            If pandas is not installed.
        """
        return frame_of(self)

    def save_frame(self, path: Path | str) -> None:
        """Write the rows to a table .csv, without pandas.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        save_rows(self.columns, self._texts(), path)


def show(
    what: Solution | Strategy,
    player: int | str | None = None,
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
        Whose strategy, by number or name; None for all players.
    infoset
        A text: information sets in whose names it is are shown. Of games that deal signals, names
        are such as ``"Ks 7h:check-bet"``. Or a pattern (`seqform.form.patterns`), such as
        ``"K*:*bet"``, or ``"K:check-bet"`` for all kings.
    board
        Of games that deal signals: the cards that everybody sees, such as ``"7h"``.
    ask
        Cards and history, as `Solution.ask` takes them; of other games the two parts of the name,
        or of a pattern, of information sets.
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
    if isinstance(subject, Subject) and is_by_line_only(subject.form):
        raise GameTooLargeError(
            f"{counted(_num_infosets(subject.form), 'information set')} of hands are too many to "
            "choose from: line=LINE shows all hands at one point, such as check-bet100 (in Python "
            "at_line does that)"
        )
    if layout not in LAYOUTS:
        raise UnknownNameError.of("layout", layout, LAYOUTS)
    if player is not None:
        player = which_player(player, subject.form)
    if rows < 1:
        raise InvalidParameterError(f"rows={rows}: show at least one row")
    cards = board.split() if isinstance(board, str) else list(board)
    chosen = Chosen(subject, player, infoset, cards, ask, values)
    if subject.signals is None and (cards or (layout == "hands" and not chosen.has_parts)):
        raise UnsupportedGameError(
            "only games that deal signals, such as cards, or say what the hand is are shown by "
            "hands: choose information sets by infoset=... and use layout='actions'"
        )
    tables, left_out = chosen.tables(layout, rows)
    if beliefs:
        if isinstance(subject, ShownRecommendations):
            raise UnsupportedGameError(
                "what players believe hangs on what a mediator told them, and is not shown"
            )
        tables += tuple(belief_table(subject, *each) for each in chosen.infosets.items())
    return Shown(tables, left_out, subject, chosen, chosen.matched)


def is_by_line_only(form: SequenceForm) -> bool:
    """Return whether a form is of a game of hands so large that only points of it are shown."""
    return form.origin.hands is not None and _num_infosets(form) > MOST_OF_HANDS


def _num_infosets(form: SequenceForm) -> int:
    return sum(treeplex.num_infosets for treeplex in form.treeplexes)


def listed(solution: Solution) -> Written:
    """Return what has a row for each action of a solution: what `Solution.to_frame` is made of.

    Raises
    ------
    SeqformError
        As `show` does.
    """
    return _subject(solution, None, "uniform", None).analysis


def _subject(
    what: Any, game: Any, complete: str | Profile, max_nodes: int | None
) -> Subject | ShownRecommendations:
    """Return what is shown, of a solution, or of a strategy and its game."""
    if isinstance(what, Solution) and (told := recommendations_in(what)) is not None:
        return told
    if game is None and isinstance(what, GivenStrategy):
        game = what.form
    if game is None:
        return subject_of(what)
    return subject_in(game, what, complete, max_nodes)
