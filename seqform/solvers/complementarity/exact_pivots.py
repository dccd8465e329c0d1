"""Complementary pivots in integers, for paths on which floats are in doubt.

Everything is as in `seqform.solvers.complementarity.float_pivots`, and nothing is rounded: the
systems of the basis are solved exactly at each pivot: for the direction, the basic variables, and
where several fall to zero together for what the perturbations add to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from seqform.base.arrays import Exact, Index
from seqform.base.deadline import check_time
from seqform.base.errors import SolverError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.exact.linear_system import ExactSystem
from seqform.form.complementarity import place_of
from seqform.solvers.complementarity.start import Start


class ExactPivots:
    """A basis, and the steps to the next one, in integers.

    Parameters
    ----------
    start
        The beginning of the path, of a problem whose payoffs are exact.
    head
        The basic variable at each place; by default the first basis.
    trembles
        What powers of an infinitesimal epsilon add to q, from the first power on. They count more
        than the perturbations of `start`.

    Raises
    ------
    UnsupportedGameError
        If there are floats.
    """

    def __init__(
        self, start: Start, head: Index | None = None, trembles: Sequence[Exact] = ()
    ) -> None:
        self.start = start
        self.head = start.head if head is None else head.copy()
        self._pairs, self._rows = start.num_pairs, np.arange(start.problem.size)
        self._unit = _unit(start)
        self._columns = _columns(start, self._unit)
        self._rhs = self._unit * start.problem.constants.astype(object)
        self._trembles = [part for part in trembles if part.any()]
        self._perturbed = self._perturbations(start)

    @property
    def is_on_the_path(self) -> bool:
        """Whether the basis is feasible: no variable is negative, nor is one at zero perturbed so.

        Raises
        ------
        SolverError
            If it is singular.
        """
        system = self._system()
        is_open = np.ones(self._pairs, dtype=np.bool_)
        for rhs in (self._rhs, *self._trembles, *self._perturbed):
            values = system.solve(rhs)[0][: self._pairs]
            if (values[is_open] < 0).any():
                return False
            is_open &= values == 0
        return True

    def begin(self) -> int | None:
        """Let z0 fall from 1 and into the basis; return the variable that leaves."""
        system = self._system()
        column = self._column(self.start.z0)
        direction, below = system.solve(-column)
        place = self._first(system, self._rhs - column, direction, below, Fraction(1))
        return None if place is None else self._exchange(place, self.start.z0)

    def advance(self, entering: int) -> int:
        """Take a variable into the basis; return the one that leaves.

        Raises
        ------
        SolverError
            If the path ends in a ray, or a basis is too near to a singular one to be solved.
        """
        check_time("following a path of exact pivots")
        system = self._system()
        direction, below = system.solve(self._column(entering))
        place = self._first(system, self._rhs, direction, below, None)
        if place is None:
            raise SolverError(
                "the path ends in a ray: it came back to where it began, since its "
                "perturbations are degenerate ones"
            )
        return self._exchange(place, entering)

    def _system(self) -> ExactSystem:
        return ExactSystem(self._columns.part(self._rows, self.head))

    def _column(self, variable: int) -> Exact:
        return self._columns.part(self._rows, np.array([variable])).to_dense()[:, 0]

    def _first(
        self, system: ExactSystem, rhs: Exact, direction: Exact, below: int, most: Fraction | None
    ) -> int | None:
        """Return the place of the variable that falls to zero first; None on a ray.

        None also where none is negative after a step of `most`, trembles included. z0 is taken
        wherever it is among several.
        """
        falling = np.flatnonzero(direction[: self._pairs] > 0)
        if not len(falling):
            return None
        values, over = system.solve(rhs)
        ratios = _ratios(values[falling], direction[falling])
        least = min(ratios)
        if most is not None and least * below > most * over:
            return None
        first = falling[[ratio == least for ratio in ratios]]
        first = _least_of(system, self._trembles, first, direction)
        if most is not None and least * below == most * over:
            trembling = (int(system.solve(side)[0][first[0]]) for side in self._trembles)
            if next(filter(None, trembling), 0) >= 0:
                return None
        z0 = first[self.head[first] == self.start.z0]
        if len(z0) or len(first) == 1:
            return int((z0 if len(z0) else first)[0])
        return int(_least_of(system, self._perturbed, first, direction)[0])

    def _exchange(self, place: int, variable: int) -> int:
        """Put a variable in the place of another, and return that."""
        leaving, self.head[place] = int(self.head[place]), variable
        return leaving

    def _perturbations(self, start: Start) -> list[Exact]:
        """Return what the infinitesimal perturbations add to q, in the units of the rows."""
        problem = start.problem
        exponents = np.concatenate(problem.exponents)
        least = int(exponents.min())
        infosets = [1 + treeplex.num_infosets for treeplex in problem.treeplexes]
        denominators = [*problem.denominators, *problem.denominators]
        units = np.repeat(np.array(denominators, dtype=object), [*problem.plan_sizes, *infosets])
        slacks, plans = (basic.astype(object) for basic in start.perturbations)
        scaled = [
            size * unit << exponent - least
            for size, unit, exponent in zip(
                slacks.tolist(), units.tolist(), exponents.tolist(), strict=True
            )
        ]
        columns = self._columns.part(self._rows, start.head)
        return [columns @ np.array(scaled, dtype=object), columns @ plans]


def _least_of(
    system: ExactSystem, sides: Sequence[Exact], places: Index, direction: Exact
) -> Index:
    """Return the places that fall first by right-hand sides, each infinitesimal beside the last."""
    for side in sides:
        if len(places) == 1:
            break
        ratios = _ratios(system.solve(side)[0][places], direction[places])
        least = min(ratios)
        places = places[[ratio == least for ratio in ratios]]
    return places


def _ratios(above: Exact, below: Exact) -> list[Fraction]:
    return [Fraction(a, b) for a, b in zip(above.tolist(), below.tolist(), strict=True)]


def _unit(start: Start) -> int:
    """Return the least power of two that makes the covering vector integers."""
    return 1 << max(0, *(-exponent for exponent in start.covering.exponents))


def _columns(start: Start, unit: int) -> IntegerMatrix:
    """Return the columns of all variables; those of z0 and q are multiplied by the unit.

    Rows of sequences are in units of the player's denominator.
    """
    problem, pairs = start.problem, start.num_pairs
    rows, columns = place_of(problem.integers.pattern)
    columns = np.where(columns < pairs, columns, columns + pairs)
    of_z0 = np.zeros(problem.size, dtype=object)
    of_z0[:pairs] = [-number for number in _covering(start, unit)]
    of_z0[pairs:] = unit * problem.constants[pairs:].astype(object)
    entries = np.concatenate(
        [-problem.integers.entries.astype(object), np.ones(pairs, dtype=object), of_z0]
    )
    filled = np.arange(pairs)
    all_rows = np.concatenate([rows, filled, np.arange(problem.size)])
    all_columns = np.concatenate([columns, pairs + filled, np.full(problem.size, start.z0)])
    keep = entries != 0
    return IntegerMatrix.from_entries(
        all_rows[keep], all_columns[keep], entries[keep], (problem.size, start.z0 + 1)
    )


def _covering(start: Start, unit: int) -> list[int]:
    """Return the covering vector times the unit, in the units of the rows."""
    problem, covering = start.problem, start.covering
    numbers = []
    for part, denominator, exponent in zip(
        problem.plans(covering.numbers), problem.denominators, covering.exponents, strict=True
    ):
        size = Fraction(2) ** exponent * unit * denominator
        numbers += [int(number * size) for number in part.tolist()]
    return numbers
