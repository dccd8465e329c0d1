"""Data-biased responses: the opponent follows a model in each information set so often.

Let m be the model's behaviour, and c its confidence in an information set. The opponent plays
``c m + (1 - c) f`` there, where f is free (Johanson & Bowling, "Data biased robust counter
strategies", AISTATS 2009, Section 4). With y for the opponent's plan, and w for its weight above
the information set, ``y = c m w + z``. Here z is not negative, and sums to (1 - c) w. So
``y = T z`` for a triangular matrix T, and the constraints ``F y = f`` become ``G z = f``. The
program of a game (`seqform.solvers.linear.program`) becomes

    maximise f'q   subject to   E x = e,   T'A'x - G'q >= 0,   x >= 0.

An information set that is relied on altogether leaves nothing free, so its rows are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index
from seqform.base.clock import Clock
from seqform.base.deadline import check_time
from seqform.base.errors import SolverError
from seqform.concepts.judge import response
from seqform.concepts.rounding import at_most
from seqform.form.profile import Profile
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.treeplex import Treeplex
from seqform.solvers.iterative.regret.biased_engine import BiasedEngine
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.search import Limits, search
from seqform.solvers.linear.program import Program, scaled_payoffs
from seqform.solvers.linear.solver import LPOptions, solve_program
from seqform.strategies.bend.observed import BiasedModel


@dataclass(frozen=True, eq=False)
class BiasedResponse:
    """A plan, and what is proven of it against opponents who follow the model so often.

    Parameters
    ----------
    behavior
        float64 (num_sequences,) of the player.
    lower, upper
        What it guarantees against all of them, in the zero-sum game, and what no plan guarantees
        more than.
    method
        What found it.
    """

    behavior: Floats
    lower: float
    upper: float
    method: str

    @property
    def gap(self) -> float:
        """How far the plan is at most from the best."""
        return self.upper - self.lower


def biased_response(
    biased: BiasedModel, solver: str, engine: str | None, clock: Clock
) -> BiasedResponse:
    """Return the plan that guarantees the most against opponents who follow the model so often.

    Raises
    ------
    SolverError
        If the solver leaves no point.
    """
    model = biased.model
    form, player = model.form.without_constant(), 1 - model.player
    with clock.phase("build"):
        program, free = _program(biased, form)
    with clock.phase("solve"):
        found = solve_program(program, solver, LPOptions(engine, clock.seconds_left, clock.threads))
    if found.primal is None or found.duals is None:
        raise SolverError(f"{found.engine} found no plan: {found.message}; try another solver")
    mine, theirs = form.treeplexes[player], form.treeplexes[model.player]
    behavior = mine.to_behavior(np.maximum(found.primal[: mine.num_sequences], 0.0))
    left = np.zeros(theirs.num_sequences)
    left[free] = np.abs(found.duals[mine.num_infosets + 1 :])
    return _judged(biased, form, behavior, left, f"lp/{found.engine}")


def biased_response_by_regret(
    biased: BiasedModel, rule: RegretRule, limits: Limits, clock: Clock
) -> BiasedResponse:
    """Return such a plan by regret minimization, as far as it comes within limits."""
    model = biased.model
    form, player = model.form.without_constant(), 1 - model.player
    with clock.phase("prepare"):
        engine = BiasedEngine(form, rule, model.player, model.behavior, biased.confidence)
    with clock.phase("solve"):
        found = search(engine, limits, clock.callback)
    mine, theirs = form.treeplexes[player], form.treeplexes[model.player]
    mixed = theirs.to_behavior(found.plans[model.player])
    left = np.maximum(mixed - engine.followed, 0.0)
    behavior = mine.to_behavior(found.plans[player])
    return _judged(biased, form, behavior, left, f"{rule.name}/{engine.name}")


def _judged(
    biased: BiasedModel, form: ZeroSumForm, behavior: Floats, left: Floats, method: str
) -> BiasedResponse:
    """Return a plan with what is proven of it.

    Parameters
    ----------
    left
        float64 (num_sequences,): an opponent's free choices, to which the model is added. In an
        information set they need not sum to 1.
    """
    model = biased.model
    player, theirs = 1 - model.player, form.treeplexes[model.player]
    followed = np.append(0.0, np.repeat(biased.confidence, theirs.num_actions))
    mixed = followed * model.behavior + (1 - followed) * theirs.to_behavior(left)
    pair = [behavior, mixed]
    profile = form.profile(pair if player == 0 else pair[::-1])
    return BiasedResponse(
        profile.behaviors[player],
        -_best(biased, form, profile),
        response(form, profile, player).best,
        method,
    )


def _best(biased: BiasedModel, form: ZeroSumForm, profile: Profile) -> float:
    """Bound what an opponent who follows the model so often can get against a plan."""
    model = biased.model
    treeplex = form.treeplexes[model.player]
    actions = int(treeplex.num_actions.max(initial=0))
    paid = at_most(form, profile, model.player, len(treeplex.runs) * (2 * actions + 6))
    return biased_best(treeplex, paid, model.behavior, biased.confidence)


def biased_best(treeplex: Treeplex, paid: Floats, behavior: Floats, confidence: Floats) -> float:
    """Return the most of ``paid @ y`` over plans y that follow a behaviour so often.

    Parameters
    ----------
    paid
        float64 (num_sequences,).
    behavior
        float64 (num_sequences,): what is followed.
    confidence
        float64 (num_infosets,): how often, in each information set.
    """
    worth = paid.copy()
    for infosets, sequences in reversed(treeplex.runs):
        starts = treeplex.first_sequence[infosets] - sequences.start
        best = np.maximum.reduceat(worth[sequences], starts)
        mean = np.add.reduceat(worth[sequences] * behavior[sequences], starts)
        share = confidence[infosets]
        values = share * mean + (1 - share) * best
        np.add.at(worth, treeplex.parent_sequence[infosets], values)
    return float(worth[0])


def _program(biased: BiasedModel, form: ZeroSumForm) -> tuple[Program, Index]:
    """Return the program, and which of the opponent's sequences have a row."""
    model, player = biased.model, 1 - biased.model.player
    mine, theirs = form.treeplexes[player], form.treeplexes[model.player]
    payoff, _ = scaled_payoffs(form.operator.to_sparse())
    if player == 1:
        payoff = (-payoff).T.tocsr()
    followed = _followed(biased, theirs)
    constraints, f = _free_constraints(biased, theirs, followed)
    own, e = mine.constraints()
    is_free = biased.confidence < 1
    rows = np.append(True, np.repeat(is_free, theirs.num_actions))
    columns = np.append(True, is_free)
    stakes = (payoff @ followed)[:, rows].T
    above = sp.hstack([own, sp.csr_array((len(e), int(columns.sum())))])
    below = sp.hstack([stakes, -constraints[columns][:, rows].T])
    count = mine.num_sequences + int(columns.sum())
    objective = np.append(np.zeros(mine.num_sequences), f[columns])
    zeros = np.zeros(int(rows.sum()))
    free = np.arange(count) >= mine.num_sequences
    program = Program(
        sp.vstack([above, below], format="csc"),
        objective,
        np.concatenate([e, zeros]),
        np.concatenate([e, zeros + np.inf]),
        np.where(free, -np.inf, 0.0),
    )
    return program, np.flatnonzero(rows)


