"""Safe exploitation: the most against a model among plans that guarantee so much.

With c for what the player's sequences are paid against the model, and the linear program of the
game (`seqform.solvers.linear.program`),

    maximise c'x   subject to   E x = e,   A'x - F'q >= 0,   f'q >= least,   x >= 0.

(McCracken & Bowling, "Safe strategies for agent modelling in games", AAAI Fall Symposium 2004;
Ganzfried & Sandholm, "Safe opponent exploitation", ACM TEAC 3(2), 2015, Section 3.) A multiplier l
of the last row, and any plan y of the opponent, prove that it cannot be more than ``max over x of
c'x + l x'A y``, less l times `least`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.base.clock import Clock
from seqform.base.errors import SolverError
from seqform.concepts.rounding import best_against
from seqform.form.profile import Profile
from seqform.form.sequence_form import ZeroSumForm
from seqform.solvers.linear.program import LinearProgram, Program, build_lp
from seqform.solvers.linear.solver import LPOptions, solve_program
from seqform.strategies.bend.model import Model


@dataclass(frozen=True, eq=False)
class SafePlan:
    """A plan, and how much any plan that is as safe can get.

    Parameters
    ----------
    behavior
        float64 (num_sequences,) of the player.
    bound
        The most that a plan which guarantees `least` gets against the model, in the zero-sum game.
    engine
        The solver that found it.
    """

    behavior: Floats
    bound: float
    engine: str


def safe_plan(
    model: Model, least: float, solver: str, engine: str | None, clock: Clock
) -> SafePlan:
    """Return a plan of the other player that gets the most against the model.

    Parameters
    ----------
    least
        What the plan has to guarantee its player in the zero-sum game, in the game's unit.
    solver, engine
        What solves the program.

    Raises
    ------
    SolverError
        If the solver leaves no point.
    """
    form, player = model.form.without_constant(), 1 - model.player
    base = build_lp(form, player)
    gradient = form.gradient(player, model.against(form.treeplexes[player].uniform()).plans)
    program = _program(base, gradient, least)
    with clock.phase("solve"):
        found = solve_program(program, solver, LPOptions(engine, clock.seconds_left, clock.threads))
    if found.primal is None or found.duals is None:
        raise SolverError(f"{found.engine} found no plan: {found.message}; try another solver")
    mine = np.maximum(found.primal[: base.num_plan], 0.0)
    behavior = form.treeplexes[player].to_behavior(mine)
    multiplier = abs(float(found.duals[-1]))
    theirs = np.abs(found.duals[base.num_equalities : -1])
    bound = _bound(model, form, theirs, multiplier, least)
    return SafePlan(behavior, bound, found.engine)


def _program(base: LinearProgram, gradient: Floats, least: float) -> Program:
    """Return the program, in the scale of the game's own."""
    guarantee = sp.csr_array(base.objective.reshape(1, -1))
    objective = np.zeros(base.num_columns)
    objective[: base.num_plan] = base.scale * gradient
    return Program(
        sp.vstack([base.matrix, guarantee], format="csc"),
        objective,
        np.append(base.row_lower, base.scale * least),
        np.append(base.row_upper, np.inf),
        base.column_lower,
    )


def _bound(
    model: Model, form: ZeroSumForm, theirs: Floats, multiplier: float, least: float
) -> float:
    """Return what the multiplier and the opponent's plan prove; any of them prove something."""
    player, others = 1 - model.player, form.treeplexes[model.player]
    mine = form.treeplexes[player].uniform()
    followed = model.against(mine)
    answer = [mine, others.to_behavior(theirs)]
    free = Profile.from_behaviors(form.treeplexes, answer if player == 0 else answer[::-1])
    weights = [1.0, multiplier]
    best = best_against(form, [followed, free], weights, player)
    proven = best - multiplier * least
    return proven + 4 * np.finfo(np.float64).eps * (abs(best) + abs(multiplier * least))
