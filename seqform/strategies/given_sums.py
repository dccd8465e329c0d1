"""Probabilities as they were given: what follows from them, and that each set sums to 1.

Where the actions that are given sum to 1, the others have probability 0. Where all actions but one
are given, that one has what is left to 1. So a set is given as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import isnan

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.errors import (
    InvalidStrategyError,
)
from seqform.base.number import plain
from seqform.base.summary import counted
from seqform.form.names import Names
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.strategies.exactly import (
    MOST_SEQUENCES,
)
from seqform.strategies.given import GivenStrategy

ROUNDING = 1e-6
"""How far from 1 the probabilities of an information set may sum: tables have six digits."""


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
