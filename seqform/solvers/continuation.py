"""Following a curve ``H(z) = 0`` by predictor and corrector, past turning points.

The last entry of z is the parameter. A step goes along the tangent; Newton's method leads back to
the curve, in the plane orthogonal to the tangent. So the parameter may turn around. The step grows
and shrinks with how fast Newton's method contracts, and with how far the corrector had to go.

Between two points the determinant of the derivative of H, bordered by the tangent, changes its sign
if another curve branches off in between (a simple bifurcation). Without the border it changes its
sign at turning points too.

References
----------
Allgower & Georg, "Introduction to Numerical Continuation Methods", SIAM 2003, Chapters 2, 6 and 8.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.base.errors import SolverError

DISTANCE, ANGLE, EASY = 0.5, 0.3, 5
"""What a step aims at: the length of the first correction, the radians between two tangents, and
how many corrections there are."""

LONGER, SHORTER = 3.0, 0.5
"""Between two steps their length changes by factors between these."""

FIRST, LEAST = 0.03, 1e-9
"""Lengths of the first step and of the shortest one."""

CORRECTIONS = 9
"""Newton's steps back to the curve at most."""

SMALL = 1e-2
"""Corrections below this need not shrink from one to the next: other entries of z take over."""

PRECISION = 1e-10
"""The last correction is at most this share of the largest entry of z, or of 1."""

DENSE_UP_TO = 400
"""Entries of z up to which dense factors take less time than sparse ones."""


class Curve(Protocol):
    """A map from n + 1 numbers to n, whose zeros are a curve."""

    def residual(self, z: Floats) -> Floats:
        """Return H(z), float64 (n,)."""

    def derivative(self, z: Floats) -> sp.csr_array:
        """Return the derivative of H, float64 CSR (n, n + 1)."""


@dataclass(frozen=True)
class PathPoint:
    """A point of the curve.

    Parameters
    ----------
    z
        float64 (n + 1,); the last entry is the parameter.
    tangent
        float64 (n + 1,), of length 1, in the direction of travel.
    sign
        Of the determinant of the bordered derivative.
    step
        The length of the next step.
    """

    z: Floats
    tangent: Floats
    sign: int
    step: float

    @property
    def parameter(self) -> float:
        """The parameter."""
        return float(self.z[-1])

    @property
    def is_turned(self) -> bool:
        """Whether the parameter shrinks from here on."""
        return bool(self.tangent[-1] < 0)


def start(curve: Curve, z: Floats, step: float = FIRST) -> PathPoint:
    """Return the first point, from where the parameter grows."""
    ahead = np.zeros(len(z))
    ahead[-1] = 1.0
    return _point(curve, z, ahead, step)


def follow(curve: Curve, point: PathPoint) -> Iterator[PathPoint]:
    """Yield points of the curve from a first one on, without end.

    Raises
    ------
    SolverError
        If the shortest step leads nowhere, as at a point where curves meet.
    """
    while True:
        point = _next(curve, point)
        yield point


def at_parameter(curve: Curve, before: PathPoint, after: PathPoint, parameter: float) -> PathPoint:
    """Return the point of the curve at a parameter between those of two points beside each other.

    Raises
    ------
    SolverError
        If Newton's method does not find it.
    """
    width = after.parameter - before.parameter
    share = (parameter - before.parameter) / width if width else 0.0
    z = before.z + share * (after.z - before.z)
    z[-1] = parameter
    ahead = np.zeros(len(z))
    ahead[-1] = 1.0
    corrected = _corrected(curve, z, ahead)
    if corrected is None:
        raise SolverError(f"Newton's method finds no point of the path at parameter {parameter:g}")
    return _point(curve, corrected.z, before.tangent, before.step)


