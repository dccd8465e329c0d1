"""What does GameShrink make of a game with two jacks and a king?

Claim: the jacks become one, and 34 nodes with 6 information sets 18 with 4.

Source: the definition of Gilpin & Sandholm, J. ACM 54(5), 2007, as `tree` reads it.

`python -m experiments.two_jacks FOLDER` draws the tree before and after, into the current folder
where none is given. docs/explanation/gameshrink.md shows both. They are pictures and no sweep, so
they have no rows.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from abstraction.tree import lossless_classes
from abstraction.tree_shrink import shrink_tree
from seqform import GameTree, TreeBuilder
from seqform.base.errors import InvalidParameterError, SeqformError
from seqform.base.whole_file import reason
from seqform.drawing import draw_figure, draw_tree, save_figure


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


def draw(out: Path) -> None:
    """Draw both trees into a folder, which is made if it is not there.

    Raises
    ------
    InvalidParameterError
        If the folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidParameterError(f"cannot write to {out}: {reason(error)}") from None
    before = two_jacks()
    after = shrink_tree(before, lossless_classes(before)).tree
    for name, tree in (("before", before), ("after", after)):
        path = out / f"two-jacks-{name}.svg"
        save_figure(draw_figure(draw_tree(tree)), path)
        print(f"saved {path}: {tree.num_nodes} nodes, {tree.num_infosets} information sets")


if __name__ == "__main__":
    try:
        draw(Path(sys.argv[1] if sys.argv[1:] else "."))
    except SeqformError as error:
        sys.exit(f"two_jacks: {error}")
