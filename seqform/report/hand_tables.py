"""What hands do, as tables whose probabilities a page's check finds by seat and sequence.

A table is of one seat, and of hands that may do the same: after one line, where the game says hand
and line in each information set. Where it lays its hands out in a matrix, there is a matrix for
each action but the first, which is what is left.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from seqform.base.arrays import Floats
from seqform.form.origin import Grid, Origin
from seqform.form.treeplex import Treeplex
from seqform.report.numbers import share
from seqform.strategies.analysis import PLAYED_FROM


class Played(NamedTuple):
    """How often something is done: in words and in percent, and which sequence of which seat."""

    text: str
    percent: str
    sequence: str


class HandTable(NamedTuple):
    """Hands of a seat.

    Parameters
    ----------
    caption
        Whose, and after which line.
    heads
        Over the columns of `rows`.
    rows
        The name of each hand, and what it does.
    is_matrix
        Whether a row holds the cells of a row of the matrix, each a name and what is done; an empty
        name where there is no hand.
    """

    caption: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[tuple[str, Played | None]]] | Sequence[tuple[str, list[Played]]]
    is_matrix: bool = False


class _Hand(NamedTuple):
    """An information set: the hand, and its first sequence."""

    name: str
    first: int


def hand_tables(
    origin: Origin, seat: int, treeplex: Treeplex, behavior: Floats
) -> Iterator[HandTable]:
    """Yield the tables of a seat.

    Parameters
    ----------
    behavior
        float64 (num_sequences,).
    """
    names, grid = origin.player_names, origin.grid
    who = f"seat {seat} ({names[seat]})" if names else f"seat {seat}"
    for (line, actions), hands in _groups(origin, seat, treeplex).items():
        caption = who if line is None else f"{who}, {f'after {line}' if line else 'first to act'}"
        written = tuple(map(str, actions))
        if grid is not None and line is not None:
            for place, action in list(enumerate(written))[1:]:
                played = {h.name: _played(seat, h.first + place, behavior) for h in hands}
                yield HandTable(f"{action} of {caption}", (), _laid_out(grid, played), True)
        else:
            rows = [
                (hand.name, [_played(seat, hand.first + n, behavior) for n in range(len(actions))])
                for hand in hands
            ]
            yield HandTable(caption, ("hand", *written), rows)


def _groups(
    origin: Origin, seat: int, treeplex: Treeplex
) -> dict[tuple[str | None, tuple[Hashable, ...]], list[_Hand]]:
    """Return hands by line, if the game says them, and by what they may do."""
    found: dict[tuple[str | None, tuple[Hashable, ...]], list[_Hand]] = {}
    for infoset, first in enumerate(treeplex.first_sequence[:-1].tolist()):
        parts = origin.infoset_parts(seat, infoset)
        hand, line = parts or (origin.infoset_text(seat, infoset), None)
        key = line, origin.action_texts(seat, infoset)
        found.setdefault(key, []).append(_Hand(hand, first))
    return found


def _played(seat: int, sequence: int, behavior: Floats) -> Played:
    often = float(behavior[sequence])
    often = often if often >= PLAYED_FROM else 0.0
    return Played(share(often), f"{100 * often:.3g}", f"{seat}:{sequence}")


def _laid_out(grid: Grid, played: dict[str, Played]) -> list[list[tuple[str, Played | None]]]:
    """Return the rows of the matrix."""
    width = len(grid.columns)
    cells: list[tuple[str, Played | None]] = [("", None)] * (len(grid.rows) * width)
    for cell, (name, of) in zip(grid.cells(list(played)), played.items(), strict=True):
        cells[int(cell)] = name, of
    return [cells[start : start + width] for start in range(0, len(cells), width)]
