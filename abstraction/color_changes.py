"""Stable colorings found by hashes, going only where something changed.

The coloring is that of `abstraction.color_refinement`, which proves what is found here. There, each
pass goes over the whole game. Here a change is followed to what depends on it:

* A sequence's *row* depends on the colors of the others' sequences that it meets, and on the kinds
  and weights of the information sets that follow. The *kind* of a set depends on its actions' rows.
* A sequence's color depends on its row, on the kind of its set, and on the sequence before that.

So kinds are looked at from the last sets to the first, and colors from the first to the last. Two
sequences of one color have rows in proportion. Weights give that proportion, and once they are
found they are kept: a common divisor of finer sums is the same multiple of them for all members.

A row is made anew where a part of it changed. So the work is that of sorting these rows. It would
be bounded by n log n if only what changed were added to the rows, and if names were kept by the
largest part of a class always.

References
----------
Berkholz, Bonsma & Grohe, "Tight lower and upper bounds for the complexity of canonical colour
refinement", Theory of Computing Systems 60, 2017, Section 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from abstraction.equal_rows import combine
from abstraction.integer_table import Table, common_divisors, narrowed, table_of
from abstraction.levels import Groups, Side
from abstraction.splitting import Splitting, hashed
from seqform.base.arrays import Exact, Index, Ints, Mask, Numbers, distinct
from seqform.base.deadline import check_time


@dataclass(frozen=True, eq=False)
class Found:
    """A coloring of one player's sequences, and the orders of actions that it takes.

    Parameters
    ----------
    kinds
        The kind of each information set, int64 (num_infosets,). Its color is its kind with the
        color of the sequence that leads to it.
    sequences
        The color of each sequence, int64 (num_sequences,).
    is_fixed
        In which information sets the order of actions counts, (num_infosets,).
    rank
        The place of each sequence in such an order, int64 (num_sequences,).
    """

    kinds: Index
    sequences: Index
    is_fixed: Mask
    rank: Index


def find_colors(of: list[Side]) -> list[Found]:
    """Return the coloring of each side of a game; should hashes collide, one that is too coarse."""
    sizes = [side.levels.treeplex.num_sequences for side in of]
    players = [_Player(side, sizes) for side in of]
    _follow_changes(players)
    tied = [player.tied(np.arange(len(player.is_fixed))) for player in players]
    while any(map(len, tied)):
        _fix_orders(players, tied)
        _follow_changes(players)
        tied = [player.tied(of) for player, of in zip(players, tied, strict=True)]
    return [
        Found(player.kinds.numbers, player.colors.numbers, player.is_fixed, player.rank)
        for player in players
    ]


def _follow_changes(players: list[_Player]) -> None:
    """Look at what changed, and at what depends on it, until nothing does."""
    while any(player.dirty for player in players):
        for player in players:
            check_time("looking for classes of information sets")
            changed = player.follow([other.colors.numbers for other in players])
            for other in players:
                if other is not player:
                    other.meet(player.number, changed)


def _fix_orders(players: list[_Player], tied: list[Index]) -> None:
    """Tell actions that are alike apart, in the sets that `color_refinement.refine` says."""
    alone = [player.alone(of) for player, of in zip(players, tied, strict=True)]
    if any(map(len, alone)):
        for player, of in zip(players, alone, strict=True):
            player.fix_order(of)
        return
    player, of = next((p, of) for p, of in zip(players, tied, strict=True) if len(of))
    depth = player.levels.depth[of]
    player.fix_order(of[depth == depth.min()])


class _Player:
    """The kinds of one player's information sets, and the colors of the sequences.

    `dirty` holds the information sets whose rows may have changed, and `recolored` those whose
    sequences may get other colors.
    """

    def __init__(self, side: Side, sizes: list[int]) -> None:
        self.number, self.levels, self.treeplex = side.player, side.levels, side.levels.treeplex
        self.places, self.numbers = side.places, side.numbers
        self.meeting = [Groups(of, size) for of, size in zip(side.places, sizes, strict=True)]
        num_infosets, num_sequences = self.treeplex.num_infosets, self.treeplex.num_sequences
        self.following = Groups(self.treeplex.parent_sequence, num_sequences)
        most = self.treeplex.most_actions + 1
        kinds = combine(self.levels.depth * most + self.treeplex.num_actions)
        self.kinds = Splitting(kinds)
        self.colors = Splitting(np.append(0, np.repeat(kinds, self.treeplex.num_actions) + 1))
        self.weights: Exact = np.zeros(num_infosets, dtype=np.int64)
        self.rows: Numbers = np.zeros(num_sequences, dtype=np.uint64)
        self.is_fixed: Mask = np.zeros(num_infosets, dtype=np.bool_)
        self.rank: Index = np.zeros(num_sequences, dtype=np.int64)
        self.dirty = _ByLevel(self.levels.depth)
        self.dirty.add(np.arange(num_infosets))
        self.recolored = _ByLevel(self.levels.depth)

    def follow(self, colors: list[Index]) -> Index:
        """Follow all changes within this player; return the sequences whose colors changed.

        `colors` has the colors of all players' sequences.
        """
        for depth in reversed(range(self.dirty.num_levels)):
            if len(infosets := self.dirty.take(depth)):
                self._look_at_rows(infosets, colors)
        levels = range(self.recolored.num_levels)
        return np.concatenate([_NONE, *(self._recolor(depth) for depth in levels)])

    def meet(self, other: int, sequences: Index) -> None:
        """Take note that the colors of some of another player's sequences have changed."""
        entries, _ = self.meeting[other].of(sequences)
        infosets = self.treeplex.infoset_of[self.places[self.number][entries]]
        self.dirty.add(infosets[infosets >= 0])

    def tied(self, infosets: Index) -> Index:
        """Return those of the information sets in which some actions have one color."""
        return self.levels.tied(infosets, self.colors.numbers)

    def alone(self, infosets: Index) -> Index:
        """Return those of the information sets that no other one has the color of."""
        colors = self.colors.numbers[self.levels.sequences(infosets)]
        owners = self.levels.owners(infosets)
        first = self.colors.numbers[self.treeplex.first_sequence[infosets]]
        here = np.bincount(owners[colors == first[owners]], minlength=len(infosets))
        found: Index = infosets[self.colors.sizes[first] == here]
        return found

    def fix_order(self, infosets: Index) -> None:
        """Let actions of one rank correspond, and no others, from now on."""
        self.levels.rank(self.rank, infosets, self.colors.numbers)
        self.is_fixed[infosets] = True
        self.dirty.add(infosets)

    def _look_at_rows(self, infosets: Index, colors: list[Index]) -> None:
        """Find the kinds of some sets of a level; take note of the sets before them."""
        mine = self.levels.sequences(infosets)
        table, names = self._table(mine, colors)
        first = np.cumsum(self.treeplex.num_actions[infosets], dtype=np.int64)
        first = np.concatenate([[0], first[:-1]])
        weights = common_divisors(table.divisors(), first)
        owners = self.levels.owners(infosets)
        self.rows[mine] = _hashes(table.divided(weights[owners]), names)
        ranked = np.where(self.is_fixed[infosets][owners], self.rank[mine] + 1, 0)
        keys = np.add.reduceat(hashed(self.rows[mine], ranked), first)
        changed = [self.kinds.split(infosets, keys), self._weigh(infosets, weights)]
        before = self.treeplex.infoset_of[self.treeplex.parent_sequence[np.concatenate(changed)]]
        self.dirty.add(before[before >= 0])
        self.recolored.add(infosets)

    def _weigh(self, infosets: Index, weights: Exact) -> Index:
        """Set the weights of sets that have none; return those that got one."""
        new = np.flatnonzero((self.weights[infosets] == 0) & (weights != 0))
        weights = narrowed(weights[new])
        if weights.dtype == object:
            self.weights = self.weights.astype(object)
        self.weights[infosets[new]] = weights
        return infosets[new]

    def _table(self, sequences: Index, colors: list[Index]) -> tuple[Table, Numbers]:
        """Return the row of each sequence: sums of payoffs, and of weights of what follows.

        A column is a color of the others, or a kind that follows. With the table comes the name of
        each entry's column, which is the same in all tables.
        """
        entries, paid = self.meeting[self.number].of(sequences)
        infosets, followed = self.following.of(sequences)
        column = np.concatenate(
            [2 * self._met(entries, colors), 2 * self.kinds.numbers[infosets] + 1]
        )
        values = np.concatenate([self.numbers[entries], self.weights[infosets]])
        rows = np.concatenate([paid, followed])
        if len(colors) <= 2:
            table = table_of(rows, column, values, (len(sequences), int(column.max(initial=0)) + 1))
            return table, table.columns
        names, column = np.unique(column, return_inverse=True)
        table = table_of(rows, column, values, (len(sequences), len(names)))
        return table, names[table.columns]

    def _met(self, entries: Index, colors: list[Index]) -> Index:
        """Return the color of the other's sequence in each entry; a hash of many others' colors."""
        others = [
            colors[other][place[entries]]
            for other, place in enumerate(self.places)
            if other != self.number
        ]
        if len(others) == 1:
            return others[0]
        return hashed(*others).astype(np.int64) if others else np.zeros_like(entries)

    def _recolor(self, depth: int) -> Index:
        """Split the colors of the sequences of a level; return those whose color changed."""
        if not len(infosets := self.recolored.take(depth)):
            return infosets
        mine, owners = self.levels.sequences(infosets), self.levels.owners(infosets)
        before = self.colors.numbers[self.treeplex.parent_sequence[infosets]]
        above = hashed(before, self.kinds.numbers[infosets])[owners]
        is_fixed = self.is_fixed[infosets][owners]
        marks = np.where(is_fixed, self.rank[mine].astype(np.uint64), self.rows[mine])
        changed = self.colors.split(mine, hashed(above, marks))
        self.recolored.add(self.following.of(changed)[0])
        return changed


