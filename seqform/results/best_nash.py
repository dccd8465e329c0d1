"""What no Nash equilibrium of two players exceeds by an objective, proven in fractions.

All equilibria of a constant-sum game pay the same. Elsewhere there are two ways. Extreme equilibria
can be listed. A payoff is linear in each player's plan, and so are the objectives on each factor of
a maximal Nash subset: the most is attained at a pair of corners, which is an extreme equilibrium.
And every Nash equilibrium is an extensive-form correlated one (EFCE), of which a linear program
finds the best, with multipliers that prove it (von Stengel & Forges, Math. of OR 33, 2008).
"""

from __future__ import annotations

from fractions import Fraction

from seqform.base.budget import Budget
from seqform.base.deadline import LEAST, check_time, seconds_left
from seqform.base.errors import GameTooLargeError, SolverError
from seqform.base.objectives import OBJECTIVES
from seqform.concepts.concept import CONCEPTS
from seqform.concepts.correlated_bound import proven_bound
from seqform.exact.extreme_equilibria import all_equilibria
from seqform.exact.optimum import CONSTANT_SUM, EFCE, ENUMERATION, ProvenBound, worth
from seqform.exact.plan_proof import ExactEquilibrium
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.game import needs
from seqform.results.correlated_task import correlated_task

MOST_PAIRS = 20_000
"""Relevant pairs of sequences up to which a best EFCE is looked for."""

MOST_NONZEROS = 50_000
"""Of its program: about four seconds."""


def bound_by(
    proof: str,
    game: SequenceForm,
    objective: str,
    equilibrium: ExactEquilibrium | None = None,
    budget: Budget | None = None,
) -> tuple[ProvenBound, ExactEquilibrium | None]:
    """Return a bound on all equilibria of a game, and an equilibrium if one is known.

    Parameters
    ----------
    proof
        One of `seqform.exact.optimum.PROOFS`.
    game
        A game of two players.
    objective
        The name of the objective.
    equilibrium
        Some equilibrium of the game, if one is known. The one that is returned is not worse.
    budget
        Steps that an enumeration may take; None for no limit.

    Raises
    ------
    SolverError
        If there is none by this proof: the game is not of this kind, or is too large.
    OutOfTimeError
        If the time limit is over.
    """
    if proof == ENUMERATION:
        best = _best_of_all(game, objective, budget)
        return ProvenBound(worth(best.values, objective), ENUMERATION), best
    if proof == EFCE:
        return ProvenBound(_most_of_correlated(game, objective), EFCE), equilibrium
    if proof == CONSTANT_SUM and needs.is_zero_sum(game) and equilibrium is not None:
        return ProvenBound(worth(equilibrium.values, objective), CONSTANT_SUM), equilibrium
    raise SolverError(f"there is no bound by {proof!r} on the equilibria of this game")


def _best_of_all(game: SequenceForm, objective: str, budget: Budget | None) -> ExactEquilibrium:
    """Return the best of all extreme equilibria."""
    try:
        found = all_equilibria(game, budget)
    except GameTooLargeError as error:
        raise SolverError(str(error)) from None
    if not found.is_complete:
        raise SolverError("there are too many extreme equilibria to list all")
    return max(found, key=lambda each: worth(each.values, objective))


def _most_of_correlated(game: SequenceForm, objective: str) -> Fraction:
    """Return what a best EFCE is worth; in games with triangles, of a relaxation."""
    if game.tree is None:
        raise SolverError("the sequence form has no tree, which correlated equilibria need")
    try:
        if relevant_pairs(game).num_pairs > MOST_PAIRS:
            raise SolverError("the program of correlated equilibria is too large")
        first, second = OBJECTIVES[objective] or (0, 0)
        task = correlated_task(game, EFCE, (Fraction(first), Fraction(second)))
        if task.program.size.nonzeros > MOST_NONZEROS:
            raise SolverError("the program of correlated equilibria is too large")
        check_time("bounding what equilibria are worth")
        left = seconds_left()
        found = task.solve("highs", None, None if left is None else max(left, LEAST))
        answer = task.exact(found)
    except GameTooLargeError as error:
        raise SolverError(str(error)) from None
    if answer.multipliers is None:
        raise SolverError("there are no multipliers without an objective")
    triggers = CONCEPTS.get(EFCE).triggers  # type: ignore[attr-defined]
    about = (triggers, task.pairs, task.payoffs, task.objective_weights)
    return proven_bound(*about, answer.multipliers)
