"""No-limit betting by plain recursion over what was done so far, in fractions of chips."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

STREETS = ("flop", "turn", "river")

History = list[list[tuple[int, str, Fraction]]]
"""For each street who did what, and what that player then had put in on the street."""


class PlainSpot(NamedTuple):
    pot: Fraction
    stack: Fraction
    streets: int
    sizes: dict[tuple[int, str, str], list[str]]
    """By player, street and situation; a missing donk is a bet."""
    caps: dict[str, int]
    chip: Fraction = Fraction(1)
    min_bet: Fraction = Fraction(0)
    min_raise: Fraction = Fraction(1)
    add_allin: Fraction = Fraction(0)
    allin_threshold: Fraction = Fraction(1)
    force_allin: Fraction = Fraction(0)
    merge: Fraction = Fraction(0)
    rake: Fraction = Fraction(0)
    rake_cap: Fraction = Fraction(0)


def plain_tree(spot: PlainSpot) -> dict[str, Any]:
    """Return what is at each line: a player, "deal", or payoffs if player 0 wins, ties, loses."""
    found: dict[str, Any] = {}
    _act(spot, [[]], "", found)
    return found


def _put(street: list[tuple[int, str, Fraction]], player: int) -> Fraction:
    return max([total for who, _, total in street if who == player], default=Fraction(0))


def _before(history: History) -> Fraction:
    return sum((_put(street, 0) for street in history[:-1]), Fraction(0))


def _act(spot: PlainSpot, history: History, line: str, found: dict[str, Any]) -> None:
    now = history[-1]
    player = len(now) % 2
    found[line] = player
    mine, theirs = _put(now, player), _put(now, 1 - player)
    joint = "" if not line or line.endswith("/") else "-"
    for label, total in _choices(spot, history, player, theirs, mine):
        there = line + joint + label
        then = [*history[:-1], [*now, (player, label, total)]]
        if label == "fold":
            stake = spot.pot / 2 + _before(history) + mine
            taken = _rake(spot, 2 * stake)
            end = (-stake, stake - taken) if player == 0 else (stake - taken, -stake)
            found[there] = (end, end, end)
        elif label == "call" or (label == "check" and player == 1):
            _close(spot, then, there, found)
        else:
            _act(spot, then, there, found)


def _close(spot: PlainSpot, history: History, line: str, found: dict[str, Any]) -> None:
    if len(history) == spot.streets:
        stake = spot.pot / 2 + _before([*history, []])
        taken = _rake(spot, 2 * stake)
        tie = (-taken / 2, -taken / 2)
        found[line] = ((stake - taken, -stake), tie, (-stake, stake - taken))
        return
    found[line] = "deal"
    then = [*history, []]
    if _before(then) == spot.stack:
        _close(spot, then, line + "/", found)
    else:
        _act(spot, then, line + "/", found)


def _rake(spot: PlainSpot, pot: Fraction) -> Fraction:
    return min([spot.rake * pot, *([spot.rake_cap] if spot.rake_cap else [])])


def _choices(
    spot: PlainSpot, history: History, player: int, theirs: Fraction, mine: Fraction
) -> list[tuple[str, Fraction]]:
    passive = [("fold", mine), ("call", theirs)] if theirs else [("check", mine)]
    left = spot.stack - _before(history)
    word = "raise" if theirs else "bet"
    return passive + [
        (f"{'allin' if total == left else word}{_decimal(total)}", total)
        for total in sorted(_totals(spot, history, player, theirs))
    ]


def _totals(spot: PlainSpot, history: History, player: int, theirs: Fraction) -> set[Fraction]:
    street = STREETS[len(history) - spot.streets - 1]
    now, before = history[-1], _before(history)
    left, pot = spot.stack - before, spot.pot + 2 * before + 2 * theirs
    raised = [total for _, label, total in now if label[0] in "bra"]
    if theirs == left or len(raised) >= spot.caps.get(street, 10**9):
        return set()
    situation = "raise" if theirs else "bet"
    if not theirs and player == 0 and len(history) > 1:
        ended = [who for who, label, _ in history[-2] if label[0] in "bra"]
        if ended and ended[-1] == 1 and (0, street, "donk") in spot.sizes:
            situation = "donk"
    sizes = list(spot.sizes.get((player, street, situation), []))
    if sizes and (left - theirs) / pot <= spot.add_allin:
        sizes.append("a")
    last = raised[-1] - max([Fraction(0), *raised[:-1]]) if raised else Fraction(0)
    least = theirs + max(_up(spot, spot.min_raise * last), spot.chip)
    if not theirs:
        least = max(_up(spot, spot.min_bet), spot.chip)
    found = set()
    for size in sizes:
        total = max(least, _wanted(spot, size, theirs, pot, left, spot.streets - len(history) + 1))
        share = (before + total) / spot.stack
        spr = (left - total) / (spot.pot + 2 * before + 2 * total)
        full = total >= left or share >= spot.allin_threshold or spr <= spot.force_allin
        found.add(left if full else total)
    return _merged(spot, found, theirs, pot)


def _merged(
    spot: PlainSpot, totals: set[Fraction], theirs: Fraction, pot: Fraction
) -> set[Fraction]:
    percent = {total: 100 * (total - theirs) / pot for total in totals}
    kept: set[Fraction] = set()
    while percent:
        largest = max(percent)
        X = percent.pop(largest)
        kept.add(largest)
        percent = {
            total: Y for total, Y in percent.items() if 1 + spot.merge <= (100 + X) / (100 + Y)
        }
    return kept


def _wanted(
    spot: PlainSpot, size: str, theirs: Fraction, pot: Fraction, left: Fraction, streets: int
) -> Fraction:
    number = size[:-1]
    if size == "a":
        return left
    if size.endswith("%"):
        return theirs + _near(spot, pot * Fraction(number) / 100)
    if size.endswith("x"):
        return _near(spot, theirs * Fraction(number))
    if size.endswith("c"):
        return theirs + _near(spot, Fraction(number))
    growth = _root(1 + 2 * (left - theirs) / pot, int(number or streets))
    return theirs + _near(spot, pot * (growth - 1) / 2)


def _root(number: Fraction, degree: int) -> Fraction:
    context = Context(prec=80)
    whole = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    root = context.power(whole, context.divide(Decimal(1), Decimal(degree)))
    return Fraction(round(Fraction(root), 60))


def _near(spot: PlainSpot, amount: Fraction) -> Fraction:
    return floor(amount / spot.chip + Fraction(1, 2)) * spot.chip


def _up(spot: PlainSpot, amount: Fraction) -> Fraction:
    return ceil(amount / spot.chip) * spot.chip


def _decimal(number: Fraction) -> str:
    text = f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
