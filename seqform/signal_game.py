"""Signal games: chance deals signals, every action is public; poker and liar's dice are such games.

All that players do is seen by all, so the actions form one *public tree*, the same for every deal, and a node of
the game is a pair (public node, deal so far). The game's tree is therefore assembled by numpy from the public tree
and a table of deals, with no Python per node. Gilpin & Sandholm, J. ACM 54(5), 2007, Section 3, define the games
with ordered signals that this generalises.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Protocol, cast, overload, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from seqform.builder import Interner
from seqform.errors import GameTooLargeError, InvalidGameError
from seqform.number import Number, as_number, check_num_players
from seqform.protocol import CHANCE, TERMINAL
from seqform.tree import GameTree
from seqform.validate import validate

EVERYONE = -1
"""The recipient of a signal that all players see."""

MAX_NODES = 20_000_000
"""An assembled tree takes 32 bytes a node, and about 200 while it is made."""

Index = NDArray[np.int64]


@dataclass(frozen=True)
class Deck:
    """What chance deals from.

    Parameters
    ----------
    cards
        The distinct signals, named.
    copies
        How many there are of each.
    replacement
        True if a dealt signal can come again (dice), False if it is gone (cards).
    """

    cards: tuple[Hashable, ...]
    copies: tuple[int, ...]
    replacement: bool = False


@runtime_checkable
class SignalGame(Protocol):
    """A game in which all actions are public and chance deals signals from a deck, one at a time.

    States are *public*: they hold what everybody sees of the actions, and never a signal.
    """

    @property
    def num_players(self) -> int:
        """How many players there are."""

    @property
    def deck(self) -> Deck:
        """What chance deals from."""

    def root(self) -> Any:
        """Return the first public state."""

    def player(self, state: Any) -> int:
        """Return who moves; `CHANCE` where the next signal is dealt, `TERMINAL` at the end."""

    def recipient(self, state: Any) -> int:
        """Return who sees the signal dealt at a chance state: a player or `EVERYONE`."""

    def actions(self, state: Any) -> Sequence[Hashable]:
        """Return the public actions of the player who moves."""

    def child(self, state: Any, action: Hashable) -> Any:
        """Return the public state after an action, or after a deal (`action` is then None)."""

    def outcome(self, state: Any) -> Hashable:
        """Return what the payoffs of a terminal state depend on, besides the signals."""

    def payoffs(self, outcome: Any, signals: NDArray[np.int64]) -> Any:
        """Return payoffs of shape (num_deals, num_players) for `signals` of shape (num_deals, signals dealt).

        Signals are positions in `deck.cards`, in the order in which they were dealt. Integer arrays are exact.
        """


def assemble(game: SignalGame, max_nodes: int = MAX_NODES) -> GameTree:
    """Return the tree of a signal game.

    Raises
    ------
    InvalidGameError
        If the deck is too small or the rules break a requirement of docs/data-model.md.
    GameTooLargeError
        If the tree would have more than `max_nodes` nodes; nothing is allocated then.
    """
    check_num_players(game.num_players)
    public = _PublicTree(game, max_nodes)
    deals = _Deals(game.deck, max(public.num_signals), max_nodes)
    size = int(sum(deals.count(k) for k in public.num_signals))
    if size > max_nodes:
        raise GameTooLargeError(
            f"the game has {size:,} nodes, more than the limit of {max_nodes:,}; use a smaller deck, or raise max_nodes"
        )
    return validate(_assemble(game, public, deals))


class _PublicTree:
    """The tree of public states, in level order."""

    def __init__(self, game: SignalGame, max_nodes: int) -> None:
        states, self.parent = [game.root()], [-1]
        self.num_signals, self.action = [0], [-1]
        self.recipients: list[tuple[int, ...]] = [()]
        self.player: list[int] = []
        self.num_children: list[int] = []
        self.outcome: list[int] = []
        self.labels, self.outcomes = Interner(), Interner()
        self.outcome_signals: list[int] = []
        for node, state in enumerate(states):  # grows while we walk it: an explicit queue
            if node > max_nodes:
                raise GameTooLargeError(f"the public tree does not end within {max_nodes:,} states; check child and player for a cycle")
            player = game.player(state)
            self.player.append(player)
            self.outcome.append(-1)
            if player == TERMINAL:
                self._end(game.outcome(state), node)
                continue
            actions: Sequence[Hashable] = (None,) if player == CHANCE else tuple(game.actions(state))
            dealt, seen = self.num_signals[node], self.recipients[node]
            if player == CHANCE:
                dealt, seen = dealt + 1, (*seen, game.recipient(state))
            self.num_children.append(len(actions))
            self.parent += [node] * len(actions)
            self.num_signals += [dealt] * len(actions)
            self.recipients += [seen] * len(actions)
            self.action += [-1 if player == CHANCE else self.labels(action) for action in actions]
            states += [game.child(state, action) for action in actions]

    def _end(self, outcome: Hashable, node: int) -> None:
        # the payoff table has one block per outcome, so an outcome must not be shared between different numbers of signals
        self.num_children.append(0)
        self.outcome[node] = self.outcomes((outcome, self.num_signals[node]))
        if len(self.outcome_signals) < len(self.outcomes.rows):
            self.outcome_signals.append(self.num_signals[node])


class _Deals:
    """All deals of 0, 1, 2, ... signals; those of k+1 signals are sorted by the deal of k that they extend."""

    def __init__(self, deck: Deck, num_signals: int, max_deals: int) -> None:
        if any(copies < 1 for copies in deck.copies) or len(deck.copies) != len(deck.cards):
            raise InvalidGameError("R4: every card of a deck needs one number of copies, at least 1")
        if not deck.replacement and sum(deck.copies) < num_signals:
            raise InvalidGameError(
                f"R4: {num_signals} signals cannot be dealt from a deck of {sum(deck.copies)} cards; use more ranks or suits"
            )
        copies = np.array(deck.copies, dtype=np.int64)
        self.signals: list[Index] = [np.zeros((1, 0), dtype=np.int64)]
        self.parent: list[Index] = [np.full(1, -1)]
        self.first: list[Index] = []
        self.num_children: list[Index] = []
        self.probability: list[Index] = [np.full(1, -1)]
        self._probabilities = Interner()
        for _ in range(num_signals):
            if len(self.signals[-1]) * len(copies) > max_deals:
                raise GameTooLargeError(f"{num_signals} signals have more than {max_deals:,} deals; use a smaller deck, or raise max_nodes")
            self._deal(copies, deck.replacement)
        self.probabilities: tuple[Fraction, ...] = self._probabilities.values()  # type: ignore[assignment]

    def count(self, num_signals: int) -> int:
        """Return how many deals of `num_signals` signals there are."""
        return len(self.signals[num_signals])

    def _deal(self, copies: Index, replacement: bool) -> None:
        signals = self.signals[-1]
        left = np.tile(copies, (len(signals), 1))
        if not replacement:
            for column in signals.T:
                left[np.arange(len(signals)), column] -= 1
        parent, card = np.nonzero(left)
        weight, total = left[parent, card], left.sum(axis=1)[parent]
        pairs, row = np.unique(weight * (copies.sum() + 1) + total, return_inverse=True)
        rows = [self._probabilities(Fraction(int(p // (copies.sum() + 1)), int(p % (copies.sum() + 1)))) for p in pairs]
        num_children = np.count_nonzero(left, axis=1)
        self.signals.append(np.column_stack([signals[parent], card]))
        self.parent.append(parent)
        self.num_children.append(num_children)
        self.first.append(np.cumsum(num_children) - num_children)
        self.probability.append(np.array(rows)[row])


class _Ragged:
    """Arrays of different lengths laid end to end, addressed by (which, position)."""

    def __init__(self, arrays: Sequence[Index]) -> None:
        self.values = np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)
        self.offset = np.cumsum([0, *map(len, arrays)])

    def __getitem__(self, index: tuple[Any, Any]) -> Index:
        which, position = index
        return self.values[self.offset[which] + position]  # type: ignore[no-any-return]


class _Observations:
    """Information sets: at each public node, deals that look the same to the player who moves."""

    def __init__(self, public: _PublicTree, deals: _Deals, num_cards: int) -> None:
        tables: dict[tuple[int, tuple[int, ...]], int] = {}
        self.table = np.full(len(public.player), -1)  # which table of classes each public node uses
        classes: list[Index] = []
        self.representatives: list[Index] = []
        for node, player in enumerate(public.player):
            if player < 0:
                continue
            seen = tuple(i for i, who in enumerate(public.recipients[node]) if who in (player, EVERYONE))
            key = (public.num_signals[node], seen)
            if key not in tables:
                tables[key] = len(tables)
                code = np.zeros(deals.count(key[0]), dtype=np.int64)
                for i in seen:  # renumbered each time, so that codes never overflow
                    code = np.unique(code * num_cards + deals.signals[key[0]][:, i], return_inverse=True)[1]
                _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
                classes.append(inverse)
                self.representatives.append(first)
            self.table[node] = tables[key]
        self._classes = _Ragged(classes)
        counts = np.array([*map(len, self.representatives), 0])[self.table]
        self.first = np.cumsum(counts) - counts  # information set of the first class at each public node

    def infoset(self, public: Index, deal: Index) -> Index:
        """Return the information sets of nodes (public node, deal)."""
        return self.first[public] + self._classes[self.table[public], deal]  # type: ignore[no-any-return]


def _payoff_table(game: SignalGame, public: _PublicTree, deals: _Deals) -> tuple[_Ragged, tuple[tuple[Number, ...], ...]]:
    """Return the row of each (outcome, deal) in the table of distinct payoff vectors, and that table."""
    blocks = []
    for key in public.outcomes.values():
        outcome, num_signals = cast("tuple[Hashable, int]", key)
        block = np.asarray(game.payoffs(outcome, deals.signals[num_signals]))
        if block.shape != (deals.count(num_signals), game.num_players):
            raise InvalidGameError(
                f"R5: payoffs of {outcome!r} have shape {block.shape}, not {(deals.count(num_signals), game.num_players)}"
            )
        blocks.append(block)
    if not blocks:
        raise InvalidGameError("R3: the public tree has no terminal state")
    stacked = np.concatenate(blocks)
    if stacked.dtype == object:
        intern = Interner()
        rows = np.array([intern(tuple(map(as_number, row))) for row in stacked])
        distinct: list[Any] = list(intern.rows)
    else:
        values, inverse = np.unique(stacked, return_inverse=True)
        rows = np.zeros(len(stacked), dtype=np.int64)
        for column in inverse.reshape(stacked.shape).T:  # numbering pairs column by column never overflows
            _, first, rows = np.unique(rows * len(values) + column, return_index=True, return_inverse=True)
        distinct = stacked[first].tolist()
    bounds = np.cumsum([0, *map(len, blocks)])
    ragged = _Ragged([rows[a:b] for a, b in pairwise(bounds.tolist())])
    return ragged, tuple(tuple(map(as_number, row)) for row in distinct)


class _Layout:
    """Where the nodes of the game lie: the product of the public tree and the deals.

    The nodes of public node p are ``base[p] + stride[p] * deal``: below a decision the siblings of one deal lie side by
    side, so the stride is the number of actions; below a deal they follow the order of the deals, with stride 1. Arrays
    without a bracketed index below have one entry per node of the game, public node by public node.
    """

    def __init__(self, public: _PublicTree, deals: _Deals) -> None:
        num_deals = np.array([deals.count(k) for k in range(len(deals.signals))])
        signals, parent = np.array(public.num_signals), np.array(public.parent)
        player, num_children = np.array(public.player), np.array(public.num_children)
        is_deal = player == CHANCE
        dealt = np.append(num_deals[1:], 0)[signals]  # deals of one signal more
        block = np.where(is_deal, dealt, num_children * num_deals[signals])
        block_start = 1 + np.cumsum(block) - block
        below_deal = is_deal[parent]
        below_deal[0] = False
        siblings_before = np.arange(len(parent)) - np.searchsorted(parent, parent)  # parents are sorted
        self.stride = np.where(below_deal, 1, num_children[parent])
        self.base = block_start[parent] + np.where(below_deal, 0, siblings_before)
        self.base[0], self.stride[0] = 0, 1

        count = num_deals[signals]
        self.public = np.repeat(np.arange(len(parent)), count)
        self.deal = np.arange(len(self.public)) - np.repeat(np.cumsum(count) - count, count)
        self.num_signals, self.player = signals[self.public], player[self.public]
        self.after_deal = below_deal[self.public]
        self.node = self._at(self.public, self.deal)
        deal_above = np.where(self.after_deal, _Ragged(deals.parent)[self.num_signals, self.deal], self.deal)
        self.parent = np.where(self.public > 0, self._at(parent[self.public], deal_above), -1)
        self.num_children, self.first_child = num_children[self.public], block_start[self.public] + self.deal * num_children[self.public]
        dealing = np.flatnonzero(self.player == CHANCE)
        k, deal = self.num_signals[dealing], self.deal[dealing]
        self.num_children[dealing] = _Ragged(deals.num_children)[k, deal]
        self.first_child[dealing] = block_start[self.public[dealing]] + _Ragged(deals.first)[k, deal]
        self.first_child[self.num_children == 0] = -1

    def _at(self, public: Index, deal: Index) -> Index:
        return self.base[public] + self.stride[public] * deal  # type: ignore[no-any-return]

    def in_order(self, values: Index) -> Index:
        """Return a column in the order of the game's nodes."""
        column = np.empty_like(values)
        column[self.node] = values
        return column


