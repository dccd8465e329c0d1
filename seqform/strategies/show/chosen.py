"""Chosen: the information sets that are to be shown, and their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property

import numpy as np

from seqform.base.arrays import Index
from seqform.base.errors import (
    InvalidStrategyError,
    UnknownNameError,
)
from seqform.form.local_strategy import MOST_NAMED
from seqform.form.patterns import Match, Matched, Matcher, asked, has_signs, name_of
from seqform.strategies.show.by_action import action_table, matching
from seqform.strategies.show.by_hand import HandTables, Part
from seqform.strategies.show.by_parts import has_parts, part_tables
from seqform.strategies.show.recommendations_table import (
    ShownRecommendations,
    recommendations_table,
)
from seqform.strategies.show.subject import Subject
from seqform.strategies.show.table_text import Table

MOST_LINES = 40
"""Lines of actions after a deal up to which tables are by hand, unless that is asked for."""


MOST_COMPARED = 20_000
"""Names of information sets that a text which is in none of them is compared with."""


MOST_CARDS = 52
"""Cards of the deck that an error lists."""


class Chosen:
    """The information sets that are to be shown."""

    def __init__(
        self,
        subject: Subject | ShownRecommendations,
        player: int | None,
        text: str,
        board: Sequence[str],
        ask: tuple[str, str] | None,
        values: bool,
    ) -> None:
        self._subject, self._text, self._ask = subject, text, ask
        self._players = range(subject.form.num_players) if player is None else (player,)
        self._values, self._board = values, board
        self._hands: HandTables | None = None
        if isinstance(subject, ShownRecommendations) or subject.signals is None:
            return
        self._hands = HandTables(subject, text, board, values)
        if self._by_pattern:
            only = {p: np.array(match.infosets) for p, match in self._by_pattern.items()}
            self._hands = HandTables(subject, "", board, values, only)

    @cached_property
    def infosets(self) -> Mapping[int, Index]:
        """For each player who has any, their numbers."""
        if self._ask is not None:
            return self._asked
        if self._hands is None and self._by_pattern:
            return {p: np.array(match.infosets) for p, match in self._by_pattern.items()}
        if self._hands is not None:
            found = {player: self._hands.infosets(player) for player in self._players}
        else:
            found = {p: matching(self._subject, p, self._text) for p in self._players}
        return {player: infosets for player, infosets in found.items() if len(infosets)}

    @cached_property
    def _asked(self) -> Mapping[int, Index]:
        """What a hand and a line of betting stand for."""
        cards, history = self._ask or ("", "")
        if self._subject.signals is not None:
            player, infosets = self._subject.signals.infosets(cards, history)
            return {player: infosets}
        try:
            found = asked(self._subject.form, name_of(cards, history), self._players)
        except InvalidStrategyError as error:
            raise UnknownNameError(str(error)) from None
        return {player: np.array(match.infosets) for player, match in found.items()}

    @cached_property
    def _by_pattern(self) -> Mapping[int, Match]:
        """What the text stands for if it is a pattern, or a name by kinds of cards.

        Empty where it is to be found in names as it is.
        """
        form, text = self._subject.form, self._text
        if not text or max(t.num_infosets for t in form.treeplexes) > MOST_NAMED:
            return {}
        if not has_signs(text):
            hands, players = self._hands, self._players
            if hands is None or any(len(hands.infosets(player)) for player in players):
                return {}
        try:
            return asked(form, text, self._players)
        except InvalidStrategyError:
            return {}

    @property
    def matched(self) -> tuple[Matched, ...]:
        """What was asked for by a pattern matched, where that is more than its name says."""
        if self._ask is None:
            matches = [match for match in self._by_pattern.values() if not match.is_exact]
        else:
            name = name_of(*self._ask)
            matches = [
                Match(player, name, tuple(numbers.tolist()), False)
                for player, numbers in self._asked.items()
                if len(numbers) > 1
            ]
        return tuple(Matcher(self._subject.form, match.player).told(match) for match in matches)

    @property
    def has_parts(self) -> bool:
        """Whether the game says of all that is chosen what the hand is."""
        subject, every = self._subject, self.infosets.items()
        if isinstance(subject, ShownRecommendations):
            return False
        return all(has_parts(subject, player, sets.tolist()) for player, sets in every)

    def tables(self, layout: str, rows: int) -> tuple[tuple[Table, ...], int]:
        """Return tables of at most so many rows, and how many rows more there are at most.

        Raises
        ------
        UnknownNameError
            If nothing was chosen.
        """
        if self._hands is not None and self._ask is None and layout != "actions":
            parts = self._hands.parts(self._players)
            if not parts:
                raise self._nothing()
            lines = Counter(part[:3] for part in parts for _ in part.nodes)
            if layout == "hands" or max(lines.values()) <= MOST_LINES:
                return _hand_tables(self._hands, parts, rows)
        if not self.infosets:
            raise self._nothing()
        if self._hands is None and self._ask is None and layout != "actions" and self.has_parts:
            return _cut(self._by_parts(), rows)
        found, left_out = _action_tables(self._subject, self.infosets, rows)
        if self._ask is not None:
            cards, history = self._ask
            after = f"after {history}" if history else "first to act"
            found = tuple(t._replace(title=f"{t.title} with {cards}, {after}") for t in found)
        return found, left_out

    def _by_parts(self) -> list[Table]:
        """Return the tables by hand of a game that says what the hand is."""
        subject, every = self._subject, self.infosets.items()
        if isinstance(subject, ShownRecommendations):
            return []
        return [
            table
            for player, infosets in every
            for table in part_tables(subject, player, infosets.tolist(), self._values)
        ]

    def _nothing(self) -> UnknownNameError:
        """Say that no information set was chosen, and what they are called."""
        form, signals = self._subject.form, self._subject.signals
        if self._board and signals is not None:
            cards = ", ".join(map(str, signals.structure.game.deck.cards[:MOST_CARDS]))
            named = f" and {self._text!r} in its name" if self._text else ""
            return UnknownNameError(
                f"no information set that is shown has the board {' '.join(self._board)!r}{named}; "
                f"give the cards that all see, as they were dealt: {cards}"
            )
        names = [
            form.infoset_text(player, infoset)
            for player in self._players
            for infoset in range(min(form.treeplexes[player].num_infosets, MOST_COMPARED))
        ]
        if not names:
            return UnknownNameError("there is no information set to show")
        close = get_close_matches(self._text, names, n=3, cutoff=0.4) or names[:3]
        return UnknownNameError(
            f"no information set that is shown has {self._text!r} in its name; names are such as "
            f"{', '.join(map(repr, close))}"
        )


def _cut(tables: Sequence[Table], rows: int) -> tuple[tuple[Table, ...], int]:
    """Return tables with so many rows together at most, and how many are left out."""
    found: list[Table] = []
    left_out = 0
    for table in tables:
        if rows > 0:
            found.append(table._replace(rows=table.rows[:rows]))
        left_out += max(0, len(table.rows) - max(rows, 0))
        rows -= len(table.rows)
    return tuple(found), left_out


def _hand_tables(
    hands: HandTables, parts: Sequence[Part], rows: int
) -> tuple[tuple[Table, ...], int]:
    """Return the first tables by hand, and how many rows are left out at most."""
    tables: list[Table] = []
    left_out = 0
    for part in parts:
        if rows > 0:
            table = hands.table(part)
            tables.append(table._replace(rows=table.rows[:rows]))
            left_out += max(0, len(table.rows) - rows)
            rows -= len(table.rows)
        else:
            left_out += hands.most_rows(part)
    return tuple(tables), left_out


def _action_table(
    subject: Subject | ShownRecommendations, player: int, infosets: list[int]
) -> Table:
    if isinstance(subject, ShownRecommendations):
        return recommendations_table(subject, player, infosets)
    return action_table(subject, player, infosets)


def _action_tables(
    subject: Subject | ShownRecommendations, infosets: Mapping[int, Index], rows: int
) -> tuple[tuple[Table, ...], int]:
    """Return tables of the first information sets, and how many rows are left out."""
    tables: list[Table] = []
    left_out = 0
    for player, numbers in infosets.items():
        ends = np.cumsum(subject.form.treeplexes[player].num_actions[numbers])
        fit = int(np.searchsorted(ends, rows, "right"))
        if not tables:
            fit = max(fit, 1)  # of one information set all actions, at least
        if fit:
            tables.append(_action_table(subject, player, numbers[:fit].tolist()))
            rows -= int(ends[fit - 1])
        left_out += int(ends[-1]) - (int(ends[fit - 1]) if fit else 0)
    return tuple(tables), left_out
