"""Which actions of an information set are dominated, whatever the others do.

An action with a plan for what comes after it is a *continuation*. One dominates another if it pays
at least as much against all strategies of the others, or strictly if it always pays more. An action
is dominated if each of its continuations is, by continuations of other actions or by a mixture of
them. What is found is proven in integers; a linear program in floats only proposes mixtures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from abstraction.adversary import Adversary
from abstraction.integer_table import as_integers, in_floats
from seqform.base.arrays import Exact, Floats, Index, Mask
from seqform.base.integer_matrix import largest
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.pure_strategies import count_strategies, pure_plans
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.turn import highs_turn

MOST_CONTINUATIONS = 100
"""An information set with more continuations is not looked at, until fewer are left."""

TRIES = 32
"""Strategies of the others at which a continuation may show that it is undominated."""

CLEARLY = 1e-9
"""Of the largest sum: by how much it must be better there, so that rounding does not matter."""

NEARLY = 1e-6
"""How far, of the largest payoff, floats may say that a mixture falls short which is then tried."""

DENOMINATORS = (1, 12, 1_000, 10**6, 10**9)
"""Largest denominators of the weights that a proposed mixture is rounded to, one after another."""


class Dominance:
    """One player's continuations, compared.

    Parameters
    ----------
    form
        The game.
    player
        Whose actions to compare.
    strict
        Whether to look for strict dominance.
    """

    def __init__(self, form: SequenceForm, player: int, strict: bool) -> None:
        self.treeplex, self.strict = form.treeplexes[player], strict
        self.others = [t for other, t in enumerate(form.treeplexes) if other != player]
        places, numbers = form.payoffs.entries(player)
        integers = as_integers(numbers)
        if player == 1 and isinstance(form.payoffs, ZeroSumPayoffs):
            integers = -integers  # and a constant, which all continuations are paid alike
        order = np.argsort(places[player], kind="stable")
        self.own = places[player][order]
        self.integers = integers[order]
        if largest(integers) * (len(integers) + 1) >= 2**61:
            self.integers = self.integers.astype(object)
        self.theirs = np.array(
            [place[order] for other, place in enumerate(places) if other != player]
        ).T.reshape(len(order), len(self.others))
        self.counts = count_strategies(self.treeplex).from_infoset
        self.after: list[list[int]] = [[] for _ in range(self.treeplex.num_sequences)]
        for infoset, parent in enumerate(self.treeplex.parent_sequence.tolist()):
            self.after[parent].append(infoset)

    def dominated(self, infoset: int) -> list[int]:
        """Return the places of the dominated actions of an information set; never all of them."""
        if not 2 <= self.counts[infoset] <= MOST_CONTINUATIONS:
            return []
        found = self._continuations(infoset)
        alive: Mask = np.ones(len(found.actions), dtype=np.bool_)
        dominated = []
        for action in reversed(range(int(self.treeplex.num_actions[infoset]))):
            mine = np.flatnonzero(found.actions == action)
            rivals = np.flatnonzero(alive & (found.actions != action))
            if found.are_dominated(mine, rivals, self.strict):
                alive[mine] = False
                dominated.append(action)
        return dominated

    def _continuations(self, infoset: int) -> Continuations:
        """Return the continuations of an information set, with what they pay."""
        infosets, below = self._below(infoset)
        plans = pure_plans(below)[:, 1:]
        sequences = np.concatenate([self._sequences(h) for h in infosets])
        starts = np.searchsorted(self.own, sequences)
        entries = [
            slice(start, stop)
            for start, stop in zip(
                starts.tolist(),
                np.searchsorted(self.own, sequences, side="right").tolist(),
                strict=True,
            )
        ]
        adversary = Adversary(self.others)
        columns = [adversary.numbers_of(self.theirs[of]) for of in entries]
        sums = np.zeros((adversary.num_sequences, len(plans)), dtype=self.integers.dtype)
        for of, column, players in zip(entries, columns, plans.T, strict=True):
            sums[np.ix_(column, players)] += self.integers[of, None]
        actions = np.argmax(plans[:, : int(self.treeplex.num_actions[infoset])], axis=1)
        return Continuations(sums, actions, adversary)

    def _below(self, infoset: int) -> tuple[list[int], Treeplex]:
        """Return an information set with all that come after it, and their treeplex."""
        found, position = [infoset], 0
        while position < len(found):
            for sequence in self._sequences(found[position]).tolist():
                found += self.after[sequence]
            position += 1
        number, start = {}, 1
        for h in found:
            for sequence in self._sequences(h).tolist():
                number[sequence], start = start, start + 1
        above = self.treeplex.parent_sequence[found].tolist()
        parents = np.array([number.get(sequence, 0) for sequence in above], dtype=np.int32)
        first = np.cumsum([1, *self.treeplex.num_actions[found].tolist()])
        return found, Treeplex(parents, first.astype(np.int32))

    def _sequences(self, infoset: int) -> Index:
        return np.arange(*self.treeplex.first_sequence[infoset : infoset + 2])


@dataclass(frozen=True, eq=False)
class Continuations:
    """The continuations of one information set.

    Parameters
    ----------
    sums
        Integers (num_sequences of the adversary, num_continuations): what each pays there.
    actions
        int64 (num_continuations,): the action of each.
    adversary
        The others.
    """

    sums: Exact
    actions: Index
    adversary: Adversary

    def are_dominated(self, mine: Index, rivals: Index, strict: bool) -> bool:
        """Return whether rivals, or mixtures of them, dominate each of some continuations."""
        if not len(rivals) or self._is_one_best(mine, rivals):
            return False
        return all(
            self._is_dominated(continuation, rivals, strict) for continuation in mine.tolist()
        )

    def _is_one_best(self, mine: Index, rivals: Index) -> bool:
        """Return whether somewhere one of some continuations is clearly better than all rivals."""
        rng = np.random.default_rng(0)  # the same game is always reduced alike
        sums = in_floats(self.sums[:, np.append(mine, rivals)])
        values = sums.T @ self.adversary.random_plans(TRIES, rng)
        better = values[: len(mine)] - values[len(mine) :].max(axis=0)
        return bool(better.max() > CLEARLY * np.abs(sums).sum(axis=0).max())

    def _is_dominated(self, continuation: int, rivals: Index, strict: bool) -> bool:
        differences = self.sums[:, rivals] - self.sums[:, [continuation]]
        if self._proves(differences.copy(), strict):
            return True
        return len(rivals) > 1 and any(
            self._proves((differences.astype(object) @ weights)[:, None], strict)
            for weights in _mixtures(self.adversary, in_floats(differences))
        )

    def _proves(self, differences: Exact, strict: bool) -> bool:
        least = self.adversary.least(differences)
        return bool((least > 0).any() if strict else (least >= 0).any())


def _mixtures(adversary: Adversary, differences: Floats) -> Iterable[Exact]:
    """Propose mixtures of rivals that may be better by all differences, as integer weights.

    A linear program finds the mixture that is best in the worst case. Its dual variables are the
    values of the adversary's information sets (von Stengel, GEB 14, 1996, Section 6).
    """
    scale = float(np.abs(differences).max()) or 1.0
    size, rivals = differences.shape
    steps = sp.lil_array((size, len(adversary.infosets)))
    for h, (start, stop, parent) in enumerate(adversary.infosets):
        steps[start:stop, [h]] = 1.0
        steps[parent, h] = -1.0
    rows = sp.hstack([sp.csr_array(-differences / scale), steps.tocsr()], format="csr")
    bounds = [(0.0, None)] * rivals + [(None, None)] * len(adversary.infosets)
    with highs_turn():  # which is what scipy calls
        found = linprog(
            rows[[0]].toarray()[0],  # less the value at the empty sequence
            A_ub=rows[1:],
            b_ub=np.zeros(size - 1),
            A_eq=np.append(np.ones(rivals), np.zeros(len(adversary.infosets)))[None],
            b_eq=[1.0],
            bounds=bounds,
            method="highs",
        )
    if found.x is None or -found.fun < -NEARLY:
        return
    for limit in DENOMINATORS:
        weights = [Fraction(w).limit_denominator(limit) for w in found.x[:rivals].tolist()]
        common = lcm(*(weight.denominator for weight in weights))
        integers = np.array([max(0, int(weight * common)) for weight in weights], dtype=object)
        if integers.any():
            yield integers
