"""Patterns: names of users that stand for several information sets of a player.

Where a name is asked for, these will do, and the first of them that fits is meant:

1. the name of an information set, as the game has it or as it is written: one set;
2. a text with ``*``, which stands for any letters or none, or ``?``, which stands for one letter:
   ``K*:*bet``;
3. ``:check-bet``, which is ``*:check-bet``: the line of betting, whatever the hand;
4. in games that deal cards, kinds of cards in place of cards, such as ranks: ``K:bet`` is that of
   all kings. Stars may stand in these, too;
5. in games of hands that say how several are written at once, that in place of a hand: ``QQ+:bet``
   or ``AKs, A5s-A2s:*bet``, with stars in the line only.

Of two that fit an information set the more exact one counts: a name before all patterns, and of
patterns the one that matches only sets which the other matches, too, and fewer.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cached_property, partial
from typing import NamedTuple

from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.base.nearest import nearest
from seqform.base.number import plain
from seqform.form.names import MOST_COMPARED, Named, Names

logger = logging.getLogger("seqform.matched")
"""Says what each pattern of a file or a mapping matched; the command line prints it."""

SHOWN = 3
"""Names of information sets that a message lists."""


class Match(NamedTuple):
    """What a name stands for.

    Parameters
    ----------
    player
        Whose information sets.
    name
        As it was given.
    infosets
        Their numbers, in order; at least one.
    is_exact
        Whether it is the name of one information set, and no pattern.
    """

    player: int
    name: Hashable
    infosets: tuple[int, ...]
    is_exact: bool

    def is_finer(self, other: Match) -> bool:
        """Return whether this is more exact than another one."""
        if self.is_exact != other.is_exact:
            return self.is_exact
        return len(self.infosets) < len(other.infosets) and set(self.infosets) < set(other.infosets)


class Matched(NamedTuple):
    """What a pattern matched, for people.

    Parameters
    ----------
    where
        Of it, such as a line of a file; may be empty.
    player, pattern
        Whose information sets, and the pattern.
    infosets
        How the information sets are written that it matched, and to which it has something to say;
        of very many the first only.
    """

    where: str
    player: int
    pattern: str
    infosets: Sequence[str]

    def log(self) -> Matched:
        """Say so to whoever listens; return itself."""
        logger.info("%s", self)
        return self

    def __str__(self) -> str:
        count = len(self.infosets)
        names = ", ".join(self.infosets[:SHOWN]) + (", ..." if count > SHOWN else "")
        sets = "information set" if count == 1 else "information sets"
        return (
            f"{self.where}{self.pattern} of player {self.player} matches {count:,} {sets}: {names}"
        )


class Matcher:
    """Finds what the names of a user stand for among one player's information sets.

    Parameters
    ----------
    form
        The game.
    player
        Whose information sets.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> form = build_sequence_form(build_tree(make("leduc")))
    >>> print(Matcher(form, 1).told(Matcher(form, 1).match("K:check")))
    K:check of player 1 matches 2 information sets: Ks:check, Kh:check
    """

    def __init__(self, form: Named, player: int) -> None:
        self.names, self.player = Names(form, player), player

    def match(self, name: Hashable) -> Match:
        """Return what a name stands for.

        Raises
        ------
        InvalidStrategyError
            If it stands for nothing; with names that are near.
        """
        exact = self.names.find(name)
        if exact is not None:
            return Match(self.player, name, (exact,), True)
        found = tuple(self._matching(name)) if isinstance(name, str) else ()
        if isinstance(name, str) and not found:
            found = tuple(self._of_class(name))
        if not found:
            raise self._nothing(name)
        return Match(self.player, name, found, False)

    def captured(self, name: str, infoset: int) -> tuple[str, ...]:
        """Return what each star of a pattern stands for in the name of a set that it matches."""
        pattern = _capturing(name)
        for text in (self.names.texts[infoset], *self._by_kind[infoset : infoset + 1]):
            if found := pattern.fullmatch(text):
                return found.groups()
        return ()

    def told(self, match: Match, where: str = "", infosets: Sequence[int] | None = None) -> Matched:
        """Return what a pattern matched, for people; maybe only some of it."""
        numbers = match.infosets if infosets is None else infosets
        texts = tuple(self.names.texts[number] for number in numbers)
        return Matched(where, self.player, str(match.name), texts)

    def _matching(self, name: str) -> Iterator[int]:
        """Yield the sets whose name, or name by kinds of cards, is like a pattern."""
        matches = pattern_of(name).match
        for number, text in enumerate(self.names.texts):
            if matches(text) or (self._by_kind and matches(self._by_kind[number])):
                yield number

    def _of_class(self, name: str) -> Iterator[int]:
        """Yield the sets of hands that are written together, such as QQ+, at lines like another."""
        hand, line = class_and_line(name)
        if not hand:
            return
        try:
            meant = self.names.form.hands_meant(self.player, hand)
        except InvalidParameterError:
            return
        if not meant:
            return
        matches = pattern_of(line).match
        for number, text in enumerate(self.names.texts):
            held, _, there = text.partition(":")
            if held in meant and matches(there):
                yield number

    @cached_property
    def _by_kind(self) -> list[str]:
        """How sets are written with kinds in place of cards; empty if cards have none."""
        kinds = self.names.form.card_kinds
        return [_by_kinds(text, kinds) for text in self.names.texts] if kinds else []

    def _nothing(self, name: Hashable) -> InvalidStrategyError:
        if not isinstance(name, str) or not is_wild(name):
            try:
                self.names.infoset(name)
            except InvalidStrategyError as error:
                why = why_no_class(str(name), partial(self.names.form.hands_meant, self.player))
                return InvalidStrategyError(f"{error}{why}")
        known = [*dict.fromkeys([*self._by_kind[:MOST_COMPARED], *self.names.texts])]
        bare = str(name).replace("*", "").replace("?", "")
        near = nearest(bare, known[: 2 * MOST_COMPARED])
        some = [near] if near is not None else known[:SHOWN]
        return InvalidStrategyError(
            f"{plain(name)} matches no information set of player {self.player}; these are called "
            f"such as {', '.join(map(repr, some)) or 'nothing: the player has none'}"
        )


def asked(form: Named, name: str, players: Iterable[int]) -> dict[int, Match]:
    """Return what a name or pattern stands for, of each player of whom it does.

    Raises
    ------
    InvalidStrategyError
        If it stands for nothing of any of them.
    """
    found: dict[int, Match] = {}
    wrong: list[InvalidStrategyError] = []
    for player in players:
        if not form.treeplexes[player].num_infosets:
            continue
        try:
            found[player] = Matcher(form, player).match(name)
        except InvalidStrategyError as error:
            wrong.append(error)
    if not found:
        if not wrong:
            raise InvalidStrategyError("there is no information set to ask for")
        raise next((error for error in wrong if "did you mean" in str(error)), wrong[0])
    return found


def name_of(cards: str | Sequence[str], history: str) -> str:
    """Return the name or pattern that is asked for by a hand and a line of betting."""
    hand = cards if isinstance(cards, str) else " ".join(cards)
    return f"{hand}:{history}" if history or ":" not in hand else hand


def most_exact(matches: Sequence[Match]) -> list[int]:
    """Return the places of those matches than which no other is more exact."""
    return [
        place
        for place, one in enumerate(matches)
        if not any(other.is_finer(one) for other in matches)
    ]


def _by_kinds(text: str, kinds: Mapping[str, str]) -> str:
    cards, colon, line = text.partition(":")
    return " ".join(kinds.get(card, card) for card in cards.split(" ")) + colon + line


def is_wild(name: str) -> bool:
    """Return whether a text is a pattern, unless something is called so."""
    return has_signs(name) or name.startswith(":")


def has_signs(name: str) -> bool:
    """Return whether a text has a star or a question mark."""
    return "*" in name or "?" in name


def pattern_of(name: str) -> re.Pattern[str]:
    """Return the pattern as a regular expression; brackets are letters as all others."""
    whole = f"*{name}" if name.startswith(":") else name
    return re.compile(translate(whole.replace("[", "[[]")))


def class_and_line(name: str) -> tuple[str, str]:
    """Return what may be hands that are written together, and the line; nothing if it cannot be.

    Examples
    --------
    >>> class_and_line("QQ+:check-*"), class_and_line("Q*:check")
    (('QQ+', 'check-*'), ('', ''))
    """
    hand, colon, line = name.partition(":")
    return (hand, line) if colon and not has_signs(hand) else ("", "")


def why_no_class(name: str, meant: Callable[[str], object]) -> str:
    """Say why the beginning of a name stands for no hands, if that is what is wrong with it.

    Parameters
    ----------
    meant
        What `Named.hands_meant` is for the player.
    """
    hand, _ = class_and_line(name)
    try:
        if hand:
            meant(hand)
    except InvalidParameterError as error:
        return f"; {plain(hand)} is no hand, and stands for none: {str(error).splitlines()[0]}"
    return ""


def _capturing(name: str) -> re.Pattern[str]:
    whole = f"*{name}" if name.startswith(":") else name
    signs = {"*": "(.*)", "?": "."}
    return re.compile("".join(signs.get(s) or re.escape(s) for s in whole), re.DOTALL)
