"""Relevant pairs of sequences: those at which two players' recommendations have to be correlated.

Two information sets, one of each player, are *connected* if some path through the tree visits both.
A pair of sequences is *relevant* if one of them is empty, or their last moves are at connected
information sets (von Stengel & Forges, Math. of OR 33, 2008, Definition 3.3). There are far fewer
than all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Index, Ints
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, NotForThisGameError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.base.memory import require_memory
from seqform.form.from_tree import sequences_at_nodes
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game import needs
from seqform.tree.tree import GameTree

BYTES_PER_PAIR = 120
"""What pairs and their constraints take while they are made."""

NOWHERE = -1
"""In place of the information set of the empty sequence."""


class Pairs(NamedTuple):
    """Some pairs of one block each, and where these come from."""

    block: Index
    """The block of each pair."""
    sequences: tuple[Index, Index]
    """The sequence of each player."""


@dataclass(frozen=True, eq=False)
class RelevantPairs:
    """The relevant pairs of sequences of a two-player game, numbered block by block.

    A *block* holds the pairs of the moves at two connected information sets, or at one and the
    empty sequence. Its first pair is numbered ``first_pair[block]``, the moves of player 1 vary
    fastest. Pair 0 is that of the two empty sequences.

    Parameters
    ----------
    treeplexes
        Of both players.
    infosets
        int64 (num_blocks, 2): an information set of each player, or -1 for the empty sequence;
        sorted.
    """

    treeplexes: tuple[Treeplex, Treeplex]
    infosets: Index

    @cached_property
    def shape(self) -> Index:
        """The moves of each player in each block, int64 (num_blocks, 2)."""
        columns = [
            np.append(treeplex.num_actions, 1)[self.infosets[:, player]]
            for player, treeplex in enumerate(self.treeplexes)
        ]
        return np.array(columns, dtype=np.int64).T.reshape(-1, 2)

    @cached_property
    def first_pair(self) -> Index:
        """The first pair of each block, and the number of pairs; int64 (num_blocks + 1,)."""
        return np.concatenate([[0], np.cumsum(self.shape.prod(axis=1))])

    @property
    def num_blocks(self) -> int:
        """How many blocks there are."""
        return len(self.infosets)

    @property
    def num_pairs(self) -> int:
        """How many pairs are relevant."""
        return int(self.first_pair[-1])

    @cached_property
    def first_sequence(self) -> Index:
        """The first move of each player in each block, int64 (num_blocks, 2)."""
        columns = [
            np.append(treeplex.first_sequence[:-1], 0)[self.infosets[:, player]]
            for player, treeplex in enumerate(self.treeplexes)
        ]
        return np.array(columns, dtype=np.int64).T.reshape(-1, 2)

    @cached_property
    def pairs(self) -> Pairs:
        """All pairs in their order."""
        block = np.repeat(np.arange(self.num_blocks), self.shape.prod(axis=1))
        place = np.arange(self.num_pairs) - self.first_pair[block]
        first, width = self.first_sequence[block], self.shape[block, 1]
        return Pairs(block, (first[:, 0] + place // width, first[:, 1] + place % width))

    @cached_property
    def _keys(self) -> Index:
        return self._key(self.infosets[:, 0], self.infosets[:, 1])

    def _key(self, mine: Index | Ints, theirs: Index | Ints) -> Index:
        width = self.treeplexes[1].num_infosets + 1
        return (np.asarray(mine, dtype=np.int64) + 1) * width + theirs + 1

    def pair(self, mine: Index | Ints, theirs: Index | Ints) -> Index:
        """Return the numbers of pairs of sequences of player 0 and of player 1.

        Raises
        ------
        InvalidParameterError
            If one of them is not relevant.
        """
        sequences = np.broadcast_arrays(mine, theirs)
        owners = [t.infoset_of[s] for t, s in zip(self.treeplexes, sequences, strict=True)]
        key = self._key(owners[0], owners[1])
        block = np.minimum(np.searchsorted(self._keys, key), self.num_blocks - 1)
        if (self._keys[block] != key).any():
            wrong = int(np.flatnonzero((self._keys[block] != key).ravel())[0])
            raise InvalidParameterError(
                f"sequences {[int(s.ravel()[wrong]) for s in sequences]} are no relevant pair: "
                "no path through the tree visits the information sets of their last moves"
            )
        first = self.first_sequence[block]
        row, column = sequences[0] - first[..., 0], sequences[1] - first[..., 1]
        return self.first_pair[block] + row * self.shape[block, 1] + column  # type: ignore[no-any-return]

    def of(self, player: int, mine: Index | Ints, theirs: Index | Ints) -> Index:
        """Return `pair` with the sequences of a player first, those of the other second."""
        return self.pair(mine, theirs) if player == 0 else self.pair(theirs, mine)

    @cached_property
    def constraints(self) -> tuple[IntegerMatrix, Exact]:
        """M and m, with ``M @ p == m`` for correlation plans p, in integers.

        Row 0 says that the pair of empty sequences has weight 1. Each other row says that the
        moves at an information set, paired with a sequence of the other player, add up to what
        leads there: von Stengel & Forges, eq. (10). Where no move is paired with an information
        set, there are no rows.
        """
        rows, columns, entries = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)], [np.ones(1, int)]
        count = 1
        for player in (0, 1):
            sums = self.sums(player)
            each = sums.parent[sums.total]
            columns += [sums.pair, sums.parent]
            rows += [count + sums.total, count + np.arange(len(sums.parent))]
            entries += [np.ones(len(each), int), np.full(len(sums.parent), -1)]
            count += len(sums.parent)
        matrix = IntegerMatrix.from_entries(
            np.concatenate(rows),
            np.concatenate(columns),
            np.concatenate(entries),
            (count, self.num_pairs),
        )
        rhs = np.zeros(count, dtype=np.int64)
        rhs[0] = 1
        return matrix, rhs

    @property
    def constraints_size(self) -> tuple[int, int]:
        """Rows and nonzeros of the constraints, without making them."""
        rows = nonzeros = 1
        for player in (0, 1):
            inner = self.shape[self.infosets[:, player] != NOWHERE]
            sums = int(inner[:, 1 - player].sum())
            rows, nonzeros = rows + sums, nonzeros + sums + int(inner.prod(axis=1).sum())
        return rows, nonzeros

    def sums(self, player: int) -> Sums:
        """Return which pairs add up to which, over the moves of a player."""
        block, sequences = self.pairs
        mine, theirs = sequences[player], sequences[1 - player]
        inner = np.flatnonzero(self.infosets[block, player] != NOWHERE)
        start, shape = self.first_pair[block[inner]], self.shape[block[inner]]
        place = inner - start
        column = place % shape[:, 1] if player == 0 else place // shape[:, 1]
        widths = np.where(self.infosets[:, player] == NOWHERE, 0, self.shape[:, 1 - player])
        before = np.concatenate([[0], np.cumsum(widths)])
        total = before[block[inner]] + column
        first = np.zeros(int(before[-1]), dtype=np.int64)
        first[total[::-1]] = inner[::-1]
        above = self.treeplexes[player].sequence_parent[mine[first]]
        return Sums(inner, total, self.of(player, above, theirs[first]))

    @cached_property
    def depth(self) -> Index:
        """How many moves both players made at each block, int64 (num_blocks,)."""
        depths = np.zeros(self.num_blocks, dtype=np.int64)
        for player, treeplex in enumerate(self.treeplexes):
            moves = np.zeros(treeplex.num_sequences, dtype=np.int64)
            for _, sequences in treeplex.runs:
                moves[sequences] = moves[treeplex.sequence_parent[sequences]] + 1
            depths += moves[self.first_sequence[:, player]]
        return depths


class Sums(NamedTuple):
    """Pairs that add up to others."""

    pair: Index
    """The pairs that are added up."""
    total: Index
    """For each of these the number of the sum that it is in."""
    parent: Index
    """For each sum the pair that it is equal to."""


def relevant_pairs(form: SequenceForm) -> RelevantPairs:
    """Return the relevant pairs of a two-player game.

    Raises
    ------
    NotForThisGameError
        If the game is not for two players, or the form has no tree.
    GameTooLargeError
        If they would not fit into memory.
    """
    connected = connected_infosets(form)
    mine, theirs = form.treeplexes[0], form.treeplexes[1]
    count = int((mine.num_actions[connected[:, 0]] * theirs.num_actions[connected[:, 1]]).sum())
    what = f"a correlation plan with {count:,} relevant pairs of sequences"
    require_memory(BYTES_PER_PAIR * count, what, "use a smaller game")
    alone = [
        np.array([[NOWHERE, NOWHERE]]),
        np.array([[i, NOWHERE] for i in range(mine.num_infosets)]).reshape(-1, 2),
        np.array([[NOWHERE, j] for j in range(theirs.num_infosets)]).reshape(-1, 2),
    ]
    infosets = np.concatenate([*alone, connected]).astype(np.int64)
    order = np.lexsort((infosets[:, 1], infosets[:, 0]))
    return RelevantPairs((mine, theirs), infosets[order])


def connected_infosets(form: SequenceForm) -> Index:
    """Return the pairs of connected information sets, int64 (num, 2), sorted.

    Raises
    ------
    NotForThisGameError
        If the game is not for two players, or the form has no tree.
    """
    needs.require(needs.two_players("correlation plans are for", form))
    if form.tree is None:
        raise NotForThisGameError(
            "which sequences are relevant to each other is seen in the game's tree, which this "
            "sequence form has not; give the game itself"
        )
    at_node = sequences_at_nodes(form)
    found = []
    for player in (0, 1):
        pairs = _passed(form, form.tree, at_node, player)
        found.append(pairs if player == 0 else pairs[:, ::-1])
    return np.unique(np.concatenate(found), axis=0)


def _passed(form: SequenceForm, tree: GameTree, at_node: Ints, player: int) -> Index:
    """Return information sets of a player, each with one of the other on a path to it."""
    other = form.treeplexes[1 - player]
    number = np.zeros(tree.num_infosets, dtype=np.int64)
    number[form.tree_infosets[player]] = np.arange(len(form.tree_infosets[player]))
    nodes = np.flatnonzero(tree.player == player)
    mine, last = number[tree.infoset[nodes]], at_node[1 - player, nodes].astype(np.int64)
    found = [np.zeros((0, 2), dtype=np.int64)]
    while len(mine):
        check_time("looking for connected information sets")
        keys = np.unique(mine * other.num_sequences + last)
        mine, last = keys // other.num_sequences, keys % other.num_sequences
        mine, last = mine[last > 0], last[last > 0]
        theirs = other.infoset_of[last].astype(np.int64)
        found.append(np.array([mine, theirs]).T.reshape(-1, 2))
        last = other.parent_sequence[theirs].astype(np.int64)
    return np.unique(np.concatenate(found), axis=0)
