"""`seqform shrink --steps`: what is merged, pair by pair, and what each step loses."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.loading import load

if TYPE_CHECKING:
    from seqform import GameTree, MeasuredStep

OURS = re.compile(r"step-\d+\.(npz|svg)")
"""The names of the files that are written."""


def print_steps(
    game: str,
    param: list[str] | None,
    criterion: str | None,
    max_nodes: int | None,
    measure: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Print the steps of a reduction as they come, and write the games after them."""
    import seqform
    from seqform import build_tree

    named = criterion or "contraction"
    if out is not None:
        _check_folder(out)
    with display.spinner(shown=not as_json):
        built, parameters = load(game, param, max_nodes)
    records: list[dict[str, Any]] = []
    for each in _one_by_one(seqform.shrink_steps(built, named, max_nodes, measure), not as_json):
        if out is not None:
            if not records:
                _write(out, 0, each.step.before)
            _write(out, each.step.number, each.step.after)
        records.append(each.record())
        if not as_json:
            display.print_terms([(f"{each.step.number}", _lines(records[-1]))])
            sys.stdout.flush()
    if out is not None and not records:
        _write(out, 0, build_tree(built, max_nodes))
    if as_json:
        head = {"game": game, "params": parameters, "criterion": named}
        print(json.dumps({**head, "steps": records}))
    else:
        print(_end(f"{game}, criterion {named}", records))
        if out is not None:
            print(f"wrote {_written(len(records))} to {out}")


def _one_by_one(steps: Iterator[MeasuredStep], shown: bool) -> Iterator[MeasuredStep]:
    """Yield steps; a line of progress is shown while one is looked for, and not in between."""
    while True:
        with display.spinner(shown):
            each = next(steps, None)
        if each is None:
            return
        yield each


def _end(called: str, records: list[dict[str, Any]]) -> str:
    if not records:
        return f"{called}: no two nodes can be merged"
    if all(record["gap"] is None for record in records):
        return "no step is lossless by a theorem"
    return "no step is lossless by a theorem: each nash_gap is that of one equilibrium, lifted"


def _written(steps: int) -> str:
    if steps == 0:
        return "the game as it is"
    after = "the game after the step" if steps == 1 else f"the games after {steps:,} steps"
    return f"{after}, and the one before,"


def _lines(record: dict[str, Any]) -> list[str]:
    where = ",".join(record["parent"]) or "the root"
    one, other = record["pair"]
    (nodes, fewer), (sets, less) = record["nodes"], record["infosets"]
    named = "correspond" if record["actions_by_name"] else "do NOT all correspond"
    lines = [
        f"level {record['level']}, below {where}: {one} and {other} of {record['infoset']}; "
        f"{record['merged']}",
        f"nodes {nodes:,} -> {fewer:,}, infosets {sets:,} -> {less:,}; actions {named} by name",
    ]
    if record["reason"]:
        return [*lines, f"not measured: {record['reason']}"]
    if record["gap"] is None:
        return lines
    values = [record["value"]] if record["value"] is not None else record["values"]
    name = "value" if len(values) == 1 else "values"
    return [
        *lines,
        f"{name} {', '.join(f'{value:.6g}' for value in values)}; "
        f"nash_gap lifted one step {record['gap']:.3g}, "
        f"to the whole game {record['gap_to_all']:.3g}",
    ]


def _check_folder(out: Path) -> None:
    """Make the folder, and refuse one in which other steps would lie beside these."""
    try:
        out.mkdir(exist_ok=True)
        before = sorted(path.name for path in out.iterdir() if OURS.fullmatch(path.name))
    except OSError as error:
        raise InvalidParameterError(f"cannot write into {out}: {error.strerror}") from None
    if before:
        raise InvalidParameterError(
            f"{out} has steps of an earlier call, such as {before[0]}: remove them, or give "
            "another folder"
        )


def _write(out: Path, number: int, tree: GameTree) -> None:
    """Write a game as a file that is a GAME, and as a picture."""
    from seqform import save_game
    from seqform.drawing import save_picture

    save_game(tree, out / f"step-{number}.npz")
    save_picture(tree, out / f"step-{number}.svg", fit=True)
