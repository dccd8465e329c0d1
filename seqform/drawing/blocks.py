"""Blocks of text: the content of nodes and edges, and how much room it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from seqform.base.number import Number
from seqform.drawing.drawn_tree import DrawnNode, DrawnTree
from seqform.drawing.fonts import drawable, families
from seqform.drawing.style import (
    CHANCE_INK,
    FAINT,
    FONT_SIZE,
    INK,
    SMALL,
    label_text,
    number_text,
    player_color,
    value_texts,
)
from seqform.game.rules import CHANCE, TERMINAL

LINE = 1.2
"""Height of a row as a multiple of its font size, DejaVu's ascent and descent included."""
ASCENT = 0.94
"""From the top of a row to its baseline, in font sizes."""
SPACE = 3.0
"""Between pieces of a row."""
PADDING = 2.5
"""Between a node's outline and its text."""
CHANCE_SIDE, CIRCLE, BADGE = 7.0, 12.0, 9.2
"""Side of chance's square, diameter of a node without text, and of a player's disk in one that has
text."""
TRIANGLE = 11.0
"""Height of the sign that the game goes on."""


@dataclass(frozen=True)
class Piece:
    """Some text in one style."""

    text: str
    color: str = INK
    size: float = FONT_SIZE
    bold: bool = False
    monospace: bool = False
    is_badge: bool = False
    """Whether it stands, in white, on a disk of its color."""

    @property
    def width(self) -> float:
        """Its length."""
        return (
            BADGE if self.is_badge else _text_width(self.text, self.size, self.bold, self.monospace)
        )

    @property
    def font(self) -> dict[str, Any]:
        """What matplotlib's texts and fonts are told."""
        return {
            "family": families(self.text, self.monospace),
            "size": self.size,
            "weight": "bold" if self.bold else "normal",
        }


Row = tuple[Piece, ...]


@cache
def _text_width(text: str, size: float, bold: bool, monospace: bool) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    known, lost = drawable(text)
    font = Piece(known, size=size, bold=bold, monospace=monospace).font
    measured = text_to_path.get_text_width_height_descent(
        known, FontProperties(**font), ismath=False
    )
    return float(measured[0]) + size * lost  # a square each, as in fonts that have them


@dataclass(frozen=True)
class Block:
    """Rows of text one below the other, centered, in an outline or in none."""

    rows: tuple[Row, ...] = ()
    outline: str = ""
    """'circle', 'round', 'square' or none."""
    color: str = INK
    least_width: float = 0.0

    @property
    def is_box(self) -> bool:
        """Whether it has an outline that fits its text."""
        return bool(self.rows) and self.outline in ("round", "square")

    @property
    def text_width(self) -> float:
        """Length of the longest row."""
        return max(map(row_width, self.rows), default=0.0)

    @property
    def text_height(self) -> float:
        """Height of all rows."""
        return sum(map(row_height, self.rows))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, outline included."""
        if self.outline == "circle":
            return CIRCLE, CIRCLE
        if self.outline and not self.rows:
            return CHANCE_SIDE, CHANCE_SIDE
        padding = 2 * PADDING if self.outline else 0.0
        return max(self.text_width + padding, self.least_width), self.text_height + padding


def row_width(row: Row) -> float:
    """Return the length of a row."""
    return sum(piece.width for piece in row) + SPACE * (len(row) - 1)


def row_height(row: Row) -> float:
    """Return the height of a row."""
    return LINE * max(piece.size for piece in row)


def edge_block(tree: DrawnTree, node: DrawnNode, stacked: bool) -> Block:
    """Return what stands on the edge into a node: its label and, if any, its probability."""
    above = tree.nodes[node.parent]
    never = node.weight == 0 or not above.is_reached or node.is_pruned
    pieces = [Piece(label_text(node.label), color=FAINT if never else INK)]
    if node.probability is not None:
        pieces.append(Piece(number_text(node.probability, 3), CHANCE_INK, SMALL))
    elif node.weight is not None and not tree.is_pure:
        color = FAINT if never else player_color(above.player)
        pieces.append(Piece(weight_text(tree, node), color, SMALL, bold=above.is_on_path))
    return Block(_arranged(pieces, stacked))


SMALLEST_WEIGHT = 0.001
"""Of the probabilities of moves: those below it are not told apart."""


def weight_text(tree: DrawnTree, node: DrawnNode) -> str:
    """Write the probability of a move, in brackets where play never comes to the decision."""
    weight = float(node.weight or 0.0)
    text = f"<{SMALLEST_WEIGHT}" if 0 < weight < SMALLEST_WEIGHT else number_text(weight, 3)
    return text if tree.nodes[node.parent].is_on_path else f"({text})"


def node_block(tree: DrawnTree, node: DrawnNode, stacked: bool, infosets: bool) -> Block:
    """Return what stands in a node.

    Parameters
    ----------
    stacked
        Whether payoffs stand one below the other.
    infosets
        Whether to write the name of its information set.
    """
    board = tuple((Piece(line or " ", monospace=True),) for line in node.board.splitlines())
    if node.player == TERMINAL:
        if not (board or node.payoffs):  # moves that are left out
            return Block()
        return Block(
            (*board, *_arranged(_payoffs(tree, node.payoffs or ()), stacked)),
            "round" if board else "",
            FAINT,
        )
    rewards = (
        []
        if node.payoffs is None
        else [Piece("pays", CHANCE_INK, SMALL), *_payoffs(tree, node.payoffs)]
    )
    value = [] if node.value is None else _payoffs(tree, node.value, digits=3)
    named = tree.names.get((node.player, node.key), "")
    text = str(node.infoset) if infosets and str(node.infoset) else named
    name = [Piece(label_text(text), CHANCE_INK, SMALL)] if text and node.player >= 0 else []
    facts = [tuple(row) for row in (value, name, rewards) if row]
    if node.player == CHANCE:
        return Block((*board, *facts), "square", CHANCE_INK)
    color = player_color(node.player)
    if not (board or facts):
        return Block(((Piece(str(node.player), "white", SMALL, bold=True),),), "circle", color)
    who = Piece(str(node.player), color, SMALL, bold=True, is_badge=True)
    first, *others = facts or [()]
    return Block((*board, (who, *first), *others), "round", color)


def _payoffs(tree: DrawnTree, vector: tuple[Number, ...], digits: int = 6) -> list[Piece]:
    texts = [
        text.replace("-", "\N{MINUS SIGN}")
        for text in value_texts(vector, tree.is_zero_sum, digits)
    ]
    if len(texts) == 1:
        return [Piece(texts[0])]
    return [Piece(text, player_color(player)) for player, text in enumerate(texts)]


def _arranged(pieces: list[Piece], stacked: bool) -> tuple[Row, ...]:
    return tuple((piece,) for piece in pieces) if stacked else (tuple(pieces),)
