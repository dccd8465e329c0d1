"""What do the thresholds of push or fold look like, 13 by 13, and as a table?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from experiments.markdown import table
from games.hand_classes import HANDS_OF, NUM_HANDS, class_name
from games.hand_ranges import parse_range
from games.playing_cards import NUM_RANKS
from games.push_fold_charts import Threshold, threshold
from games.push_fold_rules import amount_text
from seqform.experiment import Row

ACTIONS = {"push": "the small blind pushes", "call": "the big blind calls"}

COLORS, BEYOND = "YlGnBu", "#123a6b"
"""Of thresholds, and of hands that act at the largest stack still."""

CURVES = {"push": "#d55e00", "call": "#0072b2"}


class Chart(NamedTuple):
    """The rows of one size of blinds and antes.

    Parameters
    ----------
    label
        The blinds and antes, if there are several.
    rows
        One for each stack, ascending.
    """

    label: str
    rows: Sequence[Row]

    @property
    def stacks(self) -> list[Fraction]:
        """The stacks, in big blinds."""
        return [Fraction(str(row["stack"])) for row in self.rows]

    def thresholds(self, action: str) -> list[Threshold]:
        """Return the threshold of each class."""
        weights = [weights_of(str(row[action])) for row in self.rows]
        return [threshold(self.stacks, of) for of in zip(*weights, strict=True)]

    def shares(self, action: str) -> list[float]:
        """Return how often a hand is pushed, or called with, at each stack: 0 to 1."""
        return [float(parse_range(str(row[action])).total) / NUM_HANDS for row in self.rows]


@lru_cache(maxsize=4096)
def weights_of(text: str) -> tuple[Fraction, ...]:
    """Return how often each of the 169 classes acts, from a range."""
    weights = parse_range(text).weights
    return tuple(weights[hands[0]] for hands in HANDS_OF)


def charts_of(rows: Sequence[Row]) -> list[Chart]:
    """Return the charts of rows, in their order."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((str(row["small_blind"]), str(row["ante"])), []).append(row)
    return [
        Chart(
            f"small blind {blind}, ante {ante}" if len(found) > 1 else "",
            sorted(of, key=lambda row: Fraction(str(row["stack"]))),
        )
        for (blind, ante), of in found.items()
    ]


def threshold_text(of: Threshold, largest: Fraction) -> str:
    """Return a threshold as charts print it; with a + where the class acts at the last stack.

    Examples
    --------
    >>> threshold_text(Threshold(Fraction(77, 10), ()), Fraction(25))
    '7.7'
    >>> threshold_text(Threshold(None, ()), Fraction(25))
    '-'
    """
    if of.last is None:
        return "-"
    return amount_text(of.last) + "+" * (of.last == largest)


def holes_text(of: Threshold) -> str:
    """Return the holes of a threshold."""
    return ", ".join(
        amount_text(first) if first == last else f"{amount_text(first)} to {amount_text(last)}"
        for first, last in of.holes
    )


def thresholds_table(rows: Sequence[Row]) -> str:
    """Return the thresholds of all classes, and their holes, as a table of Markdown."""
    return table(line for chart in charts_of(rows) for line in _lines(chart))


def _lines(chart: Chart) -> Iterator[dict[str, str]]:
    largest = chart.stacks[-1]
    pairs = zip(chart.thresholds("push"), chart.thresholds("call"), strict=True)
    for number, (push, call) in enumerate(pairs):
        yield ({"blinds": chart.label} if chart.label else {}) | {
            "hand": class_name(number),
            "push up to": threshold_text(push, largest),
            "but not at": holes_text(push),
            "call up to": threshold_text(call, largest),
            "but do not at": holes_text(call),
        }


def values_table(rows: Sequence[Row]) -> str:
    """Return what whole numbers of big blinds come to as a table of Markdown."""
    return table(
        ({"blinds": chart.label} if chart.label else {})
        | {
            "stack": amount_text(stack),
            "value": f"{float(str(row['value'])):.9f}",
            "pushed, %": f"{100 * push:.1f}",
            "called, %": f"{100 * call:.1f}",
            "hands that mix": str(row["mixed"]),
        }
        for chart in charts_of(rows)
        for stack, row, push, call in zip(
            chart.stacks, chart.rows, chart.shares("push"), chart.shares("call"), strict=True
        )
        if stack.denominator == 1
    )


def draw_chart(rows: Sequence[Row]) -> Any:
    """Return a figure of both charts, and of value and frequencies by stack."""
    from matplotlib.figure import Figure

    chart = charts_of(rows)[0]
    figure = Figure(figsize=(11.6, 8.2), dpi=120, layout="constrained")
    grid = figure.subplot_mosaic([["push", "call"], ["value", "shares"]], height_ratios=[3.1, 1])
    for action, words in ACTIONS.items():
        _draw_matrix(grid[action], chart.thresholds(action), chart.stacks)
        grid[action].set_title(f"{words} up to so many big blinds", fontsize=9)
    _draw_value(grid["value"], chart)
    _draw_shares(grid["shares"], chart)
    signs = "+ at the last stack still, * with holes below"
    figure.suptitle(f"{chart.label}; {signs}" if chart.label else signs, fontsize=8)
    return figure


def _draw_matrix(panel: Any, found: Sequence[Threshold], stacks: Sequence[Fraction]) -> None:
    """Fill a cell for each class; a star stands where there are holes."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    colors, least, most = colormaps[COLORS], float(stacks[0]), float(stacks[-1])
    span = (most - least) or 1.0
    for number, of in enumerate(found):
        row, column = divmod(number, NUM_RANKS)
        depth = 0.0 if of.last is None else 0.08 + 0.72 * (float(of.last) - least) / span
        is_dark = of.last is not None and depth > 0.5
        color = BEYOND if of.last == stacks[-1] else colors(depth) if of.last else "white"
        panel.add_patch(Rectangle((column, row), 1, 1, facecolor=color, edgecolor="white"))
        ink = "white" if is_dark else "#222222"
        panel.text(column + 0.06, row + 0.32, class_name(number), fontsize=6, color=ink)
        text = threshold_text(of, stacks[-1]) + "*" * bool(of.holes)
        panel.text(column + 0.94, row + 0.86, text, fontsize=7.5, color=ink, ha="right")
    panel.set(xlim=(0, NUM_RANKS), ylim=(NUM_RANKS, 0), aspect="equal")
    panel.set_axis_off()


def _draw_value(panel: Any, chart: Chart) -> None:
    stacks = [float(stack) for stack in chart.stacks]
    values = [float(str(row["value"])) for row in chart.rows]
    panel.plot(stacks, values, color="#222222", linewidth=1.2)
    panel.axhline(0, color="#888888", linewidth=0.6)
    panel.set_ylabel("value to the small blind, big blinds", fontsize=8)
    panel.set_xlabel("stack, in big blinds", fontsize=8)
    panel.tick_params(labelsize=7)


def _draw_shares(panel: Any, chart: Chart) -> None:
    stacks = [float(stack) for stack in chart.stacks]
    for action, color in CURVES.items():
        share = [100 * of for of in chart.shares(action)]
        panel.plot(stacks, share, color=color, linewidth=1.2, label=ACTIONS[action])
    panel.set(ylim=(0, 100))
    panel.set_ylabel("% of hands", fontsize=8)
    panel.set_xlabel("stack, in big blinds", fontsize=8)
    panel.tick_params(labelsize=7)
    panel.legend(fontsize=7, frameon=False)
