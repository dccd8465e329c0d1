"""assemble: from a signal game to its tree, all nodes at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any, cast, overload

import numpy as np

from seqform.base.arrays import Index, Ints, Numbers
from seqform.base.deadline import check_time, require_time
from seqform.base.errors import GameTooLargeError, InvalidGameError
from seqform.base.interner import Interner
from seqform.base.memory import require_memory
from seqform.base.number import Number, as_number, check_num_players
from seqform.game.deals import Deals, Deck, kinds_of_cards
from seqform.game.labels import UNSAID, GivenLabels
from seqform.game.public_tree import MAX_PUBLIC_NODES, PublicTree
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE, SignalGame, outcome_payoffs
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

MAX_NODES = 20_000_000

BYTES_PER_NODE = 160
"""Peak memory while a tree is made, for each node."""

SECONDS_PER_NODE = 1e-6
"""What making and validating a tree takes on one core, for each node."""

KEPT_BYTES_PER_NODE = 36
"""Memory of a finished tree, for each node: eight int32 columns, and what is derived from them."""


def assemble(
    game: SignalGame, max_nodes: int = MAX_NODES, *, public: PublicTree | None = None
) -> GameTree:
    """Return the tree of a signal game.

    Parameters
    ----------
    public
        The game's public tree, if there is one already.

    Raises
    ------
    InvalidGameError
        If the deck is too small or the rules break a requirement of docs/data-model.md.
    GameTooLargeError
        If the tree would have more than `max_nodes` nodes; nothing is allocated then.
    OutOfTimeError
        If a time limit leaves too little time for so many nodes.
    """
    check_num_players(game.num_players)
    if public is None:
        public = PublicTree(game, min(max_nodes, MAX_PUBLIC_NODES))
    size = public.num_nodes(game.deck)
    if size > max_nodes:
        smaller = ", or solve an abstraction (abstract=)" if game.num_players == 2 else ""
        raise GameTooLargeError(
            f"the game has {size:,} nodes, more than the limit of {max_nodes:,}; "
            f"use a smaller deck or raise max_nodes{smaller}"
        )
    require_memory(
        BYTES_PER_NODE * size,
        f"a tree with {size:,} nodes",
        "use a smaller deck, or solve an abstraction of it",
    )
    require_time(SECONDS_PER_NODE * size, f"a tree with {size:,} nodes")
    deals = Deals(game.deck, max(public.num_signals), max_nodes)
    return validate(_assemble(game, public, deals))


class _Ragged:
    """Arrays of different lengths laid end to end, addressed by (which, position)."""

    def __init__(self, arrays: Sequence[Numbers]) -> None:
        self.values = np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)
        self.offset = np.cumsum([0, *map(len, arrays)])

    def __getitem__(self, index: tuple[Any, Any]) -> Index:
        check_time("making the tree's columns")
        which, position = index
        return self.values[self.offset[which] + position]  # type: ignore[no-any-return]


class _Observations:
    """Information sets: at each public node, deals that look the same to the player who moves."""

    def __init__(self, public: PublicTree, deals: Deals) -> None:
        tables: dict[tuple[int, tuple[int, ...]], int] = {}
        self.table = np.full(len(public.player), -1)  # which table of classes each public node uses
        classes: list[Ints] = []
        self.representatives: list[Index] = []
        for node, player in enumerate(public.player):
            if player < 0:
                continue
            seen = tuple(
                i for i, who in enumerate(public.recipients[node]) if who in (player, EVERYONE)
            )
            key = (public.num_signals[node], seen)
            if key not in tables:
                tables[key] = len(tables)
                inverse = deals.observation(*key)
                first = np.unique(inverse, return_index=True)[1]
                classes.append(inverse)
                self.representatives.append(first)
            self.table[node] = tables[key]
        self._classes = _Ragged(classes)
        counts = np.array([*map(len, self.representatives), 0])[self.table]
        # information set of the first class at each public node
        self.first = np.cumsum(counts) - counts

    def infoset(self, public: Index, deal: Index) -> Index:
        """Return the information sets of nodes (public node, deal)."""
        return self.first[public] + self._classes[self.table[public], deal]  # type: ignore[no-any-return]


def _payoff_table(
    game: SignalGame, public: PublicTree, deals: Deals
) -> tuple[_Ragged, Index, tuple[tuple[Number, ...], ...]]:
    """Return the table of distinct payoff vectors, and the rows in it.

    First the row of each (way to end, deal), then each public node's way to end, then the table.
    """
    outcomes = []
    for key in public.outcomes.values():
        outcome, num_signals = cast("tuple[Hashable, int]", key)
        outcomes.append(_distinct(outcome_payoffs(game, outcome, deals.signals[num_signals])))
    if not outcomes:
        raise InvalidGameError("R3: the public tree has no terminal state")
    vectors, ends = Interner(), Interner()
    blocks: list[Index] = []
    end_of = np.full(len(public.player), -1)
    for node, (row, stake) in enumerate(zip(public.outcome, public.stake, strict=True)):
        if row < 0:
            continue
        end_of[node] = ends((row, stake))
        if end_of[node] == len(blocks):
            of_deal, distinct = outcomes[row]
            paid = [tuple(as_number(stake * u) for u in vector) for vector in distinct]
            blocks.append(np.array([*map(vectors, paid)])[of_deal])
    return _Ragged(blocks), end_of, vectors.values()  # type: ignore[return-value]


def _distinct(payoffs: Numbers) -> tuple[Index, list[tuple[Number, ...]]]:
    """Return the number of each deal's payoff vector, and the distinct ones."""
    if payoffs.dtype == object:
        intern = Interner()
        rows = np.array([intern(tuple(map(as_number, row))) for row in payoffs])
        return rows, list(intern.values())  # type: ignore[arg-type]
    order = np.lexsort(payoffs.T[::-1])  # stable, so the first deal of each vector is named
    ordered = payoffs[order]
    is_new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    rows = np.empty(len(payoffs), dtype=np.int64)
    rows[order] = np.cumsum(is_new) - 1
    return rows, [tuple(map(as_number, row)) for row in ordered[is_new].tolist()]


