"""Regret minimization over signal games, in passes over rounds and blocks of classes.

The rules are those of `TreeplexEngine`; a block holds classes that can meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from seqform.base.arrays import Floats, Index, Numbers
from seqform.base.errors import InvalidParameterError
from seqform.form.from_signals import SequenceNumbering
from seqform.form.restricted_payoff import RestrictedPayoff
from seqform.game.observations import Classes, SignalStructure
from seqform.solvers.iterative.regret import signal_compile
from seqform.solvers.iterative.regret import signal_kernels as kernels
from seqform.solvers.iterative.regret.rules import TIE, RegretRule
from seqform.solvers.iterative.regret.signal_layout import Stage, StageGroup, lay_out
from seqform.solvers.iterative.search import Engine

Sides = list[kernels.Side]


MOST_RECENT, MOST_GROWN = 16, 1e6
"""For how many iterations averages are summed in single precision before they are put aside, and by
how much weights may grow meanwhile. So rounding takes few of 24 bits."""

SHARES = 4
"""Blocks are handed to threads in this many shares for each, so that a thread held up by other
programs holds up no other."""

SMALLEST_SHARE = 20_000
"""Actions times classes times entries from which a share is worth handing to a thread."""


class SignalEngine(Engine):
    """Applies a regret rule to a signal game under classes of observations.

    Parameters
    ----------
    structure, classes
        The game, and what its players can distinguish.
    rule
        How regrets are kept; alternating.
    dtype
        Of regrets and everything computed from them; float32 takes three fifths of the memory and
        half the time. Averages are kept in float64 then, too, but for the newest iterations.
    threads
        How many threads share the blocks.
    restricted
        Payoffs of the game against somebody who follows a model, instead of the game's own.

    Raises
    ------
    UnsupportedGameError
        If some line of betting skips a stage.
    InvalidParameterError
        If the rule does not alternate.
    """

    name = "signal"

    def __init__(
        self,
        structure: SignalStructure,
        classes: Classes,
        rule: RegretRule,
        dtype: DTypeLike = np.float64,
        threads: int = 1,
        restricted: RestrictedPayoff | None = None,
    ) -> None:
        if not rule.alternating:
            raise InvalidParameterError(
                "alternating=False: this engine lets players alternate; use TreeplexEngine"
            )
        self.structure, self.classes, self.rule, self.threads = structure, classes, rule, threads
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.single = self.dtype == np.float32
        self.stages = lay_out(structure, classes)
        self.iterations = 0
        self.total_weight, self._unit, self._recent = 0.0, 1.0, MOST_RECENT
        self._parts = [
            [_Part(stage, group, rule, self.dtype, threads) for group in stage.groups]
            for stage in self.stages
        ]
        self._restricted = restricted
        if restricted is not None:
            self._restrict(restricted)
        self._desk = _Desk(self.stages, self._parts, self.dtype)
        self._average_desk = _Desk(self.stages, self._parts, np.dtype(np.float64))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        signal_compile.end()
        for player in (0, 1):
            self._descend(player, self._desk, averaged=False)

    def _restrict(self, payoffs: RestrictedPayoff) -> None:
        """Make the free payoffs count less, and pay actions what they get from the model."""
        player, gets = payoffs.answers, payoffs.p * payoffs.paid_to_answer
        betting = SequenceNumbering(self.structure, self.classes, player)
        for parts in self._parts:
            for part in parts:
                part.share, part.fixed[player] = 1 - payoffs.p, part.read(player, betting, gets)

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        numbers = self._desk.numbers
        for positive, negative, weight, *following in self.rule.schedule(self.iterations, count):
            discounts = positive, negative, self._in_units(float(weight)), *following
            numbers[kernels.POSITIVE : kernels.TIE] = *discounts, self.rule.prediction
            for player in (0, 1):
                self._update(player)
                self._descend(player, self._desk, averaged=False)
            # as it was added to the average
            self.total_weight += self._unit * float(numbers[kernels.WEIGHT])
            self.iterations += 1

    def _in_units(self, weight: float) -> float:
        """Return an iteration's weight in the unit of the newest sums.

        In single precision these begin anew now and then, so that they have all digits.
        """
        if self.single and (self._recent == MOST_RECENT or weight > MOST_GROWN * self._unit):
            for parts in self._parts:
                for part in parts:
                    part.put_aside(self._unit)
            self._unit, self._recent = weight or self._unit, 0
        self._recent += 1
        return weight / self._unit

    def _update(self, player: int) -> None:
        def pass_over(
            part: _Part,
            work: _Work,
            sides: Sides,
            below: Numbers,
            blocks: tuple[int, int],
            scratch: Any,
        ) -> None:
            predictive, numbers = self.rule.prediction > 0, self._desk.numbers
            kernels.update(
                *sides, work.payoffs[player], part.ends, player, below, part.first_column,
                work.out[player], blocks, predictive, scratch, numbers,
            )  # fmt: skip

        self._upwards(player, self._desk, pass_over, 1.0)

    def bounds(self) -> tuple[float, float]:
        """Return what the average plans guarantee, as the engine computes it: no certificate."""
        desk, total, best = self._average_desk, self.total_weight, []
        desk.numbers[[kernels.ROOT, kernels.WEIGHT]] = total, self._unit
        for player in (0, 1):
            self._descend(player, desk, averaged=True)
        for player in (0, 1):

            def pass_over(
                part: _Part,
                work: _Work,
                sides: Sides,
                below: Numbers,
                blocks: tuple[int, int],
                scratch: Any,
                player: int = player,
            ) -> None:
                kernels.respond(
                    *sides, work.payoffs[player], part.ends, player, below, part.first_column,
                    work.out[player], blocks, scratch, desk.numbers,
                )  # fmt: skip

            best.append(self._upwards(player, desk, pass_over, total) / total)
        for player, paid in self._paid_anyway():
            best[player] += paid
        return -best[1], best[0]

    def _paid_anyway(self) -> list[tuple[int, float]]:
        """Return what players get from the model whatever they do, which no pass counts."""
        if self._restricted is None:
            return []
        player = self._restricted.answers
        start = self._restricted.p * float(self._restricted.paid_to_answer[0])
        average = sum(
            float(np.vdot(part.fixed[player], part.summed(player, self._unit)))
            for parts in self._parts
            for part in parts
        )
        return [(player, start), (1 - player, -start - average / self.total_weight)]

    def _upwards(
        self, player: int, desk: _Desk, pass_over: Callable[..., None], root: float
    ) -> float:
        """Take all stages from last to first; return what the game is worth to the player."""
        for number in range(len(self.stages) - 1, -1, -1):
            stage, below = self.stages[number], desk.below[player]
            if number:
                below[number - 1][:] = 0
            for part, work in zip(self._parts[number], desk.works[number], strict=True):
                sides = [
                    part.side(who, number, desk.reach[who], root) for who in (player, 1 - player)
                ]
                self._share_out(
                    part, work.scratch[player], partial(pass_over, part, work, sides, below[number])
                )
                if number:
                    kernels.ascend(
                        work.out[player],
                        stage.parent[player],
                        part.group.columns,
                        below[number - 1],
                    )
        return float(sum(work.out[player].sum() for work in desk.works[0]))

    def _descend(self, player: int, desk: _Desk, averaged: bool) -> None:
        """Write the player's reach at the ends of all stages.

        It is that of its current strategy, or of its average.
        """
        reach, root = desk.reach[player], self.total_weight if averaged else 1.0
        for number, parts in enumerate(self._parts[:-1]):
            for part, work in zip(parts, desk.works[number], strict=True):
                side = part.side(player, number, reach, root)
                if averaged:
                    part.write_average(player, side, self._unit, reach[number])
                    continue
                kernels.descend(
                    side,
                    part.ends,
                    player,
                    reach[number],
                    part.first_column,
                    work.scratch[player][0],
                    desk.numbers,
                )

    def _share_out(
        self, part: _Part, spare: list[Any], function: Callable[[tuple[int, int], Any], None]
    ) -> None:
        """Call a function for all blocks of a part, with working arrays of its own.

        Which thread takes what changes nothing.
        """

        def take(blocks: tuple[int, int]) -> None:
            scratch = spare.pop()
            function(blocks, scratch)
            spare.append(scratch)

        if self._pool is None or len(part.shares) == 1:
            function((0, part.num_blocks), spare[0])
        else:
            for future in [self._pool.submit(take, blocks) for blocks in part.shares]:
                future.result()

    def plans(self) -> tuple[Floats, Floats]:
        """Return the average plans so far, by the numbers of `build_signal_form`."""
        plans = []
        for player in (0, 1):
            betting = SequenceNumbering(self.structure, self.classes, player)
            plan = np.zeros(betting.num_sequences)
            plan[0] = 1.0
            for parts in self._parts:
                for part in parts:
                    average = part.summed(player, self._unit) / (self.total_weight or 1.0)
                    part.write(player, betting, average, plan)
            plans.append(plan)
        return plans[0], plans[1]

    def state(self) -> dict[str, Numbers]:
        """Return what a checkpoint must hold to go on from here: by class, action and entry."""
        arrays = {"total_weight": np.array([self.total_weight])}
        if self.single:
            arrays["recent"] = np.array([self._unit, self._recent])
        for number, parts in enumerate(self._parts):
            for index, part in enumerate(parts):
                for player in (0, 1):
                    for name in self._remembered:
                        cells = _by_class(getattr(part, name)[player], part.group)
                        arrays[f"{name}{player}.{number}.{index}"] = cells.transpose(1, 0, 2)
        return arrays

    @property
    def _remembered(self) -> list[str]:
        """What of a part a state holds."""
        names = ["regret", "average"]
        return names + ["earlier"] * self.single + ["basis"] * (self.rule.prediction > 0)

    def restore(self, state: dict[str, Numbers], iterations: int) -> None:
        """Go on from a state that `state` returned."""
        for name, array in self.state().items():
            array[...] = state[name]
        self.total_weight, self.iterations = float(state["total_weight"][0]), iterations
        if self.single:
            self._unit, self._recent = float(state["recent"][0]), int(state["recent"][1])
        for player in (0, 1):
            self._descend(player, self._desk, averaged=False)


class _Part:
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
        by_class = _by_class(cells, self.group)
        for actions, entry, sequences in _places(self.group, self.stage, player, betting):
            vector[sequences] = by_class[actions, :, entry].T

    def read(self, player: int, betting: SequenceNumbering, vector: Floats) -> Floats:
        """Return numbers of sequences by action, class and entry, as sums are kept."""
        found = np.zeros(self.average[player].shape)
        by_class = _by_class(found, self.group)
        for actions, entry, sequences in _places(self.group, self.stage, player, betting):
            by_class[actions, :, entry] = vector[sequences].T
        return found


def _by_class(cells: Numbers, group: StageGroup) -> Numbers:
    """Return a view (actions, classes, entries) of cells (actions, classes * entries)."""
    entries = group.num_entries
    return cells.reshape(len(cells), cells.shape[1] // entries, entries)


def _places(
    group: StageGroup, stage: Stage, player: int, betting: SequenceNumbering
) -> Iterator[tuple[slice, int, Index]]:
    """Yield actions, an entry, and their sequences: int64 (classes, actions)."""
    order = stage.order[player]
    for node, (first, count, _) in enumerate(group.round.nodes[player].tolist()):
        for entry, public in enumerate(group.decisions[player][node].tolist()):
            start = int(betting.first_sequence[betting.position[public]])
            sequences = start + order[:, None] * count + np.arange(count)
            yield slice(first, first + count), entry, sequences


class _Desk:
    """The arrays of one type in which passes over the stages work.

    None holds anything from one iteration to the next but the reach.
    """

    def __init__(
        self, stages: tuple[Stage, ...], parts: list[list[_Part]], dtype: np.dtype[Any]
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
        self.works = [[_Work(part, dtype) for part in of_stage] for of_stage in parts]


class _Work:
    """The part of a desk for one group of a stage.

    What its entries are worth, what is paid, and a scratch for each thread.
    """

    def __init__(self, part: _Part, dtype: np.dtype[Any]) -> None:
        sizes = [len(order) for order in part.stage.order]
        self.out = [np.zeros((size, part.group.num_entries), dtype=dtype) for size in sizes]
        self.payoffs = [_payoffs(part, player, dtype) for player in (0, 1)]
        count = min(part.threads, len(part.shares))
        self.scratch = [
            [_new_scratch(part, player, dtype) for _ in range(count)] for player in (0, 1)
        ]


def _new_scratch(part: _Part, player: int, dtype: np.dtype[Any]) -> kernels.Scratch:
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


def _payoffs(part: _Part, player: int, dtype: np.dtype[Any]) -> kernels.Payoffs:
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
