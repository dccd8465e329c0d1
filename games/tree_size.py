"""How large an endgame is, counted before anything is built for boards and hands.

Boards are counted by Burnside's lemma: up to a group of permutations of the deck there are as many
as the permutations leave as they are, on average. A board of d cards, in order, is left as it is if
all of its cards are. Pairs of a board and a hand are counted alike. So nothing here is the size of
boards, or of pairs of hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import perm

import numpy as np

from games.no_limit_counts import Pair, PublicCounts, count_public
from games.no_limit_rules import NoLimitRules
from games.size_plan import CAP, Clause, SizePlan
from seqform.base.arrays import Mask
from seqform.base.errors import GameTooLargeError
from seqform.base.memory import in_words, shortage
from seqform.form.hand_symmetries import generated
from seqform.form.hands import HandRange

BYTES_AN_ENTRY = 8
"""A regret and an average, in single precision, for an action of a hand on a board. What fills
hands up to vectors of 16 was seen to take 1% more on a river and a turn, and 5% more on a flop."""

HALF_AN_ENTRY = 4
"""The same on the last street where both are kept in 16 bits."""

SECONDS_AN_ENTRY = 2e-9
"""Of an iteration, for the same, give or take half of it. On one core of an EPYC 0.7 ns were
measured on a river, 0.8 on a turn and 1.0 on a flop where nothing else ran, and 2.0, 2.7 and 3.0
where other programs kept all cores busy."""

MOST_HINTS = 3
"""Of what could be left out."""

USUAL_CAP = 3
"""Bets and raises a street, where a cap is proposed."""


@dataclass(frozen=True)
class TreeSize:
    """An endgame in numbers.

    Parameters
    ----------
    public_nodes
        Nodes of the betting tree, in which a deal has one child.
    nodes, decision_nodes
        The same on every board, and those where somebody acts, boards up to symmetry.
    infosets, sequences
        Of each player in the whole game, on all boards; the empty sequence included.
    entries
        Actions of all hands of both players, on boards up to symmetry; what regrets are held for.
    last_entries
        Those of them on the last street.
    """

    public_nodes: int
    nodes: int
    decision_nodes: int
    infosets: Pair
    sequences: Pair
    entries: int
    last_entries: int

    @property
    def num_bytes(self) -> int:
        """What regrets and averages take in single precision; or less, see `Cards`.

        What fills hands up to whole vectors is left out.
        """
        return BYTES_AN_ENTRY * self.entries

    @property
    def half_bytes(self) -> int:
        """What they take where those of the last street have 16 bits."""
        return self.num_bytes - (BYTES_AN_ENTRY - HALF_AN_ENTRY) * self.last_entries

    @property
    def seconds(self) -> float:
        """About how long an iteration takes on one core."""
        return SECONDS_AN_ENTRY * self.entries

    def __str__(self) -> str:
        """Return the size for people."""
        first, second = self.sequences
        return (
            f"{self.nodes:,} nodes on boards up to symmetry, {self.decision_nodes:,} of them "
            f"decisions, {first:,} and {second:,} sequences, up to about "
            f"{in_words(self.num_bytes)} for regrets and averages "
            f"({in_words(self.half_bytes)} with half=True), and up to about "
            f"{self.seconds:.2g} s an iteration"
        )


@dataclass(frozen=True)
class Cards:
    """What of the cards counts for the size.

    Parameters
    ----------
    ranges
        What the players may hold.
    board
        Positions of the cards that lie face up.
    num_cards
        Of the deck.
    symmetries
        Permutations of the deck that may leave the game as it is; those that keep the board and
        both ranges are taken to do so. Cards that may change places one by one
        (`HandStructure.alike_cards`) leave a search with fewer boards and hands than these do, but
        its answer has as many: a behaviour for each takes as much as 16 bits do.
    """

    ranges: tuple[HandRange, HandRange]
    board: tuple[int, ...]
    num_cards: int = 52
    symmetries: tuple[tuple[int, ...], ...] = ()

    def boards(self, dealt: int) -> int:
        """Return how many boards of a length there are up to symmetry."""
        return sum(perm(int(still.sum()), dealt) for still in self.still) // len(self.still)

    def hands_on_boards(self, player: int, dealt: int, *, merged: bool) -> int:
        """Return how many pairs there are of a board, of a length, and a hand that avoids it.

        All boards are counted, or those that stand for the others up to symmetry.
        """
        hands, found = self.ranges[player].hands, 0
        stills = self.still if merged else self.still[:1]
        for still in stills:
            count = np.bincount(still.sum() - still[hands].sum(axis=1))
            found += sum(int(times) * perm(free, dealt) for free, times in enumerate(count))
        return found // len(stills)

    @cached_property
    def still(self) -> list[Mask]:
        """For each symmetry that is kept which cards it leaves: bool (num_cards,), board apart."""
        left = ~np.isin(np.arange(self.num_cards), self.board)
        return [left & (np.array(one) == np.arange(self.num_cards)) for one in self.kept]

    @property
    def kept(self) -> list[tuple[int, ...]]:
        """The symmetries that keep the board and both ranges; the identity is the first."""
        identity = tuple(range(self.num_cards))
        every = generated(dict.fromkeys((identity, *self.symmetries)))
        return [one for one in every if self._is_kept(one)]

    def _is_kept(self, symmetry: tuple[int, ...]) -> bool:
        if {symmetry[card] for card in self.board} != set(self.board):
            return False
        return all(_weighted(held) == _weighted(held, symmetry) for held in self.ranges)


def _weighted(held: HandRange, symmetry: Sequence[int] | None = None) -> dict[tuple[int, ...], int]:
    """Return the weight of each hand, its cards replaced by their images."""
    hands = held.hands if symmetry is None else np.sort(np.array(symmetry)[held.hands], axis=1)
    return dict(zip(map(tuple, hands.tolist()), held.weights.tolist(), strict=True))


def tree_size(counts: PublicCounts, cards: Cards) -> TreeSize:
    """Return how large a game is, from its betting tree in numbers and its cards."""
    boards = [cards.boards(dealt) for dealt in range(len(counts.nodes))]
    deciding = [sum(pair) for pair in counts.deciding]

    def on_streets(player: int, each: Sequence[Pair], *, merged: bool = False) -> list[int]:
        return [
            pair[player] * cards.hands_on_boards(player, dealt, merged=merged)
            for dealt, pair in enumerate(each)
        ]

    entries = [on_streets(player, counts.actions, merged=True) for player in (0, 1)]
    infosets = [sum(on_streets(player, counts.deciding)) for player in (0, 1)]
    sequences = [1 + sum(on_streets(player, counts.actions)) for player in (0, 1)]

    return TreeSize(
        public_nodes=counts.num_nodes,
        nodes=_product(counts.nodes, boards),
        decision_nodes=_product(deciding, boards),
        infosets=(infosets[0], infosets[1]),
        sequences=(sequences[0], sequences[1]),
        entries=sum(map(sum, entries)),
        last_entries=sum(of_streets[-1] for of_streets in entries),
    )


def _product(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def require_fit(rules: NoLimitRules, cards: Cards) -> TreeSize:
    """Return how large a game is, if what is held at least while it is solved fits into the memory.

    That is what 16 bits take: whether there is room for more, a search sees for itself.

    Raises
    ------
    GameTooLargeError
        With the size, what there is, and what could be left out, the most helpful first.
    """
    size = tree_size(count_public(rules), cards)
    available = shortage(size.half_bytes)
    if available is None:
        return size
    raise GameTooLargeError(
        f"the game has {size}; this process may take {in_words(available)}; {hints(rules, cards)}"
    )


def hints(rules: NoLimitRules, cards: Cards) -> str:
    """Write what could be left out, and what 16 bits take then, the least first."""
    found = sorted(
        (tree_size(count_public(smaller), cards).half_bytes, text)
        for text, smaller in smaller_rules(rules)
    )[:MOST_HINTS]
    if not found:
        return "narrow the ranges, or begin at a later street"
    return ", or ".join(f"{text}: {in_words(num_bytes)}" for num_bytes, text in found)


def smaller_rules(rules: NoLimitRules) -> list[tuple[str, NoLimitRules]]:
    """Return rules with one size less, or with a cap, each with what is to be done for it."""
    clauses, found = rules.plan.clauses, []
    for place, clause in enumerate(clauses):
        for size in clause.sizes:
            less = clause._replace(sizes=tuple(one for one in clause.sizes if one != size))
            plan = SizePlan((*clauses[:place], less, *clauses[place + 1 :]))
            found.append((f"leave out {size} of '{clause}'", plan))
    if all(clause.situation != CAP for clause in clauses):
        capped = SizePlan((*clauses, Clause(CAP, cap=USUAL_CAP)))
        found.append((f"add 'cap {USUAL_CAP}' to the sizes", capped))
    without_edits = replace(rules, edits=())
    return [(text, replace(without_edits, sizes=plan)) for text, plan in found]