class _ByLevel:
    """Information sets to look at, for each level."""

    def __init__(self, depth: Index) -> None:
        self.depth = depth
        self.num_levels = int(depth.max(initial=-1)) + 1
        self._waiting: list[list[Index]] = [[] for _ in range(self.num_levels)]

    def __bool__(self) -> bool:
        return any(self._waiting)

    def add(self, infosets: Index | Ints) -> None:
        """Add information sets of any levels."""
        infosets = distinct(infosets)
        depth = self.depth[infosets]
        for level in distinct(depth).tolist():
            self._waiting[level].append(infosets[depth == level])

    def take(self, level: int) -> Index:
        """Return the information sets of a level without repetitions, and forget them."""
        waiting, self._waiting[level] = self._waiting[level], []
        return distinct(np.concatenate(waiting)) if waiting else _NONE


_NONE: Index = np.zeros(0, dtype=np.int64)


def _hashes(table: Table, names: Numbers) -> Numbers:
    """Return 64 bits for what each row holds, (num_rows,); entries' columns go by `names`."""
    values = table.values
    if values.dtype == object:
        values = values & (2**64 - 1)
    entries = hashed(names, values)
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(entries)])
    found: Numbers = sums[table.starts[1:]] - sums[table.starts[:-1]]
    return found
