"""Correlated equilibria of games with triangles: distributions over pairs of pure strategies.

A linear program chooses among some pairs, at first those that an equilibrium of Nash plays. Its
duals say what each other pair would add, and the best of them come in, until none adds anything.
That is decided in floats first, and then in integers, with the basis of the last program.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.deadline import check_time, seconds_left
from seqform.base.errors import GameTooLargeError, OutOfTimeError, SolverError
from seqform.concepts.concept import CONCEPTS
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.concepts.correlated_bound import Multipliers, lagrangian
from seqform.concepts.strategy_pairs import StrategyPairs
from seqform.form.strategy_mixture import StrategyMixture, strategies_of
from seqform.results.correlated_task import CorrelatedTask, weighed_deviations
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.mixture_program import mixture_program
from seqform.solvers.linear.program import LPStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqform.base.arrays import Exact, Floats, Mask
    from seqform.base.clock import Clock
    from seqform.form.sequence_form import SequenceForm
    from seqform.solvers.linear.correlated_program import CorrelatedProgram

TOLERANCE = 1e-9
"""What a pair has to add to come in, as a share of what pairs are worth: HiGHS's own tolerance."""

AT_ONCE = 20
"""Pairs that come in at once."""

MOST_DRAWN = 5_000
"""Pairs in a program, from which it takes minutes."""

Drawn = tuple["Mask", "Mask"]
"""What the strategies of a pair play."""


def search_from_nash(form: SequenceForm, task: CorrelatedTask, clock: Clock) -> MixtureSearch:
    """Return a search for distributions that begins with a Nash equilibrium of the game.

    Raises
    ------
    GameTooLargeError
        As for `MixtureSearch`.
    SolverError
        If the game has floats, or no equilibrium was found.
    """
    from seqform.solvers.complementarity.first_equilibrium import first_equilibrium

    if not task.payoffs.is_exact:
        raise SolverError(
            "distributions are looked for in exact arithmetic, and the game has floats"
        )
    strategies = StrategyPairs(task.pairs)
    first = first_equilibrium(form, clock)
    if first is None:
        raise SolverError("no Nash equilibrium was found to begin with")
    return MixtureSearch(task, strategies, first.plans)


class MixtureSearch:
    """A game's distributions over pairs of pure strategies.

    Parameters
    ----------
    task
        The game and its program, in integers that are exact.
    strategies
        Of the game.
    plans
        The realization plans of a Nash equilibrium, which is where the search begins.

    Raises
    ------
    GameTooLargeError
        If the equilibrium plays too many pairs.
    """

    def __init__(
        self, task: CorrelatedTask, strategies: StrategyPairs, plans: Sequence[Floats]
    ) -> None:
        self.strategies = strategies
        self.drawn: list[Drawn] = []
        self._known: set[bytes] = set()
        parts = [
            list(strategies_of(t, p)) for t, p in zip(task.pairs.treeplexes, plans, strict=True)
        ]
        self._add([(x, y) for x, y in product(*parts)])

    def best(self, task: CorrelatedTask) -> CorrelatedAnswer:
        """Return the best equilibrium by a task's objective, with a proven bound.

        Raises
        ------
        GameTooLargeError
            If too many pairs came in.
        SolverError
            If no basis is optimal in integers.
        OutOfTimeError
            If the time limit is over.
        """
        while True:
            check_time("looking for a distribution over pairs of strategies")
            program = mixture_program(task.program, self.drawn)
            scaled, rows, worth = program.scaled()
            found = solve_highs(scaled, time_limit=seconds_left())
            if found.status is LPStatus.LIMIT:
                raise OutOfTimeError("the time limit is over")
            if found.status is not LPStatus.OPTIMAL or found.basis is None or found.duals is None:
                raise SolverError(f"no distribution was found: {found.message}")
            if self._grows(_worth(task, program, found.duals * rows / worth)):
                continue
            solution = program.solve(found.basis)
            program.check_optimal(solution)
            multipliers = _multipliers(task, program, solution.duals, solution.denominators[1])
            wanted = _lagrangian(task, multipliers)
            values, better = self.strategies.best(wanted, AT_ONCE)
            if values[0] <= multipliers.top:
                above = solution.denominators[0]
                return self._answer(task, solution.primal[: len(self.drawn)], above, multipliers)
            if not self._add(better):
                raise SolverError("the basis that the solver finds is not optimal among all pairs")

    def _grows(self, about: tuple[Floats, float]) -> bool:
        """Let in the pairs that add most, in floats; return whether there are any."""
        worth, top = about
        values, better = self.strategies.best(worth, AT_ONCE)
        least = top + TOLERANCE * max(1.0, float(np.abs(worth).max()))
        return self._add([b for b, value in zip(better, values, strict=True) if value > least])

    def _add(self, pairs: Sequence[Drawn]) -> bool:
        """Take in pairs; return whether one of them is new."""
        before = len(self.drawn)
        for pair in pairs:
            key = b"".join(plan.tobytes() for plan in pair)
            if key not in self._known:
                self._known.add(key)
                self.drawn.append(pair)
        if len(self.drawn) > MOST_DRAWN:
            raise GameTooLargeError(f"more than {MOST_DRAWN:,} pairs of pure strategies matter")
        return len(self.drawn) > before

    def _answer(
        self, task: CorrelatedTask, weights: Exact, whole: int, multipliers: Multipliers
    ) -> CorrelatedAnswer:
        kept = np.flatnonzero(weights)
        plans = [np.array([self.drawn[i][player] for i in kept.tolist()]) for player in (0, 1)]
        mixture = StrategyMixture((plans[0], plans[1]), weights[kept], whole)
        plan = mixture.plan(task.pairs).reduced()
        shown = None if task.weights is None else multipliers
        return CorrelatedAnswer(plan, task.weights, shown, mixture)


def _worth(task: CorrelatedTask, program: CorrelatedProgram, duals: Floats) -> tuple[Floats, float]:
    """Return what each relevant pair adds by the duals, and what a pair of strategies has to."""
    equal, count = task.program.num_equalities, task.pairs.num_pairs
    rows = task.program.matrix.part(
        np.arange(equal, task.program.matrix.shape[0]), np.arange(count)
    )
    objective = task.program.objective[:count].astype(np.float64)
    return objective - rows.to_float().T @ duals[program.num_equalities :], float(duals[0])


def _multipliers(
    task: CorrelatedTask, program: CorrelatedProgram, duals: Exact, denominator: int
) -> Multipliers:
    """Return the duals as weights of deviations and a bound, without prices of constraints."""
    none = [np.zeros(len(task.pairs.sums(p).parent), dtype=object) for p in (0, 1)]
    deviations = weighed_deviations(program, duals)
    return Multipliers(deviations, (none[0], none[1]), int(duals[0]), denominator)


def _lagrangian(task: CorrelatedTask, multipliers: Multipliers) -> Exact:
    triggers = CONCEPTS.get(task.kind).triggers  # type: ignore[attr-defined]
    about = task.pairs, task.payoffs, task.objective_weights
    return lagrangian(triggers, *about, multipliers)
