"""What edits change at a state of no-limit betting, and whether they can be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from games.bet_sizes import plain_decimal
from games.betting_edits import ADD, CARD, REMOVE, Edit, edit_error, line_of
from games.no_limit_spot import PASSIVE, Spot
from seqform.base.errors import InvalidParameterError
from seqform.base.nearest import hint
from seqform.base.number import Number, ratio


class Rules(Protocol):
    """What is asked of rules; `games.no_limit_rules` has them."""

    @property
    def chip(self) -> Number:
        """The smallest chip."""

    def root(self) -> Spot:
        """Return the state in which play begins."""

    def child(self, spot: Spot, action: str | None) -> Spot:
        """Return the state after an action, or after a card (None)."""

    def actions(self, spot: Spot) -> dict[str, int]:
        """Return what may be done, with what the player then has put in on this street."""

    def steps(self, spot: Spot) -> list[str]:
        """Return how lines go on from a state."""

    def label(self, spot: Spot, total: int) -> str:
        """Return what a bet or raise to so much is called."""

    def left(self, spot: Spot) -> int:
        """Return the most that a player can have put in on this street."""

    def least(self, spot: Spot) -> int:
        """Return the smallest bet, or what the smallest raise is to."""


def edited(rules: Rules, spot: Spot, actions: dict[str, int]) -> dict[str, int]:
    """Return what may be done at a state, once it is edited, in the same order: small to large."""
    here = [edit for edit in spot.edits if not edit.path]
    added = {edit.action: amount_of(rules, edit.action) for edit in here if edit.kind == ADD}
    removed = {edit.action for edit in here if edit.kind == REMOVE}
    every = actions | {action: total for action, total in added.items() if total is not None}
    passive = [action for action in every if action in PASSIVE]
    bets = sorted(every.keys() - PASSIVE, key=every.__getitem__)
    return {action: every[action] for action in (*passive, *bets) if action not in removed}


def amount_of(rules: Rules, action: str) -> int | None:
    """Return how many chips of the smallest kind an action names; None if that is no number."""
    number = re.sub("^(bet|raise|allin)", "", action)
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", number):
        return None
    chips = ratio(number) / Fraction(rules.chip)
    return int(chips) if chips.denominator == 1 else None


def check_edits(rules: Rules, edits: Sequence[Edit]) -> None:
    """Validate that edits say lines that there are, and actions that can be.

    Raises
    ------
    InvalidParameterError
        With the edit, where it fails, what there is, and the nearest.
    """
    if len({(edit.path, edit.action) for edit in edits}) < len(edits):
        raise InvalidParameterError("edits: the same action is added or removed twice; say it once")
    for edit in edits:
        spot = _arrived(rules, edit)
        if edit.kind == ADD:
            _check_added(rules, spot, edit)
        else:
            _check_removed(rules, spot, edit)


def _arrived(rules: Rules, edit: Edit) -> Spot:
    """Return the state where an edit is."""
    spot = rules.root()
    for number, step in enumerate(edit.path):
        there = rules.steps(spot)
        if step not in there:
            raise _missing(rules, edit, edit.path[:number], step, there)
        spot = rules.child(spot, None if step == CARD else step)
    if spot.next_is:
        raise _missing(rules, edit, edit.path, edit.action, rules.steps(spot))
    return spot


def _missing(
    rules: Rules, edit: Edit, path: Sequence[str], step: str, there: Sequence[str]
) -> InvalidParameterError:
    """Return the error for a step that there is not after a path."""
    place = f"after {line_of(path)!r}" if path else "at the beginning"
    found = f"there are {', '.join(there)}" if there else "play ends there"
    found = "a card is dealt there: write / for it" if list(there) == [CARD] else found
    wanted = "no card is dealt" if step == CARD else f"there is no {step!r}"
    return edit_error(edit, f"{place} {wanted}; {found}{_nearest(rules, step, there)}")


def _nearest(rules: Rules, step: str, there: Sequence[str]) -> str:
    """Return a hint at the action of the nearest amount, or else of the nearest spelling."""
    amounts = {action: amount_of(rules, action) for action in there}
    known = {action: total for action, total in amounts.items() if total is not None}
    meant = amount_of(rules, step)
    if meant is None or not known:
        return hint(step, there)
    near = min(known, key=lambda action: abs(known[action] - meant))
    return f" (did you mean {near!r}?)"


def _check_removed(rules: Rules, spot: Spot, edit: Edit) -> None:
    """Validate that what is removed is there, and something is left."""
    before = rules.actions(spot._replace(edits=()))
    if edit.action not in before:
        raise _missing(rules, edit, edit.path, edit.action, list(before))
    if not rules.actions(spot):
        raise edit_error(edit, "nothing is left to do there; remove the action before instead")


def _check_added(rules: Rules, spot: Spot, edit: Edit) -> None:
    """Validate that what is added can be done, is called so, and is not there yet."""
    total, most = amount_of(rules, edit.action), rules.left(spot)
    if spot.facing == most:
        raise edit_error(edit, "the other player is all-in there: one folds or calls")
    if total is None:
        raise edit_error(
            edit, f"expected bet, raise or allin with chips, such as {rules.label(spot, most)}"
        )
    if total > most or total < min(rules.least(spot), most):
        raise edit_error(edit, f"that is not between {_bounds(rules, spot)}")
    if edit.action != (label := rules.label(spot, total)):
        raise edit_error(edit, f"that is called {label} there")
    if edit.action in rules.actions(spot._replace(edits=())):
        raise edit_error(edit, "that is there already")


def _bounds(rules: Rules, spot: Spot) -> str:
    """Write the smallest and the largest amount that may be put in."""
    least, most = min(rules.least(spot), rules.left(spot)), rules.left(spot)
    lowest, highest = (plain_decimal(total * Fraction(rules.chip)) for total in (least, most))
    return f"{lowest}, the least that may be put in on this street, and {highest}, all-in"
