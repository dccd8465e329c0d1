"""Numbers of a game of hands at one public node, as a page's script shows them.

Rows are hands, or hands of one name together: sums and means as `seqform show --line` has them,
rounded to what it prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple, cast

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.strategies.analysis import PLAYED_FROM
from seqform.strategies.line.at_line import AtLine
from seqform.strategies.line.range_at import RangeAt

Json = dict[str, Any]

HAND = "hand"
"""What rows are put together by where each hand is one."""

TINY = 5e-4
"""Shares below it keep one digit, and others have three places."""


class Coding(NamedTuple):
    """What hands are put together by.

    Parameters
    ----------
    codes
        int64 (num_hands,): for each hand the number of its row's name.
    num_names
        How many names there are, at most.
    """

    codes: Index
    num_names: int


def numbers_at(at: AtLine, codings: Sequence[dict[str, Coding]], *, with_hands: bool) -> Json:
    """Return what is known of a node as JSON values.

    Parameters
    ----------
    codings
        For each player by name what hands are put together by.
    with_hands
        Whether each hand is a row, too; else there are only hands together.
    """
    return {
        "reach": amounts(np.array([at.reach]))[0],
        "ev": amounts(np.array(at.values)),
        "eq": shares(np.array(at.equity)),
        "often": frequencies(np.array(list(at.frequencies.values()))),
        "after": amounts(after_each(at.acting)),
        "sides": [
            _side(held, of, with_hands=with_hands)
            for held, of in zip(at.ranges, codings, strict=True)
        ],
    }


def after_each(acting: RangeAt) -> Floats:
    """Return what the player who acts can expect after each action, over the hands that take it.

    Returns
    -------
    after
        float64 (num_actions,); NaN after what is never done.

    Examples
    --------
    >>> from seqform import at_line, make, solve
    >>> at = at_line(solve(make("holdem", board="2c2d2h3c3d", oop="AA, QQ", ip="KK", pot=100,
    ...     stack=100, sizes="bet 100%")))
    >>> after_each(at.acting).round(6).tolist()  # queens check and get nothing
    [0.0, 100.0]
    """
    joint = acting.counts[:, None] * cast(Floats, acting.probabilities)
    often = joint.sum(axis=0)
    worth = (joint * np.nan_to_num(cast(Floats, acting.action_values))).sum(axis=0)
    found: Floats = np.divide(worth, often, out=np.full(len(often), np.nan), where=often > 0)
    return found


def _side(held: RangeAt, codings: dict[str, Coding], *, with_hands: bool) -> Json:
    found: Json = {name: together(held, of) for name, of in codings.items()}
    if with_hands:
        found[HAND] = together(held, Coding(np.arange(len(held.names)), len(held.names)))
    return found


def together(held: RangeAt, coding: Coding) -> Json:
    """Return rows of hands together, column by column; rows of the best equity come first.

    `name` is the number of each row's name, `n` how many hands it is, `never` has the places of
    rows that play never comes to. `p` and `v`, frequencies and values of actions, are row by row.
    """
    codes, count = coding.codes, coding.num_names
    num_hands = np.bincount(codes, minlength=count)
    share = np.bincount(codes, held.counts, count)
    counts = np.where(share[codes] > 0, held.counts, 1.0)
    weights: Floats = np.bincount(codes, held.weights, count) / np.fmax(num_hands, 1.0)
    equity = _means(held.equity, counts, coding)
    reached = np.bincount(codes[held.is_reached], minlength=count) > 0
    order = np.lexsort((-np.nan_to_num(equity, nan=-1.0), ~reached))
    order = order[num_hands[order] > 0]
    is_played = not np.isnan(held.shares).any()
    found = {
        "name": order.tolist(),
        "n": num_hands[order].tolist(),
        "weight": shares(weights[order]),
        "share": shares(share[order].astype(np.float64)) if is_played else [None] * len(order),
        "ev": amounts(_means(held.values, counts, coding)[order]),
        "eq": shares(equity[order]),
        "never": np.flatnonzero(~reached[order]).tolist(),
    }
    if held.probabilities is not None and held.action_values is not None:
        columns = [_means(column, counts, coding) for column in held.probabilities.T]
        found["p"] = shares(np.stack(columns, axis=1)[order].ravel())
        columns = [_means(column, counts, coding) for column in held.action_values.T]
        found["v"] = amounts(np.stack(columns, axis=1)[order].ravel())
    return found


def _means(numbers: Floats, counts: Floats, coding: Coding) -> Floats:
    """Return the weighted mean of each row; what is not defined does not count."""
    some = ~np.isnan(numbers)
    codes = coding.codes[some]
    total = np.bincount(codes, counts[some], coding.num_names)
    found = np.bincount(codes, (counts * numbers)[some], coding.num_names)
    means: Floats = np.divide(found, total, out=np.full(coding.num_names, np.nan), where=total > 0)
    return means


def shares(numbers: Floats) -> list[float | int | None]:
    """Return probabilities in three places; below `TINY` in one digit, if they are played at all.

    Examples
    --------
    >>> shares(np.array([0.21649, 1.0, 0.00004, 1e-12, np.nan]))
    [0.216, 1, 4e-05, 0, None]
    """
    return [_share(number) for number in numbers.tolist()]


def frequencies(numbers: Floats) -> list[float | int | None]:
    """Return how often actions are taken in four digits; 0 is what is never played.

    Examples
    --------
    >>> frequencies(np.array([0.216494, 0.000041237, 1e-12, np.nan]))
    [0.2165, 4.124e-05, 0, None]
    """
    return amounts(np.where(numbers < PLAYED_FROM, 0.0, numbers))


def _share(number: float) -> float | int | None:
    if isnan(number):
        return None
    if number < TINY:
        return float(f"{number:.0e}") if number >= PLAYED_FROM else 0
    return _short(round(number, 3))


def amounts(numbers: Floats) -> list[float | int | None]:
    """Return amounts in four digits; what is not defined is None.

    Examples
    --------
    >>> amounts(np.array([129.549, -0.05, np.nan, 1234567.0]))
    [129.5, -0.05, None, 1235000]
    """
    return [None if isnan(n) else _short(float(f"{n:.4g}")) for n in numbers.tolist()]


def _short(number: float) -> float | int:
    return int(number) if number == int(number) else number
