"""Directions of interior point methods for programs of two plans, and how far they can be gone.

The conditions are those of `seqform.solvers.saddle.proximal_program`, with s z = mu instead of 0.
"""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Floats
from seqform.solvers.saddle.newton import NewtonEquations
from seqform.solvers.saddle.proximal_program import SaddleProgram
from seqform.solvers.saddle.starting_point import InteriorPoint


def direction(
    program: SaddleProgram, equations: NewtonEquations, point: InteriorPoint, target: Floats
) -> InteriorPoint | None:
    """Return changes that keep or restore the linear conditions, and change s z by a target."""
    plans, values, losses = point
    unmet = (
        program.gains(plans)
        - program.pull * (plans - program.near)
        - program.constraints_transposed @ values
        + losses
    )
    unmet_totals = program.totals - program.constraints @ plans
    found = equations.solve(np.concatenate([-unmet - target / plans, -unmet_totals]))
    return None if found is None else _changes(found, point, target)


def correction(
    equations: NewtonEquations, point: InteriorPoint, target: Floats
) -> InteriorPoint | None:
    """Return changes that leave the linear conditions as they are, and change s z by a target."""
    rows = len(equations.signs) - len(target)
    found = equations.solve(np.concatenate([-target / point.plans, np.zeros(rows)]))
    return None if found is None else _changes(found, point, target)


def _changes(found: Floats, point: InteriorPoint, target: Floats) -> InteriorPoint:
    change, change_of_values = np.split(found, [len(target)])
    return InteriorPoint(change, change_of_values, (target - point.losses * change) / point.plans)


def room(values: Floats, changes: Floats) -> float:
    """Return how many times positive values can be changed until one of them is 0."""
    fastest = float((-changes / values).max())
    return 1.0 / fastest if fastest > 0 else np.inf
