"""How hands of hold'em are put together in tables: by class, by made hand, by draw; and a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from games.hand_classes import CLASS_OF, class_name, hand_number
from games.hand_ranges import parse_range
from games.made_hands import DRAWS, MADE_HANDS, draw_number, made_number
from games.playing_cards import RANKS
from seqform.base.arrays import Index, Ints, Mask
from seqform.base.errors import InvalidParameterError
from seqform.form.hands import HandClasses, HandGrid


def classes(hands: Ints, board: Ints) -> list[str]:
    """Return the class of each hand, such as AKs, whatever the board is."""
    return class_names(hands)


def class_numbers(hands: Ints) -> Index:
    """Return the number of the class of each hand: int64 (num_hands,)."""
    numbers = [hand_number(*hand) for hand in hands.tolist()]
    found: Index = CLASS_OF[numbers].astype("int64")
    return found


def class_names(hands: Ints) -> list[str]:
    """Return the class of each hand, such as AKs."""
    return [class_name(of) for of in class_numbers(hands).tolist()]


def meant(text: str, hands: Ints) -> Mask:
    """Return which hands a range such as ``QQ+, A5s-A2s`` stands for: bool (num_hands,).

    Raises
    ------
    InvalidParameterError
        If it is no range, or has weights.
    """
    weights = parse_range(text).weights
    if not set(weights) <= {0, 1}:
        raise InvalidParameterError(f"{text!r:.60} weighs hands, and here they are only named")
    chosen = np.array(weights) == 1
    found: Mask = chosen[[hand_number(*hand) for hand in hands.tolist()]]
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

HAND_CLASSES = HandClasses(class_names, meant)

HAND_GRID = HandGrid(tuple(RANKS[::-1]), tuple(RANKS[::-1]), class_numbers)
"""The 169 classes, 13 x 13: pairs on the diagonal, hands of one suit above it."""
