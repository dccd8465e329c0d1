"""`distribution.csv`: the pairs of pure strategies that a mediator draws from, with their weights.

A strategy is written as the numbers of the sequences that it plays, without the empty one.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from seqform.base.arrays import Mask
from seqform.base.errors import ResultFileError
from seqform.concepts.correlated_files import (
    number_text,
    over_common,
    read_index,
    read_ratio,
    table_rows,
)
from seqform.form.sequence_form import SequenceForm
from seqform.form.strategy_mixture import StrategyMixture

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
