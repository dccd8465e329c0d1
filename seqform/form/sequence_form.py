"""SequenceForm: one treeplex per player and the payoffs; here derived from a game tree.

E, e and F, f are the constraints of the realization plans x of player 0 and y of player 1 (E x = e,
F y = f), and x' A y is player 0's expected payoff (von Stengel, "Efficient computation of behavior
strategies", GEB 14, 1996, Section 4).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.base.errors import UnsupportedGameError
from seqform.base.number import Number, common_denominator
from seqform.form.payoff import PayoffOperator, PayoffTensor, SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.game.rules import TERMINAL
from seqform.tree.recall import explain_imperfect_recall
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.game.observations import Classes, SignalStructure

Floats = NDArray[np.float64]
Index = NDArray[np.int64]

CONSTANT_TOLERANCE = 1e-12
"""Largest spread, relative to the payoffs, of the players' payoff sums that counts as constant in a
game with floats."""


class Names(Protocol):
    """What a game calls its information sets and actions, for people to read."""

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the name of an information set."""

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions of an information set."""


@dataclass(frozen=True, eq=False)
class TreeNames:
    """Names that a tree keeps, by the tree's numbers of each player's information sets."""

    tree: GameTree
    infosets: tuple[Index, ...]

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the name of an information set."""
        return self.tree.infoset_labels[int(self.infosets[player][infoset])]

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions of an information set."""
        return self.tree.actions(int(self.infosets[player][infoset]))


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game as its players' sequences meet.

    Parameters
    ----------
    treeplexes
        One per player.
    payoffs
        Entries of all players, for a game that came from a tree; otherwise there is an operator.
    constant_sum
        What the players' payoffs add up to at every leaf, or None if that varies.
    operator
        Player 0's payoffs as an operator, for two players.
    sum_spread
        How far rounded payoffs of a game with floats may add up to something else than
        `constant_sum`; 0 if exact.
    names
        What the game calls its information sets and actions.
    unit
        What payoffs are counted in.
    largest_payoff
        The largest absolute payoff at any node that chance lets happen.
    num_nodes
        Nodes of the game's tree, which need not have been built.
    tree
        The tree that it came from, if any; and `tree_infosets` the tree's numbers of each
        treeplex's information sets.
    signals
        The signal game that it came from, if any, and the classes of observations that it tells
        apart.
    """

    treeplexes: tuple[Treeplex, ...]
    payoffs: PayoffTensor | None
    constant_sum: Number | None
    operator: PayoffOperator | None
    sum_spread: float
    names: Names = field(repr=False)
    unit: str
    largest_payoff: float
    num_nodes: int
    tree: GameTree | None = field(default=None, repr=False)
    tree_infosets: tuple[Index, ...] = field(default=(), repr=False)
    signals: tuple[SignalStructure, Classes] | None = field(default=None, repr=False)

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return len(self.treeplexes)

    @property
    def payoff_scale(self) -> float:
        """The largest payoff, or 1 if all are 0."""
        return self.largest_payoff or 1.0

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan, float64 (num_sequences,)."""
        if self.operator is None or self.constant_sum is None:
            return self._tensor.gradient(player, plans)
        if player == 0:
            return self.operator.times(plans[1])
        gradient = -self.operator.transposed_times(plans[0])
        gradient[0] += float(
            self.constant_sum
        )  # paid whatever happens, hence to the empty sequence
        return gradient

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the same with all payoffs made positive: how large the terms are, for bounds on rounding errors."""
        if self.operator is None or self.constant_sum is None:
            return self._tensor.gradient(player, plans, absolute=True)
        if player == 0:
            return self._absolute_operator.times(plans[1])
        gradient = self._absolute_operator.transposed_times(plans[0])
        gradient[0] += abs(float(self.constant_sum))
        return gradient

    def max_terms(self, player: int) -> int:
        """Return the most terms that are added up in one entry of the player's gradient."""
        if self.operator is None or self.constant_sum is None:
            return self._tensor.max_terms(player)
        return 1 + self.operator.max_terms(player)

    @property
    def _tensor(self) -> PayoffTensor:
        if self.payoffs is None:
            raise UnsupportedGameError(
                "this sequence form has neither payoff entries nor a constant sum; build it from "
                "a tree"
            )
        return self.payoffs

    @cached_property
    def _absolute_operator(self) -> PayoffOperator:
        return self.operator.absolute()  # type: ignore[union-attr]

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the game's own name of an information set."""
        return self.names.infoset_label(player, infoset)

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return the actions of an information set."""
        return self.names.actions(player, infoset)

    def zero_sum_operator(self) -> PayoffOperator:
        """Return A for a method that needs two players and constant sum.

        Raises
        ------
        UnsupportedGameError
            R10: for any other game.
        """
        if self.num_players != 2 or self.operator is None:
            raise UnsupportedGameError(
                f"R10: this method is for 2 players and the game has {self.num_players}; evaluate "
                f"and certify given profiles instead"
            )
        if self.constant_sum is None:
            raise UnsupportedGameError(
                "R10: this method is for zero-sum (or constant-sum) games, and here the players' "
                "payoffs add up to different amounts at "
                "different leaves; evaluate and certify given profiles instead"
            )
        return self.operator


def sizes(form: SequenceForm) -> dict[str, int]:
    """Return the counts that describe a game; sequences and infosets are totals over players."""
    return {
        "nodes": form.num_nodes,
        "infosets": sum(t.num_infosets for t in form.treeplexes),
        "sequences": sum(t.num_sequences for t in form.treeplexes),
    }


def build_sequence_form(tree: GameTree) -> SequenceForm:
    """Return the sequence form of a game tree of any number of players.

    Raises
    ------
    ImperfectRecallError
        R9, saying which player forgets what, and where.
    """
    sequences = _Sequences(tree)
    reach_row, reaches = _chance_reach(tree)
    constant_sum, sum_spread = _constant_sum(tree, reach_row, reaches)
    tensor, operator = _collect(tree, sequences, reach_row, reaches)
    return SequenceForm(
        treeplexes=tuple(sequences.treeplexes),
        payoffs=tensor,
        constant_sum=constant_sum,
        sum_spread=sum_spread,
        operator=operator,
        names=TreeNames(tree, tuple(sequences.tree_infosets)),
        unit=tree.unit,
        largest_payoff=_largest_payoff(tree),
        num_nodes=tree.num_nodes,
        tree=tree,
        tree_infosets=tuple(sequences.tree_infosets),
    )


def _largest_payoff(tree: GameTree) -> float:
    rows = list(range(len(tree.payoffs)))
    possible = np.array([*(p > 0 for p in tree.probabilities), True])[tree.probability]
    if not possible.all():
        for level in tree.levels():
            possible[level] &= possible[tree.parent[level]]
        rows = [row for row in np.unique(tree.payoff[possible]).tolist() if row >= 0]
    return max((abs(float(u)) for row in rows for u in tree.payoffs[row]), default=0.0)


class _Sequences:
    """Each player's sequence at every node, and the treeplexes that number them."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        first_action = (
            1 + np.cumsum(tree.infoset_num_actions, dtype=np.int64) - tree.infoset_num_actions
        )
        last, moves = self._walk(first_action)
        infoset_parent, infoset_depth = self._infosets(last, moves)
        self.treeplexes: list[Treeplex] = []
        self.tree_infosets: list[Index] = []
        self.at_node = last  # renumbered below, player by player
        for player in range(tree.num_players):
            self._number(player, first_action, infoset_parent, infoset_depth)

    def _walk(self, first_action: Index) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return, per player and node, the last own action so far and how many there were.

        Actions are numbered across players here: ``first_action[infoset] + position``, and 0 for
        none.
        """
        tree = self.tree
        last = np.zeros((tree.num_players, tree.num_nodes), dtype=np.int32)
        moves = np.zeros_like(last)
        above = tree.parent
        mover = tree.player[above]
        action = np.where(
            mover >= 0, first_action[tree.infoset[above]] if len(first_action) else 0, 0
        )
        action = (action + np.arange(tree.num_nodes) - tree.first_child[above]).astype(np.int32)
        for level in tree.levels():
            parents = above[level]
            last[:, level] = last[:, parents]
            moves[:, level] = moves[:, parents]
            chosen = np.flatnonzero(mover[level] >= 0)
            nodes = chosen + level.start
            last[mover[nodes], nodes] = action[nodes]
            moves[mover[nodes], nodes] += 1
        return last, moves

    def _infosets(self, last: NDArray[np.int32], moves: NDArray[np.int32]) -> tuple[Index, Index]:
        """Return each information set's parent action and depth, which all its nodes must share (R9)."""
        tree = self.tree
        nodes = np.flatnonzero(tree.player >= 0)
        parent, infoset = last[tree.player[nodes], nodes], tree.infoset[nodes]
        first = tree.infoset_first_node
        expected = last[tree.infoset_player, first] if len(first) else np.zeros(0, dtype=np.int32)
        wrong = np.flatnonzero(parent != expected[infoset])
        if len(wrong):
            raise explain_imperfect_recall(
                tree, int(first[infoset[wrong[0]]]), int(nodes[wrong[0]])
            )
        depth = moves[tree.infoset_player, first] if len(first) else expected
        return expected.astype(np.int64), depth.astype(np.int64)

    def _number(self, player: int, first_action: Index, parent: Index, depth: Index) -> None:
        """Give the player's information sets numbers by depth, so that whole depths are handled at once."""
        tree = self.tree
        mine = np.flatnonzero(tree.infoset_player == player)
        mine = mine[np.argsort(depth[mine], kind="stable")]
        counts = tree.infoset_num_actions[mine]
        first_sequence = np.concatenate([[1], 1 + np.cumsum(counts)]).astype(np.int32)
        number = np.zeros(int(tree.infoset_num_actions.sum()) + 1, dtype=np.int32)  # of each action
        offsets = np.arange(counts.sum()) - np.repeat(first_sequence[:-1] - 1, counts)
        number[np.repeat(first_action[mine], counts) + offsets] = np.arange(1, first_sequence[-1])
        self.at_node[player] = number[self.at_node[player]]
        self.treeplexes.append(Treeplex(number[parent[mine]], first_sequence))
        mine.flags.writeable = False
        self.tree_infosets.append(mine)


