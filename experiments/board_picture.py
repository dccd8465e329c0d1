"""What does the first decision look like, board by board and by texture?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.board_summary import CHECK, ROOT, Group, actions_of, groups_of, spots_of
from experiments.legends import draw_legend
from seqform.experiment import Row

MOST_SPOTS = 4
"""Spots that are drawn, one above the other; the title says if there are more."""

MOST_NAMES = 60
"""Boards that are written below the bars."""

NO_BET, BETS = "#8fb8de", "OrRd"
"""The color of a check, and the colors of bets, from light for small to dark for large."""


def draw_boards(rows: Sequence[Row]) -> Any:
    """Return a figure of the first decision: on each board, and in the mean of each texture."""
    from matplotlib.figure import Figure

    spots = spots_of(rows)
    shown = dict(list(spots.items())[:MOST_SPOTS])
    lines = max(len(groups_of(of)) for of in shown.values())
    height = max(2.9, 0.19 * lines + 0.8)
    size = (10.2, height * len(shown) + 0.5)
    figure = Figure(figsize=size, dpi=160, layout="constrained")
    grid = figure.subplots(len(shown), 2, squeeze=False, width_ratios=[1.55, 1])
    colors = colors_of(actions_of(rows))
    for (left, right), (label, of) in zip(grid, shown.items(), strict=True):
        _draw_each(left, of, colors)
        _draw_groups(right, groups_of(of), colors)
        left.set_title(label, fontsize=8, loc="left")
    if len(shown) < len(spots):
        figure.suptitle(f"{len(shown)} of {len(spots)} spots", fontsize=9)
    draw_legend(figure)
    return figure


def colors_of(actions: Sequence[str]) -> dict[str, Any]:
    """Return a color for each action."""
    from matplotlib import colormaps

    bets = [action for action in actions if action != CHECK]
    shades = {bet: colormaps[BETS]((n + 1) / (len(bets) + 0.2)) for n, bet in enumerate(bets)}
    return {action: shades.get(action, NO_BET) for action in actions}


def _draw_each(panel: Any, rows: Sequence[Row], colors: dict[str, Any]) -> None:
    """Draw the frequencies on each board, those with most checks first; widths are weights."""
    first = ROOT + next(iter(colors))
    ordered = sorted(rows, key=lambda row: -_share(row, first))
    ends, end = [], 0.0
    for row in ordered:
        end += float(str(row["weight"]))
        ends.append(end)
    widths = [float(str(row["weight"])) for row in ordered]
    middles = [end - width / 2 for end, width in zip(ends, widths, strict=True)]
    floor = [0.0] * len(ordered)
    for action, color in colors.items():
        tall = [_share(row, ROOT + action) for row in ordered]
        panel.bar(middles, tall, widths, floor, color=color, label=action, linewidth=0)
        floor = [low + more for low, more in zip(floor, tall, strict=True)]
    equities = [row.get("ev_percent") for row in ordered]
    panel.plot(
        middles, [float(str(of)) / 100 for of in equities], "k.", markersize=3, label="share of pot"
    )
    panel.set(xlim=(0, end), ylim=(0, 1))
    panel.set_ylabel("first decision", fontsize=8)
    panel.tick_params(labelsize=7)
    if len(ordered) <= MOST_NAMES:
        panel.set_xticks(middles, [_name(row) for row in ordered], rotation=90)
    else:
        panel.set_xlabel("boards, those with most checks first", fontsize=8)


def _name(row: Row) -> str:
    """Return what tells a board from others of its list: the cards behind the colon."""
    return str(row["board"]).rpartition(":")[2]


def _share(row: Row, column: str) -> float:
    return float(str(row.get(column) or 0))


def _draw_groups(panel: Any, groups: Sequence[Group], colors: dict[str, Any]) -> None:
    """Draw the mean of each texture, with a gap between kinds of textures."""
    places, place, before = [], 0.0, ""
    for group in groups:
        place += 1.0 if group.kind == before or not before else 1.5
        before = group.kind
        places.append(place)
    floor = [0.0] * len(groups)
    for action, color in colors.items():
        wide = [group.mean(ROOT + action) or 0.0 for group in groups]
        panel.barh(places, wide, 0.86, floor, color=color, label=action, linewidth=0)
        floor = [low + more for low, more in zip(floor, wide, strict=True)]
    shares = [(group.mean("ev_percent") or 0.0) / 100 for group in groups]
    panel.plot(shares, places, "k.", markersize=4, label="share of pot")
    panel.set_yticks(places, [f"{group.word} ({group.weight:,})" for group in groups])
    panel.set(xlim=(0, 1), ylim=(place + 0.6, 0.4))
    panel.tick_params(labelsize=7)
