"""`seqform shrink --steps`: what is merged, pair by pair, and what each step loses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError
from seqform.cli import display
from seqform.cli.loading import load

if TYPE_CHECKING:
    from seqform import AnyGame, MeasuredStep


def print_steps(
    game: str,
    param: list[str] | None,
    criterion: str | None,
    max_nodes: int | None,
    measure: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Print the steps of a reduction, and write the games after them."""
    import seqform

    named = criterion or "contraction"
    with display.spinner(shown=not as_json):
        built, parameters = load(game, param, max_nodes)
        found = list(seqform.shrink_steps(built, named, max_nodes, measure))
        if out is not None:
            _write(out, built, found, max_nodes)
    if as_json:
        head = {"game": game, "params": parameters, "criterion": named}
        print(json.dumps({**head, "steps": [each.record() for each in found]}))
        return
    if not found:
        print(f"{game}, criterion {named}: no two nodes can be merged")
        return
    display.print_terms([(f"{each.step.number}", _lines(each.record())) for each in found])
    print("no step is lossless by a theorem: each nash_gap is that of one equilibrium, lifted")
    if out is not None:
        print(f"wrote the games after {len(found):,} steps, and the one before, to {out}")


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
    return [
        *lines,
        f"value{'s'[: len(values) > 1]} {', '.join(f'{value:.6g}' for value in values)}; "
        f"nash_gap lifted one step {record['gap']:.3g}, "
        f"to the whole game {record['gap_to_all']:.3g}",
    ]


def _write(out: Path, game: AnyGame, found: list[MeasuredStep], max_nodes: int | None) -> None:
    """Write each game as a file that is a GAME, and as a picture."""
    from seqform import build_tree, save_game
    from seqform.drawing import save_picture

    try:
        out.mkdir(exist_ok=True)
    except OSError as error:
        raise InvalidParameterError(f"cannot write into {out}: {error.strerror}") from None
    games = [build_tree(game, max_nodes), *(each.step.after for each in found)]
    for number, tree in enumerate(games):
        save_game(tree, out / f"step-{number}.npz")
        save_picture(tree, out / f"step-{number}.svg", fit=True)
