"""DenseStage: a stage whose three players each draw one of many types, in tensors of chances.

With 169 classes of hands each there are 4.8 million deals, and listing where sequences meet is out
of the question. But all lines of play share the chances of the deal. In a line each player has one
sequence for each type, a *block* of sequences. So what a player is paid is a sum over lines, of
tensors of chances (`ChanceTensor`) times a vector for each of the other players.

Such a product is taken in two steps. Weights times the vectors of one other player, for all stages
side by side, are products of matrices; this is nearly all of the work. What is left are tables of
two players' types, which are summed over the third player's (`seqform.recursive.contraction`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.base.errors import InvalidGameError
from seqform.recursive.against import Against
from seqform.recursive.any_stage import AnyStage
from seqform.recursive.chance_tensor import ChanceTensor, Outcomes
from seqform.recursive.contraction import chances, exact_chances
from seqform.recursive.dense_entries import listed_entries
from seqform.recursive.dense_payer import DensePayer
from seqform.recursive.dense_payoffs import DensePayoffs
from seqform.recursive.small_tensor import SmallTensor
from seqform.recursive.stage_form import DRAWS, StageForm, random_plan

SEATS = 3

ROOM = 2**27
"""Bytes of a table of pairs of types, for stages side by side."""

SMALL = 10**6
"""Deals of types up to which players learn by all of them."""

KEPT = 2 * SEATS
"""Chances against plans that are kept: of strategies, and of these without what is never played."""


class DenseLine(NamedTuple):
    """A line of play.

    Parameters
    ----------
    blocks
        For each seat which of its blocks it plays.
    leaf
        int32 (num_outcomes,): the leaf at which the line ends by each outcome.
    """

    blocks: tuple[int, int, int]
    leaf: Ints


class Split(NamedTuple):
    """All lines in which a seat plays one block.

    Parameters
    ----------
    block
        Which.
    lines
        Their numbers.
    outcomes
        All outcomes, those together that each of the lines takes to one leaf.
    """

    block: int
    lines: tuple[int, ...]
    outcomes: tuple[Outcomes, ...]


class Part(NamedTuple):
    """The chances of a line with one leaf.

    Parameters
    ----------
    line, leaf
        Their numbers.
    places
        Where they are in the pairs of a seat's sequences and leads.
    """

    line: int
    leaf: int
    places: slice


@dataclass(frozen=True, eq=False)
class DenseStage(AnyStage):
    """A stage for three players, by their types.

    Parameters
    ----------
    treeplexes
        One for each seat.
    origin
        What knows the names of information sets and actions.
    leaves
        What ends of the stage are told apart.
    denominator
        That of the tensor.
    tensor
        The chances of types and outcomes; forms share one.
    blocks
        For each seat int64 (num_blocks, num_types): the sequence of each type. In a block of zeros
        it decides nothing.
    lines
        All lines of play.
    """

    tensor: ChanceTensor
    blocks: tuple[Index, ...]
    lines: tuple[DenseLine, ...]

    @property
    def num_entries(self) -> int:
        """Where sequences meet, leaf by leaf, if all types can be dealt together."""
        return sum(self.meeting_in(line) * len(np.unique(line.leaf)) for line in self.lines)

    def meeting_in(self, line: DenseLine) -> int:
        """Return how many sequences meet in a line: types count of who decides something there."""
        decided = zip(range(SEATS), self.tensor.num_types, line.blocks, strict=True)
        return prod(count for seat, count, block in decided if self.decides(seat, block))

    @property
    def num_bytes(self) -> int:
        """Nothing to speak of: stages share their tensor."""
        return 0

    @property
    def room(self) -> int:
        """Bytes of tables of pairs of types, and of their limbs."""
        return 4 * ROOM

    @property
    def most_at_once(self) -> int:
        """Of how many stages tables fit into the room."""
        one, other, third = self.tensor.num_types
        return max(1, ROOM // (4 * max(one * other, one * third, other * third)))

    def make_ready(self) -> None:
        """Make the tensor, if it waits to be made."""
        _ = self.tensor.weights

    @property
    def small(self) -> SmallTensor | None:
        """The smaller tensor by which players learn; None if that of the form is small."""
        deals = int(np.prod(self.tensor.num_types, dtype=np.int64))
        return small_of(self.tensor) if deals > SMALL else None

    @cached_property
    def _splits(self) -> dict[int, tuple[Split, ...]]:
        return {}

    def splits(self, seat: int) -> tuple[Split, ...]:
        """Return the lines, those with the same block of a seat together."""
        if seat not in self._splits:
            by_block: dict[int, list[int]] = {}
            for number, line in enumerate(self.lines):
                by_block.setdefault(line.blocks[seat], []).append(number)
            self._splits[seat] = tuple(
                Split(block, tuple(numbers), self._outcomes(numbers))
                for block, numbers in by_block.items()
            )
        return self._splits[seat]

    def _outcomes(self, numbers: list[int]) -> tuple[Outcomes, ...]:
        """Return all outcomes, those together that each of some lines takes to one leaf."""
        found: dict[tuple[int, ...], list[int]] = {}
        for outcome in range(self.tensor.num_outcomes):
            leaves = tuple(int(self.lines[number].leaf[outcome]) for number in numbers)
            found.setdefault(leaves, []).append(outcome)
        return tuple(map(tuple, found.values()))

    def decides(self, seat: int, block: int) -> bool:
        """Return whether a seat has a sequence other than the empty one in a block."""
        return bool(self.blocks[seat][block].any())

    def summed_first(self, seat: int) -> int:
        """Return over which other seat's types chances are summed first: with fewest products."""

        def products(other: int) -> int:
            split = self.splits(other)
            return sum(len(at.outcomes) for at in split if self.decides(other, at.block))

        return min((other for other in range(SEATS) if other != seat), key=products)

    def parts(self, seat: int) -> tuple[Part, ...]:
        """Return lines with their leaves, and where their chances are in the pairs of a seat."""
        found, start = [], 0
        for number, line in enumerate(self.lines):
            decides = self.decides(seat, line.blocks[seat])
            size = self.tensor.num_types[seat] if decides else 1
            for leaf in dict.fromkeys(line.leaf.tolist()):
                found.append(Part(number, leaf, slice(start, start + size)))
                start += size
        return tuple(found)

    def check(self) -> None:
        """See that play ends in exactly one line, whatever the players do and are dealt.

        The chances of all lines together are a polynomial of degree 1 in each strategy, for each
        deal. So they are 1 everywhere if they are so at a point drawn at random. Deals are weighed
        at random, too, each seat's types by themselves, and added up: that is a polynomial of
        degree 1 in the weights of each seat. If one of the chances is not 1, the sum is right with
        a chance of ``6 / DRAWS`` at most (Schwartz, J. ACM 27(4), 1980).

        Raises
        ------
        InvalidGameError
            R4: if not, or if a line has blocks or leaves that there are not.
        """
        _check_shapes(self)
        rng = np.random.default_rng(1980)
        every, weighed = 1, []  # for each seat what each of its blocks weighs
        for treeplex, blocks in zip(self.treeplexes, self.blocks, strict=True):
            plan = random_plan(treeplex, rng)
            weights = rng.integers(DRAWS, size=blocks.shape[1]).astype(object)
            weighed.append([plan[block] @ weights for block in blocks])
            every *= weights.sum()
        lines = [
            prod(own[b] for own, b in zip(weighed, at.blocks, strict=True)) for at in self.lines
        ]
        if sum(lines) != every:
            raise InvalidGameError(
                "R4: the lines of a stage do not add up: whatever the players do and are dealt, "
                "play has to end in exactly one line"
            )

    def listed(self) -> StageForm:
        """Return the stage entry by entry.

        Raises
        ------
        GameTooLargeError
            If that does not fit into memory.
        """
        return listed_entries(self)

    def meetings(self, lead: Ints, seat: int) -> DenseMeetings:
        """Return where a seat's sequences come to leads."""
        return DenseMeetings(self, lead, seat)

    def payer(self, rows: Index, worth: Floats, near: Floats) -> DensePayer:
        """Return what says what sequences are paid."""
        return DensePayer(self, rows, worth, near)

    def payoffs(self, worth: Floats) -> DensePayoffs:
        """Return what sequences are paid, line by line."""
        return DensePayoffs(self, worth)

    def ending(self, seat: int, plans: Sequence[Floats]) -> Floats:
        """Return how likely chance and the others let play end in each sequence of a seat."""
        found: Floats = self.leaf_chances(seat, plans).gradient(np.ones(len(self.leaves)))
        return found

    def leaf_chances(self, seat: int, plans: Sequence[Floats]) -> Against:
        """Return how likely a seat's sequences come to leaves against the others' plans.

        The last ones are kept, as what is known of strategies needs them several times.
        """
        key = seat, *(plan.tobytes() for other, plan in enumerate(plans) if other != seat)
        if key not in self._kept:
            if len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            lead = np.arange(len(self.leaves), dtype=np.int32)
            self._kept[key] = self.meetings(lead, seat).against(plans)
        return self._kept[key]

    @cached_property
    def _kept(self) -> dict[tuple[Any, ...], Against]:
        return {}

    def feed(self, update: Callable[[bytes], None], lead: Ints) -> None:
        """Give all that chances are made of to the `update` of a digest."""
        update(b"types")
        update(self.tensor.digest)
        for blocks in self.blocks:
            update(np.ascontiguousarray(blocks, dtype=np.int64).tobytes())
        for line in self.lines:
            update(repr(line.blocks).encode())
            update(np.ascontiguousarray(lead[line.leaf]).tobytes())

    def all_against(
        self, meetings: Sequence[Any], plans: Sequence[Sequence[Floats]]
    ) -> list[Against]:
        """Return for several stages of this form the chances against the others' plans."""
        made = chances(self, meetings[0].seat, plans)
        return [at.of(column, 1) for at, column in zip(meetings, made, strict=True)]

    def all_exactly_against(
        self, meetings: Sequence[Any], plans: Sequence[Sequence[Exact]], whole: int
    ) -> list[Against]:
        """Return the same in integers, of `whole` times realization plans."""
        made = exact_chances(self, meetings[0].seat, plans, whole)
        denominator = self.denominator * whole ** (SEATS - 1)
        return [at.of(column, denominator) for at, column in zip(meetings, made, strict=True)]


