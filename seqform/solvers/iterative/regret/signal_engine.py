"""Regret minimization over signal games, in passes over rounds and blocks of classes.

The rules are those of `TreeplexEngine`; a block holds classes that can meet.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from seqform.base.arrays import Floats, Numbers
from seqform.base.errors import InvalidParameterError
from seqform.form.from_signals import SequenceNumbering
from seqform.form.restricted_payoff import RestrictedPayoff
from seqform.game.observations import Classes, SignalStructure
from seqform.solvers.iterative.regret import signal_compile
from seqform.solvers.iterative.regret import signal_kernels as kernels
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.regret.signal_desk import Desk, Work
from seqform.solvers.iterative.regret.signal_layout import lay_out
from seqform.solvers.iterative.regret.signal_part import Part
from seqform.solvers.iterative.search import Engine

Sides = list[kernels.Side]


MOST_RECENT, MOST_GROWN = 16, 1e6
"""For how many iterations averages are summed in single precision before they are put aside, and by
how much weights may grow meanwhile. So rounding takes few of 24 bits."""


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
            [Part(stage, group, rule, self.dtype, threads) for group in stage.groups]
            for stage in self.stages
        ]
        self._restricted = restricted
        if restricted is not None:
            self._restrict(restricted)
        self._desk = Desk(self.stages, self._parts, self.dtype)
        self._average_desk = Desk(self.stages, self._parts, np.dtype(np.float64))
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
            part: Part,
            work: Work,
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
                part: Part,
                work: Work,
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
        self, player: int, desk: Desk, pass_over: Callable[..., None], root: float
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

    def _descend(self, player: int, desk: Desk, averaged: bool) -> None:
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
        self, part: Part, spare: list[Any], function: Callable[[tuple[int, int], Any], None]
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
                        cells = part.by_class(getattr(part, name)[player])
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
