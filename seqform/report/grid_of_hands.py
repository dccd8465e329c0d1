"""Strategies of games that deal signals, as a page shows them: a grid of hands by betting lines.

A round is what a player sees and does between two deals. Hands that are of the same kinds, such as
ranks, and are played alike and worth the same, are one row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.form.from_signals import SequenceNumbering
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.deals import card_kinds
from seqform.game.signals import EVERYONE
from seqform.report.numbers import Precision, listed
from seqform.strategies.show.by_hand import Hands
from seqform.strategies.show.subject import Subject

MOST_INFOSETS = 30_000
"""Information sets that a page shows by hand: rounds are shown until there would be more."""

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

START = "first to act"

NOWHERE = -1e300
"""Stands for the values of what the others never let happen."""


class Row(NamedTuple):
    """Hands that are shown as one: a board's place in the list, their name, how many, classes."""

    board: int
    name: str
    size: int
    classes: list[int]


class Round(NamedTuple):
    """What one player does after so many deals; nodes are places in the player's numbering."""

    player: int
    stage: int
    nodes: list[int]


class HandGrid:
    """The strategies of a game that deals signals.

    Parameters
    ----------
    subject
        The strategies; its `signals` is not None.
    is_checked
        Whether the page's check compares probabilities with those of a certificate.
    """

    def __init__(self, subject: Subject, is_checked: bool) -> None:
        self.is_checked = is_checked
        self.subject, self.signals = subject, cast("SignalStrategy", subject.signals)
        structure = self.signals.structure
        self.numbering = [SequenceNumbering(structure, self.signals.classes, p) for p in (0, 1)]
        deck = structure.game.deck
        self.cards = written_cards(list(map(str, deck.cards)), card_kinds(deck))
        self.precision = Precision(subject.form.payoff_scale)
        self.actions: dict[str, int] = {}

    def rounds(self) -> list[Round]:
        """Return all rounds, the first ones first."""
        found: dict[tuple[int, int], list[int]] = {}
        for player, numbering in enumerate(self.numbering):
            for at, stage in enumerate(numbering.stage):
                found.setdefault((stage, player), []).append(at)
        return [Round(player, stage, found[stage, player]) for stage, player in sorted(found)]

    def size(self, of: Round) -> int:
        """Return how many information sets a round has."""
        return len(of.nodes) * self.numbering[of.player].num_classes[of.stage]

    def record(self) -> dict[str, Any]:
        """Return what the page's script shows, as JSON values."""
        shown, left_out, size = [], 0, 0
        for each in self.rounds():
            size += self.size(each)
            if size > MOST_INFOSETS:
                left_out += self.size(each)
            else:
                shown.append(self._round(each))
        return {
            "unit": self.subject.form.unit,
            "digits": self.precision.digits,
            "start": START,
            "rounds": shown,
            "actions": list(self.actions),
            "leftOut": left_out,
        }

    def _round(self, of: Round) -> dict[str, Any]:
        check_time("writing a strategy")
        hands = Hands(self.signals, of.player, of.stage)
        boards, rows = self._rows(of, hands)
        before: dict[str, list[int]] = {}
        for at in of.nodes:
            history = self._history(of.player, at)
            before.setdefault(history[: history.rfind("/") + 1], []).append(at)
        return {
            "player": of.player,
            "stage": of.stage,
            "boards": boards,
            "rows": [[row.board, row.name, row.size] for row in rows],
            "parts": [self._part(of, line, nodes, rows) for line, nodes in before.items()],
        }

    def _part(
        self, of: Round, before: str, nodes: list[int], rows: Sequence[Row]
    ) -> dict[str, Any]:
        """Return what is done after the same moves up to the last deal."""
        lines = []
        for at in nodes:
            line = self._history(of.player, at).removeprefix(before) or START
            lines.append({"name": line, "actions": self._actions(of.player, at)})
        return {
            "before": before.rstrip("/"),
            "lines": lines,
            "cells": [self._cells(of.player, at, rows) for at in nodes],
        }

    def _cells(self, player: int, at: int, rows: Sequence[Row]) -> dict[str, Any]:
        """Return the numbers of all rows at a node, action by action within a row.

        `s` is each row's first sequence in the certificate's plans, where there is one.
        """
        numbering, found = self.numbering[player], self.subject.analysis.players[player]
        classes = np.array([row.classes[0] for row in rows])
        every = np.concatenate([row.classes for row in rows])
        starts = np.cumsum([0, *(len(row.classes) for row in rows[:-1])])
        start, count = int(numbering.first_infoset[at]), int(numbering.num_actions[at])
        first = int(numbering.first_sequence[at]) + count * classes
        sequences = (first[:, None] + np.arange(count)).ravel()
        cells = {
            "p": listed(found.probability[sequences], 4),
            "v": listed(found.action_values[sequences], self.precision.digits),
            "own": self.precision.shares(found.own_reach[start + classes]),
            "reach": self.precision.shares(np.add.reduceat(found.reach[start + every], starts)),
            "never": np.flatnonzero(~found.is_reached[start + classes]).tolist(),
        }
        return {**cells, "s": first.tolist()} if self.is_checked else cells

    def _actions(self, player: int, at: int) -> list[int]:
        """Return an action's place among all actions, which decides its color."""
        node = int(self.numbering[player].nodes[at])
        names = map(str, self.signals.structure.public.actions(node))
        return [self.actions.setdefault(name, len(self.actions)) for name in names]

    def _history(self, player: int, at: int) -> str:
        return self.signals.structure.public.history(int(self.numbering[player].nodes[at]))

    def _rows(self, of: Round, hands: Hands) -> tuple[list[str], list[Row]]:
        """Return the boards of a round, and its rows."""
        alike, classes = self._alike(of), hands.classes.tolist()
        groups: dict[tuple[tuple[str, ...], int], list[int]] = {}
        for observation, kinds in enumerate(hands.kinds):
            groups.setdefault((kinds, alike[classes[observation]]), []).append(observation)
        sizes = Counter(hands.kinds)
        places = {kinds: place for place, kinds in enumerate(sizes)}
        boards: dict[str, int] = {}
        rows = []
        for kinds, key in sorted(groups, key=lambda group: places[group[0]]):
            members = groups[kinds, key]
            private, public = self._split(of, kinds)
            board = boards.setdefault(public, len(boards))
            if len(members) < sizes[kinds]:
                private, public = self._split(of, [self.cards[n] for n in hands.names[members[0]]])
                private = f"{private} on {public}" if public else private
            rows.append(Row(board, private, len(members), sorted({classes[m] for m in members})))
        return list(boards), rows

    def _alike(self, of: Round) -> list[int]:
        """Return a number for each class, the same for those that are played and worth alike."""
        numbering, found = self.numbering[of.player], self.subject.analysis.players[of.player]
        classes = np.arange(numbering.num_classes[of.stage])
        columns: list[Floats] = []
        for at in of.nodes:
            count = int(numbering.num_actions[at])
            first = int(numbering.first_sequence[at]) + count * classes
            for sequence in (first + place for place in range(count)):
                values = np.nan_to_num(found.action_values[sequence], nan=NOWHERE)
                columns.append(found.probability[sequence].round(4))
                columns.append(values.round(self.precision.digits))
        table = np.stack(columns, axis=1)
        return np.unique(table, axis=0, return_inverse=True)[1].ravel().tolist()

    def _split(self, of: Round, cards: Sequence[str]) -> tuple[str, str]:
        """Return a player's own cards and those that everybody sees, as text."""
        structure = self.signals.structure
        seen = structure.seen(of.player, of.stage)
        public = [structure.recipients[position] == EVERYONE for position in seen]
        own = [card for card, is_public in zip(cards, public, strict=True) if not is_public]
        board = [card for card, is_public in zip(cards, public, strict=True) if is_public]
        return " ".join(own), " ".join(board)


def written_cards(cards: Sequence[str], kinds: Sequence[str]) -> dict[str, str]:
    """Return how cards are written: suits that a deck exchanges by their signs."""
    found = {}
    for card, kind in zip(cards, kinds, strict=True):
        suit = card.removeprefix(kind)
        found[card] = kind + SUITS.get(suit, suit) if card.startswith(kind) else card
    return found
