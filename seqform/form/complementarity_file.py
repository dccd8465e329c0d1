"""Complementarity problems as files in the Matrix Market format, which most programs read.

The matrix is M with q as one more column: integers where payoffs are exact, else floats. Comments
say which rows are complementary, what payoffs were multiplied by, and what each row belongs to
(Boisvert, Pozo & Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index, Numbers
from seqform.base.errors import GameFileError, InvalidGameError, InvalidParameterError
from seqform.base.whole_file import reason, replacing
from seqform.form.complementarity import ComplementarityProblem, place_of
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex

SUFFIX = ".mtx"

SIZES = re.compile(r"% sequences (\d+) (\d+), denominators (\d+) (\d+)")
"""The comment that says what a matrix alone does not."""

HEAD = """\
%%MatrixMarket matrix coordinate {kind} general
% The sequence-form linear complementarity problem of a two-player game: w = M z + q.
% Columns are M, and q is the last. In rows 1 to {pairs}: w >= 0, z >= 0, and w z = 0.
% In rows {first} to {last}: w = 0, and z is free. Payoffs and values of each player were multiplied
% by its denominator.
% sequences {mine} {theirs}, denominators {above} {below}
"""


def write_problem(problem: ComplementarityProblem, path: Path, names: Sequence[str]) -> None:
    """Write a problem to a file, which appears as a whole.

    Parameters
    ----------
    path
        Ends in .mtx.
    names
        One of each row, for people.

    Raises
    ------
    InvalidParameterError
        If the path ends in something else, or cannot be written.
    """
    check_problem_path(path)
    try:
        with replacing(path) as file:
            for line in _lines(problem, names):
                file.write(line.encode())
    except OSError as error:
        raise InvalidParameterError(f"{path} cannot be written: {reason(error)}") from None


def check_problem_path(path: Path) -> None:
    """Check the end of a path, before a problem is made.

    Raises
    ------
    InvalidParameterError
        If it is something else than .mtx.
    """
    if path.suffix != SUFFIX:
        raise InvalidParameterError(f"{path}: the file name must end in {SUFFIX}")


def _lines(problem: ComplementarityProblem, names: Sequence[str]) -> Iterator[str]:
    pairs, (mine, theirs) = problem.num_sequences, problem.plan_sizes
    above, below = problem.denominators
    kind = "integer" if problem.is_exact else "real"
    yield HEAD.format(
        **{"kind": kind, "pairs": pairs, "first": pairs + 1, "last": problem.size},
        **{"mine": mine, "theirs": theirs, "above": above, "below": below},
    )
    for row, name in enumerate(names, start=1):
        yield f"% {row} {name}\n"
    rows, columns, entries = _triplets(problem)
    yield f"{problem.size} {problem.size + 1} {len(entries)}\n"
    for row, column, entry in zip(rows.tolist(), columns.tolist(), entries.tolist(), strict=True):
        yield f"{row + 1} {column + 1} {entry!r}\n"


def _triplets(problem: ComplementarityProblem) -> tuple[Index, Index, Numbers]:
    """Return rows, columns and entries of M and q, row by row and q last."""
    if problem.is_exact:
        pattern, entries = problem.integers.pattern, problem.integers.entries
    else:
        pattern = problem.matrix
        pattern.sort_indices()
        entries = pattern.data
    rows, columns = place_of(pattern)
    ones = np.flatnonzero(problem.constants)
    return (
        np.concatenate([rows, ones]),
        np.concatenate([columns, np.full(len(ones), problem.size)]),
        np.concatenate([entries, problem.constants[ones].astype(entries.dtype)]),
    )


def read_lcp(path: Path | str) -> ComplementarityProblem:
    """Read a problem that `write_problem` wrote.

    Raises
    ------
    GameFileError
        If the file is missing, or holds something else; with the line where it does.
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8") as file:
            content = _read(path, file)
    except (OSError, UnicodeDecodeError) as error:
        raise GameFileError(f"{path} cannot be read: {reason(error)}") from None
    try:
        problem = _problem(content)
    except (InvalidGameError, ValueError, IndexError) as error:
        raise GameFileError(f"{path} holds no complementarity problem of a game: {error}") from None
    found = sorted(zip(*(part.tolist() for part in _triplets(problem)), strict=True))
    if found != sorted(content.triplets):
        raise GameFileError(
            f"{path} holds no complementarity problem of a game: its blocks do not fit together"
        )
    return problem


