"""Complementary pivots in floats: one sparse system is solved at each.

A basic variable has three numbers: its value, and what either perturbation adds to it. Of several
that fall to zero together the one leaves whose perturbed value does so first.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index
from seqform.base.errors import SolverError
from seqform.solvers.complementarity.basis_factors import BasisFactors
from seqform.solvers.complementarity.start import DIGITS, Start

ZERO = 1e-12
"""Basic variables up to this count as zero, where those of rows and plans are up to about 1."""

LEAST_PIVOT = 1e-9
"""Entries of a direction up to this count as zero."""

SMALL_PIVOT = 1e-6
"""Pivots up to this share of a direction's largest entry are looked at again with new factors."""

NEARLY = 1e-9
"""What perturbations add, as a share of the largest, counts as equal up to this."""


class FloatPivots:
    """A basis, the values of its variables, and the steps to the next one.

    Parameters
    ----------
    start
        The first basis, which belongs to z0 = 1.

    Attributes
    ----------
    head
        The basic variable at each place; the first places are those of sequences.

    Raises
    ------
    SolverError
        If the basis is singular in floating point, or its numbers are out of the range of floats.
    """

    def __init__(self, start: Start) -> None:
        self.start, self.head = start, start.head
        self._pairs = start.num_pairs
        self._columns = _columns(start)
        self._factors = BasisFactors(self._columns[:, self.head])
        basic = np.column_stack(start.perturbations) * 2.0**-DIGITS
        perturbed = self._columns[:, self.head] @ basic
        q = start.problem.constants.astype(np.float64)
        self._rhs = np.column_stack([q, perturbed])
        self._place_of_z0: int | None = None
        self._value_of_z0 = 1.0  # while it is not basic
        with np.errstate(over="ignore", invalid="ignore"):
            at_one = self._factors.solve(q - self._column(start.z0))
        self._values = _in_range(np.column_stack([at_one, basic]))

    def begin(self) -> int | None:
        """Let z0 fall from 1 and into the basis; return the variable that leaves.

        None if z0 falls to 0 at once: then the first basis is the last.
        """
        direction = self._direction(self.start.z0)
        place = self._first(-direction)
        if place is None or self._values[place, 0] + ZERO >= -direction[place]:
            self._values[:, 0] += direction
            self._value_of_z0 = 0.0
            return None
        self._step(place, -direction)
        self._values[place] = np.array([1.0, 0.0, 0.0]) - self._values[place]
        self._place_of_z0 = place
        return self._exchange(place, self.start.z0, direction)

    def advance(self, entering: int) -> int:
        """Take a variable into the basis; return the one that leaves.

        Raises
        ------
        SolverError
            If none leaves, or the new basis is singular in floating point: then there were rounding
            errors.
        """
        direction = self._direction(entering)
        place = self._first(direction)
        if self._is_doubtful(place, direction) and self._renew():
            direction = self._direction(entering)
            place = self._first(direction)
        if place is None:
            raise SolverError("the path seems to end in a ray, by rounding errors")
        self._step(place, direction)
        leaving = self._exchange(place, entering, direction)
        if self._factors.is_worn or leaving == self.start.z0:
            self._renew()
        return leaving

    def _direction(self, variable: int) -> Floats:
        """Return by how much each basic variable falls as a nonbasic one grows by 1."""
        with np.errstate(over="ignore", invalid="ignore"):
            return _in_range(self._factors.solve(self._column(variable)))

    def _column(self, variable: int) -> Floats:
        column = np.zeros(len(self.head))
        part = slice(*self._columns.indptr[variable : variable + 2])
        column[self._columns.indices[part]] = self._columns.data[part]
        return column

    def _first(self, direction: Floats) -> int | None:
        """Return the place of the variable that falls to zero first, or None on a ray.

        z0 is taken wherever it is among several.
        """
        falling = np.flatnonzero(direction[: self._pairs] > LEAST_PIVOT)
        if not len(falling):
            return None
        values = np.maximum(self._values[falling, 0], 0.0)
        first = _least(falling, values, direction, ZERO)
        if self._place_of_z0 is not None and self._place_of_z0 in first:
            return self._place_of_z0
        for level in (1, 2):
            values = self._values[first, level]
            first = _least(first, values, direction, NEARLY * max(1.0, np.abs(values).max()))
        return int(first[np.argmax(direction[first])])

    def _is_doubtful(self, place: int | None, direction: Floats) -> bool:
        """Return whether a pivot is so small that it may be what rounding left of zero."""
        return place is None or direction[place] <= SMALL_PIVOT * np.abs(direction).max()

    def _renew(self) -> bool:
        """Factorize anew and return True, unless the factors are new."""
        if not self._factors.num_updates:
            return False
        self._factors.factorize(self._columns[:, self.head])
        self._values = self._factors.solve(self._rhs)
        return True

    def _step(self, place: int, direction: Floats) -> None:
        """Move along a direction until the variable in a place is zero; it holds the step then."""
        with np.errstate(over="ignore", invalid="ignore"):
            steps = self._values[place] / direction[place]
            steps[0] = max(steps[0], 0.0)
            self._values = _in_range(self._values - np.outer(direction, steps))
        self._values[place] = steps

    def _exchange(self, place: int, variable: int, direction: Floats) -> int:
        """Put a variable in the place of another, and return that."""
        self._factors.replace(place, direction)
        leaving, self.head[place] = int(self.head[place]), variable
        if leaving == self.start.z0:
            self._value_of_z0 = 0.0
        return leaving

    @property
    def z0(self) -> float:
        """The value of z0: from 1 down to 0."""
        if self._place_of_z0 is None or self.head[self._place_of_z0] != self.start.z0:
            return self._value_of_z0
        return float(np.clip(self._values[self._place_of_z0, 0], 0.0, 1.0))

    def plans(self) -> Floats | None:
        """Return both players' plans as far as the path came; None at z0 = 1, where there are none.

        They are z of all sequences divided by ``1 - z0``.
        """
        left = 1.0 - self.z0
        if left <= 0:
            return None
        z = np.zeros(self._pairs)
        places = np.flatnonzero(self.head[: self._pairs] < self._pairs)
        z[self.head[places]] = self._values[places, 0]
        return z / left


