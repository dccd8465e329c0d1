"""What players were seen to do, and the model that this makes of one of them.

A table has a line for each decision that was seen, or for several that were alike::

    player,infoset,action,count
    1,K:bet,call,17

The column `count` may be left out, and then a line is one decision. Lines may repeat.

Hands that `seqform sample` wrote are read too, of games that have a tree. Of these only decisions
of the other seats are counted: those of the strategy that was judged are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.csv_table import cells_under, header_of, read_rows
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.base.number import check_player, plain
from seqform.form.names import Names
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.bend.model import Model, model_from
from seqform.strategies.given import player_number

COLUMNS = ("player", "infoset", "action")

HAND = ("seat", "deal", "actions")
"""The columns of a table of hands that are read."""

EXPECTED = (
    f"what was seen has {','.join(COLUMNS)} and, if it is to, count; or {','.join(HAND)}, as "
    "`seqform sample` writes hands"
)

LARGEST_COUNT = 10**15


@dataclass(frozen=True, eq=False)
class Observations:
    """How often each action was seen.

    Parameters
    ----------
    form
        The game.
    counts
        For each player int64 (num_sequences,): how often the last action of a sequence was taken.
    """

    form: SequenceForm
    counts: tuple[Index, ...]

    def model(
        self, player: int, prior: float = 0.0, threshold: float = 10.0, reliance: float = 1.0
    ) -> BiasedModel:
        """Return the model of a player: frequencies, and how far to rely on them.

        Parameters
        ----------
        player
            Who is modelled.
        prior
            Decisions that are counted as seen besides, evenly over the actions of each set.
        threshold
            From so many observations of an information set on its frequencies are relied on with
            probability `reliance`; with fewer in proportion (Johanson & Bowling 2009, Section 4).
        reliance
            The most that frequencies are relied on, from 0 to 1.

        Raises
        ------
        InvalidParameterError
            If a number is out of its range.
        """
        check_player(player, self.form.num_players)
        _check("prior", prior, 0, 1e9)
        _check("threshold", threshold, 0, 1e15)
        _check("reliance", reliance, 0, 1)
        vectors: list[Any] = [[None] * t.num_sequences for t in self.form.treeplexes]
        vectors[player], seen = self._frequencies(player, Fraction(prior))
        known = np.ones(len(seen)) if not threshold else np.minimum(1.0, seen / float(threshold))
        known[seen == 0] = 0.0
        model = model_from(vectors, self.form.zero_sum(), player)
        return BiasedModel(model, float(reliance) * known, seen)

    def _frequencies(self, player: int, prior: Fraction) -> tuple[list[Fraction], Index]:
        """Return the frequencies of actions, and how many decisions each set was seen in."""
        found, seen = [Fraction(1)], []
        for start, stop in pairwise(self.form.treeplexes[player].first_sequence.tolist()):
            here, count = self.counts[player][start:stop].tolist(), stop - start
            total = sum(here) + prior
            seen.append(sum(here))
            found += [
                (times + prior / count) / total if total else Fraction(1, count) for times in here
            ]
        return found, np.array(seen, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class BiasedModel:
    """A model that is relied on more where more was seen.

    Parameters
    ----------
    model
        The frequencies; uniform where nothing was seen.
    confidence
        float64 (num_infosets,): with what probability the player follows the model in each
        information set, whatever it does in others.
    seen
        int64 (num_infosets,): how many decisions were seen.
    """

    model: Model
    confidence: Floats
    seen: Index


def _check(name: str, value: Any, least: float, most: float) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and isfinite(value) and least <= value <= most):
        raise InvalidParameterError(f"{name}={value!r}: use a number from {least:g} to {most:g}")


def read_observations(path: Path | str, form: SequenceForm) -> Observations:
    """Read a table of decisions.

    Raises
    ------
    ResultFileError
        If the file is missing or cannot be read.
    InvalidStrategyError
        If it names a player, information set or action that the game does not have, a count is
        none, or nothing was seen.
    """
    path = Path(path)
    rows = read_rows(path)
    if set(HAND) <= set(header_of(rows)):
        from seqform.strategies.bend.observed_hands import count_hands

        counts = count_hands(cells_under(path, rows, HAND, EXPECTED), form)
        found = Observations(form, counts)
    else:
        found = observations(_lines(path, rows), form)
    if not any(counted.any() for counted in found.counts):
        raise InvalidStrategyError(f"{path} counts no decision: nothing was seen")
    return found


Seen = tuple[Any, Any, Any, Any, str]
"""Player, information set, action, count, and where that was said."""


def observations(lines: Iterable[Seen], form: SequenceForm) -> Observations:
    """Return what lines say was seen; errors as for `read_observations`."""
    names = [Names(form, player) for player in range(form.num_players)]
    counts = [np.zeros(treeplex.num_sequences, dtype=np.int64) for treeplex in form.treeplexes]
    for given, infoset, action, count, where in lines:
        check_time("reading what was seen")
        try:
            player = player_number(given, form.num_players)
            sequence = names[player].sequence(names[player].infoset(infoset), action)
            counts[player][sequence] += _count(count)
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{where}{error}") from None
    return Observations(form, tuple(counts))


def _count(given: Any) -> int:
    text = str(given).strip()
    if text.isdecimal():
        digits = text.lstrip("0") or "0"
        # Python reads no number of thousands of digits
        if len(digits) <= len(str(LARGEST_COUNT)) and int(digits) <= LARGEST_COUNT:
            return int(digits)
    raise InvalidStrategyError(
        f"{plain(given):.40} is not a count: use a whole number from 0 to 10^15"
    )


def _lines(path: Path, rows: list[list[str]]) -> Iterator[Seen]:
    counts = ["count"] if "count" in header_of(rows) else []
    for where, cells in cells_under(path, rows, [*COLUMNS, *counts], EXPECTED):
        player, infoset, action, count = [*cells, "1"][:4]
        yield player, infoset, action, count, where
