"""The 169 classes of hands as a matrix of 13 x 13, and as text for a terminal.

Aces come first. Pairs are on the diagonal, hands of one suit above it, those of two below.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from games.hand_classes import CLASS_OF, HANDS, NUM_CLASSES, hand_number
from games.playing_cards import NUM_RANKS, RANKS
from games.weighted_hands import WeightedHands
from seqform.base.arrays import Floats, Ints
from seqform.base.errors import InvalidParameterError
from seqform.base.matrix_text import matrix_lines


def class_means(hands: Ints, values: ArrayLike, weights: ArrayLike = 1.0) -> Floats:
    """Return the mean of a number over the hands of each class.

    Parameters
    ----------
    hands
        Cards of each hand, int16 (num_hands, 2), such as those of a `HandRange`.
    values
        Such as the frequencies of an action, or what hands win: (num_hands,).
    weights
        What each hand counts in the mean of its class, none below 0: (num_hands,).

    Returns
    -------
    float64 (13, 13)
        NaN where no hand of a class has a weight.

    Raises
    ------
    InvalidParameterError
        If there are not as many values and weights as hands, or a weight is below 0 or no number.
    """
    values, weights = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
    weights = np.broadcast_to(weights, len(hands)) if weights.ndim == 0 else weights
    if values.shape != (len(hands),) or weights.shape != (len(hands),):
        raise InvalidParameterError(
            f"{len(hands):,} hands have values of shape {values.shape} and weights of shape "
            f"{weights.shape}: give a number for each hand"
        )
    if not (weights >= 0).all():
        raise InvalidParameterError("weights of hands are 0 or more")
    counts = weights > 0  # what is not held may have no value
    of = CLASS_OF[[hand_number(*hand) for hand in np.asarray(hands)[counts].tolist()]]
    total = np.bincount(of, weights[counts], NUM_CLASSES)
    found = np.bincount(of, weights[counts] * values[counts], NUM_CLASSES)
    means = np.divide(found, total, out=np.full(NUM_CLASSES, np.nan), where=total > 0)
    matrix: Floats = means.reshape(NUM_RANKS, NUM_RANKS)
    return matrix


def range_matrix(held: WeightedHands, board: Iterable[int] = ()) -> Floats:
    """Return the mean weight of each class of a range, over its hands that do not meet a board.

    Returns
    -------
    float64 (13, 13)
        NaN for classes all of whose hands meet the board.
    """
    apart = ~np.isin(HANDS, list(board)).any(axis=1)
    return class_means(HANDS, [float(weight) for weight in held.weights], apart)


def matrix_text(matrix: Floats, percent: bool = True) -> str:
    """Return a matrix as lines of at most 79 plain characters.

    Parameters
    ----------
    matrix
        float64 (13, 13).
    percent
        Whether the numbers are shares, which are shown in percent; see
        `seqform.base.matrix_text`.
    """
    ranks = RANKS[::-1]
    return "\n".join(matrix_lines(matrix, ranks, ranks, percent=percent))
