"""A stage of two players as a linear program, once it is said what its leads are worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Ints, is_first
from seqform.base.errors import SolverError
from seqform.base.integer_matrix import filled
from seqform.exact.basis import Basis
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.recursive.graph import Stage, StageGraph
from seqform.recursive.small_program import TINY, optimum_near
from seqform.recursive.stage_form import StageForm
from seqform.recursive.support import Support
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import LinearProgram, entry_scale, program_from_parts

Kind = tuple[int | bytes, ...]
"""What is equal for alike stages."""

MANY = 10_000
"""Pairs of sequences from which on small programs are tried; with fewer the whole one is as
fast."""


class StageOptimum(NamedTuple):
    """A solution of a stage."""

    value: float
    """To seat 0."""
    behaviors: tuple[Floats, Floats]
    """Optimal ones; float64 (num_sequences,)."""
    support: Support | None = None
    """Of its basis; None where nobody decides anything."""
    basis: Basis | None = None
    """Of its program, now or when it was last solved."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Where both seats' sequences meet at any lead, and where that is in the program of a stage.

    Parameters
    ----------
    rows, columns
        The sequences of each pair: int32 (num_pairs,).
    shares
        How likely each pair comes to each lead: float64 CSR (num_pairs, num_leads).
    """

    rows: Ints
    columns: Ints
    shares: sp.csr_array

    @classmethod
    def of(cls, stage: Stage) -> Layout:
        """Return the layout of a stage."""
        form = stage.form.listed()
        key = form.places[0].astype(np.int64) * form.treeplexes[1].num_sequences + form.places[1]
        order = np.argsort(key, kind="stable")
        starts = np.flatnonzero(is_first(key[order]))
        rows, columns = form.places[:, order[starts]]
        ends = np.append(starts, len(order)).astype(np.int32)
        shape = len(starts), len(stage.leads)
        shares = sp.csr_array((form.shares[order], stage.lead[form.leaf[order]], ends), shape=shape)
        return cls(rows, columns, shares)

    def payoff(self, numbers: Floats, form: StageForm) -> SparsePayoff:
        """Return the matrix with a number for each pair."""
        shape = form.treeplexes[0].num_sequences, form.treeplexes[1].num_sequences
        return SparsePayoff.from_sorted(self.rows, self.columns, numbers, None, shape)

    def matrix(self, numbers: Floats, form: StageForm) -> sp.csr_array:
        """Return the same with all pairs, also those that are paid nothing."""
        shape = form.treeplexes[0].num_sequences, form.treeplexes[1].num_sequences
        ends = np.searchsorted(self.rows, np.arange(shape[0] + 1)).astype(np.int32)
        return sp.csr_array((numbers, self.columns, ends), shape=shape)


class Template(NamedTuple):
    """A program of which only the payoffs are still to be filled in.

    Parameters
    ----------
    program
        The program.
    places
        Where the entries of its matrix that are payoffs lie: int64 (num_pairs,).
    pair
        Which pair of sequences each is of: int64 (num_pairs,).
    """

    program: LinearProgram
    places: Index
    pair: Index

    @classmethod
    def of(cls, form: ZeroSumForm) -> Template:
        """Return the template of a form in which no pair is paid nothing."""
        matrix = form.operator.to_sparse().to_csr()
        numbered = filled(matrix, np.arange(2.0, 2 + matrix.nnz))  # all other entries are 1 or -1
        program = program_from_parts(form, 0, numbered, sp.csr_array((matrix.shape[0], 0)), 1.0)
        places = np.flatnonzero(program.matrix.data > 1)
        return cls(program, places, program.matrix.data[places].astype(np.int64) - 2)

    def filled(self, numbers: Floats) -> LinearProgram:
        """Return the program with a payoff for each pair, in a unit that solvers keep."""
        sizes = np.abs(numbers)
        paid = sizes > TINY * sizes.max()
        scale = entry_scale(float(sizes[paid].min()), float(sizes.max())) if paid.any() else 1.0
        matrix = self.program.matrix.copy()
        matrix.data[self.places] = (np.where(paid, numbers, 0.0) * scale)[self.pair]
        if not paid.all():
            matrix.eliminate_zeros()
        return replace(self.program, matrix=matrix, scale=scale)


def programs(graph: StageGraph) -> list[StageProgram]:
    """Return the program of each stage; stages of one form and the same leads have the same."""
    made: dict[tuple[int, int], StageProgram] = {}
    constant, found = float(graph.constant_sum or 0), []
    for stage in graph.stages:
        key = id(stage.form), id(stage.lead)
        if key not in made:
            made[key] = StageProgram(stage.form.listed(), Layout.of(stage), constant)
        found.append(made[key])
    return found


class StageProgram:
    """The linear programs of alike stages of two players, of which only the payoffs change.

    Parameters
    ----------
    stage
        What the stages are made into.
    layout
        Of these stages.
    constant
        What both players get together.
    """

    def __init__(self, stage: StageForm, layout: Layout, constant: float) -> None:
        self.stage, self.layout, self.constant = stage, layout, constant

    def form(self, worth: Floats) -> ZeroSumForm:
        """Return the stage as a game of its own.

        Parameters
        ----------
        worth
            float64 (num_leads,): what each lead is worth to seat 0.
        """
        return ZeroSumForm(
            treeplexes=self.stage.treeplexes,
            payoffs=ZeroSumPayoffs(
                self.layout.payoff(self.layout.shares @ worth, self.stage), self.constant
            ),
            origin=self.stage.origin,
            unit="units",
            largest_payoff=float(np.abs(worth).max(initial=0.0)) or 1.0,
            num_nodes=self.stage.num_entries,
        )

    @cached_property
    def _template(self) -> Template:
        return Template.of(self.form(np.ones(self.layout.shares.shape[1])))

    def solve(self, worth: Floats, near: StageOptimum | None = None) -> StageOptimum:
        """Return the stage's value to seat 0, and an optimal behaviour for each seat.

        What is optimal for other worths, or in an alike stage, is begun with: where few hands mix,
        by small programs; else by the primal simplex method, which takes few pivots from the basis.

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
        numbers = self.layout.shares @ worth
        if not any(treeplex.num_infosets for treeplex in self.stage.treeplexes):
            nothing = np.ones(1)
            return StageOptimum(float(numbers.sum()), (nothing, nothing))
        treeplexes = self.stage.treeplexes
        start = None if near is None else near.basis
        if near is not None and near.support is not None and len(numbers) >= MANY:
            largest = float(np.abs(worth).max())
            payoff = self.layout.matrix(numbers, self.stage)
            small = optimum_near(treeplexes, payoff, near.support, largest)
            if small is not None:
                first, second = map(Treeplex.to_behavior, treeplexes, small.plans)
                basis = small.support.basis(treeplexes) or start
                return StageOptimum(small.value, (first, second), small.support, basis)
        program = self._template.filled(numbers)
        found = solve_highs(program, start=start, near=start is not None)
        if found.primal is None and start is not None:  # the basis may have been a bad one
            found = solve_highs(program)
        if found.primal is None:
            raise SolverError(f"the program of a stage was not solved: {found.message}")
        first, second = (
            treeplex.to_behavior(np.maximum(plan, 0.0))
            for treeplex, plan in zip(treeplexes, program.plans(found), strict=True)
        )
        value = self.value(worth, (first, second))
        if found.basis is None:
            return StageOptimum(value, (first, second))
        support = Support.of(found.basis, treeplexes)
        return StageOptimum(value, (first, second), support, found.basis)

    def value(self, worth: Floats, behaviors: tuple[Floats, Floats]) -> float:
        """Return what behaviours are worth to seat 0, if leads are worth so much."""
        mine, theirs = map(Treeplex.to_plan, self.stage.treeplexes, behaviors)
        numbers = self.layout.shares @ worth
        return float((numbers * mine[self.layout.rows] * theirs[self.layout.columns]).sum())


def kind(stage: Stage) -> Kind:
    """Return what is equal for alike stages: what is optimal in one is a behaviour in the others.

    As many sequences and information sets are not enough: an information set with two actions may
    stand where another stage has one with three.
    """
    parts = (part for treeplex in stage.form.treeplexes for part in treeplex.fingerprint())
    return len(stage.leads), *parts
