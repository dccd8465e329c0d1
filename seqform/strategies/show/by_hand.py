"""Strategies of games that deal signals, as people read them: hands down, lines of actions across.

A table is of one player, and of what was done up to the last deal. Hands that differ in nothing but
cards that the deck takes for alike, such as suits, are one row where they are played alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np

from seqform.base.arrays import Index, Mask
from seqform.base.deadline import check_time
from seqform.form.from_signals import SequenceNumbering
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.deals import card_kinds
from seqform.game.signals import EVERYONE
from seqform.strategies.show.subject import Subject
from seqform.strategies.show.table_text import Column, Table, amount_text, probability_text

START = "first"
"""Over the columns of who acts first after a deal."""

NAMED = 3
"""Hands of a row that are named; of more, the first and how many there are."""

WIDEST = 12
"""Columns of numbers in a table; lines of actions that do not fit are in the next one."""


class Hands:
    """What a player can have seen at a stage.

    Parameters
    ----------
    signals
        The strategies of a game.
    player, stage
        Who, and when.
    """

    def __init__(self, signals: SignalStrategy, player: int, stage: int) -> None:
        structure = signals.structure
        deck, seen = structure.game.deck, structure.seen(player, stage)
        texts, kinds = [str(card) for card in deck.cards], card_kinds(deck)
        self.classes = signals.classes[player][stage]
        dealt = structure.signals(player, stage).tolist()
        self.names = [tuple(texts[card] for card in cards) for cards in dealt]
        self.kinds = [tuple(kinds[card] for card in cards) for cards in dealt]
        self.texts = [" ".join(names) for names in self.names]
        public = [structure.recipients[position] == EVERYONE for position in seen]
        self._board = [place for place, is_seen in enumerate(public) if is_seen]

    def with_board(self, board: Sequence[str]) -> Mask:
        """Return which observations were made on a board, whose first cards are given."""
        places, wanted = self._board[: len(board)], list(board)
        if len(places) < len(wanted):
            return np.zeros(len(self.names), dtype=bool)
        return np.array([[names[place] for place in places] == wanted for names in self.names])

    def without_board(self, cards: Sequence[str], board: Sequence[str]) -> str:
        """Return an observation's cards in words, without the first ones of the board."""
        known = self._board[: len(board)]
        return " ".join(card for place, card in enumerate(cards) if place not in known)


class Part(NamedTuple):
    """What stands in one table: nodes are places in the player's numbering."""

    player: int
    stage: int
    before: str
    nodes: list[int]


