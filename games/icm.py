"""The independent chip model: what chips of a tournament are worth in prizes, exactly.

Who comes first is drawn in proportion to chips; so is who comes second, among the others; and so
on. Source: Malmuth, "Gambling theory and other topics", 1987; Harville, "Assigning probabilities to
the outcomes of multi-entry competitions", J. American Statistical Association 68, 1973. It knows
neither blinds nor seats nor skill.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from seqform.base.errors import InvalidParameterError
from seqform.base.number import Number, as_number, is_exact, plain

MOST_PLAYERS = 16
"""All sets of players are gone through."""


def icm(chips: Sequence[Number], payouts: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return what each player's chips are worth.

    Parameters
    ----------
    chips
        Of each player who is still in: above 0, int or Fraction.
    payouts
        For the first place, the second, and so on; no more than there are players. Places without
        one pay 0.

    Raises
    ------
    InvalidParameterError
        If chips or payouts are not so.

    Examples
    --------
    >>> icm((13, 6, 8), (50, 30, 20))
    (Fraction(135910, 3591), Fraction(35510, 1197), Fraction(6140, 189))
    """
    stacks, prizes = _numbers(chips, "chips"), _numbers(payouts, "payouts")
    _check(chips, stacks, prizes)
    count, total = len(stacks), sum(stacks)
    places = [*prizes, *[Fraction(0)] * (count - len(prizes))]
    worth = [Fraction(0)] * count
    # how likely each set of players takes the first places: a bit for each player
    likely = {0: Fraction(1)}
    for place in range(count):
        after: dict[int, Fraction] = {}
        for above, chance in likely.items():
            below = [player for player in range(count) if not above >> player & 1]
            left = total - sum(stacks[p] for p in range(count) if above >> p & 1)
            for player in below:
                next_one = chance * stacks[player] / left
                worth[player] += next_one * places[place]
                with_it = above | 1 << player
                after[with_it] = after.get(with_it, Fraction(0)) + next_one
        likely = after
    return tuple(worth)


def _numbers(given: Sequence[Number], name: str) -> list[Fraction]:
    try:
        numbers = [as_number(number) for number in given]
    except TypeError:
        numbers = []
    if not numbers or not all(map(is_exact, numbers)):
        raise InvalidParameterError(
            f"{name}={plain(given)}: give one or more numbers, int or Fraction"
        )
    return [Fraction(number) for number in numbers]


def _check(chips: Sequence[Number], stacks: list[Fraction], prizes: list[Fraction]) -> None:
    if min(stacks) <= 0:
        raise InvalidParameterError(
            f"chips={plain(chips)}: each has to be above 0; leave out who is out of the tournament"
        )
    if len(stacks) > MOST_PLAYERS:
        raise InvalidParameterError(
            f"there are chips of {len(stacks)} players: give those of {MOST_PLAYERS} at most"
        )
    if len(prizes) > len(stacks):
        raise InvalidParameterError(
            f"there are {len(prizes)} payouts and {len(stacks)} players: leave out those of places "
            "that are taken"
        )