def _assemble(game: SignalGame, public: _PublicTree, deals: _Deals) -> GameTree:
    """Fill in the columns of the tree, all nodes at once."""
    at = _Layout(public, deals)
    observed = _Observations(public, deals, len(game.deck.cards))
    payoff_rows, payoffs = _payoff_table(game, public, deals)
    nothing = np.full(len(at.node), -1)
    moves, ends, dealt = np.flatnonzero(at.player >= 0), np.flatnonzero(at.player == TERMINAL), np.flatnonzero(at.after_deal)
    infoset, payoff, probability = nothing.copy(), nothing.copy(), nothing.copy()
    infoset[moves] = observed.infoset(at.public[moves], at.deal[moves])
    payoff[ends] = payoff_rows[np.array(public.outcome)[at.public[ends]], at.deal[ends]]
    probability[dealt] = _Ragged(deals.probability)[at.num_signals[dealt], at.deal[dealt]]
    label = np.array(public.action)[at.public]
    last_card = _Ragged([np.zeros(1, dtype=np.int64), *(signals[:, -1] for signals in deals.signals[1:])])
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
        probabilities=deals.probabilities,
        payoffs=payoffs,
        labels=(*public.labels.values(), *game.deck.cards),
        infoset_labels=_InfosetLabels(game.deck, public, deals, observed),
        unit=getattr(game, "unit", "units"),
    )


