"""Hands at a public node in tables: hand by hand, or put together by what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, cast

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.frame import frame_of, save_rows, write_rows
from seqform.base.summary import Rows, counted
from seqform.base.wrapped import wrapped_rows
from seqform.game.labels import which_player
from seqform.results.record import jsonable
from seqform.strategies.analysis import PLAYED_FROM
from seqform.strategies.line.matrix import HandMatrix, matrix_of, matrix_text
from seqform.strategies.line.range_at import RangeAt, mean
from seqform.strategies.show.show import NEVER
from seqform.strategies.show.table_text import Column, Table, amount_text, probability_text

if TYPE_CHECKING:
    from seqform.strategies.line.at_line import AtLine

FEW = 30
"""Hands up to which tables are by hand where nothing else is asked for."""

MOST_ROWS = 200
"""Rows of a table that are shown unless more are asked for."""

WIDTH = 79
"""Characters of a line, above which actions go on in a table below."""

ALL = "all"


class Group(NamedTuple):
    """Hands of one name: sums and means over them, each by its share."""

    name: str
    num_hands: int
    weight: float
    """The sum of the hands' weights: how many hands come there by the player's own actions."""
    share: float
    value: float
    equity: float
    is_reached: bool
    probabilities: tuple[float, ...]
    action_values: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Grouped:
    """A table of what one player holds at a node.

    Parameters
    ----------
    at
        The node.
    player
        Whose hands.
    group
        What they are put together by; ``"hand"``: nothing is.
    groups
        In order of their equity, the best first.
    total
        The whole range.
    most_rows
        Rows of the table that are shown as text.
    matrix
        What the text shows in their place.
    """

    at: AtLine = field(repr=False)
    player: int
    group: str
    groups: tuple[Group, ...]
    total: Group
    most_rows: int = MOST_ROWS
    matrix: HandMatrix | None = None

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """As people read it; actions that do not fit into a line are in a table below."""
        return tuple(self.made(self.most_rows))

    def made(self, most_rows: int, *, is_brief: bool = False) -> Iterator[Table]:
        """Yield tables of the first rows, without equity where they shall be brief."""
        rows = [self.total, *self.groups[:most_rows]]
        names = [group.name for group in rows]
        start = [
            (Column("share"), [_in_brackets(_percent(of.share), of) for of in rows]),
            (Column("EV"), [_in_brackets(_amount(self.at, of.value), of) for of in rows]),
        ]
        if self.at.knows_equity and not is_brief:
            chances = [_in_brackets(_percent(of.equity), of) for of in rows]
            start.append((Column("equity"), chances))
        each = [
            (
                Column(name, "frequency"),
                [probability_text(of.probabilities[place], of.is_reached) for of in rows],
            )
            for place, name in enumerate(self._actions)
        ]
        yield from _folded(names, start, each)

    @property
    def _actions(self) -> tuple[str, ...]:
        return self.at.actions if self.total.probabilities else ()

    def head(self) -> Iterator[str]:
        """Yield lines that say where this is, and what both players can expect there."""
        yield title(self.at)
        yield from wrapped_rows(about(self.at), WIDTH)

    @cached_property
    def text(self) -> str:
        """The table, with what is known of the node above it."""
        parts = ["\n".join(self.head())]
        if self.matrix is not None:
            return "\n\n".join([*parts, matrix_text(self.matrix)])
        if self.player != self.at.player:
            parts[0] += f"\n\n{self.at.form.player_text(self.player)} holds"
        parts += ["\n".join(table.lines()) for table in self.tables]
        if any(table.has_brackets for table in self.tables):
            parts.append(NEVER)
        if len(self.groups) > self.most_rows:
            more = counted(len(self.groups) - self.most_rows, "row")
            parts.append(f"{more} more: ask for more rows, or by one of {self._others()}")
        return "\n\n".join(parts)

    def _others(self) -> str:
        return ", ".join(of for of in self.at.groups if of != self.group)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        from seqform.strategies.show.table_html import table_html

        first, *rest = self.tables
        return table_html([first._replace(title=title(self.at)), *rest])

    @property
    def columns(self) -> tuple[str, ...]:
        """What a row says, in order."""
        each = [(f"probability of {name}", f"value of {name}") for name in self._actions]
        return (*COLUMNS, *(name for both in each for name in both))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each group, the whole range left out."""
        for of in self.groups:
            numbers = zip(of.probabilities, of.action_values, strict=True)
            about = (self.player, self.at.line, *of[:7])
            cells = (*about, *(number for both in numbers for number in both))
            yield dict(zip(self.columns, cells, strict=True))

    def record(self, name: str = "", parameters: Any = None) -> dict[str, Any]:
        """Return the table as JSON values: what is not defined is null.

        Parameters
        ----------
        name, parameters
            The game's, as `make` takes them.
        """
        at = self.at
        about: dict[str, Any] = {
            "game": name,
            "params": parameters or {},
            "unit": at.form.unit,
            "line": at.line,
            "board": list(at.cards),
            "acts": at.player,
            "reach": at.reach,
            "values": list(at.values),
            "equity": list(at.equity),
            "frequencies": at.frequencies,
            "by": self.group,
            "rows": list(self.rows()),
        }
        if self.matrix is not None:
            about["matrix"] = self.matrix.numbers.tolist()
        return cast("dict[str, Any]", jsonable(about))

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
        """Write the rows to a table .csv, without pandas.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        save_rows(self.columns, self.rows(), path)


COLUMNS = (
    "player",
    "line",
    "name",
    "num_hands",
    "weight",
    "share",
    "value",
    "equity",
    "is_reached",
)


def grouped(
    at: AtLine,
    group: str = "auto",
    player: int | str | None = None,
    rows: int = MOST_ROWS,
    matrix: str | None = None,
) -> Grouped:
    """Return a table of what a player holds at a node; see `AtLine.by`.

    Raises
    ------
    UnknownNameError
        If the game has no such group.
    InvalidParameterError
        If there is no such player, or no row is to be shown.
    """
    if rows < 1:
        raise InvalidParameterError(f"rows={rows}: show at least one row")
    whose = at.player if player is None else which_player(player, at.form)
    held = at.ranges[whose]
    if group == "auto":
        group = "hand" if len(held.names) <= FEW or len(at.groups) == 1 else at.groups[1]
    if group not in at.groups:
        raise UnknownNameError.of("group of hands", group, at.groups)
    names = _names(at, held, group)
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    found = [_group(name, held, np.array(of)) for name, of in places.items()]
    best = sorted(found, key=lambda of: (not of.is_reached, -np.nan_to_num(of.equity, nan=-1.0)))
    total = _group(ALL, held, np.arange(len(held.names)))
    found_matrix = None if matrix is None else matrix_of(at, matrix, whose)
    return Grouped(at, whose, group, tuple(best), total, rows, found_matrix)


def _names(at: AtLine, held: RangeAt, group: str) -> Sequence[str]:
    """Return what each hand is called."""
    if group == "hand":
        return held.names
    return [str(name) for name in at.groupings[group](held.cards, at.board)]


def _group(name: str, held: RangeAt, places: Index) -> Group:
    """Return hands of one name, together."""
    counts = held.counts[places]
    if not counts.sum() > 0:  # play never comes there with any of them
        counts = np.ones(len(places))
    counts = counts / max(counts.sum(), 1.0e-300)
    behavior, worth = held.probabilities, held.action_values
    return Group(
        name=name,
        num_hands=len(places),
        weight=float(held.weights[places].sum()),
        share=float(held.shares[places].sum()),
        value=mean(held.values[places], counts),
        equity=mean(held.equity[places], counts),
        is_reached=bool(held.is_reached[places].any()),
        probabilities=() if behavior is None else tuple((counts @ behavior[places]).tolist()),
        action_values=() if worth is None else tuple(_means(worth[places], counts)),
    )


def _means(numbers: Floats, counts: Floats) -> list[float]:
    return [mean(column, counts) for column in numbers.T]


def title(at: AtLine) -> str:
    """Return who acts where, in words."""
    cards = " ".join(at.cards)
    after = f"after {at.line}" if at.line else "first to act"
    return f"{at.form.player_text(at.player)}, {after}{f', on {cards}' if cards else ''}"


def about(at: AtLine) -> Rows:
    """Return what is known of a node beside its hands."""
    unit = at.form.unit
    players = [at.form.player_text(player) for player in range(at.form.num_players)]
    told = list(zip(players, at.values, strict=True))
    if at.form.num_players > 2:  # it is known of who acts alone
        told = [told[at.player]]
    values = ", ".join(
        f"{f'{found} {unit}' if (found := _amount(at, value)) else 'not defined'} to {player}"
        for player, value in told
    )
    chances = ", ".join(
        f"{_percent(chance) or 'not defined'} to {player}"
        for player, chance in zip(players, at.equity, strict=True)
    )
    comes = [("play comes there", f"with probability {probability_text(at.reach)}")]
    equity = [("equity", chances)] if at.knows_equity else []
    return [*(comes if at.line else []), ("EV", values), *equity]


def _percent(share: float) -> str:
    return "" if np.isnan(share) else f"{100 * share:.1f}%"


def _amount(at: AtLine, value: float) -> str:
    """Write what somebody gets; what is less than a millionth of the largest payoff is 0."""
    return amount_text(0.0 if abs(value) < PLAYED_FROM * at.form.largest_payoff else value)


def _in_brackets(text: str, of: Group) -> str:
    """Return a text, in brackets where play never comes."""
    return text if of.is_reached or not text else f"({text})"


def _folded(
    names: Sequence[str],
    start: Sequence[tuple[Column, list[str]]],
    each: Sequence[tuple[Column, list[str]]],
) -> Iterator[Table]:
    """Yield tables of columns that are together no wider than a line."""
    now, rest = list(start), list(each)
    while now or rest:
        while rest and (not now or _width(names, [*now, rest[0]]) <= WIDTH):
            now.append(rest.pop(0))
        columns = (Column("", "", False), *(column for column, _ in now))
        yield Table("", columns, tuple(zip(names, *(texts for _, texts in now), strict=True)))
        now = []


def _width(names: Sequence[str], columns: Sequence[tuple[Column, list[str]]]) -> int:
    """Return how wide a table is, at most."""
    widths = [max(map(len, (column.head, *texts))) for column, texts in columns]
    return 2 + max(map(len, names)) + sum(2 + width for width in widths) + 2
