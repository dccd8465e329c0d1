"""Limbs of integers: as wide and as few as they may be so that nothing overflows."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from seqform.exact import limbs
from seqform.exact.limbs import BestResponse, Layout
from seqform.form.explicit_passage import steps_of
from seqform.form.protocol import Integers
from tests.intervals import HAND, chain, objects, star


def choose_layout(bound: int, bits: int, treeplexes: Any) -> Layout:
    total = bound * (1 + max(treeplex.num_infosets for treeplex in treeplexes))
    return limbs.choose_layout(Integers(1, bound, total, 62), bits, treeplexes)


class OneTreeplex:
    """A block that is the sequences of one player."""

    is_last = True

    def steps(self, player: int) -> Any:
        return steps_of(HAND)

    def root(self, parts: Any) -> int:
        return int(parts[0][0])


BOUNDS = [1, 2, 3, 2**9, 2**9 - 1, 2**30, 2**56 - 1, 2**57 - 1]


@pytest.mark.parametrize("bits", [0, 1, 8, 52, 61, 62, 63, 64, 100, 400])
@pytest.mark.parametrize("shape", [chain, star])
def test_layouts_are_the_least_in_which_nothing_overflows(bits: int, shape: Any) -> None:
    for bound, length in product(BOUNDS, [0, 1, 2, 3, 7, 100]):
        followers = {chain: min(length, 1), star: length}[shape]
        layout = choose_layout(bound, bits, (shape(length), chain(0)))
        check_layout(layout, bits, bound, followers, bound * (1 + length) << bits)
        assert layout == choose_layout(bound, bits, (chain(0), shape(length)))


def check_layout(layout: Layout, bits: int, bound: int, followers: int, largest: int) -> None:
    """Half of a limb is for products, half for the responses that follow one sequence."""

    def has_room(width: int) -> bool:
        return max(2 * bound, 1 + followers) << width < 2**62

    count, width = layout.count, layout.width
    if count == 1:
        assert layout == Layout(1, 62, np.int64 if largest < 2**62 else object)
        assert largest < 2**62 or not has_room(4 if bits <= 62 else 8)
        return
    assert layout.dtype == np.int64
    assert largest >= 2**62
    assert has_room(width)
    assert not has_room(width + (1 if bits <= 62 else 8))
    assert bits <= 62 or width % 8 == 0
    assert largest < 2 ** (62 + width * (count - 1))
    assert count >= 1 + bits // width
    assert largest.bit_length() > 62 + width * (count - 2) or count == 1 + bits // width


def test_payoffs_that_leave_no_room_for_limbs_are_python_ints() -> None:
    assert choose_layout(2**57 - 1, 52, (chain(1), chain(1))).width == 4
    assert choose_layout(2**57, 52, (chain(1), chain(1))) == Layout(1, 62, object)
    assert choose_layout(2**54, 63, (chain(1), chain(1))) == Layout(1, 62, object)


@pytest.mark.parametrize("width", [8, 16, 24, 32, 40])
@pytest.mark.parametrize("bits", [0, 7, 8, 31, 32, 39, 40, 61, 64, 65, 200])
def test_split_integers_are_the_sums_of_their_limbs(width: int, bits: int) -> None:
    """Limbs beyond the largest integer are left out."""
    numbers = [0, 1, 2**bits, 2**bits - 1, 2**bits // 3]
    plan = objects(numbers) if bits > 61 else np.array(numbers)
    found = Layout(bits, width).split(plan, bits) if bits > 1 else [plan]
    assert len(found) == (1 + bits // width if bits > 1 else 1)
    for entry, *parts in zip(numbers, *(limb.tolist() for limb in found), strict=True):
        assert sum(part << width * place for place, part in enumerate(parts)) == entry
        assert bits < 2 or all(0 <= part < 2**width for part in parts)
    assert [limb.dtype for limb in Layout(1, 62, object).split(plan, bits)] == [object]


@pytest.mark.parametrize(
    "layout", [Layout(1, 62), Layout(1, 62, object), Layout(4, 8), Layout(7, 4)]
)
@pytest.mark.parametrize("seed", range(20))
def test_best_responses_are_those_of_python_ints(layout: Layout, seed: int) -> None:
    """Worths are near to one another, so that all limbs but the last ones are often the same."""
    rng = np.random.default_rng(seed)
    worth = rng.choice([-512, -256, 0, 256], HAND.num_sequences) + rng.integers(-2, 3, 9)
    plan = np.array([2**8])
    expected = [2**8 * int(entry) for entry in worth]
    for infoset in reversed(range(HAND.num_infosets)):
        first, stop = HAND.first_sequence[infoset : infoset + 2]
        expected[HAND.parent_sequence[infoset]] += max(expected[first:stop])
    found: Any = BestResponse(0, layout)
    found.take(OneTreeplex(), [{0: worth * limb} for limb in layout.split(plan, 8)])
    assert found.value == expected[0]
