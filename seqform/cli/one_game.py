"""What `seqform games NAME` says of one game: parameters, known values and sizes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from seqform.cli import display

if TYPE_CHECKING:
    from seqform import GameEntry

MOST_NODES = 200_000
"""Nodes of the largest tree that is built to be counted, which takes about a second."""

PROBES = 100
"""Random plays that estimate a larger one, unless its nodes can be counted without it."""

SIZES = (
    "players",
    "unit",
    "stages",
    "nodes",
    "log10_nodes",
    "log10_nodes_by_batches",
    "log10_nodes_at_least",
    "branching_factor",
    "depth",
    "deepest_seen",
    "infosets_per_player",
    "sequences_per_player",
    "lp_rows",
    "lp_columns",
    "lp_nonzeros",
    "recall",
    "sum",
)
"""Those of the counts of `seqform.describe` that are shown, in this order."""


def show_game(entry: GameEntry, as_json: bool) -> None:
    """Print all that is known of a game, with its default parameters."""
    sizes = _sizes(entry)
    if as_json:
        more = {"about": entry.about, "meanings": entry.meanings, "sizes": sizes}
        print(json.dumps({**entry_record(entry), **more}, indent=2))
        return
    display.print_terms([("", [f"{entry.name}: {entry.summary}"])])
    for title, rows in (
        ("rules", [("", [entry.about])] if entry.about else []),
        ("parameters", _parameters(entry)),
        ("known values to player 0", _values(entry)),
        ("sizes with the default parameters", _size_rows(sizes)),
    ):
        if rows:
            print(f"\n{title}")
            display.print_terms(rows, indent=2)


def entry_record(entry: GameEntry) -> dict[str, Any]:
    """Return an entry of the catalogue as JSON values."""
    known = [
        {"value": str(k.value), "params": dict(k.parameters), "source": k.source}
        for k in entry.known
    ]
    return {
        "name": entry.name,
        "summary": entry.summary,
        "params": {name: default for name, (_, default) in entry.parameters.items()},
        "known_values": known,
    }


def in_a_call(name: str, value: Any) -> str:
    """Return a parameter as the user types it."""
    import shlex

    return f"{name}={shlex.quote(str(value))}"


def written(value: Any) -> str:
    """Write a number; a fraction too long for a line as a decimal."""
    text = display.short(value)
    return text if len(text) <= 20 else f"{float(value):.15g}..."


def _parameters(entry: GameEntry) -> list[tuple[str, list[str]]]:
    meanings = entry.meanings
    return [
        (in_a_call(name, default), [str(meanings.get(name, getattr(kind, "__name__", kind)))])
        for name, (kind, default) in entry.parameters.items()
    ]


def _values(entry: GameEntry) -> list[tuple[str, list[str]]]:
    """Return each value with its parameters, and its source if the row above has another."""
    rows, said = [], ""
    for known in entry.known:
        at = " ".join(in_a_call(*item) for item in known.parameters.items())
        source = [] if known.source == said else [known.source]
        rows.append((written(known.value), [at or "with the defaults", *source]))
        said = known.source
    return rows


def _sizes(entry: GameEntry) -> dict[str, Any]:
    """Return the counts of the game, estimated where its tree is too large for it."""
    from seqform import describe

    return describe(entry.make(), MOST_NODES, probes=PROBES)


def _size_rows(sizes: dict[str, Any]) -> list[tuple[str, list[str]]]:
    shown = (display.count(name, sizes[name]) for name in SIZES if name in sizes)
    return [(name, [text]) for name, text in shown]