def _chance_reach(tree: GameTree) -> tuple[NDArray[np.int32], list[Number]]:
    """Return chance's contribution to the reach of each node, as rows of a table of distinct numbers.

    The few distinct products are exact where the game is; no arithmetic is done per node.
    """
    row = np.zeros(tree.num_nodes, dtype=np.int32)
    table: list[Number] = [1]
    numbers: dict[Number, int] = {1: 0}
    after_chance = tree.probability >= 0
    base = len(tree.probabilities)
    for level in tree.levels():
        row[level] = row[tree.parent[level]]
        dealt = np.flatnonzero(after_chance[level]) + level.start
        if not len(dealt):
            continue
        pairs, inverse = np.unique(
            row[dealt].astype(np.int64) * base + tree.probability[dealt], return_inverse=True
        )
        rows = []
        for pair in pairs.tolist():
            product = table[pair // base] * tree.probabilities[pair % base]
            rows.append(numbers.setdefault(product, len(table)))
            if rows[-1] == len(table):
                table.append(product)
        row[dealt] = np.array(rows, dtype=np.int32)[inverse]
    return row, table


def _collect(
    tree: GameTree, sequences: _Sequences, reach_row: NDArray[np.int32], reaches: list[Number]
) -> tuple[PayoffTensor, SparsePayoff | None]:
    """Add up chance weight times payoff over the paying nodes at which the same sequences meet."""
    nodes = np.flatnonzero(tree.payoff >= 0)
    at = sequences.at_node[:, nodes]
    key = np.zeros(len(nodes), dtype=np.int64)
    for player, treeplex in enumerate(sequences.treeplexes):
        if player >= 2:  # renumber, so that products of many players' sequences never overflow
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        key = key * treeplex.num_sequences + at[player]
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts = (
        np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        if len(key)
        else np.zeros(0, dtype=np.int64)
    )
    base = max(1, len(tree.payoffs))
    pairs, pair_of = np.unique(
        reach_row[nodes].astype(np.int64) * base + tree.payoff[nodes], return_inverse=True
    )
    products = [
        [reaches[pair // base] * u for u in tree.payoffs[pair % base]] for pair in pairs.tolist()
    ]
    pair_of = pair_of[order]
    columns, exact = [], None
    for player in range(tree.num_players):
        values, numerators, denominator = _add_up(
            [row[player] for row in products], pair_of, starts
        )
        columns.append(values)
        if player == 0:
            exact = numerators, denominator
    heads = at[:, order[starts]].T.astype(np.int32)
    weights = np.array(columns).T.reshape(len(starts), tree.num_players)
    tensor = PayoffTensor(heads, weights)
    operator = None
    if tree.num_players == 2 and exact is not None:
        shape = (sequences.treeplexes[0].num_sequences, sequences.treeplexes[1].num_sequences)
        operator = _operator(heads, weights[:, 0], exact[0], exact[1], shape)
    return tensor.without_zeros(), operator


def _add_up(
    products: list[Number], pair_of: Index, starts: Index
) -> tuple[Floats, NDArray[Any] | None, int]:
    """Sum `products[pair_of]` over the segments that begin at `starts`: floats, and exactly if all are exact."""
    denominator = common_denominator(products)
    if denominator is None or not products:
        values = np.array(products, dtype=np.float64)
        return np.add.reduceat(values[pair_of], starts) if len(starts) else values, None, 1
    integers = [int(product * denominator) for product in products]
    longest = int(np.diff(np.append(starts, len(pair_of))).max())
    fits = max(map(abs, integers)) * longest < 2**63
    numerators = np.add.reduceat(
        np.array(integers, dtype=np.int64 if fits else object)[pair_of], starts
    )
    if fits and max(map(abs, integers)) * longest < 2**53 and denominator < 2**53:
        return numerators / denominator, numerators, denominator  # two exact floats: rounded once
    return (
        np.array([float(Fraction(int(n), denominator)) for n in numerators]),
        numerators,
        denominator,
    )


def _operator(
    heads: NDArray[np.int32],
    values: Floats,
    numerators: NDArray[Any] | None,
    denominator: int,
    shape: tuple[int, int],
) -> SparsePayoff:
    """Return the CSR of entries that are sorted by row and column already."""
    keep = values != 0 if numerators is None else numerators != 0
    rows, columns = heads[keep].T
    pointers = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))]).astype(
        np.int32
    )
    matrix = sp.csr_array((values[keep], columns, pointers), shape=shape)
    return SparsePayoff(matrix, None if numerators is None else numerators[keep], denominator)


