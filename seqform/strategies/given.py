"""Strategies as a user gives them: from a file or from Python, maybe for some situations only.

A table has a line for each action of an information set::

    player,infoset,action,probability
    0,K:,check,1/3
    0,K:,bet,2/3

The lines, and the columns, may come in any order. Other columns, such as `reach`, are not read. A
probability is a decimal number or a fraction, maybe in percent: ``35%``. An empty one says nothing.
Semicolons may part the cells as well.

An information set may be a pattern, such as ``K*:*bet`` (`seqform.form.patterns`). A player may be
given by name.

The same as JSON::

    {"0": {"K:": {"check": "1/3", "bet": "2/3"}}}

Where the actions that are given sum to 1, the others have probability 0. Where all actions but one
are given, that one has what is left to 1. So a set is given as a whole or not at all. What is left
open is filled by a stated rule: `GivenStrategy.completed`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.csv_table import cells_under, read_rows
from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.base.number import plain
from seqform.base.summary import Rows, counted
from seqform.base.whole_file import reason
from seqform.form.names import Names
from seqform.form.patterns import Matched
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.strategies.exactly import (
    MOST_SEQUENCES,
    ExactStrategies,
    Fractions,
    as_fraction,
    filled_uniformly,
)
from seqform.strategies.given_rows import GivenRow, GivenRows, probability

ROUNDING = 1e-6
"""How far from 1 the probabilities of an information set may sum: tables have six digits."""

COLUMNS = ("player", "infoset", "action", "probability")

MOST_SETS = 5_000_000
"""Information sets of a game whose strategies are given one by one; each takes some microseconds,
and a name."""

RULES = ("uniform", "refuse")
"""How what is left open is filled, besides from another profile."""


@dataclass(frozen=True, eq=False)
class GivenStrategy:
    """A strategy as it was given, for one player or more, maybe for some information sets only.

    Parameters
    ----------
    form
        The game.
    behaviors
        For each player float64 (num_sequences,): probabilities, and NaN where nothing is said. The
        entry of the empty sequence is 1. An information set is given as a whole or not at all, and
        sums to 1 up to the last digit where it is.
    matched
        What each pattern matched, if it was given by patterns.
    fractions
        For each player the same probabilities in fractions, None where nothing is said. None if
        they were not given in fractions, for the reason that `inexact` has.
    inexact
        Why there are no fractions, for people.
    """

    form: SequenceForm
    behaviors: tuple[Floats, ...]
    matched: tuple[Matched, ...] = ()
    fractions: tuple[Fractions, ...] | None = None
    inexact: str = "it was given in floats"

    @property
    def is_complete(self) -> bool:
        """Whether something is said of every information set of every player."""
        return not any(np.isnan(behavior).any() for behavior in self.behaviors)

    @property
    def players(self) -> tuple[int, ...]:
        """The players of whom something is said, or who have nothing to decide."""
        counts = [treeplex.num_infosets for treeplex in self.form.treeplexes]
        return tuple(p for p, count in enumerate(counts) if len(self.missing(p)) < max(1, count))

    def missing(self, player: int) -> Index:
        """Return the numbers of the player's information sets of which nothing is said."""
        first = self.form.treeplexes[player].first_sequence[:-1]
        return np.flatnonzero(np.isnan(self.behaviors[player][first]))

    def completed(self, rule: str | Profile = "uniform") -> Profile:
        """Return the profile in which what is left open is filled by a rule.

        Parameters
        ----------
        rule
            ``"uniform"``: every action equally likely. ``"refuse"``: nothing may be left open. Or a
            profile of the game: as there, such as in an equilibrium.

        Raises
        ------
        UnknownNameError
            If there is no such rule.
        InvalidStrategyError
            If the rule is ``"refuse"`` and something is left open; it names the first information
            set. If the other profile is of another game.
        """
        filled = [
            np.where(np.isnan(behavior), other, behavior)
            for behavior, other in zip(self.behaviors, self._fillers(rule), strict=True)
        ]
        return self.form.profile(filled)

    def in_fractions(self, rule: str | Profile = "uniform") -> ExactStrategies | str:
        """Return the completed strategies in fractions, or why there are none.

        Parameters
        ----------
        rule
            As for `completed`, which sees to it that there is such a rule.
        """
        if self.fractions is None:
            return self.inexact
        if not self.is_complete and rule != "uniform":
            return "what it leaves open is filled from a strategy in floats"
        return filled_uniformly(self.form, self.fractions)

    def _fillers(self, rule: str | Profile) -> Sequence[Floats]:
        treeplexes = self.form.treeplexes
        if isinstance(rule, Profile):
            if [len(b) for b in rule.behaviors] != [t.num_sequences for t in treeplexes]:
                raise InvalidStrategyError("the profile to complete from belongs to another game")
            return rule.behaviors
        if rule not in RULES:
            raise UnknownNameError.of("rule to complete a strategy", str(rule), RULES)
        if rule == "refuse":
            self._refuse_missing()
        return [treeplex.uniform() for treeplex in treeplexes]

    def _refuse_missing(self) -> None:
        for player in range(self.form.num_players):
            missing = self.missing(player)
            if len(missing):
                raise InvalidStrategyError(
                    f"{Names(self.form, player).of(int(missing[0]))}: nothing is said of it, nor "
                    f"of {counted(len(missing) - 1, 'other')}; give them, or a rule to complete by"
                )


