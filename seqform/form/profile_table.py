"""A profile as a table: one row for each action, for people, spreadsheets and saved results."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import ResultFileError
from seqform.base.summary import counted
from seqform.base.whole_file import replacing_table
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.set_reach import reach_of_others

REACH_TOLERANCE = 1e-12
"""Probabilities are normalised when they are read, which changes their last digits."""

COLUMNS = ("player", "infoset", "action", "probability", "reach", "others_reach")
"""The two parts of an information set's reach: the player's own, and that of others and chance.
Where one is 0, play never comes there."""

EARLIER = COLUMNS[:5]
"""Of tables that were written without the others' part; these are read, too."""


def write_table(form: SequenceForm, profile: Profile, path: Path) -> None:
    """Write a profile as CSV, under `COLUMNS`.

    The others' part of the reach is left empty where the form does not tell it.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with replacing_table(path) as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        own, others = _reaches(form, profile)
        for player, behavior in enumerate(profile.behaviors):
            for sequence, infoset, label, action in rows_of(form, player):
                parts = [repr(float(own[player][infoset]))]
                parts.append(repr(float(others[player][infoset])) if others else "")
                writer.writerow((player, label, action, repr(float(behavior[sequence])), *parts))


def _reaches(form: SequenceForm, profile: Profile) -> tuple[list[Floats], tuple[Floats, ...]]:
    """Return each player's own part of the reach of information sets, and the others', if known."""
    plans = zip(profile.plans, form.treeplexes, strict=True)
    own = [plan[treeplex.parent_sequence] for plan, treeplex in plans]
    if form.tree is None and form.signals is None:
        return own, ()
    return own, reach_of_others(form, profile.plans)


def read_table(form: SequenceForm, path: Path) -> Profile:
    """Read a profile; rows must come in the order in which `write_table` writes them.

    Raises
    ------
    ResultFileError
        If the file is missing, damaged, or of another game.
    InvalidStrategyError
        If its numbers are not behaviour strategies.
    """
    (_, header), *rows = _read(path, sum(t.num_sequences - 1 for t in form.treeplexes))
    lines = iter(rows)
    behaviors = [_behavior(form, player, path, lines) for player in range(form.num_players)]
    profile = form.profile(behaviors)
    for place, parts in enumerate(_reaches(form, profile)[: len(header) - 4], start=4):
        if parts:
            _check_reach(form, parts, place, path, rows)
    return profile


def rows_of(form: SequenceForm, player: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield a player's sequences but the empty one: sequence, infoset, label and action."""
    first = form.treeplexes[player].first_sequence.tolist()
    for infoset in range(form.treeplexes[player].num_infosets):
        label = form.infoset_text(player, infoset)
        for position, action in enumerate(form.action_texts(player, infoset)):
            yield first[infoset] + position, infoset, label, action


def _read(path: Path, expected: int) -> list[tuple[int, list[str]]]:
    """Return the numbers and cells of a table's lines, the header first."""
    try:
        with path.open(newline="") as file:
            header, *rows = csv.reader(file)
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, csv.Error) as error:
        raise ResultFileError(f"{path} cannot be read: {error}") from None
    if tuple(header) not in (COLUMNS, EARLIER) or len(rows) != expected:
        raise ResultFileError(
            f"{path} has {counted(len(rows), 'row')} under {','.join(header)}; this game needs "
            f"{expected} "
            f"under {','.join(COLUMNS)}"
        )
    return list(enumerate([header, *rows], start=1))


def _check_reach(
    form: SequenceForm,
    parts: Sequence[Floats],
    place: int,
    path: Path,
    rows: list[tuple[int, list[str]]],
) -> None:
    """Check that a column says of each information set what the probabilities make it.

    Parameters
    ----------
    parts
        What they make it, for each player float64 (num_infosets,).
    place
        Of the column.
    """
    actions = (treeplex.num_actions for treeplex in form.treeplexes)
    reach = np.concatenate([np.repeat(r, n) for r, n in zip(parts, actions, strict=True)])
    said = np.array([_number(cells, place) for _, cells in rows])
    wrong = np.flatnonzero(~(np.abs(said - reach) <= REACH_TOLERANCE))
    if len(wrong):
        line, cells = rows[int(wrong[0])]
        raise ResultFileError(
            f"{path}, line {line}: the {COLUMNS[place]} is {','.join(cells[place : place + 1])}, "
            f"and the probabilities above make it {float(reach[wrong[0]])!r}"
        )


def _number(cells: list[str], place: int) -> float:
    """Return the reach that a cell says; NaN if it says none."""
    try:
        return float(cells[place])
    except (ValueError, IndexError):
        return float("nan")


def _behavior(
    form: SequenceForm, player: int, path: Path, rows: Iterator[tuple[int, list[str]]]
) -> Floats:
    behavior = np.ones(form.treeplexes[player].num_sequences)
    for sequence, _, label, action in rows_of(form, player):
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
