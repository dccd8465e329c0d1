"""The locked game of a result: written beside it, and read and checked again.

``lock.csv`` has one row for each action of the game, in the order of its strategy. A probability is
a fraction in lowest terms, or empty where the action is free. So it is a lock that `solve` takes.
Of a large game of hands ``lock.npz`` has what is locked, by public nodes, boards and hands.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seqform.base.csv_table import read_rows
from seqform.base.errors import ResultFileError, VerificationError
from seqform.base.number import fraction_text
from seqform.exact.proof import Files, files_of
from seqform.exact.saved_refinement import ROUNDING
from seqform.form.hand_lock import HandLock
from seqform.form.lock import Fixed, Lock
from seqform.form.names import Names
from seqform.form.profile import Profile
from seqform.form.profile_table import rows_of
from seqform.form.sequence_form import SequenceForm
from seqform.links.lifting import lift_profile
from seqform.links.locked_game import LockedMap, lock_game
from seqform.links.locked_hands import LockedHandsMap, lock_hands
from seqform.results.folder import LOCKED_HANDS, LOCKS, OF_LOCKED, RESULT, proven_of

if TYPE_CHECKING:
    from seqform.results.solution import Solution

HEADER = ["player", "infoset", "action", "probability"]
COMMON = ("version", "concept", "game", "params", "unit", "tolerance", "method", "message")
"""Claims of a result that are claims of its locked game, too."""


def save_locked(
    lock: Lock | HandLock, locked: Solution, folder: Path, claims: dict[str, Any]
) -> None:
    """Write what was locked, and what is proven of the locked game, for a result of such claims."""
    if isinstance(lock, HandLock):
        lock.save(folder / LOCKED_HANDS)
    else:
        with (folder / LOCKS).open("w", newline="") as file:
            csv.writer(file).writerows(_table(lock))
    if locked.proofs:
        files_of_locked(folder).write(files_of(proven_of(locked, claims)))


def files_of_locked(folder: Path) -> Files:
    """Return where the proofs of a locked game are."""
    return Files(folder, of="-locked")


def is_locked(folder: Path, claims: dict[str, Any]) -> bool:
    """Return whether a folder has any part of a locked game."""
    files = (LOCKS, LOCKED_HANDS, OF_LOCKED)
    return "locked" in claims or any((folder / name).exists() for name in files)


def claims_of_locked(claims: dict[str, Any]) -> dict[str, Any]:
    """Return what a result claims of its locked game, as of a result of its own."""
    common = {name: claims[name] for name in COMMON if name in claims}
    return {**common, **claims["locked"]}


def read_locked(
    folder: Path, claims: dict[str, Any], solution: Solution
) -> tuple[Lock | HandLock, SequenceForm, LockedMap | LockedHandsMap]:
    """Return the lock of a saved result, the locked game, and the way back.

    Raises
    ------
    ResultFileError
        If the lock is missing or damaged.
    VerificationError
        If the result does not claim a locked game, or has no profile.
    """
    if not isinstance(claims.get("locked"), dict) or solution.profile is None:
        raise VerificationError(f"{folder / RESULT} does not say what {LOCKS} makes of the game")
    if (folder / LOCKED_HANDS).exists():
        return _locked_hands(folder / LOCKED_HANDS, solution.game)
    lock = read_lock(folder / LOCKS, solution.game)
    found = lock_game(lock)
    return lock, found.form, found.inverse


def _locked_hands(path: Path, form: SequenceForm) -> tuple[HandLock, SequenceForm, LockedHandsMap]:
    """Return the lock of a large game of hands, the locked game, and the way back."""
    if form.origin.hands is None:
        raise ResultFileError(f"{path} is of a game of hands, and the result is of another game")
    lock = HandLock.load(path, form.origin.hands)
    locked, inverse = lock_hands(form, lock)
    return lock, locked, inverse


def read_lock(path: Path, form: SequenceForm) -> Lock:
    """Read a lock that `save_locked` wrote; nothing else is one.

    Raises
    ------
    ResultFileError
        If the file is missing or damaged, of another game, or leaves an information set no choice.
    """
    rows = read_rows(path)
    fixed: list[Fixed] = [[None] * treeplex.num_sequences for treeplex in form.treeplexes]
    expected = _table(Lock(form, tuple(fixed)))
    places = ((player, s) for player, of in enumerate(fixed) for s in range(1, len(of)))
    if rows[:1] != [next(expected)] or len(rows) - 1 != sum(len(of) - 1 for of in fixed):
        raise ResultFileError(f"{path} is damaged: it has not one row for each action of the game")
    lines = zip(rows[1:], expected, places, strict=True)
    for line, (row, of_game, (player, sequence)) in enumerate(lines, start=2):
        if row[:3] != of_game[:3] or len(row) != 4:
            raise ResultFileError(
                f"{path}, line {line}: expected {','.join(of_game[:3])} and a probability, and "
                f"found {','.join(row)}"
            )
        fixed[player][sequence] = _number(path, line, row[3])
    _check_sums(path, form, fixed)
    return Lock(form, tuple(fixed))


def locked_profile(
    profile: Profile | None, inverse: LockedMap | LockedHandsMap, locked: SequenceForm
) -> Profile:
    """Return what a profile does where it is free, which it has to do as the lock says elsewhere.

    Raises
    ------
    VerificationError
        If the profile does not keep to the lock, up to the rounding of floats.
    """
    if profile is not None and isinstance(inverse, LockedHandsMap):
        return inverse.locked(profile, locked)
    if profile is None or isinstance(inverse, LockedHandsMap) or inverse.shares is None:
        raise VerificationError("the result has no profile that could keep to a lock")
    behaviors = [np.ones(treeplex.num_sequences) for treeplex in locked.treeplexes]
    parts = zip(behaviors, profile.behaviors, inverse.sequences, inverse.shares, strict=True)
    for behavior, saved, images, shares in parts:
        free = np.flatnonzero(images > 0)
        behavior[images[free]] = saved[free] / shares[free]
    found = locked.profile(behaviors)
    pairs = zip(profile.behaviors, lift_profile(found, inverse).behaviors, strict=True)
    for player, (saved, kept) in enumerate(pairs):
        wrong = np.flatnonzero(~(np.abs(saved - kept) <= ROUNDING))
        if len(wrong):
            form = inverse.original
            of = Names(form, player).of(int(form.treeplexes[player].infoset_of[wrong[0]]))
            raise VerificationError(f"{of}: the saved strategy does not play what {LOCKS} says")
    return found


def _table(lock: Lock) -> Iterator[list[str]]:
    """Yield the rows of a lock's table, its header first."""
    yield HEADER
    for player, of in enumerate(lock.fixed):
        for sequence, _, label, action in rows_of(lock.form, player):
            number = of[sequence]
            yield [str(player), label, action, "" if number is None else fraction_text(number)]


def _number(path: Path, line: int, text: str) -> Fraction | None:
    if not text:
        return None
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1 or fraction_text(number) != text:
        raise ResultFileError(
            f"{path}, line {line}: {text!r:.40} is not a probability in lowest terms"
        )
    return number


def _check_sums(path: Path, form: SequenceForm, fixed: list[Fixed]) -> None:
    """Check that what is fixed in an information set leaves the rest to what is free."""
    for player, treeplex in enumerate(form.treeplexes):
        for infoset, (start, stop) in enumerate(pairwise(treeplex.first_sequence.tolist())):
            here = fixed[player][start:stop]
            total = sum(number for number in here if number is not None)
            if total > 1 or (total < 1 and None not in here):
                raise ResultFileError(
                    f"{path}: {Names(form, player).of(infoset)}: the probabilities sum to "
                    f"{fraction_text(Fraction(total))}, not 1"
                )