class LeftOpen(NamedTuple):
    """What a strategy left open, and how it was filled."""

    counts: tuple[int, ...]
    """For each player how many information sets nothing is said of."""
    rule: str
    """How they were filled, for people."""

    def rows(self) -> Rows:
        """Return what was left open, in a row if anything was.

        Examples
        --------
        >>> LeftOpen((0, 1), "uniformly").rows()
        [('left open, filled uniformly', '1 information set of player 1')]
        """
        parts = [
            f"{counted(count, 'information set')} of player {player}"
            for player, count in enumerate(self.counts)
            if count
        ]
        return [(f"left open, filled {self.rule}", ", ".join(parts))] if parts else []


NOTHING_OPEN = LeftOpen((), "")


def left_open(given: Profile | GivenStrategy, rule: str | Profile) -> LeftOpen:
    """Return what a strategy leaves open that is filled by a rule; nothing of a profile."""
    how = "as in another strategy" if isinstance(rule, Profile) else "uniformly"
    if not isinstance(given, GivenStrategy):
        return LeftOpen((), how)
    players = range(given.form.num_players)
    return LeftOpen(tuple(len(given.missing(player)) for player in players), how)


Choice = Mapping[Any, Any] | Sequence[Any] | None
"""The probabilities of an information set's actions: by action, or in order; None says nothing."""

Policy = Callable[[int, Hashable, tuple[Hashable, ...]], Choice]
"""What a callable is asked: player, information set and its actions."""


def read_given(path: Path | str, form: SequenceForm, *, patterns: bool = True) -> GivenStrategy:
    """Read a strategy from a table (.csv) or from JSON (.json); see above.

    Parameters
    ----------
    path, form
        The file, and the game.
    patterns
        Whether patterns are taken, and ranks in place of cards; else every row has to name one
        information set, as those of a saved result do.

    Raises
    ------
    ResultFileError
        If the file is missing or cannot be read as what its name says.
    InvalidStrategyError
        If it names a player, information set or action that the game does not have, or one twice;
        or if its probabilities are none.
    """
    return collect(form, lines_of(Path(path)), patterns=patterns)


def lines_of(path: Path) -> Iterator[GivenRow]:
    """Return what a table (.csv) or JSON (.json) says of each action.

    Raises
    ------
    ResultFileError
        As `read_given`, for some files not before they are read.
    """
    if path.suffix.lower() == ".json":
        return _json_lines(path)
    if path.suffix.lower() == ".csv":
        return _csv_lines(path)
    raise ResultFileError(f"{path}: a strategy is read from a table .csv or from .json")


def given_from(said: Mapping[Any, Any] | Policy, form: SequenceForm) -> GivenStrategy:
    """Return a strategy given in Python.

    Parameters
    ----------
    said
        ``{(player, infoset, action): probability}``, or a callable that is asked ``said(player,
        infoset, actions)`` of every information set. It returns a mapping from actions, or a
        sequence in their order; None says nothing.
    form
        The game.

    Raises
    ------
    InvalidStrategyError
        As `read_given`.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> form = build_sequence_form(build_tree(make("kuhn")))
    >>> never = given_from(lambda player, infoset, actions: (1,) + (0,) * (len(actions) - 1), form)
    >>> never.is_complete
    True
    >>> given_from({(0, "K:", "bet"): 0.5, (0, "K:", "check"): 0.4}, form)
    Traceback (most recent call last):
    seqform.base.errors.InvalidStrategyError: player 0, information set 'K:': ...
    """
    if isinstance(said, Mapping):
        return collect(form, lines_of_mapping(said))
    if callable(said):
        return collect(form, _asked(said, form))
    raise InvalidParameterError(
        f"a strategy is given by a mapping or a callable, not by {type(said).__name__}"
    )