class _Layout:
    """Where the nodes of the game lie: the product of the public tree and the deals.

    The nodes of public node p are ``base[p] + stride[p] * deal``. Below a decision, the siblings of
    one deal lie side by side, so the stride is the number of actions. Below a deal they follow the
    order of the deals, with stride 1. Arrays without a bracketed index below have one entry per
    node of the game, public node by public node.
    """

    def __init__(self, public: PublicTree, deals: Deals) -> None:
        num_deals = np.array([deals.count(k) for k in range(len(deals.signals))])
        signals, parent = np.array(public.num_signals), np.array(public.parent)
        player, num_children = np.array(public.player), np.array(public.num_children)
        is_deal = player == CHANCE
        dealt = np.append(num_deals[1:], 0)[signals]  # deals of one signal more
        block = np.where(is_deal, dealt, num_children * num_deals[signals])
        block_start = 1 + np.cumsum(block) - block
        below_deal = is_deal[parent]
        below_deal[0] = False
        # parents are sorted
        siblings_before = np.arange(len(parent)) - np.searchsorted(parent, parent)
        self.stride = np.where(below_deal, 1, num_children[parent])
        self.base = block_start[parent] + np.where(below_deal, 0, siblings_before)
        self.base[0], self.stride[0] = 0, 1

        count = num_deals[signals]
        self.public = np.repeat(np.arange(len(parent)), count)
        self.deal = np.arange(len(self.public)) - np.repeat(np.cumsum(count) - count, count)
        self.num_signals, self.player = signals[self.public], player[self.public]
        self.after_deal = below_deal[self.public]
        self.node = self._at(self.public, self.deal)
        deal_above = np.where(
            self.after_deal, _Ragged(deals.parent)[self.num_signals, self.deal], self.deal
        )
        self.parent = np.where(self.public > 0, self._at(parent[self.public], deal_above), -1)
        self.num_children = num_children[self.public]
        self.first_child = block_start[self.public] + self.deal * num_children[self.public]
        dealing = np.flatnonzero(self.player == CHANCE)
        k, deal = self.num_signals[dealing], self.deal[dealing]
        self.num_children[dealing] = _Ragged(deals.num_children)[k, deal]
        self.first_child[dealing] = (
            block_start[self.public[dealing]] + _Ragged(deals.first)[k, deal]
        )
        self.first_child[self.num_children == 0] = -1

    def _at(self, public: Index, deal: Index) -> Index:
        check_time("making the tree's columns")
        return self.base[public] + self.stride[public] * deal  # type: ignore[no-any-return]

    def in_order(self, values: Index) -> Index:
        """Return a column in the order of the game's nodes."""
        check_time("making the tree's columns")
        column = np.empty_like(values)
        column[self.node] = values
        return column


