"""What does GameShrink make of a game with two jacks and a king?

Claim: the jacks become one, and 34 nodes with 6 information sets 18 with 4.

Source: the definition of Gilpin & Sandholm, J. ACM 54(5), 2007, as `tree` reads it.

`python -m experiments.two_jacks` draws the tree before and after, for
docs/explanation/gameshrink.md. It is one picture and no sweep, so it has no rows.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from abstraction.tree import lossless_classes
from abstraction.tree_shrink import shrink_tree
from seqform import GameTree, TreeBuilder
from seqform.drawing import draw_figure, draw_tree, save_figure

OUT = Path(__file__).parents[1] / "docs" / "explanation"


def two_jacks() -> GameTree:
    """Deal one card each of two jacks and a king; player 0 may bet, player 1 may fold.

    Jacks tie.
    """
    builder, cards = TreeBuilder(2), ("J1", "J2", "K")
    for mine, first in zip(
        cards, builder.chance(builder.root, [(card, Fraction(1, 3)) for card in cards]), strict=True
    ):
        rest = [card for card in cards if card != mine]
        for yours, dealt in zip(
            rest, builder.chance(first, [(card, Fraction(1, 2)) for card in rest]), strict=True
        ):
            win = (mine == "K") - (yours == "K")
            check, bet = builder.decision(dealt, 0, (0, mine), ["check", "bet"])
            builder.terminal(check, (win, -win))
            call, fold = builder.decision(bet, 1, (1, yours), ["call", "fold"])
            builder.terminal(call, (2 * win, -2 * win))
            builder.terminal(fold, (1, -1))
    return builder.freeze()


def draw(out: Path = OUT) -> None:
    """Draw both trees."""
    before = two_jacks()
    after = shrink_tree(before, lossless_classes(before)).tree
    for name, tree in (("before", before), ("after", after)):
        path = out / f"two-jacks-{name}.svg"
        save_figure(draw_figure(draw_tree(tree)), path)
        print(f"saved {path}: {tree.num_nodes} nodes, {tree.num_infosets} information sets")


if __name__ == "__main__":
    draw()
