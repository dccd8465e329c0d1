"""The legend of a picture: what its signs mean, as far as they occur in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from seqform.drawing.blocks import Block, Piece
from seqform.drawing.drawn_tree import DrawnTree
from seqform.drawing.style import (
    CHANCE_INK,
    FAINT,
    INK,
    PRUNED,
    SMALL,
    THICK,
    THIN,
    UNREACHED,
    UNSAID,
    player_color,
)
from seqform.game.rules import CHANCE

SIGN, LINE, AFTER = 16.0, 20.0, 12.0
"""Room for a sign, for a line, and after a text."""


@dataclass(frozen=True)
class Entry:
    """A sign, a line or neither, and its meaning."""

    text: Piece
    sign: Block | None = None
    line: dict[str, Any] = field(default_factory=dict)

    @property
    def sign_width(self) -> float:
        """Room before the text."""
        return SIGN if self.sign is not None else LINE if self.line else 0.0

    @property
    def width(self) -> float:
        """Room for everything."""
        return self.sign_width + self.text.width + AFTER


def legend_entries(tree: DrawnTree) -> list[Entry]:
    """Return what occurs in a tree."""
    # whether numbers of every player are shown
    have_colors = not tree.is_zero_sum and bool(tree.meaning)
    movers = {node.player for node in tree.nodes if node.player >= 0}
    players = range(tree.num_players) if have_colors else sorted(movers)
    entries = [
        _entry(
            tree.player_text(p),
            Block(((Piece(str(p), "white", SMALL, bold=True),),), "circle", player_color(p)),
        )
        for p in players
    ]
    if any(node.player == CHANCE for node in tree.nodes):
        entries.append(_entry("chance", Block((), "square", CHANCE_INK)))
    if tree.joined:
        entries.append(
            _entry("information set", color=INK, linestyle=(0, (2.5, 1.8)), linewidth=1.0)
        )
    if any(node.is_pruned for node in tree.nodes):
        entries.append(_entry("cut off by alpha-beta", **PRUNED))
    if any(node.weight is not None for node in tree.nodes):
        entries.append(
            _entry(
                "played" if tree.is_pure else "played with the probability in bold",
                color=INK,
                linewidth=THICK * 0.8,
            )
        )
        if any(node.weight == 0 for node in tree.nodes):
            entries.append(_entry("not played", color=FAINT, linewidth=THIN))
        if any(node.weight and not tree.nodes[node.parent].is_on_path for node in tree.nodes):
            entries.append(_entry("never reached: would be played so", **UNREACHED))
    if any(not tree.nodes[node.parent].is_reached for node in tree.nodes[1:]):
        entries.append(_entry("not reached: nothing is said", **UNSAID))
    begins = f"begins after {tree.begins}" if tree.begins else ""
    words = [
        begins,
        "\N{MULTIPLICATION SIGN}2: so many moves are alike by symmetry" if tree.folds else "",
        "nodes of one name are one information set" if tree.names else "",
        tree.meaning,
        *(f"left out: {what}" for what in tree.left_out.split("; ") if what),
    ]
    return [*entries, *(_entry(text) for text in words if text)]


def _entry(text: str, sign: Block | None = None, **line: Any) -> Entry:
    return Entry(Piece(text, size=SMALL), sign, line)


def legend_rows(entries: list[Entry], width: float) -> list[list[Entry]]:
    """Return the entries in rows of at most this width, or of one entry."""
    rows: list[list[Entry]] = []
    for entry in entries:
        if rows and sum(other.width for other in rows[-1]) + entry.width <= width:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows
