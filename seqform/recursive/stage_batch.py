"""Stages of one form, side by side: their players learn while leads are worth so much.

Stages that are one object differ by what their leaves lead to, and so by what these are worth. All
of them are gone through in one pass over the places where sequences meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from seqform.base.arrays import Floats, Ints
from seqform.recursive.graph import StageGraph
from seqform.recursive.stage_form import StageForm
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
        self.form: StageForm = graph.stages[self.numbers[0]].form
        self._lead_of = [_lead_of_leaf(self.form, graph.stages[n].lead) for n in self.numbers]
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
            (self.form.places + rows[:-1, None]).astype(np.int32),
            self.form.shares,
            self.form.leaf,
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
            self.graph.worth(number, values)[lead]
            for number, lead in zip(self.numbers, self._lead_of, strict=True)
        ]
        return np.ascontiguousarray(np.stack(columns, axis=2).transpose(1, 0, 2))

    def behaviors(self) -> list[tuple[Floats, ...]]:
        """Return for each stage the behaviours of its seats in the averages."""
        seats = list(zip(self.form.treeplexes, self.rows[:-1], self.rows[1:], strict=True))
        return [
            tuple(t.to_behavior(self.average[start:stop, column]) for t, start, stop in seats)
            for column in range(len(self.numbers))
        ]


def _lead_of_leaf(form: StageForm, lead: Ints) -> Ints:
    """Return which lead each leaf leads to; 0 where sequences never meet at it."""
    of = np.zeros(len(form.leaves), dtype=np.int32)
    of[form.leaf] = lead
    return of


def batches(graph: StageGraph, profile: StationaryProfile) -> list[Batch]:
    """Return all stages, those of one form together."""
    alike: dict[int, list[int]] = {}
    for number, stage in enumerate(graph.stages):
        alike.setdefault(id(stage.form), []).append(number)
    return [Batch(graph, numbers, profile) for numbers in alike.values()]


class Learner(Protocol):
    """How players learn within stages."""

    def learn(self, batch: Batch, worth: Floats, rounds: int) -> None:
        """Go on for some rounds, in which leaves are worth so much."""


class RegretMinimization:
    """Regret minimization by a rule (`seqform.solvers.iterative.regret.rules`)."""

    def __init__(self, rule: RegretRule) -> None:
        self.rule = rule

    def learn(self, batch: Batch, worth: Floats, rounds: int) -> None:
        """Go on for some rounds, in which leaves are worth so much."""
        from seqform.recursive.stage_kernels import minimize_regrets  # it loads numba

        batch.weight = minimize_regrets(
            batch.layout,
            worth,
            self.rule.schedule(batch.played, rounds),
            self.rule.prediction,
            batch.weight,
            batch.regrets,
            batch.behavior,
            batch.plans,
            batch.average,
        )
        batch.played += rounds


class FictitiousPlay:
    """Fictitious play (Brown 1951), in which all answer the averages at once."""

    def learn(self, batch: Batch, worth: Floats, rounds: int) -> None:
        """Go on for some rounds, in which leaves are worth so much."""
        from seqform.recursive.stage_kernels import play_fictitiously  # it loads numba

        play_fictitiously(
            batch.layout, worth, batch.played, rounds, batch.behavior, batch.plans, batch.average
        )
        batch.played += rounds
