"""brief: the answer first. What a game is worth, how sure that is, what is played, what is next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from seqform.base.errors import OutOfTimeError, UnknownNameError
from seqform.base.summary import Rows, counted
from seqform.base.wrapped import wrapped_rows, wrapped_text
from seqform.game.catalogue import GAMES
from seqform.game.kinds import is_form
from seqform.results.short import short_rows
from seqform.strategies.show.next_steps import next_steps, words_of

if TYPE_CHECKING:
    from seqform.results.solution import Solution
    from seqform.strategies.show.table_text import Table

LONGEST_STEP = 56
"""Letters of a command up to which all are as wide as the longest."""


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
        for table in self.tables:
            yield ""
            yield from table.lines()
        if self.notes:
            yield ""
        for note in self.notes:
            yield from wrapped_text(note, width).split("\n")
        if self.steps:
            yield ""
            yield "next"
            yield from _step_lines(self.steps)


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
    typed: Sequence[str] = (),
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
    typed
        The words for the game on a command line, where these are others: a file may have said what
        the parameters are.

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
    tables, notes, is_whole, line = _played(solution)
    words = tuple(typed) or words_of(name, parameters or {})
    steps = next_steps(solution, is_whole=is_whole, line=line, typed=words, saved=saved)
    rows = short_rows(solution, _known(name, parameters or {}))
    notes = (*getattr(getattr(solution.game, "origin", None), "notes", ()), *notes)
    return Brief(_title(solution, words), rows, tables, notes, steps)


def brief_text(solution: Solution) -> str:
    """Return what Python prints of a solution."""
    return brief(solution).text


def _title(solution: Solution, words: Sequence[str]) -> str:
    sizes = [
        counted(solution.sizes[key], what)
        for key, what in (("nodes", "node"), ("infosets", "information set"))
        if key in solution.sizes
    ]
    about = " ".join(words) or "solution"
    return f"{about}: {', '.join(sizes)}" if sizes else about


def _known(name: str, parameters: Mapping[str, Any]) -> Any:
    """Return the value that the catalogue knows for a game, if any."""
    try:
        return GAMES.get(name).known_value(parameters) if name else None
    except UnknownNameError:
        return None


def _played(
    solution: Solution,
) -> tuple[tuple[Table, ...], tuple[str, ...], bool, str | None]:
    """Return what is played, or how that begins: see `seqform.strategies.show.beginning`."""
    is_of_rules = not is_form(solution.game) and not hasattr(solution.game, "num_nodes")
    if solution.answer is None or is_of_rules:
        return (), (), False, None  # tables would need a tree, and numpy
    from seqform.strategies.show.beginning import beginning_of

    try:
        return beginning_of(solution)
    except OutOfTimeError:  # the answer itself is not lost
        return (), ("(the time is over: what is played was not made ready)",), False, None