def collect(
    form: SequenceForm, lines: Iterable[GivenRow], *, patterns: bool = True
) -> GivenStrategy:
    """Return the strategy that lines say, in any order; maybe without patterns.

    Raises
    ------
    InvalidStrategyError
        As `read_given`.
    UnsupportedGameError
        If the game has too many information sets.
    """
    size = sum(treeplex.num_infosets for treeplex in form.treeplexes)
    if size > MOST_SETS:
        raise UnsupportedGameError(
            f"{size:,} information sets are too many to be given one by one; of a signal game give "
            "a strategy by classes of hands (a saved result, or its strategy.npz)"
        )
    weights: list[list[_Weight | None]] = [[None] * t.num_sequences for t in form.treeplexes]
    rows = GivenRows(form, weights, _weight, patterns)
    matched = rows.enter(lines)
    behaviors = [np.array([nan if of is None else of.number for of in each]) for each in weights]
    exact = [[None if of is None else of.fraction for of in each] for each in weights]
    found = checked(form, behaviors, [of.names for of in rows.matchers], exact)
    return replace(found, matched=matched)


class _Weight(NamedTuple):
    """A probability as it was given."""

    number: float
    fraction: Fraction | None
    """The same, unless it was given in floats."""


def _weight(given: Any) -> _Weight | None:
    if given is None or given == "":
        return None
    return _Weight(probability(given), as_fraction(given))


def checked(
    form: SequenceForm,
    behaviors: Sequence[Floats],
    names: Sequence[Names] | None = None,
    exact: Sequence[Sequence[Fraction | None]] | None = None,
) -> GivenStrategy:
    """Return probabilities as a strategy, made to sum to 1.

    Parameters
    ----------
    form
        The game.
    behaviors
        For each player float64 (num_sequences,), at least 0, and NaN where nothing is said. They
        are changed.
    names
        Of each player, if they are known.
    exact
        For each player the same in fractions, None where a number is none, or nothing is said.

    Raises
    ------
    InvalidStrategyError
        If an information set does not sum to 1, or leaves more than one action open.
    """
    called = [names[player] if names else Names(form, player) for player in range(len(behaviors))]
    said = [~np.isnan(behavior) for behavior in behaviors]
    for of, behavior in zip(called, behaviors, strict=True):
        behavior[0] = 1.0
        _check_sums(form, of, behavior)
    found = GivenStrategy(form, tuple(behaviors))
    if exact is None:
        return found
    if sum(map(len, exact)) > MOST_SEQUENCES:
        return replace(found, inexact=f"it has more than {counted(MOST_SEQUENCES, 'sequence')}")
    fractions = []
    for of, behavior, numbers, given in zip(called, behaviors, exact, said, strict=True):
        here = _in_fractions(of, behavior, numbers, given)
        if isinstance(here, str):
            return replace(found, inexact=here)
        fractions.append(tuple(here))
    return replace(found, fractions=tuple(fractions))


def _in_fractions(
    names: Names, behavior: Floats, numbers: Sequence[Fraction | None], said: Mask
) -> list[Fraction | None] | str:
    """Return a player's probabilities, with those that follow from others; or why there are none.

    Where some were left out of a set, it was seen to that one number is left for them.
    """
    found: list[Fraction | None] = [Fraction(1)]
    first = names.form.treeplexes[names.player].first_sequence.tolist()
    for infoset, (start, stop) in enumerate(pairwise(first)):
        if isnan(behavior[start]):
            found += [None] * (stop - start)
            continue
        given = [numbers[sequence] for sequence in range(start, stop) if said[sequence]]
        if None in given:
            return f"{names.of(infoset)}: it was given in floats"
        left = 1 - sum(number for number in given if number is not None)
        if left and (left < 0 or stop - start - len(given) != 1):
            return f"{names.of(infoset)}: the probabilities as given sum to {1 - left}, not to 1"
        found += [numbers[s] if said[s] else Fraction(left) for s in range(start, stop)]
    return found


def _check_sums(form: SequenceForm, names: Names, behavior: Floats) -> None:
    """Fill what follows from what is given, check that sets sum to 1, and make them so exactly."""
    treeplex = form.treeplexes[names.player]
    if not treeplex.num_infosets:
        return
    _fill_left_out(form, names, behavior)
    silent, sums, count = _said(treeplex, behavior)
    said = count == 0
    wrong = np.flatnonzero(said & ~(np.abs(sums - 1) <= ROUNDING))
    if len(wrong):
        infoset = int(wrong[0])
        raise InvalidStrategyError(
            f"{names.of(infoset)}: the probabilities sum to {float(sums[infoset])!r}, not to 1"
        )
    filled = np.where(silent, treeplex.uniform(), behavior)
    filled[1:] /= np.repeat(np.where(said, sums, 1.0), treeplex.num_actions)
    behavior[~silent] = treeplex.normalize(filled)[~silent]


def _said(treeplex: Treeplex, behavior: Floats) -> tuple[Mask, Floats, Index]:
    """Return where nothing is said; and of each set, what is given in all, and what is not."""
    first, silent = treeplex.first_sequence[:-1], np.isnan(behavior)
    sums = np.add.reduceat(np.where(silent, 0.0, behavior), first)
    return silent, sums, np.add.reduceat(silent.astype(np.int64), first)


