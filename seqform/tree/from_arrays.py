"""Games in which everybody chooses once, seeing nothing: from arrays of payoffs to a tree.

Players choose one after the other, and nobody sees what was chosen before. The tree has a level for
each player, and its leaves are the entries of the arrays, the last player's action changing first.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from seqform.base.arrays import Ints, Numbers
from seqform.base.errors import InvalidGameError, InvalidParameterError
from seqform.base.interner import Interner
from seqform.base.memory import require_memory
from seqform.base.number import Number, as_number, plain
from seqform.game.checks import checked_actions
from seqform.game.rules import TERMINAL
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

INFOSET = "strategy"
"""What every player decides on."""

BYTES_PER_COMBINATION = 400
"""Peak memory for each entry of the arrays, measured on a million."""


def matrix_game(
    *payoffs: Any, actions: Sequence[Sequence[Hashable]] | None = None, unit: str = "units"
) -> GameTree:
    """Return the game in which all players choose at once, from what combinations pay them.

    Parameters
    ----------
    payoffs
        For each of n players an n-dimensional array, or nested lists, of one shape: entry ``[i, j,
        ...]`` is what the player gets if player 0 takes action i, player 1 action j, and so on. One
        matrix alone is of a zero-sum game of two players. Integers and fractions stay exact.
    actions
        For each player the names of the actions; by default 1, 2, ...
    unit
        What payoffs are counted in.

    Raises
    ------
    InvalidParameterError
        If the arrays do not have one shape, with an axis for each player, or names do not fit.
    InvalidGameError
        If an entry is not a number.
    GameTooLargeError
        If the memory does not suffice.

    Examples
    --------
    >>> from seqform import solve, to_arrays
    >>> dilemma = matrix_game([[2, 0], [3, 1]], [[2, 3], [0, 1]], actions=[["C", "D"], ["C", "D"]])
    >>> solve(dilemma).profile[0, "strategy", "D"]
    1.0
    >>> to_arrays(dilemma)[1].tolist()
    [[Fraction(2, 1), Fraction(3, 1)], [Fraction(0, 1), Fraction(1, 1)]]
    """
    tables = [_table(numbers, player) for player, numbers in enumerate(payoffs)]
    if len(tables) == 1 and tables[0].ndim == 2:
        tables.append(-tables[0])
    if not tables or any(of.ndim != len(tables) for of in tables) or not tables[0].size:
        raise InvalidParameterError(
            f"arrays of shape {', '.join(str(of.shape) for of in tables) or '()'} are not of a "
            "game: give each of n players an array with n axes, and an entry at least"
        )
    shape = tables[0].shape
    if any(of.shape != shape for of in tables):
        raise InvalidParameterError(
            f"arrays of the shapes {', '.join(str(of.shape) for of in tables)} are not of one game"
        )
    names = [list(map(str, range(1, 1 + count))) for count in shape] if actions is None else actions
    _check_names(names, shape)
    rows = list(zip(*(of.reshape(-1).tolist() for of in tables), strict=True))
    return validate(simultaneous_tree(rows, names, unit))


def simultaneous_tree(
    rows: Sequence[tuple[Number, ...]], names: Sequence[Sequence[Hashable]], unit: str
) -> GameTree:
    """Return the tree of a game in which all choose at once.

    Parameters
    ----------
    rows
        What each combination of actions pays each player, the last player's action changing first.
    names
        For each player the names of the actions.
    unit
        What payoffs are counted in.

    Raises
    ------
    GameTooLargeError
        If the memory does not suffice.
    """
    counts = [len(of) for of in names]
    require_memory(
        BYTES_PER_COMBINATION * len(rows), f"a tree of {len(rows):,} combinations", "use fewer"
    )
    sizes = [1, *accumulate(counts, mul)]  # of the levels
    starts = [0, *accumulate(sizes)]
    labels, distinct = Interner(), Interner()
    columns: dict[str, list[Ints]] = {name: [] for name in ("parent", "label", "first_child")}
    columns |= {name: [] for name in ("num_children", "player", "infoset")}
    for depth, size in enumerate(sizes):
        is_last = depth == len(counts)
        nodes = np.arange(size, dtype=np.int32)
        above = np.zeros(1, dtype=np.int32) - 1
        label = above
        if depth:
            above = starts[depth - 1] + nodes // counts[depth - 1]
            codes = np.array([labels(name) for name in names[depth - 1]], dtype=np.int32)
            label = np.tile(codes, size // counts[depth - 1])
        count = 0 if is_last else counts[depth]
        columns["parent"].append(above)
        columns["label"].append(label)
        columns["first_child"].append(
            np.full(size, -1) if is_last else starts[depth + 1] + nodes * count
        )
        columns["num_children"].append(np.full(size, count))
        columns["player"].append(np.full(size, TERMINAL if is_last else depth))
        columns["infoset"].append(np.full(size, -1 if is_last else depth))
    paid = np.full(starts[-1], -1)
    paid[starts[-2] :] = [distinct(row) for row in rows]
    table: Any = distinct.values()
    return GameTree.from_columns(
        {name: np.concatenate(parts) for name, parts in columns.items()}
        | {"payoff": paid, "probability": np.full(len(paid), -1)},
        num_players=len(counts),
        probabilities=(),
        payoffs=table,
        labels=labels.values(),
        infoset_labels=(INFOSET,) * len(counts),
        unit=unit,
    )


def _table(numbers: Any, player: int) -> Numbers:
    """Return payoffs as an array of numbers, each of its own kind."""
    try:
        found = np.asarray(numbers, dtype=object)
    except ValueError:
        raise InvalidParameterError(
            f"player {player}'s payoffs are no array: its rows are not equally long"
        ) from None
    checked = np.empty(found.shape, dtype=object)
    for place, number in np.ndenumerate(found):
        if isinstance(number, (list, tuple)):
            raise InvalidParameterError(
                f"player {player}'s payoffs are no array: its rows are not equally long"
            )
        try:
            checked[place] = as_number(number)
        except InvalidGameError as error:
            where = ", ".join(map(str, place))
            raise InvalidGameError(f"{error}, in [{where}] of player {player}") from None
    return checked


def _check_names(names: Any, shape: tuple[int, ...]) -> None:
    try:
        given = [len(of) for of in names]
    except TypeError:
        given = []
    if given != list(shape):
        raise InvalidParameterError(
            f"actions={plain(names)}: name {' and '.join(map(str, shape))} actions, those of each "
            "player in a list of its own"
        )
    for of in names:
        checked_actions(of)
