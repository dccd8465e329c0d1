"""Whether a correlated device is an equilibrium: from whatever somebody calls a device.

A table .csv has a line for each combination of pure strategies, called as `NormalForm.name` calls
them, or as their actions where players move once::

    strategy0,strategy1,probability
    yield,go,1/3
    go,yield,1/3
    yield,yield,1/3

For two players who move once it may be a matrix, with player 0's actions down and player 1's
across, and nothing in the corner::

    ,yield,go
    yield,1/3,1/3
    go,1/3,0
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.csv_table import cells_under, header_of, read_rows
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, ResultFileError
from seqform.base.number import plain
from seqform.base.summary import counted
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.concepts.correlated_files import COLUMNS as DRAWN_COLUMNS
from seqform.concepts.correlated_files import (
    DISTRIBUTION,
    PLAN,
    PLAN_COLUMNS,
    read_answer,
    read_mixture,
)
from seqform.form.correlation_plan import CorrelationPlan
from seqform.form.from_any import Formed, form_from
from seqform.form.sequence_form import SequenceForm
from seqform.form.strategy_mixture import StrategyMixture
from seqform.results.solution import Solution
from seqform.strategies.evaluate.device import (
    KINDS,
    Device,
    DeviceCheck,
    judge_device,
    require_two_players,
)
from seqform.strategies.exactly import as_fraction
from seqform.strategies.given_rows import probability
from seqform.strategies.given_sums import ROUNDING
from seqform.strategies.mixed import pure_plan, require_recall


def check_correlated_equilibrium(
    game: Formed, device: Any, kinds: Sequence[str] = tuple(KINDS)
) -> DeviceCheck:
    """Decide whether a device is a correlated equilibrium, and say what each deviation gains.

    For any number of players and any payoffs. It is exact where weights and the game are given in
    integers, fractions, or decimals in a text.

    Parameters
    ----------
    game
        Rules, a tree, or a sequence form.
    device
        Weights of combinations of reduced pure strategies: a mapping from a tuple with the name of
        a strategy for each player, as `NormalForm.name` has them, or of an action where the player
        moves once. Or an array with an axis for each player, if all move once. Or a solution or an
        answer of 'efce', 'efcce' or 'nfcce'. Or a file or folder, which `read_device` reads.
    kinds
        What to judge it by: 'ce', 'efce', 'efcce' and 'cce' (`seqform.strategies.evaluate.device`).

    Raises
    ------
    InvalidStrategyError
        If it is no device of this game.
    InvalidParameterError
        If it is nothing of the kind.
    UnknownNameError
        If there is no such concept.

    Examples
    --------
    >>> from seqform import matrix_game
    >>> chicken = matrix_game([[6, 2], [7, 0]], [[6, 7], [2, 0]], actions=[["yield", "go"]] * 2)
    >>> check = check_correlated_equilibrium(chicken, [["1/3", "1/3"], ["1/3", 0]])
    >>> check.is_equilibrium("ce"), check.values
    (True, (Fraction(5, 1), Fraction(5, 1)))
    >>> check_correlated_equilibrium(chicken, {("yield", "yield"): 1}).gains("cce")
    (Fraction(1, 1), Fraction(1, 1))
    """
    form = form_from(game)
    return judge_device(form, device_of(form, device), kinds)


def device_of(form: SequenceForm, device: Any) -> Device | CorrelationPlan:
    """Return a device as a distribution, or as a plan if only that is known.

    Errors are those of `check_correlated_equilibrium`.
    """
    if isinstance(device, (str, Path)):
        return read_device(device, form)
    if isinstance(device, Solution):
        device = device.answer
    if isinstance(device, CorrelatedAnswer):
        device = device.plan if device.mixture is None else device.mixture
    if isinstance(device, Device):
        return replace(device, form=form)
    if isinstance(device, CorrelationPlan):
        return device
    if isinstance(device, StrategyMixture):
        return _of_mixture(form, device)
    if isinstance(device, Mapping):
        return _of_named(form, ((names, weight, "") for names, weight in device.items()))
    if isinstance(device, (list, tuple, np.ndarray)):
        return _of_array(form, np.array(device, dtype=object))
    raise InvalidParameterError(
        "a device is a mapping from combinations of strategies, an array, a solution of efce, "
        f"efcce or nfcce, or a file, not {type(device).__name__}"
    )


def read_device(path: Path | str, form: SequenceForm) -> Device | CorrelationPlan:
    """Read a device from a table, or from the folder that `solve --method efce --out` wrote.

    Parameters
    ----------
    path
        A folder with `distribution.csv` or `strategy.csv`, one of these files, or a table as above.
    form
        The game.

    Raises
    ------
    ResultFileError
        If it is missing, damaged, or no such file.
    InvalidStrategyError
        If it is not of this game.
    """
    path = Path(path)
    if os.path.isdir(path):
        path = path / (DISTRIBUTION if os.path.exists(path / DISTRIBUTION) else PLAN)
    rows = read_rows(path)
    header = tuple(header_of(rows))
    if header == PLAN_COLUMNS and path.name == PLAN:
        require_two_players(form)
        return read_answer(form, path.parent)[0]
    if header == DRAWN_COLUMNS and path.name == DISTRIBUTION:
        require_two_players(form)
        found = read_mixture(form, path.parent)
        if found is not None:
            return _of_mixture(form, found)
    if header and not header[0]:
        return _of_named(form, _cells_of_matrix(path, rows))
    columns = [f"strategy{player}" for player in range(form.num_players)]
    expected = (
        f"a device has {','.join([*columns, 'probability'])}, or is a matrix with an empty corner"
    )
    lines = cells_under(path, rows, [*columns, "probability"], expected)
    return _of_named(form, ((tuple(cells[:-1]), cells[-1], where) for where, cells in lines))


def _cells_of_matrix(path: Path, rows: list[list[str]]) -> Iterator[tuple[Any, Any, str]]:
    """Yield the combinations of a matrix, and their weights."""
    across = header_of(rows)[1:]
    for number, (down, *cells) in enumerate((row for row in rows[1:] if any(row)), start=2):
        if len(cells) != len(across):
            raise ResultFileError(
                f"{path}, line {number}: {counted(len(cells), 'weight')} below "
                f"{counted(len(across), 'action')}"
            )
        for name, cell in zip(across, cells, strict=True):
            yield (down.strip(), name), cell, f"{path}, line {number}: "


def _of_named(form: SequenceForm, lines: Any) -> Device:
    """Return the device of combinations that are named, with their weights."""
    require_recall(form)
    found: dict[tuple[bytes, ...], tuple[list[Any], Any]] = {}
    for names, weight, where in lines:
        try:
            if not isinstance(names, tuple) or len(names) != form.num_players:
                raise InvalidStrategyError(
                    f"{plain(names)} is no combination of strategies: name one for each of "
                    f"{counted(form.num_players, 'player')}"
                )
            plans = [pure_plan(form, player, name) for player, name in enumerate(names)]
            probability(weight)
            key = tuple(plan.tobytes() for plan in plans)
            if key in found:
                raise InvalidStrategyError(f"{plain(names)} is given twice")
            found[key] = plans, weight
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{where}{error}") from None
    plans_of = [plans for plans, _ in found.values()]
    stacked = tuple(
        np.array([plans[player] for plans in plans_of], dtype=np.bool_).reshape(
            len(plans_of), treeplex.num_sequences
        )
        for player, treeplex in enumerate(form.treeplexes)
    )
    return Device(form, stacked, *_weights([weight for _, weight in found.values()]))


def _of_array(form: SequenceForm, weights: Any) -> Device:
    """Return the device of an array, of players who move once."""
    counts = tuple(int(treeplex.num_sequences) - 1 for treeplex in form.treeplexes)
    if any(treeplex.num_infosets != 1 for treeplex in form.treeplexes) or weights.shape != counts:
        raise InvalidStrategyError(
            f"an array of weights of shape {weights.shape} is for players who all move once, with "
            "as many actions; give a mapping from combinations of strategies"
        )
    names = [list(map(str, form.actions(player, 0))) for player in range(form.num_players)]
    return _of_named(
        form,
        (
            (tuple(names[player][i] for player, i in enumerate(place)), weight, "")
            for place, weight in np.ndenumerate(weights)
        ),
    )


def _of_mixture(form: SequenceForm, mixture: StrategyMixture) -> Device:
    mixture.check((form.treeplexes[0], form.treeplexes[1]))
    weights = [Fraction(int(n), mixture.denominator) for n in mixture.numerators.tolist()]
    return Device(form, mixture.plans, tuple(weights))


def _weights(given: Sequence[Any]) -> tuple[tuple[Fraction, ...], bool]:
    """Return weights as fractions, and whether they were given so; rounding of floats is undone."""
    exact = [as_fraction(number) for number in given]
    found = [number for number in exact if number is not None]
    if len(found) == len(exact):
        return tuple(found), True
    floats = [Fraction(probability(number)) for number in given]
    total = sum(floats, Fraction(0))
    if abs(total - 1) <= ROUNDING:
        return tuple(number / total for number in floats), False
    return tuple(floats), False
