"""Treeplex: the strategy polytope of one player, and its passes over information sets.

A treeplex is products of simplexes nested in the order in which the player decides (Hoda, Gilpin,
Pena & Sandholm, Math. of OR 35(2), 2010, Section 3). Its vertices are the player's pure strategies.
Every algorithm here is one forward pass (behaviour strategy to realization plan) or one backward
pass (best response). Each step of a pass handles a run of information sets, none below another, at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Ints, Numbers, is_first
from seqform.base.errors import InvalidGameError, InvalidStrategyError
from seqform.base.number import plain
from seqform.base.summary import Rows, Summarized

UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2

HIGHER_ORDERS = 1.01
"""Times a bound that counts roundings one by one: what they do to each other, and to the bound."""

LONG_STRETCH = 100
"""Information sets with equally many actions that follow each other, on average, from which on they
are gone through as tables."""

MOST_IN_ORDER = 8
"""Actions up to which numpy's `reduceat` takes numbers one by one: the first one last."""


class Treeplex(Summarized):
    """The sequences and information sets of one player (docs/data-model.md).

    Parameters
    ----------
    parent_sequence
        int32 (num_infosets,): the sequence that leads to each information set.
    first_sequence
        int32 (num_infosets + 1,): sequences of h are ``first_sequence[h]:first_sequence[h + 1]``.

    Raises
    ------
    InvalidGameError
        If an information set is numbered before the sequence that leads to it (T1) or has no
        sequences.
    """

    def __init__(self, parent_sequence: Ints, first_sequence: Ints) -> None:
        first, parent = first_sequence, parent_sequence
        if len(first) != len(parent) + 1 or first[0] != 1 or (np.diff(first) < 1).any():
            raise InvalidGameError(
                "T1: first_sequence must start at 1 and grow by "
                "the number of actions of each information set"
            )
        if (parent < 0).any() or (parent >= first[:-1]).any():
            raise InvalidGameError(
                "T1: an information set is numbered before the sequence that leads to it"
            )
        first.flags.writeable = parent.flags.writeable = False
        self._parent_sequence, self._first_sequence = parent, first

    @property
    def parent_sequence(self) -> Ints:
        """The sequence that leads to each information set."""
        return self._parent_sequence

    @property
    def first_sequence(self) -> Ints:
        """Where the sequences of each information set begin, and where the last ones end."""
        return self._first_sequence

    @property
    def num_infosets(self) -> int:
        """Information sets of the player."""
        return len(self.parent_sequence)

    @property
    def num_sequences(self) -> int:
        """Sequences, the empty one included."""
        return int(self.first_sequence[-1])

    @cached_property
    def num_actions(self) -> Ints:
        """Actions of each information set."""
        return np.diff(self.first_sequence)

    @property
    def num_runs(self) -> int:
        """How many steps a pass takes."""
        return len(self.runs)

    @property
    def most_actions(self) -> int:
        """Actions of the largest information set; 0 if there is none."""
        return int(self.num_actions.max(initial=0))

    @property
    def most_following(self) -> int:
        """The most information sets that follow one sequence."""
        return int(np.bincount(self.parent_sequence).max(initial=0))

    @cached_property
    def infoset_of(self) -> Ints:
        """The information set whose action ends each sequence; -1 for the empty sequence."""
        return self._of_infosets(np.arange(self.num_infosets))

    @cached_property
    def sequence_parent(self) -> Ints:
        """The sequence one action shorter; -1 for the empty sequence."""
        return self._of_infosets(self.parent_sequence)

    def _of_infosets(self, numbers: Ints | Index) -> Ints:
        """Return for each sequence its information set's number; -1 for the empty sequence."""
        of = np.full(self.num_sequences, -1, dtype=np.int32)
        of[1:] = self.to_actions(numbers)
        return of

    @cached_property
    def runs(self) -> list[tuple[slice, slice]]:
        """Maximal runs of information sets, none below another, as (infosets, sequences)."""
        # searchsorted copies an array of any type but its own, int64
        above = self.infoset_of[self.parent_sequence].astype(np.int64)
        parents = np.maximum.accumulate(above) if len(above) else above
        runs, start = [], 0
        while start < self.num_infosets:
            stop = int(np.searchsorted(parents, start))
            first, last = int(self.first_sequence[start]), int(self.first_sequence[stop])
            runs.append((slice(start, stop), slice(first, last)))
            start = stop
        return runs

    def constraints(self) -> tuple[sp.csr_array, Floats]:
        """Return E and e, with ``E @ x == e`` for plans x.

        E is float64 CSR (num_infosets + 1, num_sequences).
        """
        shape = (self.num_infosets + 1, self.num_sequences)
        e = np.zeros(shape[0])
        e[0] = 1.0
        rows, columns, values = self.constraint_entries()
        return sp.csr_array((values.astype(np.float64), (rows, columns)), shape=shape), e

    def constraint_entries(self, by_row: bool = True) -> tuple[Ints, Ints, Ints]:
        """Return rows, columns and values of E, which are 1 and -1, as int32 (nnz,).

        Entries of one row are in the order of their columns; unless `by_row`, those of one column
        in the order of their rows.
        """
        own = np.arange(self.num_sequences, dtype=np.int32)
        parts = [
            (np.arange(1, self.num_infosets + 1, dtype=np.int32), self.parent_sequence, -1),
            (self.infoset_of + 1, own, 1),
        ]
        parts = parts if by_row else parts[::-1]
        values = np.repeat([value for *_, value in parts], [len(rows) for rows, *_ in parts])
        rows, columns = (np.concatenate([part[axis] for part in parts]) for axis in (0, 1))
        return rows, columns, values.astype(np.int32)

    def uniform(self) -> Floats:
        """Return the behaviour strategy in which all actions are equally likely."""
        return np.concatenate([[1.0], self.to_actions(1.0 / self.num_actions)])

    def to_actions(self, values: Numbers) -> Numbers:
        """Return each information set's value once for each of its actions: all but sequence 0."""
        if self._stretches is None:
            return np.repeat(values, self.num_actions)
        found = np.empty(self.num_sequences - 1, dtype=values.dtype)
        for start, stop, count in self._stretches:
            there = slice(self.first_sequence[start] - 1, self.first_sequence[stop] - 1)
            found[there].reshape(-1, count)[:] = values[start:stop, None]
        return found

    def over_actions(
        self, operation: Any, vector: Numbers, infosets: slice | None = None
    ) -> Numbers:
        """Return a reduction over the actions of each information set, or of some.

        Parameters
        ----------
        operation
            A binary ufunc, such as `np.add`; the result is that of its `reduceat`, to the last bit.
        vector
            Floats or integers, (num_sequences,).
        """
        first, all_of_them = self.first_sequence, slice(0, self.num_infosets)
        some = all_of_them if infosets is None else infosets
        if self._stretches is None:
            reduced: Numbers = operation.reduceat(vector[: first[some.stop]], first[some])
            return reduced
        found = np.empty(some.stop - some.start, dtype=vector.dtype)
        for start, stop, count in self._stretches:
            begin, end = max(start, some.start), min(stop, some.stop)
            if begin < end:
                table = vector[first[begin] : first[end]].reshape(-1, count)
                found[begin - some.start : end - some.start] = _over_columns(operation, table)
        return found

    @cached_property
    def _stretches(self) -> list[tuple[int, int, int]] | None:
        """Where information sets follow each other that have equally many actions, and how many.

        None unless the stretches are long, as they are where each public node has many hands.
        """
        counts = self.num_actions
        changes = np.flatnonzero(counts[1:] != counts[:-1]) + 1
        if LONG_STRETCH * (len(changes) + 1) > len(counts):
            return None
        starts = [0, *changes.tolist(), len(counts)]
        return [(start, stop, int(counts[start])) for start, stop in pairwise(starts)]

    def fingerprint(self) -> Iterator[bytes]:
        """Yield what tells it from others, as bytes."""
        yield self.parent_sequence.tobytes()
        yield self.first_sequence.tobytes()

    def to_plan(self, behavior: Floats) -> Floats:
        """Return the realization plan of a behaviour strategy; both float64 (num_sequences,)."""
        plan = np.array(behavior, dtype=np.float64)
        plan[0] = 1.0
        parent = self.sequence_parent
        for _, sequences in self.runs:
            plan[sequences] *= plan[parent[sequences]]
        return plan

    def to_behavior(self, plan: Floats) -> Floats:
        """Return the behaviour strategy of a plan, uniform where the plan has no weight."""
        behavior = self.uniform()
        if not self.num_infosets:
            return behavior
        total = self.to_actions(self.over_actions(np.add, plan))
        reached = total > 0
        behavior[1:][reached] = plan[1:][reached] / total[reached]
        return behavior

    def round_behavior(self, behavior: Floats, bits: int = 24) -> Floats:
        """Return the behaviour strategy in multiples of ``2**-bits``.

        What is left in an information set is given to the likeliest action.
        Up to 24 bits, single precision holds the result exactly, and every information set sums to
        one without rounding.
        """
        units = np.floor(behavior * 2.0**bits)
        if self.num_infosets:
            left = 2.0**bits - self.over_actions(np.add, units)
            largest = self.to_actions(self.over_actions(np.maximum, behavior))
            places = np.flatnonzero(behavior[1:] == largest) + 1
            owner = self.infoset_of[places]
            first = is_first(owner)
            units[places[first]] += left[owner[first]]
        units[0] = 2.0**bits
        return units / 2.0**bits

    def best_response(self, gradient: Floats) -> tuple[float, Floats]:
        """Maximise ``gradient @ x`` over realization plans x.

        Parameters
        ----------
        gradient
            float64 (num_sequences,).

        Returns
        -------
        value, plan
            The maximum, and a pure plan that attains it (the first best action everywhere).
        """
        worth, best = self.backward(gradient)
        plan = np.zeros(self.num_sequences)
        plan[best] = 1.0
        return float(worth[0]), self.to_plan(plan)

    def best_value(self, gradient: Floats) -> float:
        """Return the maximum of ``gradient @ x`` over realization plans x."""
        return float(self.worth(gradient)[0])

    def backward(self, gradient: Floats) -> tuple[Floats, Index]:
        """Return what each sequence is worth if best play follows, and each best sequence."""
        worth = self.worth(gradient)
        best = np.zeros(self.num_infosets, dtype=np.int64)
        for infosets, sequences in self.runs:
            values = self._highest(worth, infosets, sequences)
            highest = np.repeat(values, self.num_actions[infosets])
            attained = np.flatnonzero(worth[sequences] == highest)
            owner = self.infoset_of[sequences][attained]
            best[owner[::-1]] = attained[::-1] + sequences.start
        return worth, best

    def worth(self, gradient: Floats) -> Floats:
        """Return what each sequence is worth if best play follows; float64 (num_sequences,)."""
        worth = np.array(gradient, dtype=np.float64)
        for infosets, sequences in reversed(self.runs):
            values = self._highest(worth, infosets, sequences)
            np.add.at(worth, self.parent_sequence[infosets], values)
        return worth

    def _highest(self, worth: Floats, infosets: slice, sequences: slice) -> Floats:
        """Return what a run's information sets are worth: the most that an action is."""
        return self.over_actions(np.maximum, worth, infosets)

    def residuals(self, plan: Floats) -> tuple[float, float]:
        """Return the largest violations of ``E x = e`` and of ``x >= 0``."""
        if not self.num_infosets:
            return abs(float(plan[0]) - 1.0), max(0.0, -float(plan.min()))
        sums = self.over_actions(np.add, plan) - plan[self.parent_sequence]
        equations = max(abs(float(plan[0]) - 1.0), float(np.abs(sums).max()))
        return equations, max(0.0, -float(plan.min()))

    def check_plan(self, plan: Floats, label: Callable[[int], Hashable] | None = None) -> None:
        """Check the shape of a plan, and that all of it is finite.

        Raises
        ------
        InvalidStrategyError
            With the information set, named by `label`, in which an entry is not finite.
        """
        if plan.shape != (self.num_sequences,):
            raise InvalidStrategyError(
                f"a plan here has shape ({self.num_sequences},), not {plan.shape}"
            )
        bad = np.flatnonzero(~np.isfinite(plan))
        if len(bad):
            where = _infoset_name(int(self.infoset_of[bad[0]]), label)
            raise InvalidStrategyError(f"{where}: the weight {plan[bad[0]]} is not finite")

    def normalize(
        self,
        behavior: Floats,
        tolerance: float = 1e-9,
        label: Callable[[int], Hashable] | None = None,
    ) -> Floats:
        """Return a behaviour strategy whose probabilities sum to one up to rounding.

        Parameters
        ----------
        behavior
            float64 (num_sequences,).
        tolerance
            How far from one they may sum.
        label
            Names an information set, given its number, in error messages.

        Raises
        ------
        InvalidStrategyError
            With the information set in which probabilities are negative, not finite, or further
            than `tolerance` from summing to one.
        """
        if behavior.shape != (self.num_sequences,):
            raise InvalidStrategyError(
                f"a behaviour strategy here has shape ({self.num_sequences},), not {behavior.shape}"
            )
        bad = np.flatnonzero(~(np.isfinite(behavior) & (behavior >= 0)))
        if len(bad):
            where = _infoset_name(int(self.infoset_of[bad[0]]), label)
            raise InvalidStrategyError(f"{where}: {behavior[bad[0]]} is not a probability")
        normalized = np.append(1.0, behavior[1:])
        if not self.num_infosets:
            return normalized
        sums = self.over_actions(np.add, behavior)
        bad = np.flatnonzero(np.abs(sums - 1) > tolerance)
        if len(bad):
            where = _infoset_name(int(bad[0]), label)
            raise InvalidStrategyError(
                f"{where}: the probabilities sum to {sums[bad[0]]}, not to 1"
            )
        # as good as rounding lets it be: do not disturb the last digit again
        sums[np.abs(sums - 1) <= self.num_actions * UNIT_ROUNDOFF] = 1.0
        normalized[1:] /= self.to_actions(sums)
        return normalized

    def summary(self) -> Rows:
        """Return how many information sets and sequences there are."""
        return [
            ("infosets", f"{self.num_infosets:,}"),
            ("sequences", f"{self.num_sequences:,}"),
            ("passes", f"{len(self.runs):,}"),
        ]


def _over_columns(operation: Any, table: Numbers) -> Numbers:
    """Return the reduction of each row of a table, in the order in which `reduceat` takes it."""
    count = table.shape[1]
    if count > MOST_IN_ORDER:
        reduced: Numbers = operation.reduceat(table.ravel(), np.arange(0, table.size, count))
        return reduced
    if count == 1:
        return table[:, 0]
    rest = table[:, 1].copy()
    for action in range(2, count):
        operation(rest, table[:, action], out=rest)
    found: Numbers = operation(table[:, 0], rest)
    return found


def _infoset_name(infoset: int, label: Callable[[int], Hashable] | None) -> str:
    if infoset < 0:
        return "the empty sequence"
    return f"information set {infoset if label is None else plain(label(infoset))}"