class _InfosetLabels(Sequence[Hashable]):
    """Labels such as 'K:check-bet/bet' (signals seen, then the actions of each round), made when asked for."""

    def __init__(self, deck: Deck, public: _PublicTree, deals: _Deals, observed: _Observations) -> None:
        self._deck, self._public, self._deals, self._observed = deck, public, deals, observed
        self._nodes = np.flatnonzero(observed.table >= 0)
        self._first = observed.first[self._nodes]
        self._length = sum(len(observed.representatives[table]) for table in observed.table[self._nodes])
        self._actions = public.labels.values()

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
        at = int(np.searchsorted(self._first, index % self._length, side="right")) - 1
        node = int(self._nodes[at])
        deal = int(self._observed.representatives[self._observed.table[node]][index % self._length - self._first[at]])
        return f"{self._signals(node, deal)}:{self._history(node)}"

    def __iter__(self) -> Iterator[Hashable]:
        return (self[i] for i in range(self._length))

    def _signals(self, node: int, deal: int) -> str:
        seen = self._deals.signals[self._public.num_signals[node]][deal]
        mine = (self._public.player[node], EVERYONE)
        return " ".join(str(self._deck.cards[s]) for s, who in zip(seen, self._public.recipients[node], strict=True) if who in mine)

    def _history(self, node: int) -> str:
        moves: list[str] = []
        while node > 0:
            action = self._public.action[node]
            moves.append("/" if action < 0 else str(self._actions[action]))
            node = self._public.parent[node]
        return "/".join("-".join(filter(None, part.split(" "))) for part in " ".join(reversed(moves)).split("/")).lstrip("/")
