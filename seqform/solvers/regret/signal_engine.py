"""Regret minimization over signal games: the rules of `TreeplexEngine`, in passes over rounds and blocks of classes that can meet."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from seqform.errors import InvalidParameterError
from seqform.signal_form import Betting
from seqform.signal_structure import Classes, SignalStructure
from seqform.solvers.regret import signal_kernels as kernels
from seqform.solvers.regret.rules import RegretRule
from seqform.solvers.regret.signal_layout import Group, Outcomes, Stage, lay_out
from seqform.solvers.regret.treeplex_kernels import TIE

Floats = NDArray[np.float64]
Array = NDArray[Any]


SHARES = 4
"""Blocks are handed to threads in this many shares for each, so that a thread held up by other programs holds up no other."""

SMALLEST_SHARE = 20_000
"""Actions times classes times entries from which a share is worth handing to a thread."""


class SignalEngine:
    """Applies a regret rule to a signal game under classes of observations.

    Parameters
    ----------
    structure, classes
        The game, and what its players tell apart.
    rule
        How regrets are kept; alternating.
    dtype
        Of regrets and everything computed from them; float32 takes half the memory and time and reaches gaps of about 1e-5 of a stake.
    average_dtype
        Of the average strategies.
    threads
        How many threads share the blocks.

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
        average_dtype: DTypeLike = np.float64,
        threads: int = 1,
    ) -> None:
        if not rule.alternating:
            raise InvalidParameterError("alternating=False: this engine lets players alternate; use TreeplexEngine")
        self.structure, self.classes, self.rule, self.threads = structure, classes, rule, threads
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.stages = lay_out(structure, classes)
        self.iterations = 0
        self.total_weight = 0.0
        self._parts = [[_Part(stage, group, rule, self.dtype, average_dtype, threads) for group in stage.groups] for stage in self.stages]
        shapes = [[(len(stage.order[player]), stage.num_columns) for stage in self.stages] for player in (0, 1)]
        self._reach = [[np.zeros(shape, dtype=self.dtype) for shape in shapes[player]] for player in (0, 1)]
        self._below = [[np.zeros(shape, dtype=self.dtype) for shape in shapes[player]] for player in (0, 1)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._numbers = np.array([0.0, 1.0, 0.0, 0.0, 0.0, max(TIE, 8 * float(np.finfo(self.dtype).eps))], dtype=self.dtype)
        for player in (0, 1):
            self._descend(player, self._reach[player], averaged=False)

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        for positive, negative, weight in self.rule.schedule(self.iterations, count).tolist():
            self._numbers[kernels.POSITIVE : kernels.WEIGHT + 1] = positive, negative, weight
            for player in (0, 1):
                self._update(player)
                self._descend(player, self._reach[player], averaged=False)
            self.total_weight += weight
            self.iterations += 1

    def _update(self, player: int) -> None:
        def pass_over(part: _Part, sides: tuple[kernels.Side, kernels.Side], below: Array, out: Array, blocks: Any, scratch: Any) -> None:
            kernels.update(
                *sides,
                part.payoffs[player],
                part.ends,
                player,
                below,
                part.first_column,
                out,
                blocks,
                self.rule.predictive,
                scratch,
                self._numbers,
            )

        self._upwards(player, self._reach, pass_over, 1.0)

    def bounds(self) -> tuple[float, float]:
        """Return what the average plans guarantee, computed as the solver computes: not a certificate."""
        reach = [[np.zeros_like(array) for array in arrays] for arrays in self._reach]
        for player in (0, 1):
            self._descend(player, reach[player], averaged=True)
        best = []
        for player in (0, 1):

            def pass_over(part: _Part, sides: Any, below: Array, out: Array, blocks: Any, scratch: Any, player: int = player) -> None:
                kernels.respond(
                    *sides, part.payoffs[player], part.ends, player, below, part.first_column, out, blocks, scratch, self._numbers
                )

            best.append(self._upwards(player, reach, pass_over, self.total_weight) / self.total_weight)
        return -best[1], best[0]

    def _upwards(self, player: int, reach: list[list[Array]], pass_over: Any, root: float) -> float:
        """Take all stages from the last to the first; return what the game is worth to the player."""
        for number in range(len(self.stages) - 1, -1, -1):
            stage, below = self.stages[number], self._below[player]
            if number:
                below[number - 1][:] = 0
            for part in self._parts[number]:
                sides = [part.side(who, number, reach[who], root) for who in (player, 1 - player)]
                out = part.out[player]
                self._share_out(part, player, partial(pass_over, part, sides, below[number], out))
                if number:
                    kernels.ascend(out, stage.parent[player], part.group.columns, below[number - 1])
        return float(sum(part.out[player].sum() for part in self._parts[0]))

    def _descend(self, player: int, reach: list[Array], averaged: bool) -> None:
        root = self.total_weight if averaged else 1.0
        for number, parts in enumerate(self._parts[:-1]):
            for part in parts:
                side = part.side(player, number, reach, root)
                _, _, _, sigma, _, slots, total = part.scratch[player][0]
                kernels.descend(side, part.ends, player, reach[number], part.first_column, averaged, slots, sigma, total, self._numbers)

    def _share_out(self, part: _Part, player: int, function: Callable[[tuple[int, int], Any], None]) -> None:
        """Call a function for all blocks of a part, with working arrays that no other call has; which thread takes what changes nothing."""
        spare = part.scratch[player]

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
            betting = Betting(self.structure, self.classes, player)
            plan = np.zeros(betting.treeplex.num_sequences)
            plan[0] = 1.0
            for stage, parts in zip(self.stages, self._parts, strict=True):
                for part in parts:
                    part.write_plan(player, betting, stage, plan, self.total_weight or 1.0)
            plans.append(plan)
        return plans[0], plans[1]

    def state(self) -> dict[str, Array]:
        """Return what a checkpoint must hold to go on from here."""
        arrays = {"total_weight": np.array([self.total_weight])}
        for number, parts in enumerate(self._parts):
            for index, part in enumerate(parts):
                for player in (0, 1):
                    for name in ("regret", "average", *(["basis"] if self.rule.predictive else [])):
                        arrays[f"{name}{player}.{number}.{index}"] = getattr(part, name)[player]
        return arrays

    def restore(self, state: dict[str, Array], iterations: int) -> None:
        """Go on from a state that `state` returned."""
        for name, array in self.state().items():
            array[...] = state[name]
        self.total_weight, self.iterations = float(state["total_weight"][0]), iterations
        for player in (0, 1):
            self._descend(player, self._reach[player], averaged=False)


class _Part:
    """The arrays of one group of a stage."""

    def __init__(self, stage: Stage, group: Group, rule: RegretRule, dtype: np.dtype[Any], average_dtype: DTypeLike, threads: int) -> None:
        self.stage, self.group, self.ends, self.first_column = stage, group, group.round.ends, group.first_column
        self.actions = [group.round.num_actions(player) for player in (0, 1)]
        shapes = [(len(stage.order[player]), self.actions[player], group.num_entries) for player in (0, 1)]
        self.regret = [np.zeros(shape, dtype=dtype) for shape in shapes]
        self.basis = [np.zeros(shape, dtype=dtype) for shape in shapes] if rule.predictive else self.regret
        self.average = [np.zeros(shape, dtype=average_dtype) for shape in shapes]
        self.out = [np.zeros((shape[0], shape[2]), dtype=dtype) for shape in shapes]
        self.payoffs = [_payoffs(group, stage.outcomes[player], player, dtype) for player in (0, 1)]
        self.dtype, self.num_blocks = dtype, len(stage.blocks[0]) - 1
        count = max(1, min(self.num_blocks, SHARES * threads, sum(map(prod, shapes)) // SMALLEST_SHARE)) if threads > 1 else 1
        self.shares = list(pairwise(self.num_blocks * i // count for i in range(count + 1)))
        self.scratch = [[self._new_scratch(player) for _ in range(min(threads, count))] for player in (0, 1)]

    def side(self, player: int, number: int, reach: list[Array], root: float) -> kernels.Side:
        """Return a player as kernels see it; above the first stage its reach is `root`."""
        return kernels.Side(
            self.group.round.nodes[player],
            self.stage.blocks[player],
            self.regret[player],
            self.basis[player],
            self.average[player],
            reach[number - 1] if number else np.full((1, 1), root, dtype=self.dtype),
            self.stage.parent[player],
            self.group.columns,
        )

    def _new_scratch(self, player: int) -> tuple[Array, ...]:
        """Return working arrays for `update` and `respond` of one player, as large as the largest block needs."""
        width = [int(np.diff(blocks).max(initial=0)) for blocks in self.stage.blocks]
        mine, theirs, entries = self.actions[player], self.actions[1 - player], self.group.num_entries
        shapes = (
            (width[1 - player], 1 + theirs, entries),
            (width[player], 1 + mine, entries),
            (width[1 - player] + 1, entries),
            (mine, entries),
            (theirs, entries),
            (1 + mine, entries),
            (entries,),
        )
        return tuple(np.zeros(shape, dtype=self.dtype) for shape in shapes)

    def write_plan(self, player: int, betting: Betting, stage: Stage, plan: Floats, weight: float) -> None:
        """Write the average to its sequences in a plan."""
        average = self.average[player]
        for node, (first, count, _) in enumerate(self.group.round.nodes[player].tolist()):
            for entry, public in enumerate(self.group.decisions[player][node].tolist()):
                start = int(betting.first_sequence[betting.position[public]])
                block = plan[start : start + count * len(average)].reshape(len(average), count)
                block[stage.order[player]] = average[:, first : first + count, entry] / weight


def _payoffs(group: Group, outcomes: Outcomes, player: int, dtype: np.dtype[Any]) -> kernels.Payoffs:
    terminals = group.round.terminals[:, [player, 1 - player, 2]]
    stakes, u, v, value = (array.astype(dtype) for array in (group.stakes, outcomes.u, outcomes.v, outcomes.value))
    return kernels.Payoffs(
        np.ascontiguousarray(terminals), stakes, outcomes.structured, outcomes.flat, u, v,
        outcomes.lo, outcomes.hi, outcomes.start, outcomes.other, value,
    )  # fmt: skip
