"""DensePayer: what sequences are paid in dense stages side by side, while their players learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Index, Numbers
from seqform.recursive.contraction import last_seat, multiplied

if TYPE_CHECKING:
    from seqform.recursive.dense_stage import DenseStage, Split


class DensePayer:
    """Says what sequences are paid, in single precision; see `seqform.recursive.any_stage.Payer`.

    Tables of one other player are kept, and used again while that player's plans are the same: with
    three players who learn in turn that saves one of three.
    """

    def __init__(self, form: DenseStage, rows: Index, num_stages: int) -> None:
        self.form, self.rows, self.num_stages = form, rows, num_stages
        self._seat = -1
        self._room = np.empty(form.largest_tables * num_stages, dtype=np.float32)
        self._plans: list[Numbers] = []
        self._tables: list[list[Numbers]] = []

    def pay(self, seat: int, worth: Floats, plans: Floats, paid: Floats) -> None:
        """Write what each sequence of a seat is paid against the others' plans."""
        form = self.form
        own = paid[self.rows[seat] : self.rows[seat + 1]]
        own[:] = 0.0
        if not form.treeplexes[seat].num_infosets:
            return
        first, last = form.summed_first(seat), last_seat(form, seat)
        self._sum_over(first, plans)
        worth = worth / form.denominator
        for split, tables in zip(form.splits(first), self._tables, strict=True):
            blocks = tuple(dict.fromkeys(form.lines[line].blocks[last] for line in split.lines))
            vectors = np.stack([self._vectors(last, block, plans) for block in blocks])
            for outcomes, table in zip(split.outcomes, tables, strict=True):
                made = multiplied(table, vectors, last < seat)
                by_block = dict(zip(blocks, made, strict=True))
                self._add(seat, last, split, outcomes[0], worth, by_block, own)

    def _add(
        self,
        seat: int,
        last: int,
        split: Split,
        outcome: int,
        worth: Floats,
        made: dict[int, Numbers],
        own: Floats,
    ) -> None:
        """Add what all lines of a split pay by an outcome, which stands for those alike."""
        for number in split.lines:
            line = self.form.lines[number]
            if self.form.decides(seat, line.blocks[seat]):
                sequences = self.form.blocks[seat][line.blocks[seat]]
                own[sequences] += made[line.blocks[last]] * worth[line.leaf[outcome]]

    def _vectors(self, seat: int, block: int, plans: Floats) -> Numbers:
        """Return the plans of a block: float32 (num_types, num_stages)."""
        return plans[self.rows[seat] + self.form.blocks[seat][block]].astype(np.float32)

    def _sum_over(self, seat: int, plans: Floats) -> None:
        """Make the tables of a seat, unless they are there."""
        splits, tensor = self.form.splits(seat), self.form.tensor
        vectors = [self._vectors(seat, split.block, plans) for split in splits]
        same = zip(vectors, self._plans, strict=False)
        if seat == self._seat and all(np.array_equal(one, other) for one, other in same):
            return
        if seat != self._seat:
            self._tables = self._laid_out(seat)
        self._seat, self._plans = seat, vectors
        for split, vector, tables in zip(splits, vectors, self._tables, strict=True):
            for outcomes, table in zip(split.outcomes, tables, strict=True):
                if self.form.decides(seat, split.block):
                    tensor.times(outcomes, seat, vector, table)
                else:
                    table[:] = tensor.margin(outcomes, seat)[:, :, None]

    def _laid_out(self, seat: int) -> list[list[Numbers]]:
        """Return room for the tables of a seat, for each split and its outcomes."""
        types = [count for at, count in enumerate(self.form.tensor.num_types) if at != seat]
        size, start, found = types[0] * types[1] * self.num_stages, 0, []
        for split in self.form.splits(seat):
            found.append([])
            for _ in split.outcomes:
                room = self._room[start : start + size]
                found[-1].append(room.reshape(*types, self.num_stages))
                start += size
        return found