@lru_cache(maxsize=2)
def small_of(tensor: ChanceTensor) -> SmallTensor:
    """Return the smaller tensor, which all forms of one tensor share."""
    return SmallTensor(tensor)


def _check_shapes(form: DenseStage) -> None:
    """See that lines have blocks and leaves that there are."""
    types = form.tensor.num_types
    fits = form.denominator == form.tensor.denominator
    for treeplex, blocks, count in zip(form.treeplexes, form.blocks, types, strict=True):
        fits = fits and blocks.ndim == 2 and blocks.shape[1] == count and len(blocks) > 0
        fits = fits and 0 <= int(blocks.min()) <= int(blocks.max()) < treeplex.num_sequences
        fits = fits and all(_is_block(block) for block in blocks)
    for line in form.lines:
        fits = fits and line.leaf.shape == (form.tensor.num_outcomes,)
        fits = fits and 0 <= int(line.leaf.min()) <= int(line.leaf.max()) < len(form.leaves)
        fits = fits and all(
            0 <= block < len(blocks) for block, blocks in zip(line.blocks, form.blocks, strict=True)
        )
    if not fits or not form.lines:
        raise InvalidGameError(
            "R4: a stage by types has three seats, blocks with a sequence for each type, and lines "
            "with a block of each seat and a leaf for each outcome; in a block all sequences "
            "differ, or all are 0. Some of these numbers are wrong"
        )


