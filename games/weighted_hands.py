"""Hands of two cards with weights: a range as people mean it, whatever way it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import ClassVar

import numpy as np

from games.hand_classes import HANDS, NUM_HANDS, hand_name, read_hand
from games.range_text import range_text
from seqform.base.errors import InvalidParameterError
from seqform.base.pictures import Pictured
from seqform.form.hands import MOST_WEIGHT, HandRange


@dataclass(frozen=True)
class WeightedHands(Pictured):
    """How often each of the 1,326 hands is held, when it is dealt.

    Parameters
    ----------
    weights
        1,326 numbers from 0 to 1, in the order of `games.hand_classes.HANDS`.

    Raises
    ------
    InvalidParameterError
        If there are more or fewer, or one is less than 0 or more than 1.
    """

    weights: tuple[Fraction, ...]

    picture: ClassVar[str] = "hands"

    def __post_init__(self) -> None:
        weights = tuple(of if type(of) is Fraction else Fraction(of) for of in self.weights)
        if len(weights) != NUM_HANDS:
            raise InvalidParameterError(
                f"a range has a weight for each of {NUM_HANDS:,} hands, not {len(weights):,}"
            )
        for number, weight in enumerate(weights):
            if not 0 <= weight.numerator <= weight.denominator:
                raise InvalidParameterError(
                    f"the weight of {hand_name(number)} is {float(weight):.6g}: weights are from 0 "
                    "to 1; divide all by the largest"
                )
        object.__setattr__(self, "weights", weights)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"parse_range({self.to_text()!r})"

    def __getitem__(self, hand: str) -> Fraction:
        """Return the weight of a hand such as ``"AhKh"``."""
        return self.weights[read_hand(hand)]

    def items(self) -> Iterator[tuple[str, Fraction]]:
        """Return the hands that are held, with their weights, in order."""
        return ((hand_name(number), self.weights[number]) for number in self.held)

    @cached_property
    def held(self) -> list[int]:
        """The numbers of the hands whose weight is above 0."""
        return [number for number, weight in enumerate(self.weights) if weight]

    @property
    def total(self) -> Fraction:
        """The sum of the weights: how many hands there are, those held half the time as halves."""
        return sum((self.weights[number] for number in self.held), Fraction(0))

    def without(self, cards: Iterable[int]) -> tuple[WeightedHands, tuple[str, ...]]:
        """Return the hands that hold none of some cards, and those dropped that were held.

        Parameters
        ----------
        cards
            Such as the board; numbered as in `games.playing_cards`.
        """
        meets = np.asarray(np.isin(HANDS, list(cards)).any(axis=1)).tolist()
        dropped = tuple(hand_name(number) for number in self.held if meets[number])
        weights = [
            Fraction(0) if met else weight for met, weight in zip(meets, self.weights, strict=True)
        ]
        return WeightedHands(tuple(weights)), dropped

    def rounded(self, denominator: int) -> tuple[WeightedHands, tuple[str, ...]]:
        """Return the weights as the nearest multiples of 1 / `denominator`, and hands thus dropped.

        Raises
        ------
        InvalidParameterError
            If the denominator is below 1.
        """
        if denominator < 1:
            raise InvalidParameterError(f"weights are rounded to 1 / {denominator}: use 1 or more")
        weights = [Fraction(round(weight * denominator), denominator) for weight in self.weights]
        dropped = tuple(hand_name(number) for number in self.held if not weights[number])
        return WeightedHands(tuple(weights)), dropped

    def hand_range(self) -> HandRange:
        """Return the range of a game of hands: the weights are made whole by a common denominator.

        Raises
        ------
        InvalidParameterError
            If no hand is held, or a whole weight would be too large.
        """
        if not self.held:
            raise InvalidParameterError("the range has no hand: give one a weight above 0")
        exact = [self.weights[number] for number in self.held]
        common = lcm(*(weight.denominator for weight in exact))
        whole = [int(weight * common) for weight in exact]
        shared = gcd(*whole)
        if max(whole) // shared >= MOST_WEIGHT:
            raise InvalidParameterError(
                f"the weights of the range have a common denominator of {len(str(common))} digits, "
                "too long for whole weights below 2**53: round them, such as to "
                "multiples of 1/1000000 by rounded(1_000_000) in Python"
            )
        return HandRange(HANDS[self.held], np.array([weight // shared for weight in whole]))

    def to_text(self) -> str:
        """Return the range as people write it; `parse_range` reads the same one back."""
        return range_text(self.weights)
