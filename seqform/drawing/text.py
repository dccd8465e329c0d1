"""A game tree as text for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.number import Number
from seqform.drawing.blocks import weight_text
from seqform.drawing.drawn_tree import DrawnNode, DrawnTree
from seqform.drawing.style import number_text, player_color, value_texts
from seqform.game.rules import CHANCE, TERMINAL

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

BEST = "*"
"""Marks moves that a pure solution plays."""


def draw_text(tree: DrawnTree) -> Tree:
    """Return a tree that rich prints: each line is a move, then who moves after it or what is paid.

    Moves are followed by their probability: of chance in parentheses, of a solution in brackets.
    Moves that a pure solution plays are marked with a star. Information sets that play never comes
    to are "not reached": the solution says nothing of them where the player's own moves never lead
    there, and else what it says stands in parentheses.
    """
    from rich.tree import Tree

    made: list[Tree] = []
    for node in tree.nodes:
        text = _line(tree, node)
        made.append(
            Tree(text, guide_style="bright_black")
            if node.parent < 0
            else made[node.parent].add(text)
        )
    return made[0]


def _line(tree: DrawnTree, node: DrawnNode) -> Text:
    from rich.text import Text

    line = Text()
    if node.parent >= 0:
        above = tree.nodes[node.parent]
        never = node.weight == 0 or not above.is_reached or node.is_pruned
        played = "bold" if above.is_on_path else ""
        line.append(f"{_move(tree, node)}  ", style="bright_black" if never else played)
    line.append(_who(tree, node), style=player_color(node.player) if node.player >= 0 else "")
    if not (node.is_reached and node.is_on_path):
        line.append(", not reached", style="bright_black")
    if node.value is not None and node.player != TERMINAL:
        line.append(f"  value {_vector(tree, node.value, 3)}")
    if node.is_pruned and not tree.nodes[node.parent].is_pruned:
        line.append("  cut off", style="bright_black")
    if node.is_cut:
        line.append("  ...")
    for row in node.board.splitlines():
        line.append(f"\n{row}")
    return line


def _move(tree: DrawnTree, node: DrawnNode) -> str:
    label = str(node.label)
    if node.probability is not None:
        return f"{label} ({number_text(node.probability)})"
    if node.weight is None:
        return label
    if tree.is_pure:
        best = BEST if tree.nodes[node.parent].is_on_path else f"({BEST})"
        return f"{best} {label}" if node.weight else label
    return f"{label} [{weight_text(tree, node)}]"


def _who(tree: DrawnTree, node: DrawnNode) -> str:
    paid = "" if node.payoffs is None else f"pays {_vector(tree, node.payoffs)}"
    if node.player == TERMINAL:
        return paid
    name = str(node.infoset)
    mover = "chance" if node.player == CHANCE else tree.player_text(node.player)
    who = mover if node.player == CHANCE else f"{mover}{' at ' if name else ''}{name}"
    return f"{who}, {paid}" if paid else who


def _vector(tree: DrawnTree, vector: tuple[Number, ...], digits: int = 6) -> str:
    texts = value_texts(vector, tree.is_zero_sum, digits)
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
