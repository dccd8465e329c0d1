"""What tables, JSON and mappings say of each action of a strategy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from seqform.base.csv_table import cells_under, read_rows
from seqform.base.errors import (
    InvalidStrategyError,
    ResultFileError,
)
from seqform.base.number import plain
from seqform.base.whole_file import reason
from seqform.strategies.given_rows import GivenRow

COLUMNS = ("player", "infoset", "action", "probability")


def lines_of(path: Path) -> Iterator[GivenRow]:
    """Return what a table (.csv) or JSON (.json) says of each action.

    Raises
    ------
    ResultFileError
        As `read_given`, for some files not before they are read.
    """
    if path.suffix.lower() == ".json":
        return _json_lines(path)
    if path.suffix.lower() == ".csv":
        return _csv_lines(path)
    raise ResultFileError(f"{path}: a strategy is read from a table .csv or from .json")


def _csv_lines(path: Path) -> Iterator[GivenRow]:
    expected = f"a strategy has {','.join(COLUMNS)}"
    for where, cells in cells_under(path, read_rows(path), COLUMNS, expected):
        player, infoset, action, said = cells
        yield GivenRow(player, infoset, action, said, where)


def _json_lines(path: Path) -> Iterator[GivenRow]:
    content, where = read_json(path), f"{path}: "
    for player, infosets in as_object(content, f"{where}it"):
        for infoset, actions in as_object(infosets, f"{where}player {player!r}"):
            of = f"{where}player {player}, information set {infoset!r}"
            for action, number in as_object(actions, of):
                yield GivenRow(player, infoset, action, number, where)


def read_json(path: Path) -> Any:
    """Read JSON in which an object is a list of pairs, so that nothing given twice is lost.

    Raises
    ------
    ResultFileError
        If the file is missing or is no JSON.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text, object_pairs_hook=Pairs, parse_float=Decimal)
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} cannot be read: {reason(error)}") from None


class Pairs(list[tuple[str, Any]]):
    """The names and values of a JSON object."""


def as_object(found: Any, what: str) -> Pairs:
    """Return the pairs of a JSON object.

    Raises
    ------
    ResultFileError
        If it is something else.
    """
    if not isinstance(found, Pairs):
        raise ResultFileError(
            f"{what} is not an object: a strategy is "
            '{"player": {"information set": {"action": probability}}}'
        )
    return found


def lines_of_mapping(said: Mapping[Any, Any]) -> Iterator[GivenRow]:
    """Yield what a mapping says: ``{(player, infoset, action): probability}``."""
    for key, number in said.items():
        if not isinstance(key, tuple) or len(key) != 3:
            raise InvalidStrategyError(
                f"{plain(key)} is not a key of a strategy: use (player, infoset, action)"
            )
        yield GivenRow(*key, number, "")
