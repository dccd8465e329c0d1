"""Strategies read as a user gives them: from a file or from Python, maybe for some situations only.

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
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    UnsupportedGameError,
)
from seqform.base.number import plain
from seqform.base.summary import counted
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.exactly import (
    as_fraction,
)
from seqform.strategies.given import GivenStrategy
from seqform.strategies.given_files import lines_of, lines_of_mapping
from seqform.strategies.given_rows import GivenRow, GivenRows, probability
from seqform.strategies.given_sums import checked

MOST_SETS = 5_000_000
"""Information sets of a game whose strategies are given one by one; each takes some microseconds,
and a name."""


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
