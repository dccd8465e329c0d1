"""Files of a correlated equilibrium: its plan or pairs of strategies, and its multipliers.

Each row of `strategy.csv`, the plan, is a relevant pair of sequences whose weight is not 0, in the
order of the pairs. Sequences are numbered as in docs/data-model.md, and named by their last moves.
Numbers are fractions in lowest terms; integers from 2**53 on are hexadecimal. `distribution.csv`
has the pairs of pure strategies that a mediator draws from, with their weights; a strategy is
written as the numbers of the sequences that it plays, without the empty one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd
from pathlib import Path

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import ResultFileError
from seqform.base.number import over_common_denominator
from seqform.base.summary import counted
from seqform.concepts.correlated_bound import Deviations, Multipliers, Weights
from seqform.form.correlation_plan import CorrelationPlan
from seqform.form.relevant_pairs import RelevantPairs, relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.form.strategy_mixture import StrategyMixture

PLAN, BOUND = "strategy.csv", "bound.csv"

PLAN_COLUMNS = ("sequence0", "infoset0", "action0", "sequence1", "infoset1", "action1", "weight")
BOUND_COLUMNS = ("part", "player", "place", "sequence", "value")
"""Of `bound.csv`. Parts, in this order: `weight` of a player's payoff in the objective; `top`, the
price of the pair of empty sequences; `price` of a sum of pairs, its place; `deviation`: the weight
of a sequence after a trigger, its place."""

SHORT = 2**53
"""Integers from here on are hexadecimal, as in certificates."""

Parts = tuple[Weights | None, Multipliers | None]


def write_answer(
    form: SequenceForm,
    plan: CorrelationPlan,
    weights: Weights | None,
    multipliers: Multipliers | None,
    folder: Path,
) -> None:
    """Write a plan, and the multipliers if there are any, to a folder.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    with (folder / PLAN).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(PLAN_COLUMNS)
        names = [_names(form, player) for player in (0, 1)]
        mine, theirs = (column.tolist() for column in plan.pairs.pairs.sequences)
        for pair in np.flatnonzero(plan.numerators != 0).tolist():
            weight = number_text(int(plan.numerators[pair]), plan.denominator)
            moves = (mine[pair], *names[0][mine[pair]], theirs[pair], *names[1][theirs[pair]])
            writer.writerow((*moves, weight))
    if weights is not None:
        with (folder / BOUND).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(BOUND_COLUMNS)
            writer.writerows(_bound_rows(weights, multipliers))


def _names(form: SequenceForm, player: int) -> list[tuple[str, str]]:
    """Return information set and action of each sequence's last move; empty for the empty one."""
    names = [("", "")]
    for infoset in range(form.treeplexes[player].num_infosets):
        label = form.infoset_text(player, infoset)
        names += [(label, action) for action in form.action_texts(player, infoset)]
    return names


def _bound_rows(weights: Weights, found: Multipliers | None) -> Iterator[tuple[object, ...]]:
    for player, weight in enumerate(weights):
        yield "weight", player, "", "", number_text(weight.numerator, weight.denominator)
    if found is None:
        return
    yield "top", "", "", "", number_text(found.top, found.denominator)
    for player, prices in enumerate(found.prices):
        for place in np.flatnonzero(prices != 0).tolist():
            yield "price", player, place, "", number_text(int(prices[place]), found.denominator)
    for player, deviations in enumerate(found.deviations):
        for trigger, sequence, weight in zip(*deviations, strict=True):
            text = number_text(int(weight), found.denominator)
            yield "deviation", player, int(trigger), int(sequence), text


def read_answer(
    form: SequenceForm, folder: Path
) -> tuple[CorrelationPlan, Weights | None, Multipliers | None]:
    """Read what `write_answer` wrote.

    Raises
    ------
    ResultFileError
        If a file is missing, damaged, or of another game.
    """
    pairs = relevant_pairs(form)
    plan = _read_plan(form, pairs, folder / PLAN)
    if not (folder / BOUND).exists():
        return plan, None, None
    return plan, *_read_bound(pairs, folder / BOUND)