def _is_block(block: Index) -> bool:
    """Return whether sequences are those of types that decide each for itself, or none does."""
    return not block.any() or len(np.unique(block)) == len(block)


class DenseMeetings:
    """Where a seat's sequences come to leads, line by line."""

    def __init__(self, form: DenseStage, lead: Ints, seat: int) -> None:
        self.form, self.seat = form, seat
        leads, sequences = [], []
        for part in form.parts(seat):
            block = form.lines[part.line].blocks[seat]
            size = part.places.stop - part.places.start
            leads.append(np.full(size, lead[part.leaf], dtype=np.int64))
            sequences.append(form.blocks[seat][block][:size])
        self.lead: Index = np.concatenate(leads)
        self.sequence: Index = np.concatenate(sequences)

    def of(self, made: Any, denominator: int) -> Against:
        """Return the chances that pairs have, as numbers over a denominator."""
        return Against(self.form.treeplexes[self.seat], self.lead, self.sequence, made, denominator)

    def against(self, plans: Sequence[Floats]) -> Against:
        """Return the chances against the others' plans, in floats."""
        return self.form.all_against([self], [plans])[0]

    def exactly_against(self, plans: Sequence[Exact], whole: int) -> Against:
        """Return the chances against the others' plans, in integers."""
        return self.form.all_exactly_against([self], [plans], whole)[0]
