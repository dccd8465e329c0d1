"""Numbers that pages show, numbers that rows hold, and whether the second back the first."""

from __future__ import annotations

import csv
import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

SHOWN = re.compile(r"(?<![\w/^.,-])-?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?![\w/^]|\.[0-9])")
HELD = re.compile(r"-?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
YEAR = re.compile(r"(19|20)[0-9][0-9]")
NO_PROSE = re.compile(
    r"^<!-- table: .*?^<!-- end of table -->|^```.*?^```|`[^`]*`|(?<=\])\([^)]*\)",
    re.DOTALL | re.MULTILINE,
)


def shown(page: str) -> Iterator[str]:
    """Yield the numbers of a page that say something: two digits or more, and no years.

    Left out are code, which the tests run or a user types, addresses, and tables that
    `tools.tables` copies.
    """
    for number in SHOWN.findall(NO_PROSE.sub("", page)):
        text = number.rstrip(",")
        digits = re.sub(r"\D", "", text.partition("e")[0]).strip("0")
        if len(digits) >= 2 and not YEAR.fullmatch(text):
            yield text


def held(path: Path) -> list[float]:
    """Return all numbers of a file of rows, in order."""
    if path.suffix == ".json":
        content: Any = json.loads(path.read_text())
    elif path.suffix == ".csv":
        content = list(csv.DictReader(path.read_text().splitlines()))
    else:
        content = path.read_text()
    return sorted(set(_numbers(content)))


def _numbers(content: Any) -> Iterator[float]:
    if isinstance(content, dict):
        content = list(content.values())
    if isinstance(content, list):
        for part in content:
            yield from _numbers(part)
    elif isinstance(content, str):
        yield from (float(text.replace(",", "")) for text in HELD.findall(content))
    elif isinstance(content, (int, float)) and not isinstance(content, bool):
        yield float(content)


def is_backed(number: str, rows: Iterable[list[float]]) -> bool:
    """Return whether some row rounds to a number, to as many digits as it has."""
    value, half = float(number.replace(",", "")), half_a_digit(number)
    for numbers in rows:
        place = bisect_left(numbers, value - half)
        if place < len(numbers) and numbers[place] <= value + half:
            return True
    return False


def half_a_digit(number: str) -> float:
    """Return half of the last digit of a number.

    Examples
    --------
    >>> [round(half_a_digit(text), 6) for text in ("0.25", "1.5e-3", "12", "1,234")]
    [0.005, 5e-05, 0.5, 0.5]
    """
    mantissa, _, power = number.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(f"0.5e{int(power or 0) - decimals}") * (1 + 1e-9)