def _read_plan(form: SequenceForm, pairs: RelevantPairs, path: Path) -> CorrelationPlan:
    names = [_names(form, player) for player in (0, 1)]
    known = {
        (mine, theirs): pair
        for pair, (mine, theirs) in enumerate(
            zip(*(column.tolist() for column in pairs.pairs.sequences), strict=True)
        )
    }
    places: list[int] = []
    weights: list[tuple[int, int]] = []
    for line, cells in table_rows(path, PLAN_COLUMNS):
        mine, theirs = read_index(path, line, cells[0]), read_index(path, line, cells[3])
        pair = known.get((mine, theirs))
        if pair is None or (places and pair <= places[-1]):
            raise ResultFileError(f"{path}, line {line}: no relevant pair of sequences comes here")
        if (*cells[1:3], *cells[4:6]) != (*names[0][mine], *names[1][theirs]):
            raise ResultFileError(f"{path}, line {line}: these sequences have other last moves")
        places.append(pair)
        weights.append(read_ratio(path, line, cells[6]))
    numerators = np.zeros(pairs.num_pairs, dtype=object)
    found, denominator = over_common(weights)
    numerators[places] = found
    return CorrelationPlan(pairs, numerators, denominator)


def _read_bound(pairs: RelevantPairs, path: Path) -> Parts:
    rows = [
        (line, cells, read_ratio(path, line, cells[4]))
        for line, cells in table_rows(path, BOUND_COLUMNS)
    ]
    weights = [ratio for _, cells, ratio in rows if cells[0] == "weight"]
    if len(weights) != 2:
        raise ResultFileError(f"{path}: the objective has {counted(len(weights), 'weight')}, not 2")
    wanted = Fraction(*weights[0]), Fraction(*weights[1])
    others = [row for row in rows if row[1][0] != "weight"]
    found = _multipliers(pairs, path, others) if others else None
    texts = [tuple(map(str, row)) for row in _bound_rows(wanted, found)]
    for (line, cells, _), text in zip(rows, texts, strict=False):
        if tuple(cells) != text:
            raise ResultFileError(
                f"{path}, line {line}: expected {','.join(text)} and found {','.join(cells)}"
            )
    if len(texts) != len(rows):
        raise ResultFileError(
            f"{path} has {counted(len(rows), 'row')} that say what {len(texts)} do"
        )
    return wanted, found


def _multipliers(
    pairs: RelevantPairs, path: Path, rows: Sequence[tuple[int, list[str], tuple[int, int]]]
) -> Multipliers:
    numbers, denominator = over_common([ratio for _, _, ratio in rows])
    tops = [n for n, (_, cells, _) in zip(numbers, rows, strict=True) if cells[0] == "top"]
    prices = [np.zeros(len(pairs.sums(player).parent), dtype=object) for player in (0, 1)]
    found: list[list[tuple[int, int, int]]] = [[], []]
    for number, (line, cells, _) in zip(numbers, rows, strict=True):
        if cells[0] == "top":
            continue
        player, place = read_index(path, line, cells[1]), read_index(path, line, cells[2])
        if cells[0] == "price" and player < 2 and place < len(prices[player]):
            prices[player][place] = number
        elif cells[0] == "deviation" and player < 2:
            found[player].append((place, read_index(path, line, cells[3]), number))
        else:
            raise ResultFileError(f"{path}, line {line}: there is no {','.join(cells[:4])}")
    return Multipliers(
        (_deviations(found[0]), _deviations(found[1])),
        (prices[0], prices[1]),
        tops[0] if tops else 0,
        denominator,
    )


def _deviations(rows: list[tuple[int, int, int]]) -> Deviations:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    trigger, sequence = (np.array(column, dtype=np.int64) for column in columns[:2])
    return Deviations(trigger, sequence, np.array(columns[2], dtype=object))


