"""Projective color refinement of a sequence form: lossless merging of information sets in any game.

Information sets of a player get one color if they are alike up to scale. Each has a *signature*:
for each action, the sums of payoffs against every combination of the other players' colors, and the
weights of the information sets of each color that follow. The *weight* of an information set is the
greatest common divisor of its signature. Colors are split, from one color on, until sets of one
color come after sequences of one color and have equal signatures once divided by their weights.
Actions correspond by what their parts of the signature are, and by their order where these agree.

Against opponents who play alike in all information sets of one color, what is worth w in a set of
weight 1 is worth 2w in one of weight 2. So some best response plays alike in them too, and an
equilibrium of the quotient is one of the game, for n players and general sums. The proof is in
docs/explanation/gameshrink.md.

References
----------
Grohe, Kersting, Mladenov & Selman, "Dimension reduction via colour refinement", ESA 2014, Section 4
(linear programs, without weights).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from abstraction.color_changes import Found, find_colors
from abstraction.equal_rows import combine, equal_rows
from abstraction.integer_table import Table, beside, common_divisors, table_of
from abstraction.levels import Side, sides
from seqform.base.arrays import Exact, Index, Ints, Mask, Numbers
from seqform.base.deadline import check_time
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.links.link import SequenceMap


@dataclass(frozen=True, eq=False)
class Coloring:
    """Which information sets and sequences of each player become one.

    Parameters
    ----------
    infosets
        For each player, the color of each information set, int32 (num_infosets,). Colors are
        numbered without gaps by first appearance, so parents come before children.
    sequences
        For each player, the color of each sequence, which is its number in the quotient, int32
        (num_sequences,).
    """

    infosets: tuple[Ints, ...]
    sequences: tuple[Ints, ...]


def refine_colors(form: SequenceForm) -> tuple[SequenceForm, SequenceMap]:
    """Return the quotient by the coarsest stable coloring found, and the way back."""
    coloring = refine(form)
    return quotient(form, coloring), SequenceMap(form, coloring.sequences)


def refine(form: SequenceForm) -> Coloring:
    """Return a stable coloring, at least as coarse as any in which actions keep their order.

    Colors are split without regard to the order of actions, which shows how these correspond. Where
    actions of a set are alike, their order is made to count, in few sets at a time: in sets that
    are alone in their color, which is a mere naming, and else where a player moves first.

    `abstraction.color_changes` finds the coloring fast, by hashes. Passes over the whole game prove
    it, and would split what hashes had left together.
    """
    of = sides(form)
    players = [PlayerColors(side) for side in of]
    for player, found in zip(players, find_colors(of), strict=True):
        player.start_from(found)
    return finished(players)


def finished(players: list[PlayerColors]) -> Coloring:
    """Split colors by passes over the whole game, until they are proven to be stable."""
    _until_stable(players)
    while _fix_orders(players):
        _until_stable(players)
    return Coloring(
        tuple(combine(player.colors) for player in players),
        tuple(player.images() for player in players),
    )


def quotient(form: SequenceForm, coloring: Coloring) -> SequenceForm:
    """Return the game in which all information sets of one color are one; payoffs are added up."""
    treeplexes, members = smaller_treeplexes(form, coloring)
    return form.quotient(treeplexes, coloring.sequences, members)


def smaller_treeplexes(
    form: SequenceForm, coloring: Coloring
) -> tuple[tuple[Treeplex, ...], tuple[Index, ...]]:
    """Return the treeplexes of a quotient, and an information set for each of theirs."""
    members = tuple(np.unique(color, return_index=True)[1] for color in coloring.infosets)
    treeplexes = []
    for treeplex, sequence, member in zip(
        form.treeplexes, coloring.sequences, members, strict=True
    ):
        parents = sequence[treeplex.parent_sequence[member]]
        first = _first_sequences(treeplex.num_actions[member])
        treeplexes.append(Treeplex(parents, first.astype(np.int32)))
    return tuple(treeplexes), members


def _until_stable(players: list[PlayerColors]) -> None:
    """Split every player's colors until none splits."""
    before: list[tuple[int, int]] = []
    while (now := [player.num_colors for player in players]) != before:
        before = now
        for player in players:
            check_time("looking for classes of information sets")
            player.split([other.sequences for other in players])


