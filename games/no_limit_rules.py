"""The rules of no-limit betting, state by state; `games.no_limit_betting` says what they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil

from games.bet_sizes import Stakes, plain_decimal, total_of
from games.betting_edits import CARD, Edit, after, read_edits
from games.edited_actions import check_edits, edited
from games.no_limit_spot import CALL, CHECK, DEAL, FOLD, FOLDED, SHOWN, Spot
from games.size_plan import BET, DONK, POSITIONS, RAISE, STREETS, SizePlan, read_plan
from seqform.base.errors import InvalidParameterError
from seqform.base.number import Number, ratio
from seqform.game.rules import CHANCE, TERMINAL

ALL_IN = "allin"

LARGEST_AMOUNT = 10**9
"""Chips of the smallest kind in a pot or stack at most."""

FINEST_CHIP = Fraction(1, 10**6)


@dataclass(frozen=True)
class NoLimitRules:
    """What may be done in a spot, and what comes of it.

    Parameters
    ----------
    pot, stack
        Chips in the middle, and chips that each player has left; positive.
    sizes
        What may be bet, as `games.size_plan` writes it.
    streets
        Streets to come: 1 for a river, 2 for a turn, 3 for a flop.
    chip
        The smallest chip: what is bet is a multiple of it, and so must the pot and the stack be.
    min_bet
        The smallest bet; one chip if it is 0.
    min_raise
        A raise is by at least so many times the last bet or raise.
    add_allin
        All-in is added where at most so many times the pot is left to bet; 0: where it is written.
    allin_threshold
        What puts in at least this share of the whole stack becomes all-in; 1: only what is so.
    force_allin
        What leaves, once it is called, at most so many times the pot becomes all-in.
    merge
        Sizes are left out that are nearer to a larger one, by Pio's rule; 0: none are.
    rake, rake_cap
        The share of the pot that the house takes, and the most chips that it takes; 0: no cap.
    edits
        Lines that are left out, and sizes that are added, as `games.betting_edits` writes them.

    Raises
    ------
    InvalidParameterError
        If a number is out of bounds, or no multiple of the chip, if sizes or edits cannot be read,
        or an edit is of a line that there is not.
    """

    pot: Number
    stack: Number
    sizes: SizePlan | str
    streets: int = 1
    chip: Number = 1
    min_bet: Number = 0
    min_raise: Number = 1
    add_allin: Number = 0
    allin_threshold: Number = 1
    force_allin: Number = 0
    merge: Number = 0
    rake: Number = 0
    rake_cap: Number = 0
    edits: tuple[Edit, ...] | str = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", self.plan)
        object.__setattr__(self, "edits", self.changes)
        for name in NUMBERS:
            object.__setattr__(self, name, _exact(name, getattr(self, name)))
        if self.streets not in range(1, len(STREETS) + 1):
            raise InvalidParameterError(
                f"streets={self.streets!r}: use 1 for a river, 2 for a turn, 3 for a flop"
            )
        self._check_bounds()
        for name in ("pot", "stack"):
            self._check_chips(name)
        if silent := self.plan.silent_on(self.played):
            raise InvalidParameterError(
                f"sizes='{self.plan}' say nothing of bets on the {' and the '.join(silent)}; "
                "say which, such as bet 50%,a, or bet none"
            )
        check_edits(self, self.changes)

    def _check_bounds(self) -> None:
        if self.rake >= 1:
            raise InvalidParameterError(f"rake={self.rake}: use a share below 1, such as 0.05")
        if not 0 < self.allin_threshold <= 1:
            raise InvalidParameterError(
                f"allin_threshold={self.allin_threshold}: use a share of the stack above 0, at "
                "most 1, which changes nothing"
            )
        if self.chip < FINEST_CHIP or (10**6 * Fraction(self.chip)).denominator > 1:
            raise InvalidParameterError(
                f"chip={self.chip}: use a positive number of at most 6 places after the point"
            )

    def _check_chips(self, name: str) -> None:
        amount = Fraction(getattr(self, name)) / Fraction(self.chip)
        if not 0 < amount <= LARGEST_AMOUNT:
            raise InvalidParameterError(
                f"{name}={getattr(self, name)} must be positive, and at most {LARGEST_AMOUNT:,} "
                f"times the chip, {self.chip}"
            )
        if amount.denominator > 1:
            raise InvalidParameterError(
                f"{name}={getattr(self, name)} is no multiple of the chip, {self.chip}; "
                "use a smaller chip, such as chip=0.5 or chip=0.01"
            )

    def chips(self, amount: Number) -> int:
        """Return an amount in chips of the smallest kind, rounded up."""
        return ceil(Fraction(amount) / Fraction(self.chip))

    @cached_property
    def plan(self) -> SizePlan:
        """The sizes."""
        return read_plan(self.sizes) if isinstance(self.sizes, str) else self.sizes

    @cached_property
    def changes(self) -> tuple[Edit, ...]:
        """The edits."""
        return read_edits(self.edits) if isinstance(self.edits, str) else self.edits

    @property
    def played(self) -> tuple[str, ...]:
        """The streets to come, by name."""
        return STREETS[len(STREETS) - self.streets :]

    @cached_property
    def in_pot(self) -> int:
        """The pot, in chips of the smallest kind."""
        return self.chips(self.pot)

    @cached_property
    def behind(self) -> int:
        """The stack of each player, in chips of the smallest kind."""
        return self.chips(self.stack)

    def edited(self, edits: str) -> NoLimitRules:
        """Return the rules with further edits."""
        return replace(self, edits=(*self.changes, *read_edits(edits)))

    def root(self) -> Spot:
        """Return the state in which play begins."""
        return Spot(edits=self.changes)

    def player(self, spot: Spot) -> int:
        """Return who acts: 0, 1, `CHANCE` or `TERMINAL`."""
        if not spot.next_is:
            return spot.actor
        return CHANCE if spot.next_is == DEAL else TERMINAL

    def actions(self, spot: Spot) -> dict[str, int]:
        """Return what may be done, with what the player then has put in on this street."""
        facing = spot.facing
        found = {FOLD: spot.put[spot.actor], CALL: facing} if facing else {CHECK: 0}
        found |= {self.label(spot, total): total for total in self.totals(spot)}
        return edited(self, spot, found) if spot.edits else found

    def steps(self, spot: Spot) -> list[str]:
        """Return how lines go on from a state: by actions, by a card, or not at all."""
        return [CARD] if spot.next_is == DEAL else [] if spot.next_is else list(self.actions(spot))

    def label(self, spot: Spot, total: int) -> str:
        """Return what a bet or raise to so much is called."""
        kind = ALL_IN if total == self.left(spot) else RAISE if spot.facing else BET
        worth = total if self.chip == 1 else plain_decimal(total * Fraction(self.chip))
        return f"{kind}{worth}"

    def left(self, spot: Spot) -> int:
        """Return the most that a player can have put in on this street."""
        return self.behind - spot.before

    def stakes(self, spot: Spot) -> Stakes:
        """Return what sizes are reckoned from."""
        return Stakes(
            pot=self.in_pot + 2 * (spot.before + spot.facing),
            facing=spot.facing,
            stack=self.left(spot),
            streets=self.streets - spot.street,
            chip=Fraction(self.chip),
        )

    def totals(self, spot: Spot) -> list[int]:
        """Return what bets and raises are to, from small to large."""
        street = self.played[spot.street]
        cap = self.plan.cap(street)
        if spot.facing == self.left(spot) or (cap is not None and spot.bets >= cap):
            return []
        sizes = self.plan.sizes(POSITIONS[spot.actor], street, self.situation(spot))
        stakes = self.stakes(spot)
        wanted = [total_of(size, stakes) for size in sizes]
        if wanted and stakes.stack - stakes.facing <= self.add_allin * stakes.pot:
            wanted.append(stakes.stack)
        least = self.least(spot)
        legal = {self._forced(spot, max(total, least)) for total in wanted}
        return self._merged(stakes, sorted(legal))

    def situation(self, spot: Spot) -> str:
        """Return which sizes apply."""
        if spot.facing:
            return RAISE
        return DONK if spot.actor == 0 and spot.aggressor == 1 else BET

    def least(self, spot: Spot) -> int:
        """Return the smallest bet, or what the smallest raise is to, as if stacks were endless."""
        if not spot.facing:
            return max(self.chips(self.min_bet), 1)
        return spot.facing + max(ceil(self.min_raise * spot.step), 1)

    def _forced(self, spot: Spot, total: int) -> int:
        """Return what is put in where a bet or raise to so much is wanted: that, or all-in."""
        stack, inside = self.left(spot), spot.before + total
        if total >= stack or inside >= self._most_inside:
            return stack
        is_little = self.force_allin and (
            stack - total <= self.force_allin * (self.in_pot + 2 * inside)
        )
        return stack if is_little else total

    @cached_property
    def _most_inside(self) -> int:
        """What a player has put in, earlier streets included, who goes all-in instead."""
        return ceil(self.allin_threshold * self.behind)

    def _merged(self, stakes: Stakes, totals: list[int]) -> list[int]:
        """Return totals without those that are near to a larger one."""
        if not self.merge:
            return totals
        kept: list[int] = []
        for total in reversed(totals):
            # (100 + X) / (100 + Y), both times the pot
            here = stakes.pot + total - stakes.facing
            above = stakes.pot + kept[-1] - stakes.facing if kept else None
            if above is None or above >= (1 + self.merge) * here:
                kept.append(total)
        return kept[::-1]

    def children(self, spot: Spot) -> dict[str | None, Spot]:
        """Return the state after each action, or after a card (None)."""
        if spot.next_is == DEAL:
            return {None: self._begun(spot)}
        if spot.next_is:
            return {}
        return {
            action: self._done(spot, action, total) for action, total in self.actions(spot).items()
        }

    def child(self, spot: Spot, action: str | None) -> Spot:
        """Return the state after an action, or after a card (None)."""
        return self.children(spot)[action]

    def _done(self, spot: Spot, action: str, total: int) -> Spot:
        """Return the state after an action."""
        edits = after(spot.edits, action)
        if action == FOLD:
            return spot._replace(next_is=FOLDED, edits=edits)
        put = (total, spot.put[1]) if spot.actor == 0 else (spot.put[0], total)
        if action == CALL:
            return self._closed(spot._replace(put=put, edits=edits), aggressor=1 - spot.actor)
        if action == CHECK and spot.actor == 1:
            return self._closed(spot._replace(edits=edits), aggressor=None)
        return spot._replace(
            put=put,
            actor=1 - spot.actor,
            step=total - spot.facing,
            bets=spot.bets + (action != CHECK),
            edits=edits,
        )

    def _closed(self, spot: Spot, aggressor: int | None) -> Spot:
        """Return the state after the last action of a street."""
        is_last = spot.street + 1 == self.streets
        return Spot(
            street=spot.street,
            before=spot.matched,
            aggressor=aggressor,
            next_is=SHOWN if is_last else DEAL,
            edits=spot.edits,
        )

    def _begun(self, spot: Spot) -> Spot:
        """Return the state after a card: a street, or the next card if nobody has chips."""
        begun = Spot(
            street=spot.street + 1,
            before=spot.before,
            aggressor=spot.aggressor,
            edits=after(spot.edits, CARD),
        )
        return begun if self.left(begun) else self._closed(begun, None)

    def paid(self, spot: Spot) -> tuple[Amounts, Amounts, Amounts]:
        """Return what each player gets at an end if player 0 wins, ties, or loses it."""
        half, matched = Fraction(self.pot) / 2, spot.matched * Fraction(self.chip)
        taken = self.raked(2 * (half + matched))
        lost = -(half + matched)
        won = -lost - taken
        if spot.next_is == FOLDED:
            end = (lost, won) if spot.actor == 0 else (won, lost)
            return end, end, end
        return (won, lost), (-taken / 2, -taken / 2), (lost, won)

    def raked(self, pot: Fraction) -> Fraction:
        """Return what the house takes of a pot."""
        taken = Fraction(self.rake) * pot
        return min(taken, Fraction(self.rake_cap)) if self.rake_cap else taken


Amounts = tuple[Fraction, Fraction]

NUMBERS = (
    *("pot", "stack", "chip", "min_bet", "min_raise", "add_allin", "allin_threshold"),
    *("force_allin", "merge", "rake", "rake_cap"),
)


def _exact(name: str, value: object) -> Fraction:
    """Return a parameter as a fraction; a float is the decimal that it is written as."""
    try:
        number = ratio(str(value))
    except (ValueError, ZeroDivisionError):
        raise InvalidParameterError(f"{name}={value!r} is no number") from None
    if number < 0:
        raise InvalidParameterError(f"{name}={value!r} is below 0")
    return number
