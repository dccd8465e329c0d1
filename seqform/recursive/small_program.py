"""A two-player stage by small programs, from behaviours that were optimal in an alike stage.

Hands that surely do one thing need no variable. What is left of both players' plans once these are
settled is a small program. Its solution is optimal if no best response of either player, in the
whole stage, gets more. Else what these do is added, and the program solved again: the double oracle
method for sequence form (Bosansky, Kiekintveld, Lisy & Pechoucek, JAIR 51, 2014).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Mask
from seqform.form.origin import QuotientOrigin
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.recursive.any_stage import AnyStage
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import build_lp

MOST_OPEN = 60
"""Sequences of both players that a program is small with; push or fold took up to 40."""

NEVER = 1e-9
"""Probabilities up to this are roundings."""

CLOSE = 1e-12
"""Of the largest payoff: what best responses may get more."""

TINY = 2.0**-50
"""Of the largest payoff: what is smaller is left out, as roundings of nothing are."""


@dataclass(frozen=True, eq=False)
class Settled:
    """A treeplex of which some sequences are played, and those without a choice are settled.

    Parameters
    ----------
    choices
        What is left to decide.
    of
        For each sequence the one of `choices` that is as likely; the number after the last if it is
        never played: int64 (num_sequences,).
    """

    choices: Treeplex
    of: Index

    @classmethod
    def on(cls, treeplex: Treeplex, played: Mask) -> Settled:
        """Return what is left of a treeplex; wherever play comes to something has to be played."""
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
        return cls(Treeplex(parent, starts.astype(np.int32)), np.where(of < 0, end, of))

    @property
    def matrix(self) -> Floats:
        """What makes a plan of one of `choices`: 0 and 1, float64 (num_sequences, num_choices)."""
        n = self.choices.num_sequences
        return np.eye(n + 1, n)[self.of]


def plans_near(
    stage: AnyStage, payoff: sp.csr_array, behaviors: tuple[Floats, Floats]
) -> tuple[Floats, Floats] | None:
    """Return optimal plans of a stage, if small programs around some behaviours find any.

    Parameters
    ----------
    stage
        A stage of two players.
    payoff
        What it pays seat 0 where sequences meet, float64 CSR (num_sequences, num_sequences).
    behaviors
        Of both seats, float64 (num_sequences,), such as are optimal in an alike stage.
    """
    treeplexes = stage.treeplexes
    enough = CLOSE * float(np.abs(payoff.data).max(initial=0.0))
    played = [t.to_plan(b) > NEVER for t, b in zip(treeplexes, behaviors, strict=True)]
    while True:
        mine, theirs = (Settled.on(t, own) for t, own in zip(treeplexes, played, strict=True))
        if mine.choices.num_sequences + theirs.choices.num_sequences > MOST_OPEN:
            return None
        first, second = mine.matrix, theirs.matrix
        chosen = _optimal(stage, (mine.choices, theirs.choices), first.T @ (payoff @ second))
        if chosen is None:
            return None
        plans = first @ chosen[0], second @ chosen[1]
        paid = payoff @ plans[1], -(payoff.T @ plans[0])
        worth = [t.worth(own) for t, own in zip(treeplexes, paid, strict=True)]
        if worth[0][0] + worth[1][0] <= enough:
            return plans
        wider = [_with_best(*each) for each in zip(treeplexes, played, worth, strict=True)]
        if all((new == old).all() for new, old in zip(wider, played, strict=True)):
            return None
        played = wider


def _with_best(treeplex: Treeplex, played: Mask, worth: Floats) -> Mask:
    """Return what is played, and what is worth more than all of that in its information set."""
    most = treeplex.over_actions(np.maximum, worth)
    until_now = treeplex.over_actions(np.maximum, np.where(played, worth, -np.inf))
    wider = played.copy()
    wider[1:] |= (worth[1:] == treeplex.to_actions(most)) & treeplex.to_actions(until_now < most)
    return wider


def _optimal(
    stage: AnyStage, choices: tuple[Treeplex, Treeplex], paid: Floats
) -> tuple[Floats, Floats] | None:
    """Return optimal plans where pairs of choices pay so much; None if they are not found."""
    if paid.size == 1:
        return np.ones(1), np.ones(1)
    largest = float(np.abs(paid).max())
    rows, columns = (part.astype(np.int32) for part in np.nonzero(np.abs(paid) > TINY * largest))
    form = ZeroSumForm(
        treeplexes=choices,
        payoffs=ZeroSumPayoffs(
            SparsePayoff.from_sorted(rows, columns, paid[rows, columns], None, paid.shape), 0.0
        ),
        origin=QuotientOrigin(stage.origin, ()),
        unit="units",
        largest_payoff=largest or 1.0,
        num_nodes=paid.size,
    )
    program = build_lp(form)
    found = solve_highs(program)
    if found.primal is None:
        return None
    first, second = (
        treeplex.to_plan(treeplex.to_behavior(np.maximum(plan, 0.0)))
        for treeplex, plan in zip(choices, program.plans(found), strict=True)
    )
    return first, second
