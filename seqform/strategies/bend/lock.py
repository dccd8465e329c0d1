"""Locks: what players do in some information sets, whatever they would like to do there.

A lock is given as a strategy is (`seqform/strategies/given.py`), in a table, as JSON or in Python.
It may fix some actions of an information set only: the others share what is left. So a probability
of 0 bars an action. Numbers are fractions: a decimal number means what it says, and a float the
rational number that it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.base.number import fraction_text, plain
from seqform.form.lock import Fixed, Lock
from seqform.form.names import Names
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.given import (
    ROUNDING,
    GivenStrategy,
    Said,
    lines_of,
    lines_of_mapping,
    player_number,
    probability,
)

LockGiven = Lock | GivenStrategy | Mapping[Any, Any] | Sequence[Any] | Path | str
"""How a lock is given to `solve`."""


def lock_from(given: LockGiven, form: SequenceForm) -> Lock:
    """Return a lock of a game, checked.

    Parameters
    ----------
    given
        A file; ``{(player, infoset, action): probability}``; a `GivenStrategy`; or one vector for
        each player, float64 (num_sequences,), with NaN for free actions.
    form
        The game.

    Raises
    ------
    ResultFileError
        If a file is missing or cannot be read.
    InvalidStrategyError
        If a player, information set or action is unknown or given twice, a number is no
        probability, or an information set is left without an action.
    InvalidParameterError
        If it is given by something else.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> form = build_sequence_form(build_tree(make("kuhn")))
    >>> lock_from({(0, "J:", "bet"): "1/3"}, form).counts
    (1, 0)
    >>> lock_from({(0, "J:", "bet"): 0, (0, "J:", "check"): 0}, form)
    Traceback (most recent call last):
    seqform.base.errors.InvalidStrategyError: player 0, information set 'J:': the lock leaves no ...
    """
    if isinstance(given, Lock):
        _check_same(given.form, form)
        return given
    if isinstance(given, GivenStrategy):
        _check_same(given.form, form)
        return _of_vectors(form, given.behaviors)
    if isinstance(given, (str, Path)):
        found = _of_lines(form, lines_of(Path(given)))
        if not any(found.counts):
            raise InvalidStrategyError(f"{given} fixes no probability: a lock has one at least")
        return found
    if isinstance(given, Mapping):
        return _of_lines(form, lines_of_mapping(given))
    if isinstance(given, Sequence):
        return _of_vectors(form, given)
    raise InvalidParameterError(
        f"lock={plain(given)}: give a file, a mapping from (player, infoset, action), "
        "or a vector for each player"
    )


def _check_same(given: SequenceForm, form: SequenceForm) -> None:
    sizes = [[t.num_sequences for t in of.treeplexes] for of in (given, form)]
    if given is not form and sizes[0] != sizes[1]:
        raise InvalidStrategyError("the lock is of another game")


def _of_lines(form: SequenceForm, lines: Iterable[Said]) -> Lock:
    names = [Names(form, player) for player in range(form.num_players)]
    fixed: list[Fixed] = [[None] * treeplex.num_sequences for treeplex in form.treeplexes]
    seen: set[tuple[int, int]] = set()
    for line in lines:
        check_time("reading a lock")
        try:
            player = player_number(line.player, form.num_players)
            infoset = names[player].infoset(line.infoset)
            sequence = names[player].sequence(infoset, line.action)
            if (player, sequence) in seen:
                of, action = names[player].of(infoset), plain(line.action)
                raise InvalidStrategyError(f"{of}: the action {action} is given twice")
            seen.add((player, sequence))
            fixed[player][sequence] = _fraction(line.probability)
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{line.where}{error}") from None
    return _checked(form, fixed)


def _of_vectors(form: SequenceForm, vectors: Sequence[Any]) -> Lock:
    treeplexes = form.treeplexes
    if [np.shape(v) for v in vectors] != [(t.num_sequences,) for t in treeplexes]:
        shapes = ", ".join(f"({t.num_sequences})" for t in treeplexes)
        raise InvalidStrategyError(f"a lock here is one vector for each player, of shapes {shapes}")
    return _checked(form, [[None, *map(_fraction, list(vector)[1:])] for vector in vectors])


def _fraction(given: Any) -> Fraction | None:
    """Return a probability as the fraction that it is; None where nothing is said."""
    if given is None or given == "" or (isinstance(given, (float, np.floating)) and isnan(given)):
        return None
    probability(given)  # refuses what is none
    return Fraction(given.strip() if isinstance(given, str) else given)


def _checked(form: SequenceForm, fixed: list[Fixed]) -> Lock:
    """Return the lock; a set that is fixed as a whole is made to sum to 1 exactly."""
    for player, treeplex in enumerate(form.treeplexes):
        names = Names(form, player)
        for infoset, here in _touched(treeplex.first_sequence.tolist(), fixed[player]):
            given = [fixed[player][sequence] for sequence in here]
            try:
                fixed[player][here.start : here.stop] = _settled(given)
            except InvalidStrategyError as error:
                raise InvalidStrategyError(f"{names.of(infoset)}: {error}") from None
    return Lock(form, tuple(fixed))


def _touched(first: list[int], fixed: Fixed) -> Iterator[tuple[int, range]]:
    """Yield the information sets in which something is fixed, and their sequences."""
    for infoset, (start, stop) in enumerate(pairwise(first)):
        if any(number is not None for number in fixed[start:stop]):
            yield infoset, range(start, stop)


def _settled(given: Fixed) -> Fixed:
    """Return the probabilities of one information set, or say why they are none."""
    total, free = sum(p for p in given if p is not None), given.count(None)
    if not free and not total:
        raise InvalidStrategyError(
            "the lock leaves no action: it bars all of them; leave one free, or give it a "
            "probability"
        )
    if total > 1 + ROUNDING or (not free and total < 1 - ROUNDING):
        what = "sum to" if not free else "of some actions alone sum to"
        raise InvalidStrategyError(
            f"the probabilities {what} {fraction_text(Fraction(total))}, "
            f"{'more than' if free else 'not'} 1"
        )
    if free and total <= 1:
        return given
    return [None if p is None else p / total for p in given]
