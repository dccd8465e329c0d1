"""The short answer to a recursive game: the first stage, how sure that is, and every stage."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR
from shlex import quote
from typing import TYPE_CHECKING, Any

from seqform.base.number import decimal
from seqform.base.summary import Rows, counted
from seqform.strategies.show.brief import Brief
from seqform.strategies.show.table_text import Column, Table

if TYPE_CHECKING:
    from seqform.recursive.proof import RecursiveProof
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
    table = solution.table()
    left = max(0, len(table.rows) - MOST_STAGES)
    table = table._replace(rows=table.rows[:MOST_STAGES])
    notes = (f"{counted(left, 'stage')} more are not listed",) if left else ()
    steps = _steps(solution, f"{name}{given}", saved)
    return Brief(title, _short(solution), (table,), notes, steps)


def _short(solution: RecursiveSolution) -> Rows:
    """Return the rows of a short answer."""
    rows = [row for row in solution.rows() if row[0] not in ("by case", "method")]
    seconds = sum(solution.run.seconds.values())
    return [*rows, ("time", f"{seconds:.2f} s, by {solution.method}")] if seconds else rows


def bounds_table(proof: RecursiveProof) -> Table:
    """Return a row for each stage: brackets of seat 0, or what each seat gets and could gain."""
    graph = proof.graph
    seats = (0,) if proof.is_zero_sum else range(graph.num_players)
    heads = ("at least", "at most") if proof.is_zero_sum else ("gets", "gains up to")
    columns = [Column("stage", "", False)]
    columns += [Column(head, f"seat {seat}") for seat in seats for head in heads]
    rows = []
    for stage in graph.order():
        bounds = [text for seat in seats for text in _bounds(proof, stage, seat)]
        rows.append((graph.label(stage), *bounds))
    return Table("", tuple(columns), tuple(rows))


def _bounds(proof: RecursiveProof, stage: int, seat: int) -> tuple[str, str]:
    low, high = proof.lower[stage][seat], proof.upper[stage][seat]
    least = decimal(low, DIGITS, ROUND_FLOOR)
    if proof.is_zero_sum:
        return least, decimal(high, DIGITS, ROUND_CEILING)
    return least, decimal(high - low, 2, ROUND_CEILING)


def _steps(solution: RecursiveSolution, called: str, saved: str) -> Rows:
    """Return what can be done next."""
    key, shown = solution.graph.stages[0].key, "what is played in a stage"
    look: Rows = []
    if saved:
        look = [(f"seqform show {saved} --stage {quote(str(key))}", shown)]
    elif called and solution.proof.is_zero_sum:
        # in other games solving a stage anew may find something else
        game, _, given = called.partition(" ")
        look = [(f"seqform show {quote(f'{game}@{key}')} {given}".rstrip(), shown)]
    elif not called:
        look = [(f"solution.stage({key!r})", "a stage as a solution of its own")]
    if saved:
        keep = (f"seqform verify {saved}", "every bound, proven again")
    elif called:
        keep = (f"seqform solve {called} --out result", "keep it, to show and verify it")
    else:
        keep = ("solution.save(folder, name)", "keep it, to show and verify it")
    return [*look, keep]