def _next(curve: Curve, point: PathPoint) -> PathPoint:
    step = point.step
    while step >= LEAST:
        corrected = _corrected(curve, point.z + step * point.tangent, point.tangent)
        if corrected is not None:
            found = _point(curve, corrected.z, point.tangent, step)
            angle = float(np.arccos(np.clip(found.tangent @ point.tangent, -1.0, 1.0)))
            pace = min(
                LONGER,
                2.0 ** (EASY - corrected.steps),
                np.sqrt(DISTANCE / max(corrected.first, LEAST)),
                ANGLE / max(angle, LEAST),
            )
            if pace >= SHORTER:
                return PathPoint(found.z, found.tangent, found.sign, step * pace)
        step *= SHORTER
    raise SolverError(f"no step leads on from parameter {point.parameter:.6g}")


class Corrected(NamedTuple):
    """A point of the curve beside a predicted one, the first correction, and their number."""

    z: Floats
    first: float
    steps: int


def _corrected(curve: Curve, z: Floats, tangent: Floats) -> Corrected | None:
    """Return the point of the curve that Newton's method finds, if it does so in few steps."""
    first = last = 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        for number in range(1, CORRECTIONS + 1):
            residual = curve.residual(z)
            if not np.isfinite(residual).all():
                return None
            change = Bordered(curve.derivative(z), tangent).solve(np.append(-residual, 0.0))
            size = float(np.abs(change).max())
            if not np.isfinite(size) or (number > 1 and size > max(last, SMALL)):
                return None
            z, last = z + change, size
            first = first or size
            if size <= PRECISION * max(1.0, float(np.abs(z).max())):
                return Corrected(z, first, number)
    return None


def _point(curve: Curve, z: Floats, tangent: Floats, step: float) -> PathPoint:
    """Return the point with its own tangent, in the direction of the one before.

    Raises
    ------
    SolverError
        If it has none in floats.
    """
    ahead = np.zeros(len(z))
    ahead[-1] = 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        system = Bordered(curve.derivative(z), tangent)
        direction = system.solve(ahead)
        length = np.linalg.norm(direction)
    if not np.isfinite(length):
        raise SolverError(f"the path has no tangent in floats at parameter {z[-1]:.6g}")
    return PathPoint(z, direction / length, system.sign, step)


class Bordered:
    """The derivative of H with a last row beside it, factored."""

    def __init__(self, matrix: sp.csr_array, border: Floats) -> None:
        if len(border) <= DENSE_UP_TO:
            self._dense(np.vstack([matrix.toarray(), border]))
        else:
            self._sparse(sp.csc_array(sp.vstack([matrix, sp.csr_array(border[None, :])])))

    def _dense(self, matrix: Floats) -> None:
        from scipy.linalg.lapack import dgetrf, dgetrs

        factors, pivots, _ = dgetrf(matrix)
        self.solve: Any = lambda right: dgetrs(factors, pivots, right)[0]
        swaps = int((pivots != np.arange(len(pivots))).sum())
        self.sign = _sign(factors.diagonal(), swaps)

    def _sparse(self, matrix: sp.csc_array) -> None:
        from scipy.sparse.linalg import splu

        try:
            factors = splu(matrix)
        except RuntimeError:  # exactly singular
            self.sign, self.solve = 0, lambda right: np.full(len(right), np.nan)
            return
        self.solve = factors.solve
        swaps = _swaps(factors.perm_r) + _swaps(factors.perm_c)
        self.sign = _sign(factors.U.diagonal(), swaps)


def _sign(diagonal: Floats, swaps: int) -> int:
    """Return the sign of a determinant, from the factors' diagonal; 0 where that is no number."""
    sign = int(np.nan_to_num(np.prod(np.sign(diagonal))))
    return -sign if swaps % 2 else sign


def _swaps(permutation: Any) -> int:
    """Return how many exchanges make a permutation, up to an even number."""
    import scipy.sparse.csgraph as graphs

    size = len(permutation)
    links = sp.csr_array((np.ones(size), (np.arange(size), permutation)), shape=(size, size))
    cycles, _ = graphs.connected_components(links, directed=False)
    return size - int(cycles)