def _followed(biased: BiasedModel, theirs: Treeplex) -> sp.csr_array:
    """Return T: what follows from a free choice, if the model is followed from there on."""
    size = theirs.num_sequences
    share = np.repeat(biased.confidence, theirs.num_actions) * biased.model.behavior[1:]
    step = sp.csr_array(
        (share, (np.arange(1, size), theirs.sequence_parent[1:])), shape=(size, size)
    )
    step.eliminate_zeros()
    power = total = sp.eye_array(size, format="csr")
    while power.nnz:
        check_time("building a linear program")
        power = step @ power
        total = total + power
    return total


def _free_constraints(
    biased: BiasedModel, theirs: Treeplex, followed: sp.csr_array
) -> tuple[sp.csr_array, Floats]:
    """Return G and f: what is free in an information set sums to 1 - c of the weight above."""
    constraints, f = theirs.constraints()
    rows = np.arange(1, theirs.num_infosets + 1)
    above = sp.csr_array(
        (np.ones(len(rows)), (rows, theirs.parent_sequence)), shape=constraints.shape
    )
    share = np.append(1.0, 1 - biased.confidence)
    free = constraints + above  # the weight above is taken out, and put back as what it is
    return (free - sp.diags_array(share) @ (above @ followed)).tocsr(), f
