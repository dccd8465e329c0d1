"""Colors, sizes and how numbers are written in pictures."""

from __future__ import annotations

from typing import Any

from seqform.base.number import Number

PLAYER_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe & Ito's palette for all kinds of color vision; players beyond the last begin again."""
INK, CHANCE_INK, FAINT = "#222222", "#666666", "#a8a8a8"

FONT = {"family": "DejaVu Sans"}  # part of matplotlib: the same everywhere
MONOSPACE = {"family": "DejaVu Sans Mono"}
FONT_SIZE, SMALL = 8.0, 7.0
"""Points, as is every length of a picture."""

THIN, NORMAL, THICK = 0.5, 0.9, 3.0
"""Widths of an edge never played, of one that nobody weighed, and of one surely played."""

UNSAID: dict[str, Any] = {"color": FAINT, "linewidth": THIN, "linestyle": (0, (5, 3))}
"""Of an edge that a solution says nothing of."""

UNREACHED: dict[str, Any] = {"color": INK, "linewidth": NORMAL, "linestyle": (0, (5, 3))}
"""Of an edge that would be played if play came there, which it does not."""

PRUNED: dict[str, Any] = {"color": FAINT, "linewidth": NORMAL, "linestyle": (0, (1, 1.6))}
"""Of an edge that alpha-beta does not look at."""

LONGEST_LABEL = 28
"""Characters of an action or information set before it is cut short."""


def player_color(player: int) -> str:
    """Return the color of a player, or chance's."""
    return PLAYER_COLORS[player % len(PLAYER_COLORS)] if player >= 0 else CHANCE_INK


def number_text(number: Number, digits: int = 6) -> str:
    """Write an exact number exactly and a float with so many significant digits."""
    if isinstance(number, float):
        return f"{number:.{digits}g}" if abs(number) < 10**digits else f"{number:.0f}"
    return str(number)


def value_texts(vector: tuple[Number, ...], is_zero_sum: bool, digits: int = 6) -> list[str]:
    """Write a vector of payoffs: in zero-sum games player 0's says it all."""
    return [number_text(number, digits) for number in (vector[:1] if is_zero_sum else vector)]


def label_text(label: Any) -> str:
    """Write a label in one line of bounded length."""
    text = " ".join(str(label).split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
