"""A stage of two players as a linear program, once it is said what its leads are worth."""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Floats, Index, is_first
from seqform.base.errors import SolverError
from seqform.exact.basis import Basis
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.recursive.graph import Stage
from seqform.recursive.stage_form import StageForm
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import build_lp


class StageProgram:
    """The linear programs of a stage, of which only the payoffs change.

    Parameters
    ----------
    stage
        A stage for two players.
    constant
        What both get together.
    """

    def __init__(self, stage: Stage, constant: float) -> None:
        self.stage, self.constant = stage, constant
        form = stage.form
        key = form.places[0].astype(np.int64) * form.treeplexes[1].num_sequences + form.places[1]
        self._order: Index = np.argsort(key, kind="stable")
        self._starts: Index = np.flatnonzero(is_first(key[self._order]))
        first = self._order[self._starts]
        self._rows, self._columns = form.places[0][first], form.places[1][first]
        self._lead, self._shares = stage.lead[self._order], form.shares[self._order]

    def form(self, worth: Floats) -> ZeroSumForm:
        """Return the stage as a game of its own.

        Parameters
        ----------
        worth
            float64 (num_leads,): what each lead is worth to seat 0.
        """
        form = self.stage.form
        numbers = np.add.reduceat(self._shares * worth[self._lead], self._starts)
        shape = form.treeplexes[0].num_sequences, form.treeplexes[1].num_sequences
        operator = SparsePayoff.from_sorted(self._rows, self._columns, numbers, None, shape)
        return ZeroSumForm(
            treeplexes=form.treeplexes,
            payoffs=ZeroSumPayoffs(operator, self.constant),
            origin=form.origin,
            unit="units",
            largest_payoff=float(np.abs(worth).max(initial=0.0)) or 1.0,
            num_nodes=form.num_entries,
        )

    def solve(
        self, worth: Floats, start: Basis | None = None
    ) -> tuple[float, tuple[Floats, Floats], Basis | None]:
        """Return the stage's value to seat 0, an optimal behaviour for each seat, and the basis.

        Parameters
        ----------
        worth
            float64 (num_leads,): what each lead is worth to seat 0.
        start
            A basis to start from, of the same or an alike stage.

        Raises
        ------
        SolverError
            If the program cannot be solved.
        """
        form = self.form(worth)
        if not any(treeplex.num_infosets for treeplex in form.treeplexes):
            nothing = np.ones(1)
            return float(self._shares @ worth[self._lead]), (nothing, nothing), None
        program = build_lp(form)
        found = solve_highs(program, start=start)
        if found.primal is None and start is not None:  # the basis may have been a bad one
            found = solve_highs(program)
        if found.primal is None:
            raise SolverError(f"the program of a stage was not solved: {found.message}")
        plans = program.plans(found)
        behaviors = [
            treeplex.to_behavior(np.maximum(plan, 0.0))
            for treeplex, plan in zip(form.treeplexes, plans, strict=True)
        ]
        value = float(form.operator.times(plans[1]) @ plans[0])
        return value, (behaviors[0], behaviors[1]), found.basis


def alike(one: StageForm, other: StageForm) -> bool:
    """Return whether the programs of two stages have the same rows and columns."""
    return all(
        a.num_sequences == b.num_sequences and a.num_infosets == b.num_infosets
        for a, b in zip(one.treeplexes, other.treeplexes, strict=True)
    )