def _constant_sum(
    tree: GameTree, reach_row: NDArray[np.int32], reaches: list[Number]
) -> tuple[Number | None, float]:
    """Return what the payoffs add up to at every leaf that chance does not rule out (None if that varies), and the spread."""
    sums = [sum(row) for row in tree.payoffs]
    paying = np.unique(tree.payoff[(tree.payoff >= 0) & (tree.player != TERMINAL)])
    ends = np.flatnonzero(tree.player == TERMINAL)
    possible = np.array([reach > 0 for reach in reaches])
    if any(sums[row] != 0 for row in paying.tolist()):
        totals = _path_totals(tree, sums)[ends[possible[reach_row[ends]]]]
        return _constant(sorted(set(totals.tolist())), tree)
    used = np.unique(tree.payoff[ends[possible[reach_row[ends]]]])
    return _constant(sorted({sums[row] for row in used.tolist()}), tree)


def _path_totals(tree: GameTree, sums: list[Number]) -> NDArray[Any]:
    """Return the players' payoffs added over the path to each node, as an object array of numbers."""
    table = np.array([*sums, 0], dtype=object)
    totals = table[tree.payoff]
    for level in tree.levels():
        totals[level] += totals[tree.parent[level]]
    return totals


def _constant(values: list[Number], tree: GameTree) -> tuple[Number | None, float]:
    if not values:
        return 0, 0.0
    spread = values[-1] - values[0]
    scale = max((abs(float(u)) for row in tree.payoffs for u in row), default=0.0)
    allowed = 0 if tree.is_exact else CONSTANT_TOLERANCE * scale
    # twice: the spread of the sums, and the rounding of the sums themselves
    return (values[0], 2 * float(spread)) if spread <= allowed else (None, 0.0)
