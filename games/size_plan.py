"""Which sizes a player may bet or raise on each street, written as one text.

A plan is a list of clauses between semicolons. Each says for whom, on which street and in which
situation, and then the sizes between commas, as in `games.bet_sizes`, or ``none``::

    bet 50%,100%,a; raise 50%,100%,a
    flop bet 60%,a; turn bet e; river bet 75%,a; raise 2.5x
    bet 50%; oop turn donk 33%; ip raise none; cap 4

* ``oop`` is player 0, who is out of position and acts first on every street, and ``ip`` player 1;
  where neither is said both are meant.
* ``flop``, ``turn`` or ``river``; where none is said all are meant.
* ``bet`` where nobody has bet on this street, and ``raise`` where somebody has. ``donk`` is a bet
  of player 0, who begins a street after player 1 made the last bet or raise of the street before.
* ``cap 4`` allows so many bets and raises on a street, by both players together.

A later clause overrides an earlier one, so general clauses come first. What no clause speaks of is
not allowed, but for donk bets: without a clause they have the sizes of other bets, and
``donk none`` forbids them. Where nobody is to bet at all it must be said: ``bet none``. Without a
cap only stacks are a limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from games.bet_sizes import MULTIPLE, BetSize, read_size
from seqform.base.errors import InvalidParameterError
from seqform.base.nearest import hint

STREETS = ("flop", "turn", "river")
POSITIONS = ("oop", "ip")
BET, RAISE, DONK, CAP = "bet", "raise", "donk", "cap"
WORDS = (*POSITIONS, *STREETS, BET, RAISE, DONK, CAP)

MOST_BETS = 1000
"""Of a cap."""

Place = tuple[str, str, str]
"""Position, street and situation."""


class Clause(NamedTuple):
    """One clause.

    Parameters
    ----------
    situation
        `BET`, `RAISE`, `DONK` or `CAP`.
    sizes
        What may be bet, in the order written; empty for `CAP` and ``none``.
    position, street
        Whom and which street it is about; empty where all are meant.
    cap
        Bets and raises of a street, for `CAP`.
    """

    situation: str
    sizes: tuple[BetSize, ...] = ()
    position: str = ""
    street: str = ""
    cap: int = 0

    def __str__(self) -> str:
        """Return the clause as it is written."""
        sizes = ",".join(map(str, self.sizes)) or "none"
        said = str(self.cap) if self.situation == CAP else sizes
        return " ".join(word for word in (self.position, self.street, self.situation, said) if word)

    def places(self) -> list[Place]:
        """Return what the clause is about."""
        positions = (self.position,) if self.position else POSITIONS
        if self.situation in (CAP, DONK):
            positions = POSITIONS[:1]
        streets = (self.street,) if self.street else STREETS
        return list(product(positions, streets, (self.situation,)))


@dataclass(frozen=True)
class SizePlan:
    """The sizes of all players, streets and situations.

    Examples
    --------
    >>> plan = read_plan("bet 50%, a; river bet 75%; raise 2.5x; cap 3")
    >>> [str(size) for size in plan.sizes("oop", "turn", "bet")], plan.cap("river")
    (['50%', 'a'], 3)
    >>> str(plan)
    'bet 50%,a; river bet 75%; raise 2.5x; cap 3'
    """

    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        """Return the plan as it is written."""
        return "; ".join(map(str, self.clauses))

    @cached_property
    def said(self) -> dict[Place, Clause]:
        """The last clause about each position, street and situation, where there is one."""
        return {place: clause for clause in self.clauses for place in clause.places()}

    def sizes(self, position: str, street: str, situation: str) -> tuple[BetSize, ...]:
        """Return what a player may bet, or raise."""
        found = self.said.get((position, street, situation))
        if found is None and situation == DONK:
            found = self.said.get((position, street, BET))
        return found.sizes if found else ()

    def silent_on(self, streets: Sequence[str]) -> list[str]:
        """Return the streets of which no clause says what is bet, by whom ever."""
        bets = {street for _, street, situation in self.said if situation == BET}
        return [street for street in streets if street not in bets]

    def cap(self, street: str) -> int | None:
        """Return how many bets and raises a street has at most; None for any number."""
        found = self.said.get((POSITIONS[0], street, CAP))
        return found.cap if found else None


def read_plan(text: str) -> SizePlan:
    """Return the plan that a text says.

    Raises
    ------
    InvalidParameterError
        With the place, what was expected there, and what was found.
    """
    clauses, begins, place = [], [], 0
    for part in text.split(";"):
        if part.strip():
            clauses.append(_ClauseReader(text, place, place + len(part)).read())
            begins.append(place + _indent(part))
        place += len(part) + 1
    plan = SizePlan(tuple(clauses))
    heard = {id(clause) for clause in plan.said.values()}
    for clause, begin in zip(clauses, begins, strict=True):
        if id(clause) not in heard:
            raise _error(
                begin,
                f"the clause '{clause}' is overridden by later ones; write general ones first",
            )
    return plan


def _indent(text: str) -> int:
    """Return how many blanks a text begins with."""
    return len(text) - len(text.lstrip())


def _error(place: int, why: str) -> InvalidParameterError:
    return InvalidParameterError(f"sizes, character {place + 1}: {why}")


class _ClauseReader:
    """Reads one clause, word by word."""

    def __init__(self, text: str, begin: int, end: int) -> None:
        self.text, self.at, self.end = text, begin, end
        self.word_at = begin

    def read(self) -> Clause:
        """Return the clause."""
        position = street = ""
        while (word := self._word()) in (*POSITIONS, *STREETS):
            if (word in POSITIONS and position) or (word in STREETS and street):
                raise _error(self.word_at, f"{word!r} comes after {position or street!r}; say one")
            position, street = (word, street) if word in POSITIONS else (position, word)
        if word not in (BET, RAISE, DONK, CAP):
            expected = "expected bet, raise, donk or cap"
            meant = hint(word, WORDS) or ", as in 'bet 50%,a; raise 2.5x'"
            raise _error(self.word_at, f"{expected}, found {word!r:.40}{meant}")
        self._check_position(position, word)
        if word == CAP:
            return Clause(CAP, street=street, cap=self._cap())
        position = "" if word == DONK else position
        return Clause(word, self._sizes(word), position, street)

    def _word(self) -> str:
        rest = self._rest()
        self.word_at = self.at + _indent(rest)
        word = rest.split(maxsplit=1)[0] if rest.strip() else ""
        self.at = self.word_at + len(word)
        return word

    def _rest(self) -> str:
        return self.text[self.at : self.end]

    def _check_position(self, position: str, situation: str) -> None:
        if situation == CAP and position:
            raise _error(self.word_at, "a cap is on the bets of both players: leave out the player")
        if situation == DONK and position == "ip":
            raise _error(self.word_at, "only oop can make a donk bet")

    def _cap(self) -> int:
        begin, word = self.at + _indent(self._rest()), self._rest().strip()
        if not re.fullmatch(r"[0-9]{1,4}", word) or int(word) > MOST_BETS:
            raise _error(begin, f"expected a number from 0 to {MOST_BETS}, found {word!r:.40}")
        return int(word)

    def _sizes(self, situation: str) -> tuple[BetSize, ...]:
        if self._rest().strip() == "none":
            return ()
        sizes: list[BetSize] = []
        place = self.at
        for part in self._rest().split(","):
            sizes.append(_size(part.strip(), place + _indent(part), situation, sizes))
            place += len(part) + 1
        return tuple(sizes)


def _size(text: str, place: int, situation: str, before: list[BetSize]) -> BetSize:
    try:
        size = read_size(text)
    except InvalidParameterError as error:
        raise _error(place, str(error)) from None
    if size.kind == MULTIPLE and situation != RAISE:
        raise _error(
            place, f"'{size}' is of the bet before, and a {situation} has none; use percent"
        )
    if size in before:
        raise _error(place, f"'{size}' stands there twice")
    return size
