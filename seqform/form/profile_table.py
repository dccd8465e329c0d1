"""A profile as a table: one row for each action, for people, spreadsheets and saved results."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import ResultFileError
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm

REACH_TOLERANCE = 1e-12
"""Probabilities are normalised when they are read, which changes their last digits."""

COLUMNS = ("player", "infoset", "action", "probability", "reach")


def write_table(form: SequenceForm, profile: Profile, path: Path) -> None:
    """Write a profile as CSV; `reach` is the player's own part of the infoset's reach.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for player, (behavior, plan) in enumerate(
            zip(profile.behaviors, profile.plans, strict=True)
        ):
            above = plan[form.treeplexes[player].parent_sequence]
            for sequence, infoset, label, action in _rows(form, player):
                cells = repr(float(behavior[sequence])), repr(float(above[infoset]))
                writer.writerow((player, label, action, *cells))


def read_table(form: SequenceForm, path: Path) -> Profile:
    """Read a profile; rows must come in the order in which `write_table` writes them.

    Raises
    ------
    ResultFileError
        If the file is missing, damaged, or of another game.
    InvalidStrategyError
        If its numbers are not behaviour strategies.
    """
    rows = _read(path, sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes))
    lines = iter(rows)
    behaviors = [_behavior(form, player, path, lines) for player in range(form.num_players)]
    profile = form.profile(behaviors)
    _check_reach(form, profile, path, rows)
    return profile


def _rows(form: SequenceForm, player: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield a player's sequences but the empty one: sequence, infoset, label and action."""
    first = form.treeplexes[player].first_sequence.tolist()
    for infoset in range(form.treeplexes[player].num_infosets):
        label = str(form.infoset_label(player, infoset))
        for position, action in enumerate(form.actions(player, infoset)):
            yield first[infoset] + position, infoset, label, str(action)


def _read(path: Path, expected: int) -> list[tuple[int, list[str]]]:
    """Return the numbers and cells of a table's lines, without the header."""
    try:
        with path.open(newline="") as file:
            header, *rows = csv.reader(file)
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, csv.Error) as error:
        raise ResultFileError(f"{path} cannot be read: {error}") from None
    if tuple(header) != COLUMNS or len(rows) != expected:
        raise ResultFileError(
            f"{path} has {len(rows)} rows under {','.join(header)}; this game needs {expected} "
            f"under {','.join(COLUMNS)}"
        )
    return list(enumerate(rows, start=2))


def _check_reach(
    form: SequenceForm, profile: Profile, path: Path, rows: list[tuple[int, list[str]]]
) -> None:
    """Check that the column `reach` says what the probabilities make it."""
    above = (
        plan[t.parent_sequence] for plan, t in zip(profile.plans, form.treeplexes, strict=True)
    )
    actions = (treeplex.num_actions for treeplex in form.treeplexes)
    reach = np.concatenate([np.repeat(r, n) for r, n in zip(above, actions, strict=True)])
    said = np.array([_number(cells) for _, cells in rows])
    wrong = np.flatnonzero(~(np.abs(said - reach) <= REACH_TOLERANCE))
    if len(wrong):
        line, cells = rows[int(wrong[0])]
        raise ResultFileError(
            f"{path}, line {line}: the reach is {','.join(cells[4:])}, and the probabilities "
            f"above make it {float(reach[wrong[0]])!r}"
        )


def _number(cells: list[str]) -> float:
    """Return the reach that cells say; NaN if they say none."""
    try:
        return float(cells[4])
    except (ValueError, IndexError):
        return float("nan")


def _behavior(
    form: SequenceForm, player: int, path: Path, rows: Iterator[tuple[int, list[str]]]
) -> Floats:
    behavior = np.ones(form.treeplexes[player].num_sequences)
    for sequence, _, label, action in _rows(form, player):
        check_time("reading a strategy")
        line, cells = next(rows)
        if cells[:3] != [str(player), label, action]:
            raise ResultFileError(
                f"{path}, line {line}: "
                f"expected {player},{label},{action} and found {','.join(cells[:3])}"
            )
        try:
            behavior[sequence] = float(cells[3])
        except (ValueError, IndexError):
            raise ResultFileError(f"{path}, line {line}: the probability is not a number") from None
    return behavior
