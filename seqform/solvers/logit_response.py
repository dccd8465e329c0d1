"""Logit quantal response equilibria of a game in sequence form, as a curve.

In an agent quantal response equilibrium the agent of each information set h chooses action a with
a probability proportional to ``exp(lambda u_a)``. Here ``u_a`` is what a pays given that h is
reached, and everybody plays on as in the equilibrium (McKelvey & Palfrey, "Quantal response
equilibria for extensive form games", Experimental Economics 1, 1998).

The unknowns are logarithms of probabilities (Turocy, "Computing sequential equilibria using agent
quantal response equilibria", Economic Theory 42, 2010). So no probability becomes 0, however large
lambda is. With ``p_h`` proportional to ``exp(lambda u_a)`` and l the logarithms, the equations are

    l_a - lambda u_a + log(sum over actions b of h of exp(lambda u_b)) = 0.

Payoffs are read from the sequence form. Each leaf pays each sequence above it: its payoff times the
probabilities of all moves that lead to it from there, and of all moves of others. So ``u_a`` is a
sum of products divided by another one, the probability that the others let h be reached. Products
are exponentials of sums of logarithms, taken relative to the largest of the information set; no
quotient is ever 0/0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Ints
from seqform.form.from_tree import chance_reach, sequences_at_nodes
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game import needs
from seqform.tree.tree import GameTree


@dataclass(frozen=True)
class Products:
    """Sums of products of probabilities, as functions of their logarithms.

    Parameters
    ----------
    moves
        float64 CSR (num_products, n): 1 where a probability is a factor.
    weights
        float64 (num_products,): what is multiplied to it.
    owner
        int64 (num_products,): the sum that it is part of.
    """

    moves: sp.csr_array
    weights: Floats
    owner: Index


class LogitResponse:
    """The curve of a game's agent logit equilibria.

    A point is the logarithms of the probabilities of all players' actions, player by player in the
    order of their sequences, and then lambda times the payoff scale.

    Parameters
    ----------
    form
        A game of any number of players, made of a tree.
    """

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        treeplexes = form.treeplexes
        sizes = [t.num_sequences - 1 for t in treeplexes]
        self.offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.size = int(self.offsets[-1])
        counts = np.concatenate([t.num_actions for t in treeplexes]).astype(np.int64)
        self.infoset: Index = np.repeat(np.arange(len(counts)), counts)
        self.starts: Index = np.cumsum(counts) - counts
        paths = [
            _paths(t, int(o), self.size) for t, o in zip(treeplexes, self.offsets, strict=False)
        ]
        self._paid = _payoff_products(form, paths, self.offsets)
        self._reached = _reach_products(form, paths)
        ones = np.ones(len(self._paid.owner))
        rows = (self._paid.owner, np.arange(len(self._paid.owner)))
        self._add_paid = sp.csr_array((ones, rows), shape=(self.size, len(ones)))
        ones = np.ones(len(self._reached.owner))
        rows = (self._reached.owner, np.arange(len(self._reached.owner)))
        self._add_reached = sp.csr_array((ones, rows), shape=(len(counts), len(ones)))
        self._cached: tuple[bytes, tuple[Floats, Floats, Floats, Floats]] | None = None

    def start(self) -> Floats:
        """Return the equilibrium for lambda 0: everybody chooses uniformly."""
        counts = np.diff(np.append(self.starts, self.size))
        return np.append(-np.log(np.repeat(counts, counts).astype(np.float64)), 0.0)

    def behaviors(self, z: Floats) -> list[Floats]:
        """Return the behaviour strategies of a point, each float64 (num_sequences,)."""
        chances = _softmax(z[:-1], self.starts, self.infoset)
        return [
            np.append(1.0, chances[first:last])
            for first, last in zip(self.offsets[:-1], self.offsets[1:], strict=True)
        ]

    def residual(self, z: Floats) -> Floats:
        """Return what the equations are off by."""
        utility, *_ = self._worth(z)
        scaled = z[-1] * utility
        return z[:-1] - scaled + _log_sums(scaled, self.starts)[self.infoset]  # type: ignore[no-any-return]

    def derivative(self, z: Floats) -> sp.csr_array:
        """Return the derivative of the equations by all logarithms and by lambda."""
        utility, paid, reached, total = self._worth(z)
        chosen = _softmax(z[-1] * utility, self.starts, self.infoset)
        by_moves = self._derivative_of_utility(utility, paid, reached, total)
        average = sp.csr_array(
            (chosen, (self.infoset, np.arange(self.size))), shape=(len(self.starts), self.size)
        )
        centered = by_moves - (average @ by_moves)[self.infoset]
        by_lambda = utility - (average @ utility)[self.infoset]
        left = sp.eye_array(self.size, format="csr") - z[-1] * centered
        return sp.csr_array(sp.hstack([left, sp.csr_array(-by_lambda[:, None])]))

    def _worth(self, z: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return what actions pay, all products, and the probabilities of information sets."""
        key = z[:-1].tobytes()
        if self._cached is not None and self._cached[0] == key:
            return self._cached[1]
        paths = self._reached.moves @ z[:-1] + self._reached.weights
        largest = np.full(len(self.starts), -np.inf)
        np.maximum.at(largest, self._reached.owner, paths)
        largest[~np.isfinite(largest)] = 0.0
        reached: Floats = np.exp(paths - largest[self._reached.owner])
        total: Floats = np.bincount(
            self._reached.owner, reached, minlength=len(self.starts)
        ).astype(np.float64)
        total[total == 0] = 1.0  # chance never leads there, and nothing is paid
        above = largest[self.infoset[self._paid.owner]]
        paid: Floats = self._paid.weights * np.exp(self._paid.moves @ z[:-1] - above)
        sums: Floats = np.bincount(self._paid.owner, paid, minlength=self.size).astype(np.float64)
        worth = sums / total[self.infoset], paid, reached, total
        self._cached = key, worth
        return worth

    def _derivative_of_utility(
        self, utility: Floats, paid: Floats, reached: Floats, total: Floats
    ) -> sp.csr_array:
        """Return the derivative of what actions pay, by the quotient rule; (n, n)."""
        above = self._add_paid @ _scaled(self._paid.moves, paid)
        below = self._add_reached @ _scaled(self._reached.moves, reached)
        inverse = 1.0 / total[self.infoset]
        return _scaled(above, inverse) - _scaled(below[self.infoset], utility * inverse)


