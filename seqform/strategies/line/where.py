"""Which public node a line names; and where a line goes wrong, with what may be written there."""

from __future__ import annotations

from difflib import get_close_matches

from seqform.base.errors import InvalidParameterError
from seqform.form.hand_situation import Situation, line_text, situation
from seqform.form.hand_structure import HandStructure
from seqform.game.rules import CHANCE, TERMINAL

MOST_NAMED = 8
"""Names in an error."""


def where(structure: HandStructure, line: str) -> Situation:
    """Return where a line leads, such as ``check-bet100`` or ``check-check/8c/bet50``.

    Raises
    ------
    InvalidParameterError
        If nobody acts there; with the nearest lines or cards that can be written.
    """
    try:
        return situation(structure, line)
    except InvalidParameterError:
        raise InvalidParameterError(_wrong(structure, line)) from None


def _wrong(structure: HandStructure, line: str) -> str:
    """Return what is wrong with a line: how far it can be followed, and how it could go on."""
    betting, deck = structure.game.betting, structure.game.deck
    node, rest, done, joint, cards = 0, line, "", "", list[int]()
    while True:
        player = int(betting.player[node])
        if player == TERMINAL:
            return f"line {line!r}: play is over after {done!r}{_then(rest)}"
        if player == CHANCE:
            left = [card for card in structure.cards.tolist() if card not in cards]
            card = next((c for c in left if rest.startswith(deck[c])), None)
            if card is None:
                return _no_card(structure, line, done, rest, left)
            cards.append(card)
            done, joint = f"{done}/{deck[card]}", "/"
            rest = rest[len(deck[card]) :].removeprefix("/")
            node = int(betting.first_child[node])
            continue
        if rest.startswith("-"):
            return f"line {line!r}: after a card there is a slash, as in '{done}/{rest[1:]}'"
        names = {str(betting.actions[child]): child for child in betting.children(node)}
        name = next((n for n in sorted(names, key=len, reverse=True) if _is_first(n, rest)), None)
        if name is None:
            return _no_action(structure, line, done, rest, list(names))
        done, rest, node = done + joint + name, rest[len(name) + 1 :], names[name]
        joint = "-"


def _is_first(name: str, rest: str) -> bool:
    return rest.startswith(name) and (len(rest) == len(name) or rest[len(name)] in "-/")


def _first_word(rest: str) -> str:
    return rest.replace("-", "/").partition("/")[0]


def _then(rest: str) -> str:
    return f"; leave out {rest!r}" if rest else ", and nobody acts there"


def _no_card(structure: HandStructure, line: str, done: str, rest: str, left: list[int]) -> str:
    names = [structure.game.deck[card] for card in left]
    if not rest:
        return f"line {line!r}: a card is dealt after {done!r}; add it, as in '{done}/{names[0]}'"
    first = _first_word(rest)
    why = "is no card that can be dealt here"
    if first in structure.game.deck:
        why = "lies there already, or is one of the known board"
    near = get_close_matches(first, names, n=4, cutoff=0.4) or names[:4]
    return f"line {line!r}: {first!r} {why}; after {done!r} there may be {', '.join(near)} ..."


def _no_action(structure: HandStructure, line: str, done: str, rest: str, names: list[str]) -> str:
    first = _first_word(rest)
    near = get_close_matches(first, names, n=MOST_NAMED, cutoff=0.5)
    after = f"after {done!r}" if done else "at the beginning"
    meant = f"did you mean {near[0]!r}? " if near else ""
    return (
        f"line {line!r}: nobody can {first!r} {after}; {meant}what can be done there is "
        f"{', '.join(names[:MOST_NAMED])}"
    )


def line_of(structure: HandStructure, at: Situation) -> str:
    """Return how a place is written."""
    cards = structure.boards(at.dealt)[at.board].tolist()
    return line_text(structure.game.betting, at.node, [structure.game.deck[of] for of in cards])
    deck = structure.game.deck
    cards = [deck[card] for card in structure.boards(at.dealt)[at.board].tolist()]
    return line_text(structure.game.betting, at.node, cards)
