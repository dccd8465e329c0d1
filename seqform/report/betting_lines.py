"""Strategies of a game of hands as a page shows them: the betting line by line, hands as a matrix.

A page holds some megabytes, and a game of hands may have thousands of times as much to say. So what
is played most comes first. The street on which the game begins goes in whole if it fits. Later
streets follow by how often play comes to them, on all boards up to symmetry, until the page is
full. There hands are together by what they are called, and one by one where there is room. What a
line holds is packed, and unpacked when a reader goes there.

A flop has too many rivers for a page. Where the next cards are given, only boards on which they are
dealt are looked at, and later streets find room.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from gzip import compress
from math import perm
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Index
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError
from seqform.base.summary import counted
from seqform.form.hand_policies import policies_of
from seqform.form.hand_situation import Situation, cards_of
from seqform.form.hand_structure import HandStructure
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE
from seqform.report.hand_names import HandNames
from seqform.report.line_numbers import HAND, numbers_at
from seqform.strategies.line.at_line import Around, AtLine
from seqform.strategies.line.outline import outlines

MOST_BYTES = 6_500_000
"""Of all lines on a page, packed; a page holds them as text, which is a third more."""

LEAST_REACH = 5e-3
"""Later streets are shown where play comes at least so often."""

MOST_POINTS = 1_500
"""Public nodes on boards of later streets that are on a page, so that it is written in seconds."""

PART_OF_ROOM = 8
"""Hands are shown one by one where that takes no more than such a part of the room that is left."""


class BettingLines(NamedTuple):
    """What a page shows of a game of hands.

    Parameters
    ----------
    record
        What holds for all lines, as JSON values: cards, hands, names, and the betting.
    packed
        By public node what is known of it on each board that stands for others, as gzip packs JSON.
    left_out, without_hands
        Public nodes that are not on the page, and those whose hands are together only.
    """

    record: dict[str, Any]
    packed: dict[int, bytes]
    left_out: int
    without_hands: int


def betting_lines(
    form: SequenceForm, profile: Profile, room: int = MOST_BYTES, dealt: str = ""
) -> BettingLines:
    """Return what a page shows of a game of hands.

    Parameters
    ----------
    room
        Bytes that lines may take, packed.
    dealt
        Cards that are dealt first, such as ``"8c"``; boards on which others are dealt are left out.

    Raises
    ------
    InvalidParameterError
        If these cards cannot be dealt.
    """
    lines = _Lines(form, profile, room, dealt)
    lines.fill()
    return lines.found()


class _Boards(NamedTuple):
    """The boards of a length that are shown, up to symmetry; int64 (num_shown,) each.

    Parameters
    ----------
    orbits
        Their numbers among all orbits, ascending.
    first
        The board that stands for each.
    sizes
        How many boards it stands for.
    """

    orbits: Index
    first: Index
    sizes: Index


def _shown_boards(structure: HandStructure, given: list[int], dealt: int) -> _Boards:
    """Return the boards of a length on which given cards are dealt first."""
    orbits, count = structure.orbits[dealt], min(dealt, len(given))
    fits = (structure.boards(dealt)[:, :count] == given[:count]).all(axis=1)
    found, sizes = np.unique(orbits.orbit[fits], return_counts=True)
    return _Boards(found.astype(np.int64), orbits.first[found].astype(np.int64), sizes)


def _cards_dealt(structure: HandStructure, text: str) -> list[int]:
    """Return the cards that are dealt first.

    Raises
    ------
    InvalidParameterError
        If they cannot be.
    """
    cards = cards_of(text, structure.game.deck)
    try:
        if len(cards) > structure.num_dealt:
            raise ValueError
        structure.board_number(cards)
    except ValueError:
        raise InvalidParameterError(
            f"dealt={text!r}: at most {counted(structure.num_dealt, 'card')} can be dealt, one "
            "after the other, of those that do not lie there yet"
        ) from None
    return cards


class _Lines:
    """Lines of betting as they are put on a page; parameters are those of `betting_lines`."""

    def __init__(self, form: SequenceForm, profile: Profile, room: int, dealt: str = "") -> None:
        self.form, self.room, self.points = form, room, MOST_POINTS
        self.policies = policies_of(form, profile)
        structure = self.policies.structure
        if len(self.policies.symmetries) < len(structure.symmetries):
            structure = structure.without_symmetries  # boards that are alike are played otherwise
        self.structure, self.betting = structure, structure.game.betting
        self.names = HandNames(structure.game)
        self.given = _cards_dealt(structure, dealt)
        self.shown = [_shown_boards(structure, self.given, count) for count in range(self._streets)]
        self.packed: dict[int, bytes] = {}
        self.has_hands: set[int] = set()
        self.sizes = {True: 0.0, False: 0.0}
        """Bytes of a node on one board, with hands and without, as far as that is known."""

    @property
    def _streets(self) -> int:
        return self.betting.num_dealt + 1

    def fill(self) -> None:
        """Put lines on the page, those that are played most first."""
        streets = [(-1.0, self._first(0))]
        while streets:
            often, node = heapq.heappop(streets)
            if self.betting.player[node] < 0 or -often < LEAST_REACH:
                continue
            for reach, deal in self._street(node):
                heapq.heappush(streets, (-reach, self._first(deal)))

    def _first(self, node: int) -> int:
        """Return the node that play comes to from one after all cards are dealt there."""
        while self.betting.player[node] == CHANCE:
            node = int(self.betting.first_child[node])
        return node

    def _street(self, start: int) -> Iterator[tuple[float, int]]:
        """Put nodes from one on, up to the next deal, on the page; yield how often it is dealt."""
        dealt = int(self.betting.dealt[start])
        num_boards = len(self.shown[dealt].orbits)
        if not self._fits(num_boards, False, 1) or (dealt and num_boards > self.points):
            return
        often = self._often(start)
        deals = [node for node in often if self.betting.player[node] == CHANCE]
        nodes = [node for node in often if self.betting.player[node] >= 0]
        if dealt:
            nodes = [node for node in nodes if often[node] >= LEAST_REACH]
            nodes = nodes[: self.points // num_boards]
            self.points -= len(nodes) * num_boards
        with_hands = self._fits(num_boards, True, PART_OF_ROOM)
        contents = self._contents(start, nodes, with_hands)
        for node in nodes:  # parents come first: play comes there as often, or more
            if self._is_led_to(node):
                self._add(node, contents.pop(node), with_hands)
        yield from ((often[deal], deal) for deal in deals if self._is_led_to(deal))

    def _is_led_to(self, node: int) -> bool:
        """Return whether the page has the point from which an action leads to a node."""
        if node == self._first(0):
            return True
        above = int(self.betting.parent[node])
        while self.betting.player[above] == CHANCE:
            above = int(self.betting.parent[above])
        return above in self.packed

    def _around(self, start: int) -> Iterator[tuple[int, Around]]:
        """Yield what is around a node on each board that stands for others, and for how many."""
        dealt = int(self.betting.dealt[start])
        _, first, sizes = self.shown[dealt]
        for board, size in zip(first.tolist(), sizes.tolist(), strict=True):
            check_time("writing lines of betting")
            at = Situation(start, int(self.betting.player[start]), board, dealt)
            yield size, Around(self.form, self.policies, at)

    def _often(self, start: int) -> dict[int, float]:
        """Return how likely play comes to the nodes of a street on any board, most likely first.

        Where cards are given, it is how likely if they are dealt, but for hands that hold them.
        """
        nodes = list(outlines(self.betting, start)[0].row)
        count = min(int(self.betting.dealt[start]), len(self.given))
        ways = perm(self.structure.game.cards_left, count)
        often = sum(ways * size * around.reach(nodes) for size, around in self._around(start))
        found = dict(zip(nodes, np.asarray(often).tolist(), strict=True))
        return dict(sorted(found.items(), key=lambda of: -of[1]))

    def _contents(self, start: int, nodes: list[int], with_hands: bool) -> dict[int, list[Any]]:
        """Return what is known of nodes on each board."""
        contents: dict[int, list[Any]] = {node: [] for node in nodes}
        for _, around in self._around(start) if nodes else ():
            for place, node in enumerate(nodes):
                view = around.view(node, nodes if place == 0 else ())
                contents[node].append(self._numbers(view, with_hands))
        return contents

    def _fits(self, num_boards: int, with_hands: bool, parts: int) -> bool:
        """Return whether a node on some boards is likely to fit into a part of what is left."""
        return num_boards * self.sizes[with_hands] <= self.room / parts

    def _numbers(self, at: AtLine, with_hands: bool) -> dict[str, Any]:
        codings = [self.names.codings(held.player, held.cards, at.board) for held in at.ranges]
        return numbers_at(at, codings, with_hands=with_hands)

    def _add(self, node: int, contents: list[Any], with_hands: bool) -> None:
        """Put a node on the page, with hands if there is room, if there is room at all."""
        found = self._packed(node, contents)
        self.sizes[with_hands] = max(self.sizes[with_hands], len(found) / len(contents))
        if with_hands and len(found) > self.room / PART_OF_ROOM:
            self._add(node, [_without_hands(of) for of in contents], False)
            return
        if with_hands and not self.sizes[False]:
            self.sizes[False] = len(_packed([_without_hands(contents[0])]))
        if len(found) <= self.room:
            self.room -= len(found)
            self.packed[node] = found
            if with_hands:
                self.has_hands.add(node)

    def _packed(self, node: int, contents: list[Any]) -> bytes:
        """Return what is known of a node; where cards are given, by those orbits of boards."""
        if not self.given:
            return _packed(contents)
        orbits = self.shown[int(self.betting.dealt[node])].orbits.tolist()
        return _packed(dict(zip(orbits, contents, strict=True)))

    def found(self) -> BettingLines:
        """Return what is on the page."""
        total = int(np.count_nonzero(self.betting.player >= 0))
        return BettingLines(
            {**self.names.record(), **self._record()},
            self.packed,
            total - len(self.packed),
            len(self.packed) - len(self.has_hands),
        )

    def _record(self) -> dict[str, Any]:
        form, game = self.form, self.structure.game
        streets = sorted({int(self.betting.dealt[node]) for node in self.packed})
        return {
            "unit": form.unit,
            "beyond": [float(of) for of in form.origin.beyond or (0, 0)],
            "sum": self._sum(),
            "players": [form.player_text(player) for player in (0, 1)],
            "first": self._first(0),
            "nodes": {node: self._node(node) for node in sorted(self.packed)},
            "symmetries": [of.cards.tolist() for of in self.structure.symmetries],
            "boards": {dealt: self._boards(dealt) for dealt in streets if dealt},
            "shown": {dealt: self.shown[dealt].orbits.tolist() for dealt in streets if self.given},
            "free": self.structure.cards.tolist(),
            "board": list(game.board),
        }

    def _sum(self) -> float | None:
        """Return what both players get together; None if that varies."""
        if self.form.constant_sum is None:
            return None
        return float(self.form.constant_sum + sum(self.form.origin.beyond))

    def _boards(self, dealt: int) -> dict[str, list[int]]:
        """Return for each board which one stands for it, and by which symmetry."""
        orbits = self.structure.orbits[dealt]
        by: Index = orbits.symmetry.astype(np.int64)
        return {"orbit": orbits.orbit.tolist(), "symmetry": by.tolist()}

    def _node(self, node: int) -> dict[str, Any]:
        """Return who acts at a node, and where that leads."""
        betting = self.betting
        children = list(betting.children(node))
        return {
            "player": int(betting.player[node]),
            "dealt": int(betting.dealt[node]),
            "actions": [str(betting.actions[child]) for child in children],
            "next": [self._next(child) for child in children],
        }

    def _next(self, child: int) -> list[int | str]:
        """Return what comes after an action: how play ends, or the next node and cards dealt."""
        if self.betting.is_fold[child]:
            return ["fold"]
        if self.betting.is_showdown[child]:
            return ["showdown"]
        there = self._first(child)
        if self.betting.player[there] < 0:
            return ["all in"]
        return [there, int(self.betting.dealt[there] - self.betting.dealt[child])]


def _packed(contents: Any) -> bytes:
    text = json.dumps(contents, separators=(",", ":"), allow_nan=False)
    return compress(text.encode(), 6, mtime=0)


def _without_hands(numbers: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of a node without those of each hand."""
    sides = [
        {name: rows for name, rows in side.items() if name != HAND} for side in numbers["sides"]
    ]
    return {**numbers, "sides": sides}