def _paths(treeplex: Treeplex, offset: int, size: int) -> sp.csr_array:
    """Return for each sequence its actions, as 1 in the columns of their probabilities."""
    rows, columns = [], []
    current = np.arange(treeplex.num_sequences)
    while (taken := np.flatnonzero(current > 0)).size:
        rows.append(taken)
        columns.append(current[taken] - 1 + offset)
        current = np.where(current > 0, treeplex.sequence_parent[current], 0)
    if not rows:
        return sp.csr_array((treeplex.num_sequences, size))
    row, column = np.concatenate(rows), np.concatenate(columns)
    return sp.csr_array((np.ones(len(row)), (row, column)), shape=(treeplex.num_sequences, size))


def _payoff_products(form: SequenceForm, paths: Sequence[sp.csr_array], offsets: Index) -> Products:
    """Return what each leaf pays each sequence above it, as shares of the payoff scale."""
    moves, weights, owners = [], [], []
    for player in range(form.num_players):
        places, numbers = entries(form, player)
        own = paths[player][places[player]]  # the mover's actions above each leaf
        count = np.diff(own.indptr)
        leaf = np.repeat(np.arange(len(count)), count)
        action = own.indices.astype(np.int64)
        factors = sum((path[p[leaf]] for path, p in zip(paths, places, strict=True)), 0)
        factors = factors - paths[player][action - int(offsets[player]) + 1]
        moves.append(factors)
        weights.append(numbers[leaf])
        owners.append(action)
    stacked = sp.csr_array(sp.vstack(moves))
    stacked.eliminate_zeros()
    return Products(stacked, np.concatenate(weights), np.concatenate(owners))


def entries(form: SequenceForm, player: int) -> tuple[list[Ints], Floats]:
    """Return where sequences meet, and what that pays a player as a share of the payoff scale.

    Of player 1 in a constant-sum game what is left, the constant at the empty sequences.
    """
    if not needs.is_zero_sum(form):
        payoffs: Any = form.payoffs
        tensor: PayoffTensor = getattr(payoffs, "listed", payoffs)  # of those kept otherwise
        return list(tensor.sequences.T), tensor.weights[:, player] / form.payoff_scale
    matrix = form.zero_sum_operator().to_csr().tocoo()
    places, paid = [matrix.row, matrix.col], matrix.data / form.payoff_scale
    if player == 0:
        return places, paid
    constant = float(form.zero_sum().constant_sum) / form.payoff_scale
    return [np.append(place, 0) for place in places], np.append(-paid, constant)


def _reach_products(form: SequenceForm, paths: Sequence[sp.csr_array]) -> Products:
    """Return how the others and chance lead to each information set; weights are logarithms."""
    tree: GameTree = form.tree  # type: ignore[assignment]
    number = np.empty(tree.num_infosets, dtype=np.int64)
    first = 0
    for infosets in form.tree_infosets:
        number[infosets] = first + np.arange(len(infosets))
        first += len(infosets)
    chance = chance_reach(tree)
    nodes = np.flatnonzero((tree.player >= 0) & (chance > 0))
    at_node = sequences_at_nodes(form)[:, nodes]
    movers = tree.player[nodes]
    moves = sum(
        (
            sp.diags_array((movers != player).astype(np.float64)) @ paths[player][at_node[player]]
            for player in range(form.num_players)
        ),
        0,
    )
    moves = sp.csr_array(moves)
    moves.eliminate_zeros()
    return Products(moves, np.log(chance[nodes]), number[tree.infoset[nodes]])


def _scaled(matrix: sp.csr_array, factors: Floats) -> sp.csr_array:
    return sp.csr_array(sp.diags_array(factors) @ matrix)


def _log_sums(values: Floats, starts: Index) -> Floats:
    """Return the logarithms of sums of exponentials from each start to the next."""
    counts = np.diff(np.append(starts, len(values)))
    largest = np.maximum.reduceat(values, starts)
    sums = np.add.reduceat(np.exp(values - np.repeat(largest, counts)), starts)
    logarithms: Floats = largest + np.log(sums)
    return logarithms


def _softmax(values: Floats, starts: Index, infoset: Index) -> Floats:
    chances: Floats = np.exp(values - _log_sums(values, starts)[infoset])
    return chances