class _Content(NamedTuple):
    """What a file says; rows and columns are counted from 0."""

    exact: bool
    sizes: tuple[int, int]
    denominators: tuple[int, int]
    triplets: list[tuple[int, int, int | float]]


def _read(path: Path, lines: Iterator[str]) -> _Content:
    """Read the lines of a file."""
    head = next(lines, "").split()
    if head[:3] != ["%%MatrixMarket", "matrix", "coordinate"] or head[3:4] not in (
        ["integer"],
        ["real"],
    ):
        raise GameFileError(f"{path}, line 1: a Matrix Market file of integers or reals begins so")
    sizes, triplets, read_sizes = None, [], False
    number = int if head[3] == "integer" else float
    for place, line in enumerate(lines, start=2):
        if line.startswith("%"):
            sizes = SIZES.match(line) or sizes
            continue
        words = line.split()
        try:
            row, column, entry = int(words[0]) - 1, int(words[1]) - 1, number(words[2])
        except (ValueError, IndexError):
            raise GameFileError(
                f"{path}, line {place}: a row, a column and a number stand here, "
                f"not {line.strip()[:40]!r}"
            ) from None
        if read_sizes:
            triplets.append((row, column, entry))
        read_sizes = True
    if sizes is None:
        raise GameFileError(
            f"{path} has no line '% sequences ..., denominators ...'; "
            "only files of `seqform write-lcp` are read"
        )
    mine, theirs, above, below = map(int, sizes.groups())
    return _Content(number is int, (mine, theirs), (above, below), triplets)


def _problem(content: _Content) -> ComplementarityProblem:
    """Return the problem whose blocks a file has; that it has no others is for the caller to see.

    Raises
    ------
    InvalidGameError, ValueError, IndexError
        If there is none.
    """
    first, total = content.sizes[0], sum(content.sizes)
    blocks: list[list[tuple[int, int, int | float]]] = [[], [], []]
    for row, column, entry in content.triplets:
        if row < first <= column < total:
            blocks[0].append((row, column - first, -entry))
        elif column < first <= row < total:
            blocks[1].append((column, row - first, -entry))
        elif column < total <= row:
            blocks[2].append((row - total, column, entry))
    mine, theirs = _treeplexes(blocks[2], first)
    if (mine.num_sequences, theirs.num_sequences) != content.sizes:
        raise ValueError("its constraints are not those of plans of that many sequences")
    payoffs = [
        _payoff(block, content.sizes, denominator if content.exact else None)
        for block, denominator in zip(blocks[:2], content.denominators, strict=True)
    ]
    return ComplementarityProblem((mine, theirs), (payoffs[0], payoffs[1]))


def _treeplexes(
    entries: list[tuple[int, int, int | float]], first: int
) -> tuple[Treeplex, Treeplex]:
    """Return both players' treeplexes by the entries of -E and -F, one below the other."""
    parents: list[list[int]] = [[], []]
    counts: list[list[int]] = [[], []]
    for _, column, entry in sorted(entries, key=lambda place: (place[0], -place[2])):
        player, own = int(column >= first), column - (first if column >= first else 0)
        if entry > 0:  # the sequence that leads there; its row begins with it
            parents[player].append(own)
            counts[player].append(0)
        elif own:
            counts[player][-1] += 1
    mine, theirs = (
        Treeplex(np.array(parent, dtype=np.int32), np.cumsum([1, *count], dtype=np.int32))
        for parent, count in zip(parents, counts, strict=True)
    )
    return mine, theirs


def _payoff(
    entries: list[tuple[int, int, int | float]], shape: tuple[int, int], denominator: int | None
) -> SparsePayoff:
    """Return a player's payoffs; floats without a denominator."""
    entries.sort()
    rows, columns = (np.array([e[i] for e in entries], dtype=np.int64) for i in (0, 1))
    numbers = [e[2] for e in entries]
    if denominator is None:
        return SparsePayoff.from_sorted(rows, columns, np.array(numbers, float), None, shape)
    integers = np.array(numbers, dtype=object)
    small = all(abs(int(n)) < 2**63 for n in numbers)
    return SparsePayoff.from_sorted(
        rows, columns, integers.astype(np.int64) if small else integers, denominator, shape
    )
