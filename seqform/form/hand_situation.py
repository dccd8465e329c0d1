"""Where somebody acts in a game of hands: a public node and a board, as people write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index
from seqform.base.errors import InvalidParameterError
from seqform.base.number import plain
from seqform.form.hand_structure import HandStructure
from seqform.game.betting_tree import BettingTree
from seqform.game.labels import joined
from seqform.game.rules import CHANCE, TERMINAL

EVERY = "*"
"""All hands of a range."""


class Situation(NamedTuple):
    """A public node at which somebody acts, and a board.

    Parameters
    ----------
    node
        The public node.
    player
        Who acts.
    board
        The number of the board of the cards that were dealt face up.
    dealt
        How many cards these are.
    """

    node: int
    player: int
    board: int
    dealt: int

    def board_before(self, structure: HandStructure, dealt: int) -> int:
        """Return the board of the first cards of this one."""
        board = self.board
        for count in range(self.dealt, dealt, -1):
            board //= len(structure.cards) - count + 1
        return board

    def hands(self, structure: HandStructure, given: str | Sequence[str]) -> Index:
        """Return the numbers of the hands that are meant: those that avoid the board.

        Raises
        ------
        InvalidParameterError
            If it is no hand of the player's range, or meets the board.
        """
        alive = structure.avoids(self.player, self.dealt)[self.board]
        if given == EVERY:
            return np.flatnonzero(alive)
        held, names = structure.game.ranges[self.player], structure.game.deck
        cards = sorted(cards_of(given, names))
        fits = len(set(cards)) == len(cards) == held.hand_size
        meant = np.flatnonzero((held.hands == cards).all(axis=1) & alive) if fits else ()
        if not len(meant):
            board = structure.boards(self.dealt)[self.board]
            on = " ".join(names[card] for card in (*structure.game.board, *board.tolist()))
            raise InvalidParameterError(
                f"player {self.player} cannot hold {plain(given)} here: the range has no such hand "
                f"of {held.hand_size} cards, or a card of it lies face up ({on or 'none do'})"
            )
        return np.asarray(meant, dtype=np.int64)


def cards_of(given: str | Sequence[str], deck: Sequence[str]) -> list[int]:
    """Return the cards of a text such as ``"AhKh"`` or ``"Ah Kh"``, or of names.

    Raises
    ------
    InvalidParameterError
        If the text is not made of cards of the deck.
    """
    number = {name: card for card, name in enumerate(deck)}
    found = []
    for part in given.split() if isinstance(given, str) else given:
        rest = part
        while rest:
            name = next((rest[:end] for end in range(len(rest), 0, -1) if rest[:end] in number), "")
            if not name:
                some = " ".join(list(deck)[:5])
                raise InvalidParameterError(
                    f"{plain(given)} are no cards: there is none that begins {rest!r} among {some} "
                    "..."
                )
            found.append(number[name])
            rest = rest[len(name) :]
    return found


def situation(structure: HandStructure, history: str) -> Situation:
    """Return where a history leads: actions joined by hyphens, and cards between slashes.

    Raises
    ------
    InvalidParameterError
        If nobody acts there, or a card cannot be dealt.
    """
    betting = structure.game.betting
    found = next(_ways(structure, 0, history, ()), None)
    if found is None:
        raise InvalidParameterError(
            f"nobody acts after {history!r}; write it like one of {', '.join(_some(betting))}, "
            "with cards where they are dealt, as in 'check-check/8c/bet'"
        )
    node, cards = found
    return Situation(node, int(betting.player[node]), _board(structure, history, cards), len(cards))


def _ways(
    structure: HandStructure, node: int, text: str, cards: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the nodes at which somebody acts that the rest of a text leads to, with the cards."""
    betting, deck = structure.game.betting, structure.game.deck
    player = betting.player[node]
    if player >= 0 and not text:
        yield node, cards
    if player == TERMINAL:
        return
    if player == CHANCE:
        child = int(betting.first_child[node])
        for card, name in enumerate(deck):
            if text.startswith(name):
                rest = text[len(name) :].removeprefix("/")
                yield from _ways(structure, child, rest, (*cards, card))
        return
    for child in betting.children(node):
        name = str(betting.actions[child])
        rest = text.removeprefix(name)
        if text.startswith(name) and (not rest or (rest[0] in "-/" and rest[1:])):
            yield from _ways(structure, child, rest[1:], cards)


def _some(betting: BettingTree) -> list[str]:
    acting = np.flatnonzero(betting.player >= 0).tolist()
    return [repr(betting.lines[node]) for node in acting[:4]]


def _board(structure: HandStructure, history: str, cards: Sequence[int]) -> int:
    """Return the number of the board of the cards in a history."""
    try:
        return structure.board_number(cards)
    except ValueError:
        names = " ".join(structure.game.deck[card] for card in cards)
        raise InvalidParameterError(
            f"{history!r}: {names} cannot be dealt face up, one after the other; cards that do "
            "not lie there yet can"
        ) from None


def line_text(betting: BettingTree, node: int, cards: Sequence[str]) -> str:
    """Return how a public node is written, with the names of the cards that were dealt."""
    parts = list[tuple[bool, str]]()
    left = list(cards)
    while node > 0:
        action = betting.actions[node]
        parts.append((action is None, left.pop() if action is None else action))
        node = int(betting.parent[node])
    text, before = "", None
    for is_deal, part in reversed(parts):
        if before is not None:
            text += "/" if is_deal != before else "" if is_deal else "-"
        text, before = text + part, is_deal
    return text


def written(structure: HandStructure, where: Situation, hand: int) -> str:
    """Return how an information set is written: the hand, a colon, and the history."""
    deck = structure.game.deck
    cards = structure.game.ranges[where.player].hands[hand].tolist()
    dealt = structure.boards(where.dealt)[where.board].tolist()
    line = line_text(structure.game.betting, where.node, [deck[card] for card in dealt])
    return joined((structure.game.hand_text(cards), line))
