"""`seqform shrink --compare`: what every reduction makes of one game, as one table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.cli import display
from seqform.cli.loading import load
from seqform.cli.row_tables import Column, print_folded

if TYPE_CHECKING:
    from seqform import Comparison


def compare(
    game: str,
    param: list[str] | None,
    threshold: float,
    loss: bool | None,
    out: Path | None,
    max_nodes: int | None,
    as_json: bool,
) -> None:
    """Compare all reductions of a game, and print, draw, or write what they make of it."""
    import seqform
    from seqform.drawing import check_path, draw_comparison, save_figure

    if out is not None:
        check_path(out)
    with display.spinner(shown=not as_json):
        built, parameters = load(game, param, max_nodes)
        found = seqform.compare_reductions(
            built, threshold=threshold, loss=loss, max_nodes=max_nodes
        )
        if out is not None:
            save_figure(draw_comparison(found, _called(game, parameters)), out)
    if as_json:
        print(json.dumps({"game": game, "params": parameters, **found.record()}))
        return
    print(f"{_called(game, parameters)}, by every reduction" + _merged_up_to(threshold))
    print_comparison(found)
    if out is not None:
        print("saved", out)


def print_comparison(found: Comparison) -> None:
    """Print a line for each reduction, and why some are without sizes or without a loss."""
    reduced = found.reduced
    known = list(dict.fromkeys(name for of in reduced for name in of.sizes))
    by, of_what = (
        ("lp_nonzeros", "nonzeros") if "lp_nonzeros" in known else ("sequences", "sequences")
    )
    lossless = [
        "" if of.criterion == "none" else of.status if not of.sizes else of.theorem or "not proven"
        for of in reduced
    ]
    counts = {
        name: (name.replace("_", " "), *(_count(of.sizes.get(name)) for of in reduced))
        for name in known
    }
    results: list[Column] = [
        *(counts[name] for name in known if name.startswith("lp_")),
        (f"ratio of {of_what}", *(_number(of.ratio.get(by), ".4g") for of in reduced)),
        (f"nash_gap ({found.unit})", *(_number(of.loss, ".2g") for of in reduced)),
        ("lossless by", *lossless),
        ("CPU seconds", *(_number(of.seconds, ".3f") for of in reduced)),
        *(counts[name] for name in known if not name.startswith("lp_")),
    ]
    shown = [column for column in results if any(column[1:])]
    print_folded([("criterion", *(of.criterion for of in reduced))], shown)
    if any(of.loss is not None for of in reduced):
        print("nash_gap: of the smaller game's equilibrium, lifted and certified in the whole game")
    for of in reduced:
        if of.reason:
            print(f"{of.criterion}: {of.reason}")


def _called(game: str, parameters: dict[str, Any]) -> str:
    inner = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return f"{game}({inner})" if inner else game


def _merged_up_to(threshold: float) -> str:
    return f", up to {threshold:g}" if threshold else ""


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _number(number: float | None, form: str) -> str:
    return "" if number is None else f"{number:{form}}"
