"""A two-player stage by small programs, from a basis that was optimal in an alike stage.

Hands that surely do one thing need no variable. What is left of both players' plans once these are
settled is a small program. Its solution is optimal if no best response of either player, in the
whole stage, gets more. Else what these do is added, and the program solved again: the double oracle
method for sequence form (Bosansky, Kiekintveld, Lisy & Pechoucek, JAIR 51, 2014).

Each program is begun with the basis of the one before, and the first with that of the alike stage.
Of many solutions that is the one which leaves the least to be added. A player who never limps, for
one, makes nearly all answers to a limp optimal, and few of them deter limps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Mask
from seqform.form.treeplex import Treeplex
from seqform.recursive.support import Support, completed
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import Program, entry_scale

MOST_OPEN = 500
"""Sequences of both players that a program is small with. Push or fold takes up to 40; where limps
are allowed it is some 200, and whole programs take a multiple."""

CLOSE = 1e-13
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

    def plan(self, chosen: Floats) -> Floats:
        """Return the plan of one of `choices`: float64 (num_sequences,)."""
        return np.append(chosen, 0.0)[self.of]

    def narrowed(self, kept: Mask) -> Mask:
        """Return which of `choices` are among some sequences: bool (num_choices,)."""
        _, first = np.unique(self.of, return_index=True)
        return kept[first[: self.choices.num_sequences]]

    def widened(self, kept: Mask) -> Mask:
        """Return the sequences that are as likely as some of `choices`: bool (num_sequences,)."""
        return np.append(kept, False)[self.of]


class SmallOptimum(NamedTuple):
    """A solution of a stage.

    Parameters
    ----------
    value
        To seat 0.
    plans
        Optimal ones of both seats, float64 (num_sequences,).
    support
        That of a basis of the whole program.
    """

    value: float
    plans: tuple[Floats, Floats]
    support: Support


def optimum_near(
    treeplexes: Sequence[Treeplex], payoff: sp.csr_array, near: Support, largest: float
) -> SmallOptimum | None:
    """Return what is optimal in a stage, if small programs around a basis find it.

    Parameters
    ----------
    treeplexes
        Of both seats.
    payoff
        What it pays seat 0 where sequences meet, float64 CSR (num_sequences, num_sequences).
    near
        Of a basis that is optimal in an alike stage.
    largest
        The largest payoff.
    """
    turned = payoff.T
    played = [_with_ways(t, own) for t, own in zip(treeplexes, near, strict=True)]
    while True:
        mine, theirs = (Settled.on(t, own) for t, own in zip(treeplexes, played, strict=True))
        if mine.choices.num_sequences + theirs.choices.num_sequences > MOST_OPEN:
            return None
        start = Support(mine.narrowed(near.mine), theirs.narrowed(near.theirs))
        pairs = pairs_paid(payoff, turned, mine, theirs)
        chosen = _optimal((mine.choices, theirs.choices), pairs, start)
        if chosen is None:
            return None
        plans = mine.plan(chosen.plans[0]), theirs.plan(chosen.plans[1])
        paid = payoff @ plans[1], -(turned @ plans[0])
        worth = [t.worth(own) for t, own in zip(treeplexes, paid, strict=True)]
        wide = mine.widened(chosen.support.mine), theirs.widened(chosen.support.theirs)
        near = Support(
            completed(treeplexes[0], wide[0] & played[0], played[0]),
            completed(treeplexes[1], wide[1] & played[1], played[1]),
        )
        if worth[0][0] + worth[1][0] <= CLOSE * largest:
            return SmallOptimum(float(plans[0] @ paid[0]), plans, near)
        wider = [_with_best(*each) for each in zip(treeplexes, played, worth, strict=True)]
        if all((new == old).all() for new, old in zip(wider, played, strict=True)):
            return None
        played = wider


def _with_ways(treeplex: Treeplex, kept: Mask) -> Mask:
    """Return sequences, and those that lead to where there is more than one of them."""
    played = kept.copy()
    for infosets, _ in reversed(treeplex.runs):
        mixes = treeplex.over_actions(np.add, played.astype(np.int64), infosets) > 1
        played[treeplex.parent_sequence[infosets][mixes]] = True
    return played


def _with_best(treeplex: Treeplex, played: Mask, worth: Floats) -> Mask:
    """Return what is played, and what is worth more than all of that in its information set."""
    most = treeplex.over_actions(np.maximum, worth)
    until_now = treeplex.over_actions(np.maximum, np.where(played, worth, -np.inf))
    wider = played.copy()
    wider[1:] |= (worth[1:] == treeplex.to_actions(most)) & treeplex.to_actions(until_now < most)
    return wider


def pairs_paid(
    payoff: sp.csr_array, turned: sp.csc_array, mine: Settled, theirs: Settled
) -> Floats:
    """Return what pairs of choices pay: float64 (num_choices, num_choices).

    Parameters
    ----------
    payoff, turned
        What pairs of sequences pay, and the transposed matrix.
    """
    shape = mine.choices.num_sequences, theirs.choices.num_sequences + 1  # and what is never played
    rows = np.flatnonzero((mine.of > 0) & (mine.of < shape[0]))
    starts = payoff.indptr[rows]
    counts = payoff.indptr[rows + 1] - starts
    ends = np.cumsum(counts)
    entries = np.arange(counts.sum()) + np.repeat(starts - (ends - counts), counts)
    key = np.repeat(mine.of[rows] * shape[1], counts) + theirs.of[payoff.indices[entries]]
    sums = np.bincount(key, payoff.data[entries], minlength=shape[0] * shape[1])
    paid = sums.astype(np.float64).reshape(shape)
    settled = turned @ (mine.of == 0).astype(np.float64)
    paid[0] = np.bincount(theirs.of, settled, minlength=shape[1])
    return paid[:, :-1]


class _Chosen(NamedTuple):
    plans: tuple[Floats, Floats]
    support: Support


def _optimal(choices: tuple[Treeplex, Treeplex], paid: Floats, start: Support) -> _Chosen | None:
    """Return optimal plans where pairs of choices pay so much; None if they are not found."""
    if paid.size == 1:
        only = np.ones(1, dtype=np.bool_)
        return _Chosen((np.ones(1), np.ones(1)), Support(only, only))
    program, basis = _program(choices, paid), start.basis(choices)
    found = solve_highs(program, start=basis, near=basis is not None)
    if found.primal is None and basis is not None:  # the basis may have been a bad one
        found = solve_highs(program)
    if found.primal is None or found.duals is None or found.basis is None:
        return None
    mine = choices[0]
    plans = found.primal[: mine.num_sequences], -found.duals[1 + mine.num_infosets :]
    first, second = (
        treeplex.to_plan(treeplex.to_behavior(np.maximum(plan, 0.0)))
        for treeplex, plan in zip(choices, plans, strict=True)
    )
    return _Chosen((first, second), Support.of(found.basis, choices))


def _program(choices: tuple[Treeplex, Treeplex], paid: Floats) -> Program:
    """Return the program of seat 0, as `seqform.solvers.linear.program` has it, from a full one."""
    mine, theirs = choices
    equalities, plan = 1 + mine.num_infosets, mine.num_sequences
    shape = equalities + theirs.num_sequences, plan + 1 + theirs.num_infosets
    sizes = np.abs(paid)
    kept = sizes > TINY * sizes.max()
    scale = entry_scale(float(sizes[kept].min()), float(sizes.max())) if kept.any() else 1.0
    columns = np.zeros(shape[::-1])  # a column of the program in each row
    columns[:plan, equalities:] = np.where(kept, paid * scale, 0.0)
    for treeplex, first, across, sign in (
        (mine, (0, 0), False, 1),
        (theirs, (plan, equalities), True, -1),
    ):
        rows, places, values = treeplex.constraint_entries()
        there = (rows, places) if across else (places, rows)
        columns[first[0] + there[0], first[1] + there[1]] = sign * values
    owner, place = np.nonzero(columns)
    starts = np.searchsorted(owner, np.arange(shape[1] + 1)).astype(np.int32)
    matrix = sp.csc_array((columns[owner, place], place.astype(np.int32), starts), shape=shape)
    lower, objective = np.zeros(shape[0]), np.zeros(shape[1])
    lower[0] = objective[plan] = 1.0
    upper = np.append(lower[:equalities], np.full(theirs.num_sequences, np.inf))
    least = np.append(np.zeros(plan), np.full(shape[1] - plan, -np.inf))
    return Program(matrix, objective, lower, upper, least)
