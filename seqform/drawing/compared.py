"""A picture of what reductions make of one game: bars of rows and nonzeros for each criterion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seqform.drawing.style import FONT, FONT_SIZE, INK, PLAYER_COLORS, SMALL

if TYPE_CHECKING:
    from seqform.methods.compare import Comparison, Reduced

PROGRAM = {"lp_rows": "rows of the LP", "lp_nonzeros": "nonzeros of the LP"}
FORM = {"infosets": "information sets", "sequences": "sequences"}
"""What is drawn of a game that has a linear program, and of one that has none."""

LOSSLESS, OTHER, WHOLE = PLAYER_COLORS[0], PLAYER_COLORS[1], "#a8a8a8"
WIDTH, ROW, REST = 8.0, 0.27, 0.95
"""Inches: the picture, a bar, and what stands above and below the bars."""


def draw_comparison(comparison: Comparison, title: str = "") -> Any:
    """Draw the sizes that `compare_reductions` found, as a matplotlib figure.

    Each bar has its number, and the measured loss where there is one. Reductions that refused the
    game, or were out of time, are named without a bar.

    Parameters
    ----------
    comparison
        What was compared.
    title
        Such as the game's name.
    """
    from seqform.drawing.shown import new_figure

    reduced = comparison.reduced
    names = PROGRAM if PROGRAM.keys() <= reduced[0].sizes.keys() else FORM
    figure = new_figure((WIDTH, ROW * len(reduced) + REST), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for panel, (name, words) in zip(panels, names.items(), strict=True):
        _draw(panel, reduced, name)
        panel.set_title(words, fontsize=FONT_SIZE, color=INK, **FONT)
    panels[0].set_yticks(range(len(reduced)), [_label(of, comparison.unit) for of in reduced])
    panels[0].invert_yaxis()
    if title:
        figure.suptitle(title, fontsize=FONT_SIZE + 1, color=INK, **FONT)
    figure.supxlabel(
        "blue: lossless by a theorem; orange: by none", fontsize=SMALL, color=INK, **FONT
    )
    return figure


def _draw(panel: Any, reduced: tuple[Reduced, ...], name: str) -> None:
    """Draw the bars of one count."""
    most = max((of.sizes.get(name, 0) for of in reduced), default=0) or 1
    for place, of in enumerate(reduced):
        count = of.sizes.get(name)
        if count is None:
            panel.text(0, place, f" {of.status}", va="center", fontsize=SMALL, color=INK, **FONT)
            continue
        panel.barh(place, count, height=0.7, color=_color(of))
        ratio = of.ratio.get(name, 1.0)
        text = f" {count:,}" + (f"  (1/{ratio:,.3g})" if ratio > 1 else "")
        panel.text(count, place, text, va="center", fontsize=SMALL, color=INK, **FONT)
    panel.set_xlim(0, 1.55 * most)
    panel.set_xticks([])
    panel.tick_params(axis="y", length=0, labelsize=SMALL, labelcolor=INK)
    panel.spines[["top", "right", "bottom"]].set_visible(False)


def _color(of: Reduced) -> str:
    if of.criterion == "none":
        return WHOLE
    return OTHER if of.theorem is None else LOSSLESS


def _label(of: Reduced, unit: str) -> str:
    """Return the name of a reduction, and what it loses."""
    return of.criterion if of.loss is None else f"{of.criterion}\nnash_gap {of.loss:.2g} {unit}"
