"""What is remembered of a group of a stage of a signal game from iteration to iteration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from seqform.base.arrays import Floats, Index, Numbers
from seqform.form.from_signals import SequenceNumbering
from seqform.solvers.iterative.regret import signal_kernels as kernels
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.regret.signal_layout import Stage, StageGroup

SHARES = 4
"""Blocks are handed to threads in this many shares for each, so that a thread held up by other
programs holds up no other."""

SMALLEST_SHARE = 20_000
"""Actions times classes times entries from which a share is worth handing to a thread."""


class Part:
    """One group of a stage, and what is remembered of it from iteration to iteration.

    `average` has sums over iterations. In single precision they are of the newest ones, in a unit,
    and `earlier` has those before in double precision; otherwise that is empty.
    """

    def __init__(
        self,
        stage: Stage,
        group: StageGroup,
        rule: RegretRule,
        dtype: np.dtype[Any],
        threads: int,
    ) -> None:
        self.stage = stage
        self.group = group
        self.ends = group.round.ends
        self.first_column = group.first_column
        self.actions = [group.round.num_actions(player) for player in (0, 1)]
        shapes = [
            (self.actions[player], len(stage.order[player]) * group.num_entries)
            for player in (0, 1)
        ]
        self.regret = [np.zeros(shape, dtype=dtype) for shape in shapes]
        self.basis = (
            [np.zeros(shape, dtype=dtype) for shape in shapes] if rule.prediction else self.regret
        )
        self.average = [np.zeros(shape, dtype=dtype) for shape in shapes]
        self.earlier = [np.zeros(shape if dtype == np.float32 else (0, 1)) for shape in shapes]
        self.share, self.fixed = 1.0, [np.zeros((0, 1)) for _ in (0, 1)]
        self.num_blocks, self.threads = len(stage.blocks[0]) - 1, threads
        count = (
            max(1, min(self.num_blocks, SHARES * threads, sum(map(prod, shapes)) // SMALLEST_SHARE))
            if threads > 1
            else 1
        )
        self.shares = list(pairwise(self.num_blocks * i // count for i in range(count + 1)))

    def side(self, player: int, number: int, reach: list[Numbers], root: float) -> kernels.Side:
        """Return a player as kernels see it; above the first stage its reach is `root`."""
        return kernels.Side(
            self.group.round.nodes[player],
            self.stage.blocks[player],
            self.regret[player],
            self.basis[player],
            self.average[player],
            self.earlier[player],
            reach[number - 1] if number else np.full((1, 1), root, dtype=reach[0].dtype),
            self.stage.parent[player],
            self.group.columns,
        )

    def put_aside(self, unit: float) -> None:
        """Add the newest sums to the earlier ones, and begin anew."""
        for average, earlier in zip(self.average, self.earlier, strict=True):
            for sums, before in zip(average, earlier, strict=True):  # one at a time, to save memory
                np.add(before, np.multiply(sums, unit, dtype=np.float64), out=before)
                sums[:] = 0

    def write_average(self, player: int, side: kernels.Side, unit: float, out: Floats) -> None:
        """Write the reach of a player's average at the ends of the rounds."""
        entries, classes = self.group.num_entries, len(side.parent)
        for k, slot in enumerate(self.ends[:, player].tolist()):
            column = self.first_column + k * entries
            ending = out[:, column : column + entries]
            if slot == 0:
                ending[:] = side.above[side.parent[:, None], side.column]
                continue
            sums = self.average[player][slot - 1].reshape(classes, entries)
            np.multiply(sums, unit, out=ending, dtype=np.float64)
            if self.earlier[player].size:
                ending += self.earlier[player][slot - 1].reshape(classes, entries)

    def summed(self, player: int, unit: float) -> Floats:
        """Return the sums of all iterations."""
        sums = unit * self.average[player].astype(np.float64)
        return sums + self.earlier[player] if self.earlier[player].size else sums

    def write(
        self, player: int, betting: SequenceNumbering, cells: Numbers, vector: Floats
    ) -> None:
        """Write numbers by action, class and entry to their sequences in a vector."""
        numbers = self.by_class(cells)
        for actions, entry, sequences in self._places(player, betting):
            vector[sequences] = numbers[actions, :, entry].T

    def read(self, player: int, betting: SequenceNumbering, vector: Floats) -> Floats:
        """Return numbers of sequences by action, class and entry, as sums are kept."""
        found = np.zeros(self.average[player].shape)
        numbers = self.by_class(found)
        for actions, entry, sequences in self._places(player, betting):
            numbers[actions, :, entry] = vector[sequences].T
        return found

    def by_class(self, cells: Numbers) -> Numbers:
        """Return a view (actions, classes, entries) of cells (actions, classes * entries)."""
        entries = self.group.num_entries
        return cells.reshape(len(cells), cells.shape[1] // entries, entries)

    def _places(
        self, player: int, betting: SequenceNumbering
    ) -> Iterator[tuple[slice, int, Index]]:
        """Yield actions, an entry, and their sequences: int64 (classes, actions)."""
        order = self.stage.order[player]
        for node, (first, count, _) in enumerate(self.group.round.nodes[player].tolist()):
            for entry, public in enumerate(self.group.decisions[player][node].tolist()):
                start = int(betting.first_sequence[betting.position[public]])
                sequences = start + order[:, None] * count + np.arange(count)
                yield slice(first, first + count), entry, sequences
