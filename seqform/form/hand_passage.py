"""How a game of hands is gone through for a strategy that is kept by boards up to symmetry.

Blocks are boards, depth first: the rivers of a turn, then that turn, at last the board as it is
known. Boards that are images of each other are gone through once, on the first of them. What a line
that was ended before is worth there goes to the board before, once for each image of the board that
goes on from it, hands permuted by the symmetry.

A vector over a player's sequences on a block is one array (num_rows, num_hands): lines of betting
(`seqform.form.hand_lines`) by hands that avoid the board. So there is one path of boards at a time
of which anything is held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Numbers
from seqform.base.deadline import check_time
from seqform.form.hand_lines import Group
from seqform.form.hand_paid import ROWS, HandPayments
from seqform.form.hand_products import HandProducts
from seqform.form.hand_strategy import HandStrategy
from seqform.form.protocol import Integers, Paid, Parts, Played
from seqform.form.treeplex import UNIT_ROUNDOFF

if TYPE_CHECKING:
    from seqform.form.hand_sequences import KeptSequences, LaidOut, WholePlans
    from seqform.form.sequence_form import SequenceForm
    from seqform.form.treeplex import Treeplex

TOGETHER = 8
"""Boards of which tables are copied at once."""

Places = tuple[Index, Index]
"""For each player, places of hands."""


class GroupStep(NamedTuple):
    """What is decided at public nodes of a street, none below another."""

    group: Group

    def entries(self, parts: Parts) -> Any:
        """Return the entries of the actions: (num_nodes, num_actions, num_hands)."""
        rows = parts[ROWS][self.group.rows]
        return rows.reshape(*self.group.shape, rows.shape[1])

    def over_actions(self, operation: np.ufunc, parts: Parts) -> Any:
        """Return a reduction over the actions of each node: (num_nodes, num_hands)."""
        return operation.reduce(self.entries(parts), axis=1)

    def spread(self, values: Any) -> Any:
        """Return the values, which stand for each action."""
        return values[:, None]

    def add(self, values: Any, parts: Parts, later: Parts) -> None:
        """Add values to the lines that lead there."""
        add_rows(values, self.group, parts[ROWS])


class Arrival(NamedTuple):
    """What boards below are worth to the lines that lead there: as it is, without a decision."""

    dealt: int
    up: Index

    def entries(self, parts: Parts) -> Any:
        """Return what came from below: (1, num_lines * num_hands)."""
        return parts["below", self.dealt].reshape(1, -1)

    def over_actions(self, operation: np.ufunc, parts: Parts) -> Any:
        """Return it as it is."""
        return self.entries(parts)[0]

    def spread(self, values: Any) -> Any:
        """Return the values."""
        return values

    def add(self, values: Any, parts: Parts, later: Parts) -> None:
        """Add it to the lines, each of which has a row of its own."""
        rows = parts[ROWS]
        rows[self.up] += values.reshape(len(self.up), rows.shape[1])
        del later["below", self.dealt]  # the next board of this length has others below it


class Departure(NamedTuple):
    """What a board is worth to the lines that were ended before its last card was dealt."""

    block: HandBlock
    player: int

    def entries(self, parts: Parts) -> Any:
        """Return the rows of these lines: (1, num_lines * num_hands)."""
        return parts[ROWS][: self.block.streets[self.player].num_open].reshape(1, -1)

    def over_actions(self, operation: np.ufunc, parts: Parts) -> Any:
        """Return them as they are."""
        return self.entries(parts)[0]

    def spread(self, values: Any) -> Any:
        """Return the values."""
        return values

    def add(self, values: Any, parts: Parts, later: Parts) -> None:
        """Add them to those of the board before, for each image of this one."""
        block = self.block
        num_open = block.streets[self.player].num_open
        key = "below", block.dealt - 1
        if key not in later:
            shape = num_open, len(block.before.alive[self.player])
            later[key] = np.zeros(shape, dtype=values.dtype)
        table = values.reshape(num_open, len(block.alive[self.player]))
        for places in block.images:
            add_columns(table, places[self.player], later[key])


class HandBlock:
    """A board and those like it.

    Parameters
    ----------
    passage
        What it is of.
    dealt, orbit
        The length of the board, and its orbit, of which it is the first.
    parent
        The board that it goes on from; None if no card was dealt.
    """

    def __init__(
        self, passage: HandPassage, dealt: int, orbit: int, parent: HandBlock | None = None
    ) -> None:
        self.dealt, self.orbit, self.parent, self._passage = dealt, orbit, parent, passage
        strategy = passage.strategy
        orbits = passage.orbits[dealt]
        self.board, self.times = int(orbits.first[orbit]), int(orbits.size[orbit])
        self.row = int(strategy.structure.orbits[dealt].orbit[self.board])
        """Which of the boards that the strategy has tables of it is."""
        mine, theirs = (np.flatnonzero(strategy.alive[p][dealt][self.row]) for p in (0, 1))
        self.alive: Places = mine, theirs
        """For each player the hands that avoid the board: int64 (num_hands,)."""
        self.streets = strategy.streets[0][dealt], strategy.streets[1][dealt]
        self._plans: dict[int, Played] = {}
        self._products: dict[int, HandProducts] = {}

    @property
    def is_last(self) -> bool:
        """Whether no card was dealt."""
        return self.parent is None

    @cached_property
    def images(self) -> list[Places]:
        """Where hands are on the board before, for each image of this one that goes on from it.

        The first is this board itself.
        """
        structure, parent = self._passage.strategy.structure, self.parent
        if parent is None:
            return []
        orbits, left = self._passage.orbits[self.dealt], len(structure.cards) - self.dealt + 1
        there = slice(parent.board * left, (parent.board + 1) * left)
        found = []
        for number in orbits.symmetry[there][orbits.orbit[there] == self.orbit].tolist():
            maps = self._passage.symmetries[number].hands
            mine, theirs = (parent.place[p][maps[p][self.alive[p]]] for p in (0, 1))
            found.append((mine, theirs))
        return found

    @cached_property
    def place(self) -> Places:
        """For each player, which of the hands that avoid the board each hand is."""
        avoids = self._passage.strategy.alive
        mine, theirs = (np.cumsum(avoids[p][self.dealt][self.row]) - 1 for p in (0, 1))
        return mine, theirs

    @property
    def before(self) -> HandBlock:
        """The board before; only the first has none, and nothing is below that."""
        return cast(HandBlock, self.parent)

    @cached_property
    def places_before(self) -> Places:
        """For each player, where the hands are on the board before."""
        mine, theirs = (self.before.place[p][self.alive[p]] for p in (0, 1))
        return mine, theirs

    def steps(self, player: int) -> Iterator[Any]:
        """Yield what came from below, the nodes from the last to the first, and what goes on."""
        street, strategy = self.streets[player], self._passage.strategy
        if self.dealt < strategy.structure.num_dealt:
            yield Arrival(self.dealt, strategy.streets[player][self.dealt + 1].up)
        for group in reversed(street.groups):
            yield self._passage.step(player, group, self)
        if not self.is_last:
            yield Departure(self, player)

    def paid(self, player: int, plans: Sequence[Parts]) -> Paid:
        """Return what ends on this board pay, and bounds on what rounding does to it."""
        payments = self._passage.payments[player]
        return payments.against(plans[1 - player][ROWS], self, self.products(player))

    def numerators(self, player: int, plans: Sequence[Parts]) -> Parts:
        """Return that in integers: int64, or Python ints, as the plans are."""
        payments = self._passage.payments[player]
        return {ROWS: payments.numerators(plans[1 - player][ROWS], self, self.products(player))}

    def root(self, parts: Parts) -> Any:
        """Return the entry of the empty sequence: its row has what each hand adds to it."""
        return parts[ROWS][0].sum()

    def products(self, player: int) -> HandProducts:
        """Return the products over this board that pay a player, made once."""
        if player not in self._products:
            self._products[player] = self._passage.products(self, player)
        return self._products[player]

    def played(self, player: int) -> Played:
        """Return a player's plan, made once for this board and all below it."""
        if player not in self._plans:
            self._plans[player] = self._extended(player)
        return self._plans[player]

    def _extended(self, player: int) -> Played:
        """Return the plan that goes on from that of the board before."""
        street = self.streets[player]
        plan = np.empty((street.num_rows, len(self.alive[player])))
        if self.parent is None:
            plan[0] = 1.0
        else:
            above = self.parent.played(player).plan[ROWS]
            plan[: street.num_open] = above[street.up][:, self.places_before[player]]
        found = [(0.0, 0.0), *(self._fill(player, group, plan) for group in street.groups)]
        return Played({ROWS: plan}, (max(off for off, _ in found), -min(low for _, low in found)))

    def _fill(self, player: int, group: Group, plan: Floats) -> tuple[float, float]:
        """Write the rows of a group's actions; see `hand_row_kernels.extend`."""
        from seqform.form.hand_row_kernels import extend  # it loads numba

        every = self._passage.done(player, group, self.row)
        near = group.num_actions * UNIT_ROUNDOFF
        alive, first = self.alive[player], group.rows.start
        found: tuple[float, float] = extend(every, alive, group.above, first, near, plan)
        return found


