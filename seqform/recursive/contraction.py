"""Chances of a dense stage against the others' plans, in floats, and exactly in integers.

Exactly: plans are split into limbs, which are so short that sums of weights times a limb are below
2**53. These are exact in float64, in whatever order they are added up. The tables that come of them
are split in two again, so that sums of their halves times limbs of the third player's plan stay
within int64. Only what is left then becomes Python ints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Numbers
from seqform.base.deadline import check_time
from seqform.recursive.chance_tensor import HALF, OutcomeTensor

if TYPE_CHECKING:
    from seqform.recursive.dense_stage import DenseStage, Part

AT_ONCE = 192
"""Stages side by side: of 169 types each their tables take 44 MB, and twice that in limbs."""


class Sums(NamedTuple):
    """A table, and what is to be made of it.

    Parameters
    ----------
    table
        (types, types, num_columns): of the two seats that are left, the lower one first.
    vectors
        Which blocks of the last seat it is to be multiplied by.
    parts
        For each of these the parts of the seat's pairs to which that is added.
    """

    table: Numbers
    vectors: tuple[int, ...]
    parts: tuple[tuple[Part, ...], ...]


def last_seat(form: DenseStage, seat: int) -> int:
    """Return the other seat that is left once the first one was summed over."""
    return 3 - seat - form.summed_first(seat)


def tables(
    form: DenseStage, tensor: OutcomeTensor, seat: int, vectors: Callable[[int], Numbers]
) -> Iterator[Sums]:
    """Yield what is summed over one other seat's types, one set of outcomes after the other.

    Parameters
    ----------
    tensor
        That of the form, or one in its place.
    vectors
        Returns the plans of a block of that seat: (num_types, num_columns).
    """
    first, last = form.summed_first(seat), last_seat(form, seat)
    parts: dict[tuple[int, int], Part] = {(p.line, p.leaf): p for p in form.parts(seat)}
    types = [count for at, count in enumerate(tensor.num_types) if at != first]
    for split in form.splits(first):
        block = vectors(split.block)
        table = np.empty((*types, block.shape[1]), dtype=block.dtype)
        blocks = tuple(dict.fromkeys(form.lines[line].blocks[last] for line in split.lines))
        for outcomes in split.outcomes:
            check_time("adding up what strategies meet")
            alike = not form.decides(first, split.block)
            tensor.times(outcomes, first, block, table, alike)
            yield Sums(
                table,
                blocks,
                tuple(
                    tuple(
                        parts[line, int(form.lines[line].leaf[outcomes[0]])]
                        for line in split.lines
                        if form.lines[line].blocks[last] == block_of_last
                    )
                    for block_of_last in blocks
                ),
            )


def multiplied(table: Numbers, vectors: Numbers, is_first: bool) -> Numbers:
    """Return sums of a table times vectors, over its first or its second type.

    Parameters
    ----------
    vectors
        (num_vectors, types summed over, num_columns).

    Returns
    -------
    sums
        (num_vectors, types left, num_columns).
    """
    from seqform.recursive.dense_kernels import summed  # it loads numba

    out = np.empty(
        (len(vectors), table.shape[1 if is_first else 0], table.shape[2]), dtype=table.dtype
    )
    summed(table, vectors, is_first, out)
    return out


def add_sums(into: Numbers, parts: Sequence[Part], sums: Numbers) -> None:
    """Add sums (num_types, ...) to the places of parts: one for each type, or all in one."""
    for part in parts:
        if part.places.stop - part.places.start == len(sums):
            into[part.places] += sums
        else:
            into[part.places] += sums.sum(axis=0, keepdims=True)


def _columns(seat: int, plans: Sequence[Sequence[Numbers]]) -> Numbers:
    """Return the plans of a seat: (num_sequences, num_stages)."""
    return np.stack([own[seat] for own in plans], axis=1)


def _by_block(plans: Numbers, blocks: Index) -> Callable[[int], Numbers]:
    """Return what returns the plans of a block."""

    def vectors(block: int) -> Numbers:
        found: Numbers = plans[blocks[block]]
        return found

    return vectors


def _num_pairs(form: DenseStage, seat: int) -> int:
    return int(form.parts(seat)[-1].places.stop)


def chances(form: DenseStage, seat: int, plans: Sequence[Sequence[Floats]]) -> Iterator[Floats]:
    """Yield for each stage the chances of a seat's pairs against the others' plans.

    float64 (num_pairs,), in the order of `DenseStage.parts`.
    """
    first, last = form.summed_first(seat), last_seat(form, seat)
    for start in range(0, len(plans), AT_ONCE):
        some = plans[start : start + AT_ONCE]
        one, other = _columns(first, some), _columns(last, some)
        total = np.zeros((_num_pairs(form, seat), len(some)))
        for table, blocks, parts in tables(
            form, form.tensor, seat, _by_block(one, form.blocks[first])
        ):
            vectors = np.stack([other[form.blocks[last][block]] for block in blocks])
            for sums, to in zip(multiplied(table, vectors, last < seat), parts, strict=True):
                add_sums(total, to, sums)
        yield from np.ascontiguousarray(total.T) / form.denominator


def exact_chances(
    form: DenseStage, seat: int, plans: Sequence[Sequence[Exact]], whole: int
) -> Iterator[Exact]:
    """Yield for each stage `denominator` times ``whole**2`` times these chances, as Python ints."""
    first, last = form.summed_first(seat), last_seat(form, seat)
    limb, last_limb = form.tensor.limb, form.tensor.last_limb
    for start in range(0, len(plans), AT_ONCE):
        some = plans[start : start + AT_ONCE]
        one = _limbs(_columns(first, some), limb, whole)
        other = _limbs(_columns(last, some), last_limb, whole)
        count, num_pairs = len(some), _num_pairs(form, seat)
        total = np.zeros((len(one), 2, len(other), num_pairs, count), dtype=np.int64)
        limbs = np.concatenate(one, axis=1).astype(np.float64)
        for table, blocks, parts in tables(
            form,
            form.tensor,
            seat,
            _by_block(limbs, form.blocks[first]),
        ):
            vectors = [np.stack([w[form.blocks[last][b]] for b in blocks]) for w in other]
            for number in range(len(one)):
                of_limb = table[:, :, number * count : (number + 1) * count].astype(np.int64)
                for half, entries in enumerate((of_limb & ((1 << HALF) - 1), of_limb >> HALF)):
                    for third, vector in enumerate(vectors):
                        made = multiplied(entries, vector, last < seat)
                        for sums, to in zip(made, parts, strict=True):
                            add_sums(total[number, half, third], to, sums)
        yield from _put_together(total, limb, last_limb).T


def _limbs(plans: Exact, bits: int, whole: int) -> list[Index]:
    """Return nonnegative integers up to `whole` in limbs of so many bits, the lowest first."""
    shifts = range(0, whole.bit_length(), bits)
    return [((plans >> shift) & ((1 << bits) - 1)).astype(np.int64) for shift in shifts]


def _put_together(total: Index, limb: int, last_limb: int) -> Exact:
    """Return the sums of limbs and halves as Python ints: (num_pairs, num_stages)."""
    found = np.zeros(total.shape[3:], dtype=object)
    for (number, half, third), sums in zip(
        np.ndindex(*total.shape[:3]), total.reshape(-1, *total.shape[3:]), strict=True
    ):
        found += sums.astype(object) << (number * limb + half * HALF + third * last_limb)
    return found
