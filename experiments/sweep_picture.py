"""What does a sweep look like, whatever was swept?

A number that was swept is the axis, else the games are. Each line or mark is what else differs: the
method, the reduction, their options.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from experiments.labels import broken, called
from experiments.legends import draw_legend, drawn_gap, log_axis
from seqform.experiment import Row

PANELS = {"value": "value to player 0", "gap": "gap", "seconds": "seconds"}
"""What is drawn, from top to bottom, each against what was swept."""

MARKERS = "os^Dv<>pXP"
MOST_GAMES = 6
"""Columns of panels at most; of more games the first are drawn, and the title says so."""

LOG_FROM = 50
"""How many times as large as the least the largest of positive numbers is, to be drawn by powers of
ten."""


def draw_sweep(rows: Sequence[Row]) -> Any:
    """Return a figure of value, gap and seconds against what was swept."""
    from matplotlib.figure import Figure

    swept = swept_number(rows)
    columns = by_game(rows, swept)
    shown = list(columns)[:MOST_GAMES] if swept else list(columns)
    panels = [name for name in PANELS if any(_is_number(row.get(name)) for row in rows)]
    wide = len(shown) if swept else 1
    width = 3.4 * wide + 0.6 if swept else max(4.6, 1.3 * len(shown) + 1.5)
    figure = Figure(figsize=(width, 2.3 * len(panels) + 1.0), dpi=160, layout="constrained")
    grid = figure.subplots(len(panels), wide, squeeze=False, sharex="col")
    series = labels_of(rows, swept)
    for line, name in zip(grid, panels, strict=True):
        for place, panel in enumerate(line):
            points = columns[shown[place]] if swept else list(rows)
            _draw_panel(panel, name, points, series, swept, shown)
        line[0].set_ylabel(PANELS[name], fontsize=9)
    for place, panel in enumerate(grid[-1]):
        if swept:
            panel.set_xlabel(swept.replace("_", " "), fontsize=9)
            grid[0][place].set_title(broken(shown[place]), fontsize=9)
    if len(shown) < len(columns):
        figure.suptitle(f"{len(shown)} of {len(columns)} games", fontsize=9)
    if len(set(series.values())) > 1:
        draw_legend(figure, 7)
    return figure


def swept_number(rows: Sequence[Row]) -> str:
    """Return the parameter, option or seed that takes the most numbers; "" if none takes three.

    Examples
    --------
    >>> swept_number([{"parameters": '{"cards": %d}' % cards} for cards in (3, 4, 5)])
    'cards'
    """
    found: dict[str, set[float]] = {}
    for row in rows:
        for name, value in _given(row).items():
            if _is_number(value):
                found.setdefault(name, set()).add(float(value))
    best = max(found, key=lambda name: len(found[name]), default="")
    return best if best and len(found[best]) > 2 else ""


def by_game(rows: Sequence[Row], swept: str) -> dict[str, list[Row]]:
    """Return the rows of each game with its parameters but for the swept one."""
    games: dict[str, list[Row]] = {}
    for row in rows:
        games.setdefault(_without(row, "game", "parameters", swept), []).append(row)
    return games


def labels_of(rows: Sequence[Row], swept: str) -> dict[int, str]:
    """Return what each row's mark is called: the inputs that differ, but for game and number.

    Parameters
    ----------
    rows
        All rows; the labels are by their place.
    swept
        The number along the axis.
    """
    words = []
    for row in rows:
        seed = None if swept == "seed" or row.get("seed") is None else f"seed {row['seed']}"
        reduction = row.get("reduction")
        words.append((_without(row, "method", "options", swept), reduction, seed))
    differs = [len({each[place] for each in words}) > 1 for place in range(3)]
    named = (
        " / ".join(
            str(word) for word, told in zip(each, differs, strict=True) if told and word is not None
        )
        for each in words
    )
    return {id(row): label or "all" for row, label in zip(rows, named, strict=True)}


def _without(row: Row, name: str, options: str, swept: str) -> str:
    given = json.loads(str(row.get(options) or "{}"))
    return called(str(row.get(name) or ""), {k: v for k, v in given.items() if k != swept})


def _given(row: Row) -> dict[str, Any]:
    """Return all parameters, options and the seed of a row."""
    found: dict[str, Any] = {"seed": row.get("seed")}
    for column in ("parameters", "options"):
        found |= json.loads(str(row.get(column) or "{}"))
    return found


def _draw_panel(
    panel: Any,
    name: str,
    rows: Sequence[Row],
    series: dict[int, str],
    swept: str,
    games: Sequence[str],
) -> None:
    order = list(dict.fromkeys(series.values()))
    spread = 0.5 / max(1, len(order))
    for place, label in enumerate(order):
        mine = [row for row in rows if series[id(row)] == label and _is_number(row.get(name))]
        if swept:
            points = sorted((float(_given(row)[swept]), _place(name, row)) for row in mine)
        else:  # side by side, so that none covers another
            beside = spread * (place - (len(order) - 1) / 2)
            where = [games.index(_without(row, "game", "parameters", "")) for row in mine]
            points = [(at + beside, _place(name, row)) for at, row in zip(where, mine, strict=True)]
        style = "-" if swept else "none"
        panel.plot(
            [x for x, _ in points],
            [y for _, y in points],
            linestyle=style,
            marker=MARKERS[place % len(MARKERS)],
            markersize=4,
            linewidth=1.1,
            color=f"C{place % 10}",
            label=label,
        )
    panel.grid(alpha=0.3)
    panel.tick_params(labelsize=8)
    _scale(panel, name, [row for row in rows if _is_number(row.get(name))])
    if swept:
        _scale_numbers(panel, [float(_given(row)[swept]) for row in rows])
    else:
        panel.set_xticks(range(len(games)), [broken(game) for game in games])
        panel.set_xlim(-0.6, len(games) - 0.4)


def _place(name: str, row: Row) -> float:
    number = float(str(row[name]))
    return drawn_gap(number) if name == "gap" else number


def _scale(panel: Any, name: str, rows: Sequence[Row]) -> None:
    """Draw gaps and seconds by powers of ten."""
    if name != "value" and all(_place(name, row) > 0 for row in rows):
        panel.set_yscale("log")
        log_axis(panel.yaxis)


def _scale_numbers(panel: Any, numbers: Sequence[float]) -> None:
    """Draw what was swept by powers of ten where that is how it was chosen."""
    if min(numbers) > 0 and max(numbers) >= LOG_FROM * min(numbers):
        panel.set_xscale("log")
        log_axis(panel.xaxis)
    elif len(set(numbers)) <= MARKS:
        panel.set_xticks(sorted(set(numbers)))


MARKS = 8
"""Numbers of an axis that are each written."""


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
