"""The short answer to a recursive game: the first stage, how sure that is, and every stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seqform.base.summary import Rows, counted
from seqform.strategies.show.brief import Brief
from seqform.strategies.show.table_text import Column, Table

if TYPE_CHECKING:
    from seqform.recursive.solution import RecursiveSolution

MOST_STAGES = 20
"""Stages that a short answer lists."""

DIGITS = 10
"""Of bounds in tables, rounded outwards."""


def brief_of_stages(
    solution: RecursiveSolution,
    name: str = "",
    parameters: Mapping[str, Any] | None = None,
    saved: str = "",
) -> Brief:
    """Return the short answer that ``seqform solve`` prints of a recursive game."""
    given = "".join(f" -p {key}={value}" for key, value in (parameters or {}).items())
    title = f"{name or 'solution'}{given}: {counted(len(solution.graph.stages), 'stage')}"
    table, left = stage_table(solution, MOST_STAGES)
    notes = (f"{counted(left, 'stage')} more are not listed",) if left else ()
    steps = _steps(solution, f"{name}{given}", saved)
    return Brief(title, _short(solution), (table,), notes, steps)


def _short(solution: RecursiveSolution) -> Rows:
    """Return the rows of a short answer."""
    rows = [row for row in solution.rows() if row[0] not in ("by case", "method")]
    seconds = sum(solution.run.seconds.values())
    return [*rows, ("time", f"{seconds:.2f} s, by {solution.method}")] if seconds else rows


def stage_table(solution: RecursiveSolution, most: int) -> tuple[Table, int]:
    """Return a row for each stage with its bounds, and how many stages are left out."""
    seats = (0,) if solution.proof.is_zero_sum else range(solution.graph.num_players)
    columns = [Column("stage", "", False)]
    for seat in seats:
        heads = ("at least", "at most") if solution.proof.is_zero_sum else ("worth", "gain up to")
        columns += [Column(head, f"seat {seat}") for head in heads]
    rows = []
    for stage in range(min(most, len(solution.graph.stages))):
        row = [solution.graph.label(stage)]
        for seat in seats:
            row += _bounds(solution, stage, seat)
        rows.append(tuple(row))
    left = len(solution.graph.stages) - len(rows)
    return Table("", tuple(columns), tuple(rows)), left


def _bounds(solution: RecursiveSolution, stage: int, seat: int) -> tuple[str, str]:
    low, high = solution.outwards(stage, seat, DIGITS)
    if solution.proof.is_zero_sum:
        return low, high
    gain = solution.proof.upper[stage][seat] - solution.proof.lower[stage][seat]
    return low, f"{float(gain):.2g}"


def _steps(solution: RecursiveSolution, called: str, saved: str) -> Rows:
    """Return what can be done next."""
    key = solution.graph.stages[0].key
    if saved:
        return [
            (f"seqform show {saved} --stage {key}", "what is played in a stage"),
            (f"seqform verify {saved}", "every bracket, proven again"),
        ]
    if called:
        game, _, given = called.partition(" ")
        return [
            (f"seqform show {game}@{key} {given}".rstrip(), "what is played in a stage"),
            (f"seqform solve {called} --out result", "keep it, to show and verify it"),
        ]
    return [
        (f"solution.stage({key!r})", "a stage as a solution of its own"),
        ("solution.save(folder, name)", "keep it, to show and verify it"),
    ]
