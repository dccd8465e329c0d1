"""Numbers that pages show, numbers that rows hold, and whether the second round to the first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

SHOWN = re.compile(r"(?<![\w/^.,-])-?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?![\w/^]|\.[0-9])")
HELD = re.compile(r"-?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
YEAR = re.compile(r"(19|20)[0-9][0-9]")
NO_PROSE = re.compile(
    r"^<!-- table: .*?^<!-- end of table -->|^ *```.*?^ *```|`[^`]*`|\$[^$]+\$|(?<=\])\([^)]*\)",
    re.DOTALL | re.MULTILINE,
)


def shown(page: str, also: Collection[str] = ()) -> Iterator[str]:
    """Yield the numbers of a page that say something: two digits or more, and no years.

    Left out are code, which the tests run or a user types, formulas, addresses, and tables that
    `tools.tables` copies. Numbers of one digit are `also` yielded where they are named.
    """
    for _, figure in places(page, also):
        yield figure


def places(page: str, also: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """Yield where the numbers of a page that say something begin, and these."""
    prose = NO_PROSE.sub(lambda rest: "\n" * len(rest[0]), page)
    for number in SHOWN.finditer(prose):
        text = number[0].rstrip(",")
        if text in also or (digits(text) >= 2 and not YEAR.fullmatch(text)):
            yield number.start(), text


def digits(number: str) -> int:
    """Return how many digits of a number say something; zeros that end an integer may not.

    Examples
    --------
    >>> [digits(number) for number in ("3,000", "0.80", "7.0e-8", "0.2", "1,020")]
    [1, 2, 2, 1, 3]
    """
    mantissa = number.partition("e")[0]
    shown_digits = re.sub(r"\D", "", mantissa).lstrip("0")
    return len(shown_digits if "." in mantissa else shown_digits.rstrip("0"))


def numbers_of(content: Any) -> list[float]:
    """Return the numbers of what a row holds, in order."""
    if isinstance(content, list):
        return [number for part in content for number in numbers_of(part)]
    if isinstance(content, str):
        return [float(text.replace(",", "")) for text in HELD.findall(content)]
    is_number = isinstance(content, (int, float)) and not isinstance(content, bool)
    return [float(content)] if is_number else []


def rounds_to(value: float, number: str) -> bool:
    """Return whether a value is a number once rounded, to as many digits as that has."""
    return abs(value - float(number.replace(",", ""))) <= half_a_digit(number)


def changed(number: str, up: bool) -> str:
    """Return a number with another last digit.

    Examples
    --------
    >>> changed("1,239", up=True), changed("0.0041e-3", up=False), changed("0.99", up=True)
    ('1,238', '0.0040e-3', '0.98')
    """
    mantissa, e, power = number.partition("e")
    digit = int(mantissa[-1])
    digit += 1 if (up and digit < 9) or digit == 0 else -1
    return f"{mantissa[:-1]}{digit}{e}{power}"


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
