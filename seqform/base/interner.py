"""Interner: few distinct things, numbered as they come."""

from __future__ import annotations

from collections.abc import Hashable


class Interner:
    """Numbers distinct values 0, 1, 2, ... in order of first appearance."""

    def __init__(self) -> None:
        self.rows: dict[Hashable, int] = {}

    def __call__(self, value: Hashable) -> int:
        """Return the number of `value`."""
        return self.rows.setdefault(value, len(self.rows))

    def values(self) -> tuple[Hashable, ...]:
        """Return the values in order of their numbers."""
        return tuple(self.rows)
