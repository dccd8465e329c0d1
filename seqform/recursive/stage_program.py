"""A stage of two players as a linear program, once it is said what its leads are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index, Ints, is_first
from seqform.base.errors import SolverError
from seqform.exact.basis import Basis
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.recursive.any_stage import AnyStage
from seqform.recursive.graph import Stage, StageGraph
from seqform.recursive.support_program import optimum_near
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import build_lp


class StageOptimum(NamedTuple):
    """A solution of a stage."""

    value: float
    """To seat 0."""
    behaviors: tuple[Floats, Floats]
    """Optimal ones; float64 (num_sequences,)."""
    basis: Basis | None = None
    """Of the whole program, now or when it was last solved."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Entries of a stage in the order of both seats' sequences, where they meet at any lead.

    Parameters
    ----------
    starts
        Where each pair of sequences begins: (num_pairs,).
    rows, columns
        The sequences of each pair: int32 (num_pairs,).
    lead, shares
        The lead of each entry, and its chance: (num_entries,).
    """

    starts: Index
    rows: Ints
    columns: Ints
    lead: Ints
    shares: Floats

    @classmethod
    def of(cls, stage: Stage) -> Layout:
        """Return the layout of a stage."""
        form = stage.form.listed()
        key = form.places[0].astype(np.int64) * form.treeplexes[1].num_sequences + form.places[1]
        order = np.argsort(key, kind="stable")
        starts = np.flatnonzero(is_first(key[order]))
        rows, columns = form.places[:, order[starts]]
        return cls(starts, rows, columns, stage.lead[form.leaf[order]], form.shares[order])


def programs(graph: StageGraph) -> list[StageProgram]:
    """Return the program of each stage; stages of one form and the same leads share a layout."""
    layouts: dict[tuple[int, bytes], Layout] = {}
    constant, found = float(graph.constant_sum or 0), []
    for stage in graph.stages:
        key = id(stage.form), stage.lead.tobytes()
        if key not in layouts:
            layouts[key] = Layout.of(stage)
        found.append(StageProgram(stage, constant, layouts[key]))
    return found


class StageProgram:
    """The linear programs of a stage, of which only the payoffs change.

    Parameters
    ----------
    stage
        A stage for two players.
    constant
        What both get together.
    layout
        That of the stage; alike stages share one.
    """

    def __init__(self, stage: Stage, constant: float, layout: Layout | None = None) -> None:
        self.stage, self.constant = stage, constant
        self.layout = layout or Layout.of(stage)

    def form(self, worth: Floats) -> ZeroSumForm:
        """Return the stage as a game of its own.

        Parameters
        ----------
        worth
            float64 (num_leads,): what each lead is worth to seat 0.
        """
        form, at = self.stage.form, self.layout
        numbers = np.add.reduceat(at.shares * worth[at.lead], at.starts)
        shape = form.treeplexes[0].num_sequences, form.treeplexes[1].num_sequences
        operator = SparsePayoff.from_sorted(at.rows, at.columns, numbers, None, shape)
        return ZeroSumForm(
            treeplexes=form.treeplexes,
            payoffs=ZeroSumPayoffs(operator, self.constant),
            origin=form.origin,
            unit="units",
            largest_payoff=float(np.abs(worth).max(initial=0.0)) or 1.0,
            num_nodes=form.num_entries,
        )

    def solve(self, worth: Floats, near: StageOptimum | None = None) -> StageOptimum:
        """Return the stage's value to seat 0, and an optimal behaviour for each seat.

        Parameters
        ----------
        worth
            float64 (num_leads,): what each lead is worth to seat 0.
        near
            What is optimal for other worths, or in an alike stage.

        Raises
        ------
        SolverError
            If the program cannot be solved.
        """
        form = self.form(worth)
        if not any(treeplex.num_infosets for treeplex in form.treeplexes):
            nothing, at = np.ones(1), self.layout
            return StageOptimum(float(at.shares @ worth[at.lead]), (nothing, nothing))
        if near is not None:
            optimum = optimum_near(form, near.behaviors)
            if optimum is not None:
                return StageOptimum(optimum.value, _behaviors(form, optimum.plans), near.basis)
        start = None if near is None else near.basis
        program = build_lp(form)
        found = solve_highs(program, start=start)
        if found.primal is None and start is not None:  # the basis may have been a bad one
            found = solve_highs(program)
        if found.primal is None:
            raise SolverError(f"the program of a stage was not solved: {found.message}")
        plans = program.plans(found)
        value = float(form.operator.times(plans[1]) @ plans[0])
        return StageOptimum(value, _behaviors(form, plans), found.basis)


def _behaviors(form: ZeroSumForm, plans: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    first, second = (
        treeplex.to_behavior(np.maximum(plan, 0.0))
        for treeplex, plan in zip(form.treeplexes, plans, strict=True)
    )
    return first, second


def alike(one: AnyStage, other: AnyStage) -> bool:
    """Return whether the programs of two stages have the same rows and columns."""
    return all(
        a.num_sequences == b.num_sequences and a.num_infosets == b.num_infosets
        for a, b in zip(one.treeplexes, other.treeplexes, strict=True)
    )
