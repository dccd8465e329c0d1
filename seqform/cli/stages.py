"""What commands do with recursive games: a short answer, a table of stages, one stage."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidStrategyError
from seqform.base.summary import counted
from seqform.cli import display
from seqform.cli.arguments import EXIT_UNSOLVED

if TYPE_CHECKING:
    from seqform import RecursiveSolution, StationaryProfile

UNIFORM = "uniform"
"""Stands for strategies in which all actions are equally likely."""


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
    if as_json:
        print(json.dumps(solution.record(game, parameters)), flush=True)
    elif details:
        print_stages(solution, len(solution.graph.stages), as_json=False)
    else:
        found = solution.brief(game, parameters, "" if out is None else str(out))
        print("\n".join(found.lines(display.room())), flush=True)
    if out is not None:
        solution.save(out, game, parameters)
        if not as_json:
            print(f"saved in {out}; `seqform verify {out}` proves it again")
    if solution.status.name != "SOLVED":
        sys.exit(EXIT_UNSOLVED)


def print_stages(solution: RecursiveSolution, rows: int, *, as_json: bool) -> None:
    """Print all that is known, and a row for each stage."""
    if as_json:
        print(json.dumps(solution.record()))
        return
    for name, text in solution.rows():
        print(f"{name}: {text}")
    table = solution.table()
    left = len(table.rows) - rows
    print("", *table._replace(rows=table.rows[:rows]).lines(), sep="\n")
    if left > 0:
        print(f"\n({left:,} stages more: --rows)")


def draw_stages_of(found: Any, game: str, out: Path | None) -> None:
    """Print the graph of stages, or write a picture of it."""
    import seqform
    from seqform.drawing import draw_stages, save_figure, stages_text

    is_solved = seqform.is_of_stages(found)
    graph = found.graph if is_solved else seqform.stage_graph(found)
    if out is None:
        print("\n".join(stages_text(graph)))
        return
    save_figure(draw_stages(graph, game), out)
    print(f"wrote {counted(len(graph.stages), 'stage')} to {out}")


def print_sample(
    found: Any, profile: str | None, plays: int, seed: int, out: Path | None, *, as_json: bool
) -> None:
    """Print plays of a recursive game, by the strategies that solving it finds or a folder has."""
    import seqform

    with display.spinner(shown=not as_json):
        played = seqform.sample_stages(_strategies(found, profile), plays, seed)
    if as_json:
        print(json.dumps(played.record()))
        return
    if out is None:
        csv.writer(sys.stdout, lineterminator="\n").writerows(played.rows())
    else:
        played.save(out)
    for name, text in played.summary():
        print(f"{name}: {text}", file=sys.stderr if out is None else sys.stdout)


def play_at(
    found: Any, against: str | None, hands: int | None, player: str | None, seed: int | None
) -> None:
    """Let a person play a recursive game to its end, as often as there are hands to be."""
    import seqform

    with display.spinner(shown=True):
        strategies = _strategies(found, against)
    seqform.play_stages(strategies, plays=hands, player=player, seed=seed)


def print_proof(found: Any, profile: str, *, as_json: bool) -> None:
    """Print what the strategies of a folder prove of a recursive game."""
    from seqform import prove_stationary

    with display.spinner(shown=not as_json):
        proof = prove_stationary(_strategies(found, profile))
    table = proof.table()
    if as_json:
        heads = [_head(column, proof.is_zero_sum) for column in table.columns]
        print(json.dumps([dict(zip(heads, row, strict=True)) for row in table.rows]))
        return
    print("\n".join(table.lines()))


def _head(column: Any, of_one_seat: bool) -> str:
    """Return what a column is called where no line above it says the seat."""
    return column.head if of_one_seat or not column.group else f"{column.group} {column.head}"


def _strategies(found: Any, profile: str | None) -> StationaryProfile:
    """Return the strategies that a folder has, or that solving the game finds, or `UNIFORM` ones.

    Raises
    ------
    InvalidStrategyError
        If they are of another game.
    """
    import seqform

    if profile is None:
        solved: Any = seqform.solve(found)
        return solved.profile  # type: ignore[no-any-return]
    if profile == UNIFORM:
        return seqform.StationaryProfile.uniform(seqform.stage_graph(found))
    saved = seqform.verify(Path(profile), lambda name, parameters: found).solution
    if not seqform.is_of_stages(saved):
        raise InvalidStrategyError(f"{profile} holds a solution of a game that is not recursive")
    return saved.profile  # type: ignore[no-any-return]
