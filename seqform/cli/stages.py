"""What commands do with recursive games: a short answer, a table of stages, one stage."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED

if TYPE_CHECKING:
    from seqform import RecursiveSolution


def hand_over(
    solution: RecursiveSolution,
    game: str,
    parameters: dict[str, Any],
    out: Path | None,
    *,
    details: bool,
    as_json: bool,
) -> None:
    """Print what was found, and save it after that; exit status 0 only if it is proven as asked."""
    from seqform.recursive.shown import brief_of_stages

    if as_json:
        print(json.dumps(solution.record(game, parameters)), flush=True)
    elif details:
        print_stages(solution, len(solution.graph.stages), as_json=False)
    else:
        found = brief_of_stages(solution, game, parameters, "" if out is None else str(out))
        print("\n".join(found.lines(display.room())), flush=True)
    if out is not None:
        solution.save(out, game, parameters)
        if not as_json:
            print(f"saved in {out}; `seqform verify {out}` proves it again")
    if solution.status.name != "SOLVED":
        sys.exit(EXIT_UNSOLVED)


def print_stages(solution: RecursiveSolution, rows: int, *, as_json: bool) -> None:
    """Print all that is known, and a row for each stage."""
    from seqform.recursive.shown import stage_table

    if as_json:
        print(json.dumps(solution.record()))
        return
    for name, text in solution.rows():
        print(f"{name}: {text}")
    table, left = stage_table(solution, rows)
    print("", *table.lines(), sep="\n")
    if left:
        print(f"\n({left:,} stages more: --rows)")