def _fix_orders(players: list[PlayerColors]) -> bool:
    """Tell actions that are alike apart in some information sets; return whether there were any."""
    tied = [player.tied() for player in players]
    alone = [player.alone(of) for player, of in zip(players, tied, strict=True)]
    if any(map(len, alone)):
        for player, of in zip(players, alone, strict=True):
            player.fix_order(of)
        return True
    for player, of in zip(players, tied, strict=True):
        if len(of):
            player.fix_order(player.first_level(of))
            return True
    return False


class PlayerColors:
    """The colors of one player's information sets and sequences.

    Information sets of one color lie equally deep, counted in the player's own actions. `levels`
    holds the information sets of each depth. `order` lists the sequences level by level, which is
    the order of the rows of all tables here; `row` is the place of each in it.

    `sequences` holds the color of each sequence: 0 for the empty one.
    """

    def __init__(self, side: Side) -> None:
        self.number, self.levels, self.treeplex = side.player, side.levels, side.levels.treeplex
        self.places, self.numbers = side.places, side.numbers
        infosets = np.concatenate(self.levels.infosets or [_NONE])
        self.order = self.levels.sequences(infosets)
        self.row = np.zeros(self.treeplex.num_sequences, dtype=np.int64)
        self.row[self.order] = np.arange(len(self.order))
        self.colors: Ints = combine(self.treeplex.num_actions)
        self.sequences: Ints = np.ones(len(self.row), dtype=np.int32)
        self.sequences[0] = 0
        self.is_fixed: Mask = np.zeros(self.treeplex.num_infosets, dtype=np.bool_)
        self.rank: Index = np.zeros(len(self.row), dtype=np.int64)  # where the order is fixed

    def start_from(self, found: Found) -> None:
        """Begin with a coloring that is at least as coarse as the stable one."""
        self.sequences = combine(found.sequences)  # the empty sequence comes first
        self.colors = combine(found.kinds, self.sequences[self.treeplex.parent_sequence])
        self.is_fixed, self.rank = found.is_fixed, found.rank

    @property
    def num_colors(self) -> tuple[int, int]:
        """How many colors there are of information sets and of sequences."""
        colors, sequences = np.bincount(self.colors), np.bincount(self.sequences)
        return int(np.count_nonzero(colors)), int(np.count_nonzero(sequences))

    def split(self, sequences: list[Ints]) -> None:
        """Split colors by signatures, from the last sets to the first; then by what leads there.

        `sequences` has the colors of all players' sequences.
        """
        payoffs = self._payoffs(sequences)
        colors, kinds = self.colors.copy(), np.zeros(len(self.row), dtype=np.int32)
        weights: Exact = np.zeros(0, dtype=np.int64)
        stop, below = len(self.order), _NONE
        for infosets in reversed(self.levels.infosets):
            mine = self.levels.sequences(infosets)
            table = beside(
                payoffs.between(stop - len(mine), stop),
                self._followers(below, colors, weights, stop - len(mine), stop),
            )
            first = _first_sequences(self.treeplex.num_actions[infosets]) - 1
            weights = common_divisors(table.divisors(), first[:-1])
            repeated = np.repeat(weights, np.diff(first))
            kinds[mine] = equal_rows(table.divided(repeated))
            colors[infosets] = self._with_actions(infosets, kinds)
            stop, below = stop - len(mine), infosets
        self._color_from_above(colors, kinds)

    def tied(self) -> Index:
        """Return the information sets in which some actions have one color."""
        infosets = np.arange(self.treeplex.num_infosets)
        return self.levels.tied(infosets, self.sequences)

    def alone(self, infosets: Index) -> Index:
        """Return those of the information sets that no other one has the color of."""
        is_alone: Mask = np.bincount(self.colors)[self.colors[infosets]] == 1
        return infosets[is_alone]

    def first_level(self, infosets: Index) -> Index:
        """Return those of the information sets that are after the fewest actions."""
        depth = self.levels.depth[infosets]
        first: Index = infosets[depth == depth.min()]
        return first

    def fix_order(self, infosets: Index) -> None:
        """Let actions of one rank correspond, and no others, from now on.

        They are ranked by color, and those of one color by position.
        """
        self.levels.rank(self.rank, infosets, self.sequences)
        self.is_fixed[infosets] = True

    def images(self) -> Ints:
        """Return the number of each sequence in the quotient; its first member keeps its order."""
        owner, colors = self.treeplex.infoset_of[1:], combine(self.colors)
        member = np.unique(colors, return_index=True)[1]
        first = _first_sequences(self.treeplex.num_actions[member])
        position = np.zeros(int(self.sequences.max()) + 1, dtype=np.int64)
        there = np.isin(owner, member)
        position[self.sequences[1:][there]] = self.levels.positions[there]
        found = first[colors[owner]] + position[self.sequences[1:]]
        return np.concatenate([[0], found]).astype(np.int32)

    def _payoffs(self, sequences: list[Ints]) -> Table:
        """Return sums of payoffs: a row for each sequence, a column for the others' colors."""
        is_after = self.places[self.number] > 0
        mine = self.row[self.places[self.number][is_after]]
        others = [
            sequences[other][place[is_after]]
            for other, place in enumerate(self.places)
            if other != self.number
        ]
        alone = np.zeros(len(mine), dtype=np.int64)
        column = others[0] if len(others) == 1 else combine(alone, *others)
        shape = (len(self.order), int(column.max(initial=-1)) + 1)
        return table_of(mine, column, self.numbers[is_after], shape)

    def _followers(
        self, infosets: Index, colors: Ints, weights: Exact, start: int, stop: int
    ) -> Table:
        """Return sums of weights: a row for each sequence, a column for the color that follows."""
        color = combine(colors[infosets])
        shape = (stop - start, int(color.max(initial=-1)) + 1)
        row = self.row[self.treeplex.parent_sequence[infosets]] - start
        return table_of(row, color, weights, shape)

    def _with_actions(self, infosets: Index, kinds: Ints) -> Ints:
        """Return colors of a level, split by the kinds of actions in their order, or in any."""
        mine = self.levels.sequences(infosets)
        counts = self.treeplex.num_actions[infosets]
        owner = self.levels.owners(infosets)
        order = np.lexsort((self._marks(mine, kinds), owner))
        column = self.levels.positions[mine - 1]
        shape = (len(infosets), int(counts.max()))
        row = table_of(owner, column, kinds[mine][order].astype(np.int64) + 1, shape)
        return combine(self.colors[infosets], equal_rows(row))

    def _marks(self, sequences: Index, kinds: Ints) -> Index:
        """Return what corresponding actions share: ranks where the order is fixed, else kinds."""
        is_fixed = self.is_fixed[self.treeplex.infoset_of[sequences]]
        return np.where(is_fixed, self.rank[sequences], kinds[sequences])

    def _color_from_above(self, colors: Ints, kinds: Ints) -> None:
        """Split colors by the color of the sequence that leads to a set, from the first sets on."""
        parents, num_infosets, num_sequences = self.treeplex.parent_sequence, 0, 1
        for infosets in self.levels.infosets:
            mine = self.levels.sequences(infosets)
            color = combine(colors[infosets], self.sequences[parents[infosets]])
            self.colors[infosets] = color + num_infosets
            owner = np.repeat(color, self.treeplex.num_actions[infosets])
            self.sequences[mine] = combine(owner, self._marks(mine, kinds)) + num_sequences
            num_infosets += len(infosets)
            num_sequences += len(mine)


_NONE: Index = np.zeros(0, dtype=np.int64)


def _first_sequences(num_actions: Numbers) -> Index:
    """Return the first sequence of each information set, and where the last one ends."""
    return 1 + np.concatenate([[0], np.cumsum(num_actions, dtype=np.int64)])
