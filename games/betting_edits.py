"""Betting trees changed by hand: a line is left out, a size is added at one place.

Edits are written between semicolons::

    remove check-bet100-raise300; add check bet250; add bet100-call/ bet75; add bet40

* ``remove LINE`` leaves out the last action of a line, with all that comes after it.
* ``add LINE ACTION`` lets whoever acts after a line also bet, raise or go all-in. Without a line it
  is at the beginning.

Lines are written as in tables: actions are joined by hyphens, and a slash stands for each card that
is dealt face up (whichever it is). What is added must be legal, but need not heed the cap, nor
thresholds and merging of sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from games.bet_sizes import plain_decimal
from seqform.base.errors import InvalidParameterError
from seqform.base.nearest import hint
from seqform.base.number import ratio

if TYPE_CHECKING:
    from games.no_limit_rules import NoLimitRules, Spot

ADD, REMOVE = "add", "remove"

CARD = "/"
"""A card that is dealt, in a path."""


class Edit(NamedTuple):
    """One change.

    Parameters
    ----------
    kind
        `ADD` or `REMOVE`.
    path
        Actions, and `CARD` for each deal, that lead to where the change is.
    action
        What is added or removed there.
    """

    kind: str
    path: tuple[str, ...]
    action: str

    def __str__(self) -> str:
        """Return the edit as it is written."""
        if self.kind == REMOVE:
            return f"{REMOVE} {line_of((*self.path, self.action))}"
        return " ".join(word for word in (ADD, line_of(self.path), self.action) if word)


def line_of(path: Iterable[str]) -> str:
    """Write a path as a line.

    Examples
    --------
    >>> line_of(["check", "check", "/", "bet100"])
    'check-check/bet100'
    """
    return "-".join(path).replace("-/", "/").replace("/-", "/")


def read_edits(text: str) -> tuple[Edit, ...]:
    """Return the edits that a text says.

    Raises
    ------
    InvalidParameterError
        With the edit that cannot be read, and what was expected.

    Examples
    --------
    >>> read_edits("add check bet250")
    (Edit(kind='add', path=('check',), action='bet250'),)
    """
    return tuple(_read(part.strip()) for part in text.split(";") if part.strip())


def _read(text: str) -> Edit:
    kind, *rest = text.split()
    if kind == REMOVE and len(rest) == 1:
        path = _path(text, rest[0])
        if path[-1] == CARD:
            raise _error(text, "a card cannot be left out; name the action before it")
        return Edit(REMOVE, path[:-1], path[-1])
    if kind == ADD and 1 <= len(rest) <= 2:
        return Edit(ADD, _path(text, rest[0]) if len(rest) == 2 else (), rest[-1])
    raise _error(
        text,
        "expected 'remove LINE' or 'add LINE ACTION', such as remove check-bet100-raise300, or "
        f"add check bet250{hint(kind, (ADD, REMOVE))}",
    )


def _path(text: str, line: str) -> tuple[str, ...]:
    words = tuple(word for word in re.split(r"(/)|-", line) if word)
    if line_of(words) != line:
        raise _error(text, f"{line!r} is no line: actions are joined by -, and / stands for a card")
    return words


def _error(edit: object, why: str) -> InvalidParameterError:
    return InvalidParameterError(f"edits: '{edit}': {why}")


def after(edits: Sequence[Edit], step: str) -> tuple[Edit, ...]:
    """Return the edits that are left after an action, or `CARD`, with the rest of their paths."""
    return tuple(
        edit._replace(path=edit.path[1:]) for edit in edits if edit.path and edit.path[0] == step
    )


def edited(rules: NoLimitRules, spot: Spot, actions: dict[str, int]) -> dict[str, int]:
    """Return what may be done at a state, once it is edited, in the same order: small to large."""
    here = [edit for edit in spot.edits if not edit.path]
    added = {edit.action: amount_of(rules, edit.action) for edit in here if edit.kind == ADD}
    removed = {edit.action for edit in here if edit.kind == REMOVE}
    every = actions | {action: total for action, total in added.items() if total is not None}
    passive = len(actions) - len(rules.totals(spot))
    order = [*list(actions)[:passive], *sorted([*list(every)[passive:]], key=every.__getitem__)]
    return {action: every[action] for action in order if action not in removed}


def amount_of(rules: NoLimitRules, action: str) -> int | None:
    """Return how many chips of the smallest kind an action names; None if that is no number."""
    number = re.sub("^(bet|raise|allin)", "", action)
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", number):
        return None
    chips = ratio(number) / Fraction(rules.chip)
    return int(chips) if chips.denominator == 1 else None


def check_edits(rules: NoLimitRules, edits: Sequence[Edit]) -> None:
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


def _arrived(rules: NoLimitRules, edit: Edit) -> Spot:
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
    rules: NoLimitRules, edit: Edit, path: Sequence[str], step: str, there: Sequence[str]
) -> InvalidParameterError:
    """Return the error for a step that there is not after a path."""
    place = f"after {line_of(path)!r}" if path else "at the beginning"
    found = f"there are {', '.join(there)}" if there else "play ends there"
    found = "a card is dealt there: write / for it" if list(there) == [CARD] else found
    wanted = "no card is dealt" if step == CARD else f"there is no {step!r}"
    return _error(edit, f"{place} {wanted}; {found}{_nearest(rules, step, there)}")


def _nearest(rules: NoLimitRules, step: str, there: Sequence[str]) -> str:
    """Return a hint at the action of the nearest amount, or else of the nearest spelling."""
    amounts = {action: amount_of(rules, action) for action in there}
    known = {action: total for action, total in amounts.items() if total is not None}
    meant = amount_of(rules, step)
    if meant is None or not known:
        return hint(step, there)
    near = min(known, key=lambda action: abs(known[action] - meant))
    return f" (did you mean {near!r}?)"


def _check_removed(rules: NoLimitRules, spot: Spot, edit: Edit) -> None:
    """Validate that what is removed is there, and something is left."""
    before = rules.actions(spot._replace(edits=()))
    if edit.action not in before:
        raise _missing(rules, edit, edit.path, edit.action, list(before))
    if not rules.actions(spot):
        raise _error(edit, "nothing is left to do there; remove the action before instead")


def _check_added(rules: NoLimitRules, spot: Spot, edit: Edit) -> None:
    """Validate that what is added can be done, is called so, and is not there yet."""
    total, most = amount_of(rules, edit.action), rules.left(spot)
    if spot.facing == most:
        raise _error(edit, "the other player is all-in there: one folds or calls")
    if total is None:
        raise _error(
            edit, f"expected bet, raise or allin with chips, such as {rules.label(spot, most)}"
        )
    if total > most or total < min(rules.least(spot), most):
        raise _error(edit, f"that is not between {_bounds(rules, spot)}")
    if edit.action != (label := rules.label(spot, total)):
        raise _error(edit, f"that is called {label} there")
    if edit.action in rules.actions(spot._replace(edits=())):
        raise _error(edit, "that is there already")


def _bounds(rules: NoLimitRules, spot: Spot) -> str:
    """Write the smallest and the largest amount that may be put in."""
    least, most = min(rules.least(spot), rules.left(spot)), rules.left(spot)
    lowest, highest = (plain_decimal(total * Fraction(rules.chip)) for total in (least, most))
    return f"{lowest}, the least that may be put in on this street, and {highest}, all-in"
