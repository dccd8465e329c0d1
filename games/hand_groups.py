"""How hands of hold'em are put together in tables: by class, by made hand, by draw; and a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.hand_classes import CLASS_OF, class_name, hand_number
from games.made_hands import DRAWS, MADE_HANDS, draw_number, made_number
from games.playing_cards import RANKS
from seqform.base.arrays import Index, Ints
from seqform.form.hands import HandGrid


def classes(hands: Ints, board: Ints) -> list[str]:
    """Return the class of each hand, such as AKs, whatever the board is."""
    return [class_name(of) for of in class_numbers(hands).tolist()]


def class_numbers(hands: Ints) -> Index:
    """Return the number of the class of each hand: int64 (num_hands,)."""
    numbers = [hand_number(*hand) for hand in hands.tolist()]
    found: Index = CLASS_OF[numbers].astype("int64")
    return found


def made(hands: Ints, board: Ints) -> list[str]:
    """Return the made hand of each hand, such as ``top pair``."""
    return [MADE_HANDS[of] for of in made_number(hands, board).tolist()]


def draws(hands: Ints, board: Ints) -> list[str]:
    """Return the draw of each hand, such as ``flush draw``; ``no draw`` for hands without."""
    return [DRAWS[of] or "no draw" for of in draw_number(hands, board).tolist()]


HAND_GROUPS: Mapping[str, Callable[[Ints, Ints], list[str]]] = {
    "made": made,
    "draw": draws,
    "class": classes,
}

HAND_GRID = HandGrid(tuple(RANKS[::-1]), tuple(RANKS[::-1]), class_numbers)
"""The 169 classes, 13 x 13: pairs on the diagonal, hands of one suit above it."""