class HandPassage:
    """A game of hands, and strategies that are kept by boards up to symmetry.

    Parameters
    ----------
    form
        The game.
    strategy
        What it is gone through for.
    payee
        Where payoffs have a constant sum: whose are looked at, which the other player pays.
    """

    def __init__(self, form: SequenceForm, strategy: HandStrategy, payee: int = 0) -> None:
        self.form, self.strategy = form, strategy
        self.orbits, self.symmetries = strategy.structure.orbits, strategy.structure.symmetries
        self._done: dict[tuple[int, int], tuple[int, Numbers]] = {}
        if form.constant_sum is None:
            self.payments = [HandPayments(strategy, player, player) for player in (0, 1)]
        else:  # which is the form's own, and maybe left out of what the betting tree pays
            self.payments = [HandPayments(strategy, player, payee) for player in (0, 1)]
            other = 1 - payee
            self.payments[other] = self.payments[other].beside(float(form.constant_sum))

    def blocks(self) -> Iterator[HandBlock]:
        """Yield the first board of each orbit, those that go on from it first."""
        yield from self._through(self.block(0, 0))

    def _through(self, block: HandBlock) -> Iterator[HandBlock]:
        if block.dealt < self.strategy.structure.num_dealt:
            for orbit in self._further[block.dealt][block.orbit]:
                check_time("going through boards")
                yield from self._through(self.block(block.dealt + 1, orbit, block))
        yield block

    @cached_property
    def _further(self) -> list[list[list[int]]]:
        """By cards dealt and orbit, the orbits of boards with one more card that go on from it."""
        structure, found = self.strategy.structure, []
        for dealt, orbits in enumerate(self.orbits[1:], 1):
            before = self.orbits[dealt - 1]
            above = before.orbit[structure.parents(dealt)[orbits.first]]
            further: list[list[int]] = [[] for _ in before.first]
            for orbit, parent in enumerate(above.tolist()):
                further[parent].append(orbit)
            found.append(further)
        return found

    def block(self, dealt: int, orbit: int, parent: HandBlock | None = None) -> HandBlock:
        """Return a board, which goes on from another one."""
        return HandBlock(self, dealt, orbit, parent)

    def step(self, player: int, group: Group, block: HandBlock) -> Any:
        """Return how a player's nodes on a board are gone through."""
        return GroupStep(group)

    def done(self, player: int, group: Group, row: int) -> Numbers:
        """Return what is done at nodes on a board: (num_nodes, num_actions, num_hands).

        Not to be written to. Boards come one after the other, so a few are copied at once.
        """
        key, first = (player, group.nodes[0]), row - row % TOGETHER
        kept = self._done.get(key)
        if kept is None or kept[0] != first:
            tables, some = self.strategy.behaviors[player], slice(first, first + TOGETHER)
            self._done[key] = kept = first, np.stack([tables[node][some] for node in group.nodes])
        return kept[1][:, row - first]

    def products(self, block: HandBlock, player: int) -> HandProducts:
        """Return the products over a board that pay a player, of showdowns on whole boards."""
        structure, shared = self.strategy.structure, self.payments[player].shared
        own, other = (block.alive[who] for who in (player, 1 - player))
        if block.dealt < structure.num_dealt:
            return HandProducts.on_board(shared, own, other)
        mine, theirs = (structure.strengths(who, block.board) for who in (player, 1 - player))
        return HandProducts.on_board(shared, own, other, mine[own], theirs[other])

    def played(self, player: int, block: HandBlock) -> Played:
        """Return a player's plan on a board, lines that were ended before included."""
        return block.played(player)

    @cached_property
    def sequences(self) -> tuple[KeptSequences, KeptSequences]:
        """For each player the numbers of the sequences that the strategy is kept by."""
        from seqform.form.hand_sequences import KeptSequences

        return KeptSequences(self.strategy, 0), KeptSequences(self.strategy, 1)

    @property
    def treeplexes(self) -> tuple[Treeplex, Treeplex]:
        """Of boards up to symmetry, with all hands on each of them."""
        return self.sequences[0].treeplex, self.sequences[1].treeplex

    @property
    def behaviors(self) -> tuple[Floats, Floats]:
        """Those of the strategy; hands that meet the board take the first action."""
        return self.sequences[0].behavior(), self.sequences[1].behavior()

    def laid_out(self, player: int, vectors: Sequence[Exact]) -> LaidOut:
        """Return vectors over these sequences, to be asked on boards."""
        return self.sequences[player].laid_out(vectors)

    def gathered(self, player: int, block: HandBlock, parts: Parts) -> Floats:
        """Return a vector on a board by these sequences, all boards like it added up."""
        return self.sequences[player].gathered(block, parts[ROWS])

    def whole(self, plans: tuple[Exact, ...]) -> WholePlans:
        """Return plans by these sequences as plans of the whole game."""
        from seqform.form.hand_sequences import WholePlans

        return WholePlans(self.sequences, plans)

    def integers(self) -> Integers:
        """Return the bounds of the game, whatever payoffs add up to; see `HandPayments.bound`."""
        bound = max(payments.bound() for payments in self.payments)
        total = max(payments.total() for payments in self.payments)
        return Integers(self.payments[0].denominator, bound, total, ROOM)


def add_rows(values: Numbers, group: Group, total: Numbers) -> None:
    """Add a row for each node to that of the line that leads there."""
    if values.dtype == object:
        for some in group.passes:  # no two of a pass are added to the same
            total[group.above[some]] += values[some]
        return
    from seqform.form.hand_row_kernels import add_rows as add  # it loads numba

    add(values, group.above, total)


def add_columns(values: Numbers, places: Index, total: Numbers) -> None:
    """Add columns to other columns, no two of them to the same one."""
    if values.dtype == object:
        total[:, places] += values
        return
    from seqform.form.hand_row_kernels import add_permuted  # it loads numba

    add_permuted(values, places, total)


ROOM = 62
"""Bits of int64, sign apart, of which one is to spare."""