def _in_range(numbers: Floats) -> Floats:
    """Return numbers that are finite.

    Raises
    ------
    SolverError
        If they are not.
    """
    if not np.isfinite(numbers).all():
        raise SolverError("the covering vector and the payoffs span more magnitudes than floats")
    return numbers


def _least(places: Index, values: Floats, direction: Floats, tolerance: float) -> Index:
    """Return the places whose values are the first to fall to zero, up to a tolerance."""
    slopes = direction[places]
    step = float((values / slopes).min())
    return places[values - step * slopes <= tolerance]


def _columns(start: Start) -> sp.csc_array:
    """Return the columns of all variables, in rows and units that are scaled by powers of two."""
    problem, pairs = start.problem, start.num_pairs
    rows, units = (np.ldexp(1.0, exponent) for exponent in problem.exponents)
    scale_rows = np.concatenate([1.0 / rows, np.ones(problem.num_constraints)])
    scale_units = np.concatenate([np.ones(pairs), units])
    matrix = (sp.diags_array(scale_rows) @ problem.matrix @ sp.diags_array(scale_units)).tocsc()
    slacks = sp.eye_array(problem.size, pairs, format="csc")
    covering = np.concatenate([start.covering.floats(problem), -problem.constants[pairs:]])
    with np.errstate(over="ignore"):
        covering = _in_range(covering * scale_rows)
    return sp.hstack(
        [-matrix[:, :pairs], slacks, -matrix[:, pairs:], -sp.csc_array(covering[:, None])],
        format="csc",
    )
