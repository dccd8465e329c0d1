"""A public betting tree: who acts, what is dealt and how play ends, whatever anybody holds.

Two players act in public; between their rounds cards are dealt face up, one at each node of chance.
What an end pays is told by who shows the better hand: a fold pays the same whoever would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Index, Ints
from seqform.base.errors import InvalidGameError
from seqform.base.number import Number, as_number
from seqform.game.rules import CHANCE, TERMINAL

WIN, TIE, LOSS = range(3)
"""How a showdown ends for player 0."""

MOST_PAID = 2**62
"""What is paid times its denominator is below it."""

Amounts = tuple[Number, Number]
"""What each player gets."""


@dataclass(frozen=True, eq=False)
class BettingTree:
    """A public tree in level order: parents first, and the children of a node side by side.

    Parameters
    ----------
    player
        int8 (num_nodes,): 0 or 1 where a player acts, `CHANCE` where a card is dealt face up, and
        `TERMINAL` at ends.
    parent
        int32 (num_nodes,): -1 for the root.
    actions
        For each node the label of the action that leads to it; None for the root, and after a deal.
    dealt
        int16 (num_nodes,): cards dealt face up on the way to each node.
    paid
        int64 (num_nodes, 3, 2): what each player gets where player 0 wins a showdown, where it is a
        tie, and where player 1 wins it, times `denominator`. All three are equal at a fold. 0 where
        play goes on.
    denominator
        What `paid` is over.
    """

    player: NDArray[np.int8]
    parent: Ints
    actions: tuple[str | None, ...]
    dealt: NDArray[np.int16]
    paid: Index
    denominator: int

    @property
    def num_nodes(self) -> int:
        """Public nodes, ends included."""
        return len(self.player)

    @property
    def num_dealt(self) -> int:
        """The most cards that are dealt face up."""
        return int(self.dealt.max(initial=0))

    @cached_property
    def num_children(self) -> Ints:
        """Children of each node."""
        found: Ints = np.bincount(self.parent[1:], minlength=self.num_nodes).astype(np.int32)
        return found

    @cached_property
    def first_child(self) -> Ints:
        """The first child of each node; meaningless where there is none."""
        found: Ints = np.concatenate([[1], 1 + np.cumsum(self.num_children)[:-1]]).astype(np.int32)
        return found

    @cached_property
    def is_fold(self) -> NDArray[np.bool_]:
        """Whether an end pays the same whoever has the better hand."""
        paid = self.paid
        same = (paid[:, WIN] == paid[:, TIE]) & (paid[:, TIE] == paid[:, LOSS])
        found: NDArray[np.bool_] = (self.player == TERMINAL) & same.all(axis=1)
        return found

    @cached_property
    def is_showdown(self) -> NDArray[np.bool_]:
        """Whether an end is decided by the hands."""
        found: NDArray[np.bool_] = (self.player == TERMINAL) & ~self.is_fold
        return found

    @cached_property
    def constant_sum(self) -> Number | None:
        """What the players get together at every end, or None if that varies."""
        sums = self.paid[self.player == TERMINAL].sum(axis=2)
        if not (sums == sums[0, 0]).all():
            return None
        return as_number(Fraction(int(sums[0, 0]), self.denominator))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """How each node is written: its actions by hyphens, and a slash for each deal."""
        texts = [""]
        for node in range(1, self.num_nodes):
            above, action = texts[self.parent[node]], self.actions[node]
            joint = "" if action is None or not above or above.endswith("/") else "-"
            texts.append(above + ("/" if action is None else joint + action))
        return tuple(texts)

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_children[node]))

    def last_own(self, player: int) -> Ints:
        """Return for each node the last child on the way there that a player's action led to.

        int32 (num_nodes,): -1 where the player has not acted. A node that a player's action led to
        stands for that action; it is the player's *line* at all nodes below, up to the next one.
        """
        return self._last_own[player]

    @cached_property
    def _last_own(self) -> tuple[Ints, Ints]:
        mine, theirs = np.full((2, self.num_nodes), -1, dtype=np.int32)
        for found, player in ((mine, 0), (theirs, 1)):
            for node in range(1, self.num_nodes):
                parent = self.parent[node]
                found[node] = node if self.player[parent] == player else found[parent]
        return mine, theirs


class BettingTreeBuilder:
    """Makes a betting tree node by node: a node's children are added at once.

    Examples
    --------
    >>> builder = BettingTreeBuilder()
    >>> bet, check = builder.act(builder.root, 0, ["bet", "check"])
    >>> fold, call = builder.act(bet, 1, ["fold", "call"])
    >>> builder.end(fold, (1, -1)), builder.showdown(call, 2), builder.showdown(check, 1)
    (None, None, None)
    >>> builder.build().lines
    ('', 'bet', 'check', 'bet-fold', 'bet-call')
    """

    root = 0

    def __init__(self) -> None:
        self._player: list[int | None] = [None]
        self._parent, self._dealt = [-1], [0]
        self._actions: list[str | None] = [None]
        self._children: list[list[int]] = [[]]
        self._paid: dict[int, tuple[Amounts, Amounts, Amounts]] = {}

    def act(self, node: int, player: int, actions: Sequence[str]) -> list[int]:
        """Let a player act at a node, and return the children."""
        return self._grow(node, player, actions, 0)

    def deal(self, node: int) -> int:
        """Deal a card face up at a node, and return the child."""
        return self._grow(node, CHANCE, [None], 1)[0]

    def end(self, node: int, paid: Amounts) -> None:
        """End play at a node, whatever anybody holds."""
        self._end(node, (paid, paid, paid))

    def showdown(self, node: int, stake: Number) -> None:
        """End play at a node: who has the better hand wins a stake of the other; ties pay 0."""
        self._end(node, ((stake, -stake), (0, 0), (-stake, stake)))

    def show(self, node: int, win: Amounts, tie: Amounts, loss: Amounts) -> None:
        """End play at a node, with what both get where player 0 has the better hand, and so on."""
        self._end(node, (win, tie, loss))

    def _grow(self, node: int, player: int, actions: Sequence[str | None], cards: int) -> list[int]:
        self._take(node, player)
        if not actions or len(set(actions)) < len(actions):
            raise InvalidGameError(f"R3: node {node} of a betting tree has actions {actions!r}")
        first = len(self._parent)
        children = list(range(first, first + len(actions)))
        self._children[node] = children
        self._parent += [node] * len(actions)
        self._dealt += [self._dealt[node] + cards] * len(actions)
        self._actions += actions
        self._player += [None] * len(actions)
        self._children += [[] for _ in actions]
        return children

    def _end(self, node: int, paid: tuple[Amounts, Amounts, Amounts]) -> None:
        self._take(node, TERMINAL)
        self._paid[node] = paid

    def _take(self, node: int, player: int) -> None:
        if self._player[node] is not None:
            raise InvalidGameError(f"R3: node {node} of a betting tree was said already")
        self._player[node] = player

    def build(self) -> BettingTree:
        """Return the tree, its nodes numbered in level order.

        Raises
        ------
        InvalidGameError
            If somewhere it was not said what happens, a showdown is before the last card, or what
            is paid does not fit into integers of 64 bits.
        """
        order = [0]
        for node in order:
            order += self._children[node]
        if None in self._player:
            raise InvalidGameError(
                f"R3: node {self._player.index(None)} of a betting tree is without actions and end"
            )
        number = {old: new for new, old in enumerate(order)}
        parent = [number.get(self._parent[old], -1) for old in order]
        paid, denominator = self._amounts(order)
        tree = BettingTree(
            player=np.array([self._player[old] for old in order], dtype=np.int8),
            parent=np.array(parent, dtype=np.int32),
            actions=tuple(self._actions[old] for old in order),
            dealt=np.array([self._dealt[old] for old in order], dtype=np.int16),
            paid=paid,
            denominator=denominator,
        )
        early = tree.is_showdown & (tree.dealt < tree.num_dealt)
        if early.any():
            line = tree.lines[int(np.flatnonzero(early)[0])]
            raise InvalidGameError(
                f"R3: hands are shown after {line!r}, before the last card: deal what is to come"
            )
        return tree

    def _amounts(self, order: Sequence[int]) -> tuple[Index, int]:
        exact = {
            node: [[Fraction(as_number(amount)) for amount in of] for of in paid]
            for node, paid in self._paid.items()
        }
        every = [amount for paid in exact.values() for of in paid for amount in of]
        denominator = lcm(*(amount.denominator for amount in every)) if every else 1
        if max(map(abs, every), default=0) * denominator >= MOST_PAID:
            raise InvalidGameError(
                "R5: what is paid, over one denominator for all of it, does not fit into 64 bits: "
                "use rounder amounts"
            )
        found = np.zeros((len(order), 3, 2), dtype=np.int64)
        for new, old in enumerate(order):
            if old in exact:
                found[new] = [[int(amount * denominator) for amount in of] for of in exact[old]]
        return found, denominator