def _assemble(game: SignalGame, public: PublicTree, deals: Deals) -> GameTree:
    """Fill in the columns of the tree, all nodes at once."""
    at = _Layout(public, deals)
    observed = _Observations(public, deals)
    payoff_rows, end_of, payoffs = _payoff_table(game, public, deals)
    nothing = np.full(len(at.node), -1)
    moves, ends = np.flatnonzero(at.player >= 0), np.flatnonzero(at.player == TERMINAL)
    dealt = np.flatnonzero(at.after_deal)
    infoset, payoff, probability = nothing.copy(), nothing.copy(), nothing.copy()
    infoset[moves] = observed.infoset(at.public[moves], at.deal[moves])
    payoff[ends] = payoff_rows[end_of[at.public[ends]], at.deal[ends]]
    probability[dealt], probabilities = _probabilities(deals, at.num_signals[dealt], at.deal[dealt])
    label = np.array(public.action)[at.public]
    last_card = _Ragged(
        [np.zeros(1, dtype=np.int64), *(signals[:, -1] for signals in deals.signals[1:])]
    )
    label[dealt] = len(public.labels.rows) + last_card[at.num_signals[dealt], at.deal[dealt]]
    columns = {
        "parent": at.parent,
        "first_child": at.first_child,
        "num_children": at.num_children,
        "player": at.player,
        "infoset": infoset,
        "label": label,
        "probability": probability,
        "payoff": payoff,
    }
    return GameTree.from_columns(
        {name: at.in_order(values) for name, values in columns.items()},
        num_players=game.num_players,
        probabilities=probabilities,
        payoffs=payoffs,
        labels=(*public.labels.values(), *game.deck.cards),
        infoset_labels=_InfosetLabels(game.deck, public, deals, observed),
        unit=getattr(game, "unit", "units"),
        given=GivenLabels(kinds=kinds) if (kinds := kinds_of_cards(game.deck)) else UNSAID,
    )


def _probabilities(
    deals: Deals, num_signals: Index, deal: Index
) -> tuple[Index, tuple[Fraction, ...]]:
    """Return the rows of the last signals' probabilities, and the table of the distinct ones."""
    most = max(deals.deck.copies, default=1) + 1
    present, rows = np.unique(
        num_signals * most + _Ragged(deals.multiplicity)[num_signals, deal], return_inverse=True
    )
    intern = Interner()
    row = np.array(
        [intern(deals.probability(code // most, code % most)) for code in present.tolist()],
        dtype=np.int64,
    )
    return row[rows], intern.values()  # type: ignore[return-value]


class _InfosetLabels(Sequence[Hashable]):
    """Labels such as 'K:check-bet/bet', made when asked for: signals seen, then actions."""

    def __init__(
        self, deck: Deck, public: PublicTree, deals: Deals, observed: _Observations
    ) -> None:
        self._deck, self._public, self._deals, self._observed = deck, public, deals, observed
        self._nodes = np.flatnonzero(observed.table >= 0)
        self._first = observed.first[self._nodes]
        self._length = sum(
            len(observed.representatives[table]) for table in observed.table[self._nodes]
        )

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[Hashable]: ...
    def __getitem__(self, index: int | slice) -> str | list[Hashable]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        infoset = index % self._length
        at = int(np.searchsorted(self._first, infoset, side="right")) - 1
        node = int(self._nodes[at])
        representatives = self._observed.representatives[self._observed.table[node]]
        deal = int(representatives[infoset - self._first[at]])
        return f"{self._signals(node, deal)}:{self._public.history(node)}"

    def __iter__(self) -> Iterator[Hashable]:
        return (self[i] for i in range(self._length))

    def _signals(self, node: int, deal: int) -> str:
        seen = self._deals.signals[self._public.num_signals[node]][deal]
        mine = (self._public.player[node], EVERYONE)
        dealt = zip(seen, self._public.recipients[node], strict=True)
        return " ".join(str(self._deck.cards[s]) for s, who in dealt if who in mine)