def table_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a table, numbered, without the header."""
    try:
        with path.open(newline="") as file:
            rows = list(csv.reader(file))
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, csv.Error) as error:
        raise ResultFileError(f"{path} cannot be read: {error}") from None
    if not rows or tuple(rows[0]) != columns:
        raise ResultFileError(f"{path} does not begin with the columns {','.join(columns)}")
    for line, cells in enumerate(rows[1:], start=2):
        check_time("reading a correlated equilibrium")
        if len(cells) != len(columns):
            raise ResultFileError(
                f"{path}, line {line} has {counted(len(cells), 'cell')}, not {len(columns)}"
            )
        yield line, cells


def read_index(path: Path, line: int, text: str) -> int:
    """Read the number of a thing, such as a sequence."""
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise ResultFileError(f"{path}, line {line}: {text[:40]!r} is no number of a thing")
    return int(text)


def number_text(numerator: int, denominator: int) -> str:
    """Write a fraction in lowest terms, long integers in hexadecimal.

    Examples
    --------
    >>> number_text(6, 4), number_text(4, 2), number_text(-1, 2**60)
    ('3/2', '2', '-1/0x1000000000000000')
    """
    common = gcd(numerator, denominator)
    parts = numerator // common, denominator // common
    texts = [str(part) if abs(part) < SHORT else hex(part) for part in parts]
    return texts[0] if parts[1] == 1 else "/".join(texts)


def read_ratio(path: Path, line: int, text: str) -> tuple[int, int]:
    """Read what `number_text` wrote, and nothing else."""
    above, _, below = text.partition("/")
    try:
        parts = (int(above, 0), int(below, 0)) if "/" in text else (int(above, 0), 1)
        fits = parts[1] > 0 and number_text(*parts) == text
    except ValueError:
        fits = False
    if not fits:
        raise ResultFileError(
            f"{path}, line {line}: {text[:40]!r} is no fraction in lowest terms"
        ) from None
    return parts


def over_common(ratios: Sequence[tuple[int, int]]) -> tuple[Exact, int]:
    """Return fractions as integers over their common denominator."""
    numerators, denominator = over_common_denominator(ratios)
    return np.array(numerators, dtype=object), denominator


DISTRIBUTION = "distribution.csv"
COLUMNS = ("sequences0", "sequences1", "weight")


def write_mixture(mixture: StrategyMixture, folder: Path) -> None:
    """Write a distribution to a folder.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with (folder / DISTRIBUTION).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for *plans, weight in zip(*mixture.plans, mixture.numerators.tolist(), strict=True):
            texts = [" ".join(map(str, np.flatnonzero(plan)[1:].tolist())) for plan in plans]
            writer.writerow((*texts, number_text(weight, mixture.denominator)))


def read_mixture(form: SequenceForm, folder: Path) -> StrategyMixture | None:
    """Read what `write_mixture` wrote; None if there is no file.

    Raises
    ------
    ResultFileError
        If it is damaged.
    """
    path = folder / DISTRIBUTION
    if not path.exists():
        return None
    plans: tuple[list[Mask], list[Mask]] = ([], [])
    ratios = []
    for line, cells in table_rows(path, COLUMNS):
        for player, treeplex in enumerate(form.treeplexes):
            played = [0, *(read_index(path, line, text) for text in cells[player].split())]
            if max(played) >= treeplex.num_sequences:
                raise ResultFileError(f"{path}, line {line}: player {player} has no such sequence")
            plan = np.zeros(treeplex.num_sequences, dtype=np.bool_)
            plan[played] = True
            plans[player].append(plan)
        ratios.append(read_ratio(path, line, cells[2]))
    shapes = [(len(ratios), treeplex.num_sequences) for treeplex in form.treeplexes]
    first, second = (
        np.array(rows, dtype=np.bool_).reshape(shape)
        for rows, shape in zip(plans, shapes, strict=True)
    )
    return StrategyMixture((first, second), *over_common(ratios))