class HandTables:
    """The tables of a game that deals signals.

    Parameters
    ----------
    subject
        The strategies; `signals` is not None.
    text
        Information sets in whose names it is are shown; ``"Ks 7h:check-bet"`` is such a name.
    board
        Cards that everybody sees, the first ones first; hands on other boards are left out.
    values
        Whether to show also what information sets are worth.
    only
        For some players numbers of information sets: no others are shown. None for all.
    """

    def __init__(
        self,
        subject: Subject,
        text: str = "",
        board: Sequence[str] = (),
        values: bool = False,
        only: Mapping[int, Index] | None = None,
    ) -> None:
        self.subject, self.signals = subject, cast("SignalStrategy", subject.signals)
        self._text, self._board, self._values = text, board, values
        self._only = only
        structure = self.signals.structure
        self.numbering = [
            SequenceNumbering(structure, self.signals.classes, player) for player in (0, 1)
        ]
        self._hands: dict[tuple[int, int], Hands] = {}
        self._fits: dict[tuple[int, int], tuple[Mask, Mask]] = {}
        self._sizes: dict[tuple[int, int], Counter[tuple[str, ...]]] = {}

    def hands(self, player: int, stage: int) -> Hands:
        """Return what a player can have seen at a stage."""
        if (player, stage) not in self._hands:
            self._hands[player, stage] = Hands(self.signals, player, stage)
        return self._hands[player, stage]

    def parts(self, players: Sequence[int], only: int | None = None) -> list[Part]:
        """Return what the tables are about, in their order; nothing that is empty.

        `only` is a stage, without which all are looked at.
        """
        found: dict[tuple[int, int, str], list[int]] = {}
        for player in players:
            of = self.numbering[player]
            for at, stage in enumerate(of.stage):
                if only in (None, stage) and self.shown(player, at).any():
                    history = self.history(player, at)
                    before = history[: history.rfind("/") + 1]
                    found.setdefault((stage, player, before), []).append(at)
        ordered = sorted(found.items(), key=lambda item: item[0][:2])
        return [
            Part(player, stage, before, nodes)
            for (stage, player, before), every in ordered
            for nodes in self._narrow(player, every)
        ]

    def history(self, player: int, at: int) -> str:
        """Return what was done before one of the player's nodes."""
        return self.signals.structure.public.history(int(self.numbering[player].nodes[at]))

    def shown(self, player: int, at: int) -> Mask:
        """Return the observations that are shown at one of the player's nodes."""
        stage, history = self.numbering[player].stage[at], self.history(player, at)
        cards, colon, line = self._text.partition(":")
        on_board, with_cards = self._fitting(player, stage)
        if self._only is not None:
            numbers = self.numbering[player].first_infoset[at] + self.hands(player, stage).classes
            return on_board & np.isin(numbers, self._only.get(player, ()))
        if colon:
            return on_board & with_cards & history.startswith(line)
        return on_board if cards in history else on_board & with_cards

    def most_rows(self, part: Part) -> int:
        """Return how many rows a table has at most."""
        shown = (self.shown(part.player, at) for at in part.nodes)
        hands, any_shown = self.hands(part.player, part.stage), np.logical_or.reduce(list(shown))
        return len(np.unique(hands.classes[any_shown]))

    def _fitting(self, player: int, stage: int) -> tuple[Mask, Mask]:
        """Return which observations are on the board, and which have the text in their cards."""
        if (player, stage) not in self._fits:
            hands, (cards, colon, _) = self.hands(player, stage), self._text.partition(":")
            has = [text.endswith(cards) if colon else cards in text for text in hands.texts]
            fits = hands.with_board(self._board), np.array(has, dtype=bool)
            self._fits[player, stage] = fits
        return self._fits[player, stage]

    def infosets(self, player: int) -> Index:
        """Return the numbers of the player's information sets that are shown."""
        of = self.numbering[player]
        found = [np.zeros(0, dtype=np.int64)]
        for at, stage in enumerate(of.stage):
            classes = np.unique(self.hands(player, stage).classes[self.shown(player, at)])
            found.append(int(of.first_infoset[at]) + classes.astype(np.int64))
        return np.concatenate(found)

    def table(self, part: Part) -> Table:
        """Return a table: a row for hands that are played alike."""
        check_time("writing a table")
        hands = self.hands(part.player, part.stage)
        shown = [self.shown(part.player, at) for at in part.nodes]
        cells = [self._cells(part.player, at) for at in part.nodes]
        rows: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = {}
        for observation in np.flatnonzero(np.logical_or.reduce(shown)).tolist():
            texts: tuple[str, ...] = ()
            for is_shown, of in zip(shown, cells, strict=True):
                each = of[int(hands.classes[observation])]
                texts += each if is_shown[observation] else ("",) * len(each)
            rows.setdefault((hands.kinds[observation], texts), []).append(observation)
        places = {kinds: place for place, kinds in enumerate(dict.fromkeys(k for k, _ in rows))}
        ordered = sorted(rows.items(), key=lambda item: places[item[0][0]])
        named = ((self._name(part, of), *texts) for (_, texts), of in ordered)
        return Table(self._title(part), self._columns(part), tuple(named))

    def _narrow(self, player: int, nodes: list[int]) -> Iterator[list[int]]:
        """Yield the nodes of tables that are not too wide."""
        now: list[int] = []
        width = 0
        for at in nodes:
            more = int(self.numbering[player].num_actions[at]) + self._values
            if now and width + more > WIDEST:
                yield now
                now, width = [], 0
            now.append(at)
            width += more
        yield now

    def _cells(self, player: int, at: int) -> list[tuple[str, ...]]:
        """Return the texts of each class at one of the player's nodes."""
        known = self.subject.analysis if self._values else self.subject.played
        of, numbering = known.players[player], self.numbering[player]
        start, count = int(numbering.first_infoset[at]), int(numbering.num_actions[at])
        first, scale = int(numbering.first_sequence[at]), self.subject.form.payoff_scale
        found = []
        for place in range(numbering.num_classes[numbering.stage[at]]):
            reached = bool(of.is_reached[start + place])
            here = of.probability[first + count * place : first + count * (place + 1)]
            texts = tuple(probability_text(p, reached) for p in here.tolist())
            value = (amount_text(float(of.values[start + place]), scale),) if self._values else ()
            found.append(texts + value)
        return found

    def _columns(self, part: Part) -> tuple[Column, ...]:
        columns = [Column("", "", False)]
        for at in part.nodes:
            line = self.history(part.player, at).removeprefix(part.before) or START
            node = int(self.numbering[part.player].nodes[at])
            actions = self.signals.structure.public.actions(node)
            heads = [*map(str, actions), *(["value"] if self._values else [])]
            columns += [Column(head, line) for head in heads]
        return tuple(columns)

    def _title(self, part: Part) -> str:
        after = f", after {part.before}" if part.before else ""
        board = f", with {' '.join(self._board)} on the board" if self._board else ""
        return f"player {part.player}{after}{board}"

    def _size(self, part: Part, kinds: tuple[str, ...]) -> int:
        """Return how many hands of some kinds there are on the board."""
        key = part.player, part.stage
        if key not in self._sizes:
            hands, (on_board, _) = self.hands(*key), self._fitting(*key)
            self._sizes[key] = Counter(hands.kinds[o] for o in np.flatnonzero(on_board).tolist())
        return self._sizes[key][kinds]

    def _name(self, part: Part, observations: list[int]) -> str:
        """Name the hands of a row: all of their kinds, or those that there are."""
        hands = self.hands(part.player, part.stage)
        kinds = hands.kinds[observations[0]]
        if len(observations) == self._size(part, kinds):
            return hands.without_board(kinds, self._board)
        names = [hands.without_board(hands.names[o], self._board) for o in observations]
        return ", ".join(names) if len(names) <= NAMED else f"{names[0]} ({len(names)} alike)"
