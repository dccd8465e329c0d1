"""A proximal step of two plans that use some of their sequences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.solvers.saddle.cut import Cut
from seqform.solvers.saddle.interior_point import saddle_plans
from seqform.solvers.saddle.program import SaddleProgram, middle_payoff


def nearest_saddle(
    cuts: tuple[Cut, Cut],
    payoff: sp.csr_array,
    near: tuple[Floats, Floats],
    weights: tuple[float, float],
    gap: float,
    stop: Callable[[], bool],
) -> tuple[Floats, Floats]:
    """Return the plans of the step, or how far it came until it was to stop.

    Parameters
    ----------
    cuts
        What is left of the treeplexes.
    payoff
        Payoffs to player 0, float64 (sequences of player 0, sequences of player 1).
    near
        The plans to stay near to, float64 (sequences of a player,) each.
    weights
        What a unit of half the squared distance costs each player, in chips.
    gap
        How far from the step's end to stop: what the players may still gain, in chips.
    stop
        Asked in each iteration of the solver.

    Raises
    ------
    SolverError
        If the solver does not come to its second iteration.
    """
    unit = middle_payoff(payoff)
    scaled = weights[0] / unit, weights[1] / unit
    treeplexes = (cuts[0].treeplex, cuts[1].treeplex)
    program = SaddleProgram(treeplexes, payoff / unit, np.concatenate(near), scaled)
    plans = saddle_plans(program, gap / unit, stop)
    own = program.num_own
    return plans[:own], plans[own:]
