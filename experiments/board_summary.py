"""What is the mean of boards of one texture?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from experiments.markdown import rounded, table
from games.textures import WORDS
from seqform.experiment import INPUTS, Row

ROOT = "root_"
"""Begins the columns of the actions of the first decision."""

CHECK = "check"


class Group(NamedTuple):
    """The boards of one texture.

    Parameters
    ----------
    kind, word
        Such as ``suits`` and ``two-tone``; of all boards ``all`` and ``all boards``.
    rows
        Those of the boards, at least one.
    """

    kind: str
    word: str
    rows: Sequence[Row]

    @property
    def weight(self) -> int:
        """How many boards there are, those counted that one stands for."""
        return sum(int(str(row["weight"])) for row in self.rows)

    def mean(self, column: str) -> float | None:
        """Return the weighted mean of a column; None if it is empty on some board."""
        if any(row.get(column) is None for row in self.rows):
            return None
        total = sum(float(str(row[column])) * int(str(row["weight"])) for row in self.rows)
        return total / self.weight


def spots_of(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each spot: of all inputs but the board, by those that differ."""
    keys = [dict(_inputs(row)) for row in rows]
    names = dict.fromkeys(name for key in keys for name in key)
    differ = [name for name in names if len({key.get(name) for key in keys}) > 1]
    found: dict[str, list[Row]] = {}
    for row, key in zip(rows, keys, strict=True):
        label = ", ".join(f"{name} {key[name]}" for name in differ if name in key)
        found.setdefault(label, []).append(row)
    return found


def _inputs(row: Row) -> Iterator[tuple[str, str]]:
    for name in INPUTS:
        if name in ("parameters", "options"):
            given = json.loads(str(row.get(name) or "{}"))
            yield from ((key, str(value)) for key, value in given.items() if key != "board")
        elif row.get(name) is not None:
            yield name, str(row[name])


def actions_of(rows: Sequence[Row]) -> list[str]:
    """Return the actions of the first decision: checks, then bets from small to large."""
    found = {
        name.removeprefix(ROOT): None
        for row in rows
        for name, cell in row.items()
        if name.startswith(ROOT) and cell is not None
    }
    return sorted(found, key=lambda action: (action != CHECK, _number(action)))


def _number(action: str) -> float:
    digits = action.lstrip("abcdefghijklmnopqrstuvwxyz")
    return float(digits or 0)


def groups_of(rows: Sequence[Row]) -> list[Group]:
    """Return all boards, and those of each texture of which there are some and not all."""
    found = [Group("all", "all boards", rows)]
    for kind, words in WORDS.items():
        parts = [Group(kind, word, [row for row in rows if row[kind] == word]) for word in words]
        there = [part for part in parts if part.rows]
        found += there if len(there) > 1 else []
    return found


def by_texture(rows: Sequence[Row]) -> str:
    """Return the means of boards by texture as a table of Markdown."""
    spots = spots_of(rows)
    return table(
        ({"spot": label} if len(spots) > 1 else {}) | line
        for label, of in spots.items()
        for line in _lines(of)
    )


def _lines(rows: Sequence[Row]) -> Iterator[Row]:
    actions = actions_of(rows)
    for group in groups_of(rows):
        yield {
            "boards": f"{group.kind} {group.word}" if group.kind == "high" else group.word,
            "how many": group.weight,
            "EV, % of the pot": _percent(group.mean("ev_percent")),
            "equity, %": _percent(group.mean("equity"), 100),
            **{f"{action}, %": _percent(group.mean(ROOT + action), 100) for action in actions},
            "largest gap, % of the pot": rounded(_most(group.rows, "gap_percent")),
        }


def _percent(number: float | None, times: float = 1) -> str:
    return "" if number is None else f"{times * number:.1f}"


def _most(rows: Sequence[Row], column: str) -> float:
    return max(float(str(row[column])) for row in rows)
