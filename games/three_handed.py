"""Tournaments of three players who go all in or fold, until one has all the chips.

Blinds are 1 and 2 units. The rules, also of chip counts that a casino would not let come up:

* The button has the first word, then the small blind, then the big blind. With two players left the
  small blind has it. Who has less than the blind posts all there is.
* A player decides between fold and all in only if staying costs more than what was posted: more
  than all who are in have, and than the blinds of those who come later. Else the player stays.
* Who stays has all chips in. Each layer of the pot goes to the best hand that put in so much
  (`games.all_in_pots`); chips that nobody matched come back. Who ties shares, and the chip that
  is left over goes to the first of them to the left of the button.
* The button goes one seat on. When a player is out, the big blind goes on to the next player who is
  left, and the other one of two is the small blind.
* Who is out first is third. Of two who go out in one hand the one who began it with more chips is
  second; if both had as many, they share both prizes.

A stage is a hand. Its key is the chips of the button, the small and the big blind; of two players
those of the small and the big blind, and 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from games.all_in_pots import settle
from games.icm import icm
from games.parameters import require
from seqform.base.errors import InvalidParameterError
from seqform.game.recursive import End, Leaf, Next

Chips = tuple[int, int, int]

SMALL, BIG = 1, 2
FOLD, PUSH, CALL = "fold", "push", "call"


class Line(NamedTuple):
    """What the players do in a hand.

    Parameters
    ----------
    actions
        Of each seat; None if it has nothing to decide.
    staying
        The seats that stay in.
    """

    actions: tuple[str | None, ...]
    staying: tuple[int, ...]

    def before(self, seat: int) -> tuple[str, ...]:
        """Return what was done before a seat's turn."""
        return tuple(action for action in self.actions[:seat] if action)


Hand = tuple[Line, ...]
"""All lines of a hand: hands with the same lines are one game, whatever the stacks are."""


def posts(chips: Chips) -> tuple[int, ...]:
    """Return what each seat posts."""
    blinds = (0, SMALL, BIG) if chips[2] else (SMALL, BIG, 0)
    return tuple(map(min, blinds, chips))


def hand_of(chips: Chips) -> Hand:
    """Return the lines of a hand at these stacks."""
    return tuple(_lines(chips, posts(chips), (), ()))


def _lines(
    chips: Chips, posted: tuple[int, ...], actions: tuple[str | None, ...], staying: tuple[int, ...]
) -> Iterator[Line]:
    seat = len(actions)
    if seat == len(chips):
        yield Line(actions, staying)
        return
    later = range(seat + 1, len(chips))
    costs = max([*(chips[other] for other in staying), *(posted[other] for other in later)] or [0])
    if not chips[seat]:
        yield from _lines(chips, posted, (*actions, None), staying)
    elif min(costs, chips[seat]) <= posted[seat]:
        yield from _lines(chips, posted, (*actions, None), (*staying, seat))
    else:
        yield from _lines(chips, posted, (*actions, FOLD), staying)
        enter = CALL if staying else PUSH
        yield from _lines(chips, posted, (*actions, enter), (*staying, seat))


@dataclass(frozen=True)
class ThreeHanded:
    """A tournament of three players.

    Parameters
    ----------
    cards
        Returns the game of a hand, as a stage, whose leaves are named by who stays: groups of
        seats, the strongest hands first; who is in one group ties.
    first
        The chips of the button, the small blind and the big blind in the first hand.
    payouts
        Of the first, the second and the third place.
    """

    cards: Callable[[Hand], Any]
    first: Chips
    payouts: tuple[int, int, int]

    num_players = 3
    pays_chips = True
    unit = "units of prize"

    @property
    def entry_fee(self) -> Fraction:
        """What each player has paid for all prizes."""
        return Fraction(sum(self.payouts), 3)

    @property
    def endless(self) -> tuple[Fraction, ...]:
        """What endless play pays: the entry fees back."""
        return (self.entry_fee,) * 3

    def start(self) -> Chips:
        """Return the chips in the first hand."""
        return self.first

    def keys(self) -> Iterator[Chips]:
        """Return all chips that there may be, also those of two players."""
        total = sum(self.first)
        for first in range(1, total):
            for second in range(1, total - first + 1):
                yield first, second, total - first - second

    def stage(self, key: Chips) -> Any:
        """Return the hand at these stacks."""
        if key not in self._hands:
            self._hands[key] = self.cards(hand_of(key))
        return self._hands[key]

    @cached_property
    def _hands(self) -> dict[Chips, Any]:
        return {}

    def leads_to(self, key: Chips, leaf: Leaf) -> Next | End:
        """Return the next hand, or what everybody has won."""
        after = settle(key, posts(key), leaf.at)  # type: ignore[arg-type]
        alive = [seat for seat in range(3) if after[seat]]
        if len(alive) == 1:
            return End(self._prizes(key, alive[0]))
        seats = _next_seats(alive, two_before=not key[2])
        return Next(tuple(after[seat] for seat in seats), seats)

    def _prizes(self, key: Chips, winner: int) -> tuple[Fraction, ...]:
        """Return what each seat gets where one has all the chips after a hand."""
        first, second, third = map(Fraction, self.payouts)
        prizes = [first] * 3
        one, other = (seat for seat in range(3) if seat != winner)
        if key[one] == key[other]:
            prizes[one] = prizes[other] = (second + third) / 2
        else:
            better = one if key[one] > key[other] else other
            prizes[better], prizes[one + other - better] = second, third
        return tuple(prizes)

    def guess(self, key: Chips) -> tuple[Fraction, ...]:
        """Return what the chips are worth by the independent chip model."""
        if key[2]:
            return icm(key, self.payouts)
        return (*icm(key[:2], self.payouts[:2]), Fraction(self.payouts[2]))

    def stage_label(self, key: Chips) -> str:
        """Write the stacks."""
        return ", ".join(map(str, key if key[2] else key[:2])) + " chips"


def _next_seats(alive: list[int], two_before: bool) -> tuple[int, ...]:
    """Return the present seat of who sits in each seat of the next hand."""
    if len(alive) == 3:
        return (1, 2, 0)
    if two_before:
        return (1, 0, 2)
    big = alive[0]  # after the big blind comes the button, then the small blind
    return alive[1], big, 3 - sum(alive)


def first_stacks(chips: int, button: int, small_blind: int) -> Chips:
    """Return the chips of each seat in the first hand; 0 stands for a third of all.

    Raises
    ------
    InvalidParameterError
        If there are no such stacks.
    """
    for name, own in (("button", button), ("small_blind", small_blind)):
        require(name, own, 0)
        if own == 0 and chips % 3:
            raise InvalidParameterError(
                f"chips={chips} are no three equal stacks: give a multiple of 3, or button and "
                "small_blind"
            )
    mine, next_one = button or chips // 3, small_blind or chips // 3
    if mine + next_one >= chips:
        raise InvalidParameterError(
            f"button={mine} and small_blind={next_one} leave the big blind no chips of {chips}"
        )
    return mine, next_one, chips - mine - next_one


def prizes(first: int, second: int, third: int) -> tuple[int, int, int]:
    """Return the prizes of the places.

    Raises
    ------
    InvalidParameterError
        If one is below 0.
    """
    for name, prize in (("first", first), ("second", second), ("third", third)):
        require(name, prize, 0)
    return first, second, third
