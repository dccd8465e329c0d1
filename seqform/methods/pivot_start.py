"""Where complementary pivots start: what a user gives as `start`, as a covering vector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import InvalidParameterError
from seqform.base.whole_file import reason
from seqform.concepts.best_response import check_shapes
from seqform.form.complementarity import ComplementarityProblem
from seqform.form.profile import Profile
from seqform.form.profile_table import read_table
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.complementarity.covering import (
    Covering,
    covering,
    covering_of_prior,
    random_prior,
    uniform_prior,
)

Given = str | int | Profile | Path | Sequence[float] | Floats
"""What a user may give."""

UNIFORM = "uniform"


def covering_of(game: SequenceForm, problem: ComplementarityProblem, start: Given) -> Covering:
    """Return the covering vector of what was given.

    Parameters
    ----------
    game, problem
        The game, and its complementarity problem.
    start
        See `seqform.methods.lcp.PivotOptions`.

    Raises
    ------
    InvalidParameterError
        If it is nothing that can be read so, or has a wrong length.
    InvalidStrategyError
        If it is a profile of another game.
    ResultFileError
        If it is a table of another game's profile.
    """
    if isinstance(start, Profile):
        check_shapes(game, start)
        return covering_of_prior(problem, start.plans)
    if isinstance(start, (int, np.integer)):
        return covering_of_prior(problem, _drawn(problem, int(start)))
    if not isinstance(start, (str, Path)):
        return covering(problem, start)
    if start == UNIFORM:
        return covering_of_prior(problem, uniform_prior(problem))
    if str(start).removeprefix("-").isdecimal():
        return covering_of_prior(problem, _drawn(problem, int(str(start))))
    path = Path(start)
    if path.suffix == ".csv":
        return covering_of_prior(problem, read_table(game, path).plans)
    return covering(problem, _numbers(path))


def _drawn(problem: ComplementarityProblem, number: int) -> tuple[Floats, Floats]:
    """Return the prior that a seed draws."""
    if number < 0:
        raise InvalidParameterError(f"start={number}: use 0 or more, a seed that draws a prior")
    return random_prior(problem, number)


def _numbers(path: Path) -> list[float]:
    """Return the numbers of a text file, whatever space or commas stand between them."""
    try:
        words = path.read_text(encoding="utf-8").replace(",", " ").split()
    except (OSError, ValueError) as error:
        raise InvalidParameterError(
            f"start={str(path)!r} cannot be read: {reason(error)}; use 'uniform', a seed, a "
            "strategy.csv, or a file of numbers"
        ) from None
    numbers = []
    for place, word in enumerate(words, start=1):
        try:
            numbers.append(float(word))
        except ValueError:
            raise InvalidParameterError(
                f"{path}, number {place}: {word[:40]!r} is not a number"
            ) from None
    return numbers
