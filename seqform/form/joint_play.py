"""The joint play of a search: everybody plays the same iteration, drawn from one common draw."""

from __future__ import annotations

from typing import NamedTuple

from seqform.base.arrays import Floats


class JointPlay(NamedTuple):
    """What is known of all iterations together.

    Parameters
    ----------
    averages
        For each player float64 (num_sequences,): the average plan.
    paid, got
        For each player what sequences were paid, float64 (num_sequences,), and what the player got:
        both added up over all iterations, times their weights.
    weight
        The sum of the weights.
    iterations
        How many there were.
    """

    averages: tuple[Floats, ...]
    paid: tuple[Floats, ...]
    got: tuple[float, ...]
    weight: float
    iterations: int
