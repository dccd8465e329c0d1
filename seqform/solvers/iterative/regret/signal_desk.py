"""Where passes over the stages of a signal game work: of an iteration only reach is remembered."""

from __future__ import annotations

from typing import Any

import numpy as np

from seqform.base.arrays import Numbers
from seqform.solvers.iterative.regret import signal_kernels as kernels
from seqform.solvers.iterative.regret.rules import TIE
from seqform.solvers.iterative.regret.signal_layout import Stage
from seqform.solvers.iterative.regret.signal_part import Part


class Desk:
    """The arrays of one type in which passes over the stages work.

    None holds anything from one iteration to the next but the reach.
    """

    def __init__(
        self, stages: tuple[Stage, ...], parts: list[list[Part]], dtype: np.dtype[Any]
    ) -> None:
        shapes = [
            [(len(stage.order[player]), stage.num_columns) for stage in stages] for player in (0, 1)
        ]
        self.reach = [
            [np.zeros(shape, dtype=dtype) for shape in shapes[player]] for player in (0, 1)
        ]
        self.below = [
            [np.zeros(shape, dtype=dtype) for shape in shapes[player]] for player in (0, 1)
        ]
        self.numbers = np.array(
            [0.0, 1.0, *np.zeros(6), max(TIE, 8 * float(np.finfo(dtype).eps)), 1.0], dtype=dtype
        )
        self.works = [[Work(part, dtype) for part in of_stage] for of_stage in parts]


class Work:
    """The part of a desk for one group of a stage.

    What its entries are worth, what is paid, and a scratch for each thread.
    """

    def __init__(self, part: Part, dtype: np.dtype[Any]) -> None:
        sizes = [len(order) for order in part.stage.order]
        self.out = [np.zeros((size, part.group.num_entries), dtype=dtype) for size in sizes]
        self.payoffs = [_payoffs(part, player, dtype) for player in (0, 1)]
        count = min(part.threads, len(part.shares))
        self.scratch = [
            [_new_scratch(part, player, dtype) for _ in range(count)] for player in (0, 1)
        ]


def _new_scratch(part: Part, player: int, dtype: np.dtype[Any]) -> kernels.Scratch:
    """Return working arrays for `update` and `respond` of a player, for the largest block."""
    width, others = (
        int(np.diff(part.stage.blocks[who]).max(initial=0)) for who in (player, 1 - player)
    )
    mine, theirs, entries = part.actions[player], part.actions[1 - player], part.group.num_entries

    def zeros(*shape: int) -> Numbers:
        return np.zeros(shape, dtype=dtype)

    met, paid = zeros(1 + theirs, others, entries), zeros(1 + mine, width, entries)
    return kernels.Scratch(
        met.reshape(1 + theirs, others * entries), met,
        paid.reshape(1 + mine, width * entries), paid,
        zeros(others + 1, entries),
        zeros(mine, width * entries),
        zeros(theirs, others * entries),
        zeros(1 + mine, width * entries),
        zeros(max(width, others) * entries),
    )  # fmt: skip


def _payoffs(part: Part, player: int, dtype: np.dtype[Any]) -> kernels.Payoffs:
    group, outcomes = part.group, part.stage.outcomes[player]
    terminals = group.round.terminals[:, [player, 1 - player, 2]]
    numbers = (
        part.share * group.stakes,
        part.fixed[player],
        outcomes.u,
        outcomes.v,
        outcomes.value,
    )
    stakes, fixed, u, v, value = (array.astype(dtype, copy=False) for array in numbers)
    return kernels.Payoffs(
        np.ascontiguousarray(terminals), stakes, fixed, outcomes.structured, outcomes.flat, u, v,
        outcomes.lo, outcomes.hi, outcomes.start, outcomes.other, value,
    )  # fmt: skip
