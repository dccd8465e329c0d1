"""Stages of one form, side by side: their players learn while leads are worth so much.

Stages that are one object differ by what their leaves lead to, and so by what these are worth. All
of them are gone through in one pass over what the players' sequences meet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from seqform.base.arrays import Floats
from seqform.recursive.any_stage import AnyStage, Payer
from seqform.recursive.graph import StageGraph
from seqform.recursive.stationary import StationaryProfile
from seqform.solvers.iterative.regret.rules import RegretRule


class Batch:
    """Stages of one form, and what their players do there.

    Parameters
    ----------
    graph
        All stages.
    numbers
        Those of one form.
    profile
        What is done in the beginning.

    Attributes
    ----------
    average
        float64 (num_sequences, num_stages): average plans, for all sequences of all seats.
    played
        Rounds until now.
    weight
        What all of them together weigh in the averages.
    """

    def __init__(
        self, graph: StageGraph, numbers: Sequence[int], profile: StationaryProfile
    ) -> None:
        self.graph, self.numbers = graph, list(numbers)
        self.form: AnyStage = graph.stages[self.numbers[0]].form
        self._lay_out()
        stacked = [np.concatenate(profile.plans[number]) for number in self.numbers]
        self.average: Floats = np.stack(stacked, axis=1)
        self.plans = self.average.copy()
        self.behavior: Floats = np.stack(
            [np.concatenate(profile.behaviors[number]) for number in self.numbers], axis=1
        )
        self.regrets = np.zeros_like(self.average)
        self.played, self.weight = 0, 0.0

    def _lay_out(self) -> None:
        """Stack the sequences and information sets of all seats."""
        treeplexes = self.form.treeplexes
        rows = np.cumsum([0, *(t.num_sequences for t in treeplexes)])
        infosets = np.cumsum([0, *(t.num_infosets for t in treeplexes)])
        below = list(zip(treeplexes, rows[:-1], strict=True))
        self.rows = rows
        self.layout = (
            rows,
            infosets,
            np.concatenate([t.first_sequence[:-1] + row for t, row in below]).astype(np.int64),
            np.concatenate([t.first_sequence[1:] + row for t, row in below]).astype(np.int64),
            np.concatenate([t.parent_sequence + row for t, row in below]).astype(np.int64),
        )

    def worth(self, values: Floats) -> Floats:
        """Return what leaves are worth where positions are worth so much.

        float64 (num_seats, num_leaves, num_stages).
        """
        columns = [
            self.graph.worth(number, values)[self.graph.stages[number].lead]
            for number in self.numbers
        ]
        return np.ascontiguousarray(np.stack(columns, axis=2).transpose(1, 0, 2))

    def payer(self, worth: Floats) -> Payer:
        """Return what says what sequences are paid, for some rounds."""
        return self.form.payer(self.rows, worth, self.average)

    def behaviors(self) -> list[tuple[Floats, ...]]:
        """Return for each stage the behaviours of its seats in the averages."""
        seats = list(zip(self.form.treeplexes, self.rows[:-1], self.rows[1:], strict=True))
        return [
            tuple(t.to_behavior(self.average[start:stop, column]) for t, start, stop in seats)
            for column in range(len(self.numbers))
        ]


def batches(graph: StageGraph, profile: StationaryProfile) -> list[Batch]:
    """Return all stages, those of one form together, as many as the form takes at once."""
    return [
        Batch(graph, some, profile)
        for numbers in graph.alike
        for some in _portions(numbers, graph.stages[numbers[0]].form.most_at_once)
    ]


def _portions(numbers: list[int], most: int | None) -> list[list[int]]:
    """Return numbers in lists of about equal length, none longer than `most`."""
    count = 1 if most is None else -(-len(numbers) // most)
    ends = [len(numbers) * part // count for part in range(count + 1)]
    return [numbers[start:end] for start, end in pairwise(ends)]


class RegretMinimization:
    """Regret minimization by a rule (`seqform.solvers.iterative.regret.rules`)."""

    def __init__(self, rule: RegretRule) -> None:
        self.rule = rule

    def learn(self, batch: Batch, worth: Floats, rounds: int, watch: Callable[[], None]) -> None:
        """Go on for some rounds, in which leaves are worth so much.

        `watch` is called before each round; what it raises ends them.
        """
        from seqform.recursive.stage_kernels import learn_from_regrets  # it loads numba

        paid, payer = np.empty_like(batch.plans), batch.payer(worth)
        for step in self.rule.schedule(batch.played, rounds):
            watch()
            batch.weight += float(step[2])
            for seat in range(len(worth)):
                payer.pay(seat, batch.plans, paid)
                learn_from_regrets(
                    batch.layout,
                    seat,
                    step,
                    self.rule.prediction,
                    step[2] / batch.weight,
                    paid,
                    batch.regrets,
                    batch.behavior,
                    batch.plans,
                    batch.average,
                )
        batch.played += rounds


def play_fictitiously(batch: Batch, payer: Payer, rounds: int, watch: Callable[[], None]) -> None:
    """Let all answer the averages at once, for some rounds (Brown 1951).

    `watch` is called before each round; what it raises ends them.
    """
    from seqform.recursive.stage_kernels import answer_best, mix_all  # it loads numba

    paid = np.empty_like(batch.plans)
    for _ in range(rounds):
        watch()
        for seat in range(batch.form.num_seats):
            payer.pay(seat, batch.average, paid)
            answer_best(batch.layout, seat, paid, batch.behavior, batch.plans)
        batch.played += 1
        mix_all(batch.layout, 1.0 / batch.played, batch.plans, batch.average)


def most_gained(batch: Batch, payer: Payer) -> float:
    """Return the most that anybody gains by leaving the averages within one stage of a batch.

    As exactly as the payer says: of dense stages in single precision.

    Parameters
    ----------
    payer
        Made at these averages.
    """
    paid, most = np.empty_like(batch.average), 0.0
    for seat, treeplex in enumerate(batch.form.treeplexes):
        if treeplex.num_infosets:
            payer.pay(seat, batch.average, paid)
            own = slice(batch.rows[seat], batch.rows[seat + 1])
            for gradient, plan in zip(paid[own].T, batch.average[own].T, strict=True):
                most = max(most, treeplex.best_value(gradient) - float(gradient @ plan))
    return most
