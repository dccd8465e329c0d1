"""Amounts in a game's unit, for people."""

from __future__ import annotations


def amount(number: str, unit: str) -> str:
    """Return a number with its unit, whose plural is made by an s.

    Examples
    --------
    >>> amount("1/18", "chips"), amount("-1", "chips"), amount("1", "utility")
    ('1/18 chips', '-1 chip', '1 utility')
    """
    is_one = number.lstrip("+-") == "1" and unit.endswith("s") and not unit.endswith("ss")
    return f"{number} {unit[:-1] if is_one else unit}"
