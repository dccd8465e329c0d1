"""Rows of users: what they say of the actions of information sets, by names or by patterns.

A row names a player, an information set or a pattern (`seqform.form.patterns`), an action, and a
probability. All rows with one name belong together. In each information set the rows of the most
exact name count, and no others. Where two count that do not agree, both are named and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite, isnan
from typing import Any, NamedTuple

import numpy as np

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.nearest import hint
from seqform.base.number import plain, ratio
from seqform.form.names import player_number
from seqform.form.patterns import Match, Matched, Matcher, most_exact
from seqform.form.sequence_form import SequenceForm


class GivenRow(NamedTuple):
    """What is said of one action, and where."""

    player: Any
    infoset: Hashable
    action: Hashable
    probability: Any
    where: str


class _Row(NamedTuple):
    """A row of a pattern: the action, the number, and where it is."""

    action: Hashable
    number: Any
    where: str


class _Pattern(NamedTuple):
    """A pattern and its rows, one for each action that it names."""

    match: Match
    rows: dict[str, _Row]
    where: str

    @property
    def here(self) -> str:
        """Where it begins, and itself, for error messages."""
        return f"{self.where}{plain(self.match.name)}"


class GivenRows:
    """Collects rows, and writes what they say.

    Parameters
    ----------
    form
        The game.
    targets
        For each player a number for each sequence, None or NaN where nothing is said; written to.
    number
        Returns what a probability is written as, from how it is given; None or NaN for nothing.
    patterns
        Whether patterns are taken; else every row names one information set.
    """

    def __init__(
        self,
        form: SequenceForm,
        targets: Sequence[Any],
        number: Callable[[Any], Any],
        patterns: bool = True,
    ) -> None:
        self._takes_patterns = patterns
        self.form, self._targets, self._number = form, targets, number
        self.matchers = [Matcher(form, player) for player in range(form.num_players)]
        self._seen: dict[tuple[int, int], str] = {}
        self._patterns: dict[tuple[int, str], _Pattern] = {}

    def enter(self, lines: Iterable[GivenRow]) -> tuple[Matched, ...]:
        """Write what lines say, in any order; return what their patterns matched.

        Raises
        ------
        InvalidStrategyError
            If a line names a player, information set or action that is not there, or one twice; if
            a number is none; or if two patterns do not agree of which none is more exact.
        """
        for line in lines:
            check_time("reading a strategy")
            try:
                self._enter(line)
            except InvalidStrategyError as error:
                raise InvalidStrategyError(f"{line.where}{error}") from None
        return tuple(told for player in range(self.form.num_players) for told in self._fill(player))

    def _enter(self, line: GivenRow) -> None:
        player = player_number(line.player, self.form.num_players, self.form.player_names)
        matcher = self.matchers[player]
        match = matcher.match(line.infoset)
        if not match.is_exact:
            if not self._takes_patterns:
                matcher.names.infoset(line.infoset)  # which says that there is none of that name
            self._enter_pattern(match, line)
            return
        (infoset,), names = match.infosets, matcher.names
        sequence = names.sequence(infoset, line.action)
        if (player, sequence) in self._seen:
            raise _twice(names.of(infoset), line.action, self._seen[player, sequence])
        self._seen[player, sequence] = line.where
        self._targets[player][sequence] = self._read(lambda: names.of(infoset), line)

    def _enter_pattern(self, match: Match, line: GivenRow) -> None:
        key = match.player, str(match.name)
        pattern = self._patterns.setdefault(key, _Pattern(match, {}, line.where))
        of, action = f"player {match.player}, pattern {plain(match.name)}", str(line.action)
        if action in pattern.rows:
            raise _twice(of, line.action, pattern.rows[action].where)
        if not any(self._sequence(match.player, h, line.action) for h in match.infosets):
            raise self._no_action(match, line.action)
        pattern.rows[action] = _Row(line.action, self._read(lambda: of, line), line.where)

    def _read(self, of: Callable[[], str], line: GivenRow) -> Any:
        try:
            return self._number(line.probability)
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{of()}, action {plain(line.action)}: {error}") from None

    def _sequence(self, player: int, infoset: int, action: Hashable) -> int | None:
        return self.matchers[player].names.find_sequence(infoset, action)

    def _no_action(self, match: Match, action: Hashable) -> InvalidStrategyError:
        texts = dict.fromkeys(
            text for h in match.infosets for text in self.form.action_texts(match.player, h)
        )
        return InvalidStrategyError(
            f"none of the {len(match.infosets):,} information sets that {plain(match.name)} of "
            f"player {match.player} matches has an action {plain(action)}"
            f"{hint(str(action), texts)}; use {', '.join(texts)}"
        )

    def _fill(self, player: int) -> list[Matched]:
        """Write what the patterns of a player say, where no row says it by the name of a set."""
        patterns = [pattern for (of, _), pattern in self._patterns.items() if of == player]
        asked: dict[int, list[int]] = {}
        for place, pattern in enumerate(patterns):
            for infoset in pattern.match.infosets:
                asked.setdefault(infoset, []).append(place)
        found: dict[tuple[int, ...], list[int]] = {}
        used: list[list[int]] = [[] for _ in patterns]
        for infoset, places in sorted(asked.items()):
            said = [p for p in places if self._numbers(patterns[p], infoset)]
            if not said:
                continue
            for place in said:
                used[place].append(infoset)
            key = tuple(said)
            if key not in found:
                found[key] = most_exact([patterns[place].match for place in said])
            self._write([patterns[said[at]] for at in found[key]], infoset)
        told = zip(patterns, used, strict=True)
        of = self.matchers[player]
        return [of.told(p.match, p.where, sets).log() for p, sets in told if sets]

    def _numbers(self, pattern: _Pattern, infoset: int) -> dict[int, Any]:
        """Return what a pattern says of the sequences of an information set."""
        player = pattern.match.player
        each = (
            (self._sequence(player, infoset, r.action), r.number) for r in pattern.rows.values()
        )
        return {sequence: number for sequence, number in each if sequence is not None}

    def _write(self, patterns: Sequence[_Pattern], infoset: int) -> None:
        """Write what the most exact patterns say of a set, unless it is given by its name."""
        first, *others = patterns
        player, target = first.match.player, self._targets[first.match.player]
        start, stop = self.form.treeplexes[player].first_sequence[infoset : infoset + 2].tolist()
        if not all(is_silent(target[sequence]) for sequence in range(start, stop)):
            return
        numbers = self._numbers(first, infoset)
        for other in others:
            if not _agree(numbers, self._numbers(other, infoset)):
                raise InvalidStrategyError(
                    f"{self.matchers[player].names.of(infoset)}: {first.here} and "
                    f"{other.here.removeprefix(': ')} both match it, say different things, and "
                    "none is more exact; give this information set a row of its own"
                )
        for sequence, number in numbers.items():
            target[sequence] = number


def _twice(of: str, action: Hashable, before: str) -> InvalidStrategyError:
    first = before.removesuffix(": ")
    return InvalidStrategyError(
        f"{of}: the action {plain(action)} is given twice"
        + (f", first in {first}" if first else "")
    )


def _agree(one: dict[int, Any], other: dict[int, Any]) -> bool:
    if one.keys() != other.keys():
        return False
    pairs = ((one[sequence], other[sequence]) for sequence in one)
    return all(a == b or (is_silent(a) and is_silent(b)) for a, b in pairs)


def is_silent(number: Any) -> bool:
    """Return whether a number says nothing: None, or NaN."""
    return number is None or (isinstance(number, (float, np.floating)) and isnan(number))


def probability(given: Any) -> float:
    """Return a probability from a number, or from the text of one.

    A text is a decimal number, a fraction, or one of them in percent. The decimal point may be a
    comma.

    Raises
    ------
    InvalidStrategyError
        If it is none, or negative.

    Examples
    --------
    >>> probability("1/4"), probability(1), probability("35%"), probability("0,5")
    (0.25, 1.0, 0.35, 0.5)
    """
    try:
        is_ratio = isinstance(given, str) and any(sign in given for sign in "/%,")
        number = float(ratio(given) if is_ratio else given)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        number = float("nan")
    if not isfinite(number) or number < 0 or isinstance(given, bool):
        shown = number if isinstance(given, Decimal) else given
        raise InvalidStrategyError(f"{plain(shown)} is not a probability")
    return number


def exact_probability(given: Any) -> Fraction:
    """Return a probability as the fraction that it is: a decimal number means what it says.

    Raises
    ------
    InvalidStrategyError
        As `probability`; or if it has more places than fractions are made of.
    """
    probability(given)  # refuses what is none
    if not isinstance(given, (str, Decimal)):
        return Fraction(given)
    try:
        return ratio(str(given))
    except ValueError:
        raise InvalidStrategyError(
            f"{plain(str(given))} has too many places for a fraction: use fewer, or 0"
        ) from None
