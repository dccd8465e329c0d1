"""A two-player stage by small programs, from strategies that were optimal in an alike stage.

Hands that surely do one thing need no variable. What is left of both players' strategies once these
are settled is a small program. Its solution is optimal if no best response of either player, in
the whole stage, gets more; else what these do is added, and the program solved again (the double
oracle method for sequence form: Bosansky, Kiekintveld, Lisy & Pechoucek, JAIR 51, 2014).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Mask
from seqform.form.origin import QuotientOrigin
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import build_lp

FEW = 0.5
"""Share of a player's information sets that may be open; with more the whole program is as fast."""

SMALL = 100
"""Information sets of both players up to which the whole program is as fast."""

MOST_ROUNDS = 30
"""Programs of one stage; push or fold took up to 8."""

NEVER = 1e-9
"""Probabilities up to this are roundings."""

CLOSE = 1e-12
"""Of the largest payoff: what best responses may get more."""


class Optimum(NamedTuple):
    """The value to seat 0, and a realization plan for each seat."""

    value: float
    plans: tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Settled:
    """A treeplex of which some sequences are played at all, and those without a choice are settled.

    Parameters
    ----------
    choices
        What is left to decide.
    of
        For each sequence the one of `choices` as likely as which it is; -1 if it is never played:
        int64 (num_sequences,).
    """

    choices: Treeplex
    of: Index

    @classmethod
    def on(cls, treeplex: Treeplex, played: Mask) -> Settled:
        """Return what is left of a treeplex; in each information set something is played."""
        of = np.full(treeplex.num_sequences, -1, dtype=np.int64)
        of[0], end = 0, 1
        parents, counts = [], []
        for infosets, sequences in treeplex.runs:
            above = of[treeplex.parent_sequence[infosets]]
            own = np.flatnonzero(played[sequences]) + sequences.start
            owner = treeplex.infoset_of[own] - infosets.start
            own, owner = own[above[owner] >= 0], owner[above[owner] >= 0]
            count = np.bincount(owner, minlength=len(above))
            is_open = count[owner] > 1
            of[own[~is_open]] = above[owner[~is_open]]
            more = int(np.count_nonzero(is_open))
            of[own[is_open]] = np.arange(end, end + more)
            end += more
            parents.append(above[count > 1])
            counts.append(count[count > 1])
        none = np.zeros(0, dtype=np.int64)
        starts = np.cumsum(np.concatenate([[1], *counts]))
        parent = np.concatenate([none, *parents]).astype(np.int32)
        return cls(Treeplex(parent, starts.astype(np.int32)), of)

    @property
    def matrix(self) -> sp.csr_array:
        """What makes a plan of one of `choices`: (num_sequences, num_choices) of 0 and 1."""
        rows = np.flatnonzero(self.of >= 0)
        shape = len(self.of), self.choices.num_sequences
        return sp.csr_array((np.ones(len(rows)), (rows, self.of[rows])), shape=shape)


def optimum_near(form: ZeroSumForm, behaviors: tuple[Floats, Floats]) -> Optimum | None:
    """Return optimal plans of a stage, if few programs around some behaviours find any.

    Parameters
    ----------
    form
        The stage.
    behaviors
        Of both seats, float64 (num_sequences,), such as those that an alike stage has.
    """
    if sum(treeplex.num_infosets for treeplex in form.treeplexes) <= SMALL:
        return None
    played = [behavior > NEVER for behavior in behaviors]
    matrix = form.operator.to_sparse().to_csr()
    for _ in range(MOST_ROUNDS):
        settled = [Settled.on(t, own) for t, own in zip(form.treeplexes, played, strict=True)]
        if any(
            s.choices.num_infosets > FEW * t.num_infosets
            for s, t in zip(settled, form.treeplexes, strict=True)
        ):
            return None
        plans = _solved(form, matrix, settled[0], settled[1])
        if plans is None:
            return None
        paid = matrix @ plans[1], -(matrix.T @ plans[0])
        value = float(plans[0] @ paid[0])
        best = [t.best_response(own) for t, own in zip(form.treeplexes, paid, strict=True)]
        if best[0][0] + best[1][0] <= CLOSE * form.largest_payoff:
            return Optimum(value, plans)
        wider = [own | (plan > 0) for own, (_, plan) in zip(played, best, strict=True)]
        if all((new == old).all() for new, old in zip(wider, played, strict=True)):
            return None
        played = wider
    return None


def _solved(
    form: ZeroSumForm, matrix: sp.csr_array, mine: Settled, theirs: Settled
) -> tuple[Floats, Floats] | None:
    """Return optimal plans among those that are left; None if the program is not solved."""
    first, second = mine.matrix, theirs.matrix
    if mine.choices.num_infosets + theirs.choices.num_infosets == 0:
        return first @ np.ones(1), second @ np.ones(1)
    small = sp.csr_array(first.T @ matrix @ second)
    small.sort_indices()
    rows = np.repeat(np.arange(small.shape[0]), np.diff(small.indptr))
    payoffs = SparsePayoff.from_sorted(rows, small.indices, small.data, None, small.shape)
    program = build_lp(
        ZeroSumForm(
            treeplexes=(mine.choices, theirs.choices),
            payoffs=ZeroSumPayoffs(payoffs, 0.0),
            origin=QuotientOrigin(form.origin, ()),
            unit=form.unit,
            largest_payoff=form.largest_payoff,
            num_nodes=form.num_nodes,
        )
    )
    found = solve_highs(program)
    if found.primal is None:
        return None
    plans = program.plans(found)
    behaviors = [
        s.choices.to_plan(s.choices.to_behavior(np.maximum(plan, 0.0)))
        for s, plan in zip((mine, theirs), plans, strict=True)
    ]
    return first @ behaviors[0], second @ behaviors[1]
