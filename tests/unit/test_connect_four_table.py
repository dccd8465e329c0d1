"""The table of the Connect Four search, against two slots of plain Python."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from games import connect_four_kernels as kernels
from games.connect_four import connect_four
from games.connect_four_kernels import LOWER, MASK, MOVES, OWN, UPPER
from games.connect_four_solver import make_shape

COLUMNS, ROWS = 4, 4
LEAST, MOST = -9, 9


def row(own: int, mask: int, lower: int = LEAST, upper: int = MOST) -> Any:
    """Return a stack that holds one position and bounds on its score."""
    stack = np.zeros((1, MOVES + 2 * COLUMNS), dtype=np.int64)
    stack[0, [OWN, MASK, LOWER, UPPER]] = own, mask, lower, upper
    return stack


def late_positions(count: int, rng: random.Random) -> list[tuple[int, int]]:
    """Return distinct positions with more than half of the squares taken; mirrors are two then."""
    found = set()
    while len(found) < count:
        heights = [rng.randint(2, ROWS) for _ in range(COLUMNS)]
        mask = sum(((1 << h) - 1) << c * (ROWS + 1) for c, h in enumerate(heights))
        found.add((mask & rng.getrandbits(COLUMNS * (ROWS + 1)), mask))
    return sorted(found)


def known(shape: Any, table: Any, position: tuple[int, int]) -> tuple[int, int] | None:
    stack = row(*position)
    if not kernels.fetch(shape, table, stack, 0):
        return None
    return int(stack[0, LOWER]), int(stack[0, UPPER])


@pytest.mark.parametrize("table_bits", [1, 3])
def test_what_is_kept_and_what_gives_way(table_bits: int) -> None:
    """The first slot of a pair is for what took as many nodes or more, the second for the rest."""
    rng = random.Random(table_bits)
    shape = make_shape(connect_four(COLUMNS, ROWS), table_bits)
    table = np.zeros(1 << table_bits, dtype=np.int64)
    positions = late_positions(12, rng)
    place = {p: int(kernels.place(shape, row(*p), 0)[0]) // 2 for p in positions}
    slots: dict[tuple[int, int], Any] = {}
    for _ in range(400):
        position, nodes = rng.choice(positions), rng.choice([0, 1, 2, 3, 4, 7, 8, 1000, 1023, 1024])
        bounds = rng.randint(LEAST, 0), rng.randint(0, MOST)
        effort = max(nodes.bit_length() - 1, 0)
        first = slots.get((place[position], 0))
        gives_way = first is None or first[0] == position or effort >= first[2]
        slot = (place[position], 0 if gives_way else 1)
        added = kernels.keep(shape, table, row(*position, *bounds), 0, nodes)
        assert added == (slot not in slots)
        slots[slot] = position, bounds, effort
        for other in positions:
            expected = [
                kept[1]
                for where in (0, 1)
                if (kept := slots.get((place[other], where))) and kept[0] == other
            ]
            assert known(shape, table, other) == (expected[0] if expected else None)


def test_bounds_that_are_known_only_narrow() -> None:
    shape = make_shape(connect_four(COLUMNS, ROWS), 1)
    table, (position, _) = np.zeros(2, dtype=np.int64), late_positions(2, random.Random(1))
    kernels.keep(shape, table, row(*position, -3, 4), 0, 5)
    for before, after in (
        ((LEAST, MOST), (-3, 4)),
        ((-1, 2), (-1, 2)),
        ((-5, 2), (-3, 2)),
        ((-1, 6), (-1, 4)),
    ):
        stack = row(*position, *before)
        assert kernels.fetch(shape, table, stack, 0)
        assert (stack[0, LOWER], stack[0, UPPER]) == after


@pytest.mark.parametrize("table_bits", [1, 2, 5, 8])
def test_no_two_positions_are_taken_for_each_other(table_bits: int) -> None:
    shape = make_shape(connect_four(COLUMNS, ROWS), table_bits)
    positions = late_positions(3000, random.Random(2))
    found = {tuple(map(int, kernels.place(shape, row(*p), 0))) for p in positions}
    sums = {own + mask for own, mask in positions}
    assert len(found) == len(sums)
    assert {bucket for bucket, _ in found} == set(range(0, 1 << table_bits, 2))
