"""One linear program of correlated equilibria, and its answers in fractions.

The basis that HiGHS ends with gives a plan in fractions, and multipliers that prove that none is
better. Without a basis the floats are rounded to a plan that satisfies all constraints exactly, and
to multipliers that prove a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from seqform.base import thresholds
from seqform.base.arrays import Exact, Floats
from seqform.base.errors import OutOfTimeError, SolverError
from seqform.base.need import Need
from seqform.concepts.concept import CONCEPTS
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.concepts.correlated_bound import (
    Deviations,
    Multipliers,
    Weights,
    rounded_multipliers,
)
from seqform.form.correlation_plan import CorrelationPlan, rounded_plan
from seqform.form.integer_payoffs import IntegerPayoffs, integer_payoffs
from seqform.form.relevant_pairs import RelevantPairs, relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.linear.correlated_program import (
    CorrelatedProgram,
    correlated_program,
    counted_size,
    payoff_sums,
)
from seqform.solvers.linear.program import LPSolution


@dataclass(frozen=True, eq=False)
class CorrelatedTask:
    """A game and the program of its correlated equilibria of a kind.

    Parameters
    ----------
    kind
        The name of the concept.
    pairs, payoffs
        Of the game.
    weights
        What each player's payoff counts for; None without an objective.
    program
        What is solved.
    """

    kind: str
    pairs: RelevantPairs
    payoffs: IntegerPayoffs
    weights: Weights | None
    program: CorrelatedProgram

    @property
    def objective_weights(self) -> Weights:
        """What each player's payoff counts for; 0 without an objective."""
        return self.weights or (Fraction(0), Fraction(0))

    @property
    def default_solver(self) -> str:
        """The name of the solver that 'auto' stands for."""
        is_large = self.program.size.nonzeros >= thresholds.CLARABEL_FROM_CORRELATED
        return "clarabel" if is_large else "highs"

    def towards(self, weights: Weights) -> CorrelatedTask:
        """Return the task with another objective."""
        objective = np.zeros(len(self.program.objective), dtype=object)
        objective[: self.pairs.num_pairs] = payoff_sums(self.pairs, self.payoffs, weights)
        program = replace(self.program, objective=objective)
        return replace(self, weights=weights, program=program)

    def solve(
        self,
        solver: str = "auto",
        engine: str | None = None,
        time_limit: float | None = None,
        threads: int = 1,
    ) -> LPSolution:
        """Solve the program; errors as for `solve_program`.

        'auto' takes HiGHS while it is likely to find a basis in reasonable time, else Clarabel.
        """
        from seqform.solvers.linear.solver import LPOptions, solve_program

        size = self.program.size
        solver = self.default_solver if solver == "auto" else solver
        if solver == "highs" and engine is None:
            engine = "ipx" if size.nonzeros >= thresholds.IPX_FROM_CORRELATED else "simplex"
        scaled, _, _ = self.program.scaled()
        return solve_program(scaled, solver, LPOptions(engine, time_limit, threads))

    def answer(self, found: LPSolution, exact: bool | None = None) -> tuple[CorrelatedAnswer, str]:
        """Return the answer in fractions, and what is to be said of how it was found.

        It is that of the basis, if that is wanted and optimal in integers, else a rounded one.
        """
        small = self.program.size.nonzeros <= thresholds.EXACT_UP_TO_CORRELATED
        if exact is False or (exact is None and not (small and self.payoffs.is_exact)):
            return self.rounded(found), found.message
        try:
            return self.exact(found), found.message
        except (SolverError, OutOfTimeError) as error:
            return self.rounded(found), f"{found.message}; rounded, since {error}"

    def exact(self, found: LPSolution) -> CorrelatedAnswer:
        """Return the answer of the basis.

        Raises
        ------
        SolverError
            If there is none, or it is not optimal in integers.
        """
        if found.basis is None:
            raise SolverError("the solver ended without an optimal basis")
        solution = self.program.solve(found.basis)
        self.program.check_optimal(solution)
        above, below = solution.denominators
        plan = CorrelationPlan(self.pairs, solution.primal[: self.pairs.num_pairs], above)
        return self._answer(plan.reduced(), self._multipliers(solution.duals, below))

    def rounded(self, found: LPSolution) -> CorrelatedAnswer:
        """Return the solver's floats, rounded to what satisfies all constraints exactly."""
        if found.primal is None or found.duals is None:
            raise SolverError("the solver ended without a point: try engine='simplex' or 'ipx'")
        plan = rounded_plan(self.pairs, found.primal[: self.pairs.num_pairs])
        _, rows, worth = self.program.scaled()
        raw = self._multipliers(found.duals * rows / worth, 1)
        triggers = CONCEPTS.get(self.kind).triggers  # type: ignore[attr-defined]
        about = (triggers, self.pairs, self.payoffs, self.objective_weights)
        return self._answer(plan, rounded_multipliers(*about, raw.deviations, raw.prices))

    def _answer(self, plan: CorrelationPlan, multipliers: Multipliers) -> CorrelatedAnswer:
        without = self.weights is None
        return CorrelatedAnswer(plan, self.weights, None if without else multipliers)

    def _multipliers(self, duals: Exact | Floats, denominator: int) -> Multipliers:
        """Return the duals of the program's rows as multipliers."""
        first, prices = 1, []
        for player in (0, 1):
            count = len(self.pairs.sums(player).parent)
            prices.append(duals[first : first + count])
            first += count
        both = prices[0], prices[1]
        return Multipliers(weighed_deviations(self.program, duals), both, duals[0], denominator)


def weighed_deviations(
    program: CorrelatedProgram, duals: Exact | Floats
) -> tuple[Deviations, Deviations]:
    """Return how much the duals of a program's rows weigh each player's deviations."""
    found = []
    for part in program.parts:
        weights = -duals[part.move_rows]
        kept = np.flatnonzero(weights > 0)
        trigger = part.triggers.number[part.move_trigger[kept]]
        found.append(Deviations(trigger, part.move[kept], weights[kept]))
    return found[0], found[1]


def correlated_task(form: SequenceForm, kind: str, weights: Weights | None) -> CorrelatedTask:
    """Return the program of a game's correlated equilibria.

    Raises
    ------
    NotForThisGameError
        If the game is not for two players, or the form has no tree.
    GameTooLargeError
        If it would not fit into memory.
    """
    payoffs, pairs = integer_payoffs(form), relevant_pairs(form)
    need_of_program(pairs, payoffs, kind).require()
    program = correlated_program(pairs, payoffs, kind, weights or (Fraction(0), Fraction(0)))
    return CorrelatedTask(kind, pairs, payoffs, weights, program)


LONG_FROM = 2_000_000
"""Nonzeros from which the user is told of a program before it is solved."""


def need_of_program(pairs: RelevantPairs, payoffs: IntegerPayoffs, kind: str) -> Need:
    """Return what solving the program of a kind takes, by counting."""
    size, is_least = counted_size(pairs, payoffs, kind), kind == "nfcce"
    smaller = "a smaller game" if is_least else "method='nfcce', or a smaller game"
    long = (
        "nobody can say how long a solver takes: time_limit= ends it, and without an answer; "
        f"sooner solved is {smaller}"
    )
    return Need(
        f"a linear program of correlated equilibria with about {size.nonzeros:,} nonzeros",
        size.solver_bytes,
        f"use {smaller}",
        long if size.nonzeros >= LONG_FROM else "",
    )


def correlated_need(form: SequenceForm, kind: str) -> Need:
    """Return what the correlated equilibria of a game take."""
    return need_of_program(relevant_pairs(form), integer_payoffs(form), kind)