def _fill_left_out(form: SequenceForm, names: Names, behavior: Floats) -> None:
    """Write the probabilities that follow from others: what is left to 1, or 0 where nothing is."""
    treeplex = form.treeplexes[names.player]
    silent, sums, count = _said(treeplex, behavior)
    partly = (count > 0) & (count < treeplex.num_actions)
    if not partly.any():
        return
    _check_left_out(form, names, behavior, partly)
    left = np.where(np.abs(sums - 1) <= ROUNDING, 0.0, 1 - sums)
    each, where = (np.repeat(of, treeplex.num_actions) for of in (left, partly))
    behavior[1:] = np.where(where & silent[1:], each, behavior[1:])


def _check_left_out(form: SequenceForm, names: Names, behavior: Floats, partly: Mask) -> None:
    """Check that it is clear what actions get of which nothing is said where others are given."""
    first = form.treeplexes[names.player].first_sequence.tolist()
    for infoset in np.flatnonzero(partly).tolist():
        given = behavior[first[infoset] : first[infoset + 1]]
        total, silent = float(np.nansum(given)), np.flatnonzero(np.isnan(given)).tolist()
        if abs(total - 1) <= ROUNDING or (len(silent) == 1 and total < 1):
            continue
        texts = form.action_texts(names.player, infoset)
        left = ", ".join(plain(texts[place]) for place in silent)
        if total > 1:
            what = f"the probabilities sum to {total!r}, not to 1"
        else:
            what = (
                f"nothing is said of the actions {left}, which share what is left to 1; give all "
                f"but one of {names.list_actions(infoset)}, or none"
            )
        raise InvalidStrategyError(f"{names.of(infoset)}: {what}")


def _csv_lines(path: Path) -> Iterator[GivenRow]:
    expected = f"a strategy has {','.join(COLUMNS)}"
    for where, cells in cells_under(path, read_rows(path), COLUMNS, expected):
        player, infoset, action, said = cells
        yield GivenRow(player, infoset, action, said, where)


def _json_lines(path: Path) -> Iterator[GivenRow]:
    content, where = read_json(path), f"{path}: "
    for player, infosets in as_object(content, f"{where}it"):
        for infoset, actions in as_object(infosets, f"{where}player {player!r}"):
            of = f"{where}player {player}, information set {infoset!r}"
            for action, number in as_object(actions, of):
                yield GivenRow(player, infoset, action, number, where)


def read_json(path: Path) -> Any:
    """Read JSON in which an object is a list of pairs, so that nothing given twice is lost.

    Raises
    ------
    ResultFileError
        If the file is missing or is no JSON.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text, object_pairs_hook=Pairs, parse_float=Decimal)
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} cannot be read: {reason_of(error)}") from None


class Pairs(list[tuple[str, Any]]):
    """The names and values of a JSON object."""


def as_object(found: Any, what: str) -> Pairs:
    """Return the pairs of a JSON object.

    Raises
    ------
    ResultFileError
        If it is something else.
    """
    if not isinstance(found, Pairs):
        raise ResultFileError(
            f"{what} is not an object: a strategy is "
            '{"player": {"information set": {"action": probability}}}'
        )
    return found


def reason_of(error: Exception) -> str:
    """Say in a few words why a file cannot be read."""
    return reason(error) if isinstance(error, OSError) else str(error)


def lines_of_mapping(said: Mapping[Any, Any]) -> Iterator[GivenRow]:
    """Yield what a mapping says: ``{(player, infoset, action): probability}``."""
    for key, number in said.items():
        if not isinstance(key, tuple) or len(key) != 3:
            raise InvalidStrategyError(
                f"{plain(key)} is not a key of a strategy: use (player, infoset, action)"
            )
        yield GivenRow(*key, number, "")


def _asked(speaker: Policy, form: SequenceForm) -> Iterator[GivenRow]:
    for player, treeplex in enumerate(form.treeplexes):
        for infoset in range(treeplex.num_infosets):
            label, actions = form.infoset_label(player, infoset), form.actions(player, infoset)
            said = speaker(player, label, actions)
            if said is None:
                continue
            if not isinstance(said, Mapping):
                said = dict(zip(actions, _in_order(said, player, label, actions), strict=True))
            for action, number in said.items():
                yield GivenRow(player, label, action, number, "")


def _in_order(
    said: Any, player: int, label: Hashable, actions: tuple[Hashable, ...]
) -> Sequence[Any]:
    try:
        numbers = list(said)
    except TypeError:
        numbers = []
    if len(numbers) != len(actions):
        raise InvalidStrategyError(
            f"player {player}, information set {plain(label)}: what was returned is not "
            f"one probability for each of its {counted(len(actions), 'action')}"
        )
    return numbers
