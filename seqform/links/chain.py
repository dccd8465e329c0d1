"""Chains: the reductions that a game is solved by, one after the other.

Each is applied to what the one before made. Names, tables of buckets, reductions, and pairs of one
of these with a threshold are taken; text may hold several names between commas.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from seqform.base.contract import whole
from seqform.base.deadline import time_limited
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.base.number import is_float_sized, plain
from seqform.game.kinds import listed
from seqform.links.link import REDUCTIONS, Inverse, Reduction, ReductionOptions

if TYPE_CHECKING:  # the names of reductions are listed without loading numpy
    from seqform.form.sequence_form import SequenceForm

LOCK = "lock"
"""The name of the reduction that a lock is."""


Abstract = Any
"""What `abstract=` takes: a name, a reduction, or a sequence of these and of pairs; or None."""


class Step(NamedTuple):
    """A reduction that is to be applied.

    Parameters
    ----------
    reduction
        A name, a table of buckets, or a reduction.
    threshold
        What it merges what is alike up to.
    """

    reduction: str | Reduction
    threshold: float = 0.0

    @property
    def name(self) -> str:
        """What users call the reduction."""
        return self.reduction if isinstance(self.reduction, str) else self.reduction.name


def chain_of(asked: Any, threshold: float = 0.0, lock: Reduction | None = None) -> tuple[Step, ...]:
    """Return the steps of a chain.

    Parameters
    ----------
    asked
        A name, or several between commas; a reduction; or a sequence of these, and of pairs of one
        of these and a threshold, or a dict with one.
    threshold
        Of the steps that say nothing of it, and whose reductions take one.
    lock
        What the name 'lock' stands for; None where nothing is locked.

    Raises
    ------
    InvalidParameterError
        If it is none of these, no step takes the threshold, or a lock is named and none is given,
        or is given and not named.

    Examples
    --------
    >>> chain_of("outcome", 0.25)
    (Step(reduction='outcome', threshold=0.25),)
    >>> [step.name for step in chain_of("dominated,equitable")]
    ['dominated', 'equitable']
    """
    listed = list(asked) if isinstance(asked, (list, tuple)) else _named_in(asked)
    steps = [_step(part, threshold, alone=len(listed) == 1) for part in listed]
    if threshold and steps and not any(step.threshold for step in steps):
        raise InvalidParameterError(
            f"threshold={threshold!s:.40}: no step of the chain {','.join(s.name for s in steps)} "
            f"has a threshold; {having_thresholds()} have one"
        )
    if lock is None and any(step.reduction == LOCK for step in steps):
        raise InvalidParameterError("abstract= names a lock, and none is given: give lock=")
    named = sum(step.reduction == LOCK for step in steps)
    if lock is not None and named != 1:
        raise InvalidParameterError(
            "lock= is for a game as a chain comes to it, whose information sets it names: leave "
            f"out abstract=, or say where it belongs, such as abstract='{LOCK},equitable'"
        )
    return tuple(Step(lock, 0.0) if lock and step.reduction == LOCK else step for step in steps)


def _named_in(asked: Any) -> list[Any]:
    """Return the names between commas; a table whose own name has some is one."""
    if not isinstance(asked, str) or os.path.exists(asked):
        return [asked]
    return asked.split(",")


def _step(part: Any, threshold: float, *, alone: bool) -> Step:
    """Return one step; a threshold for all steps is for those that take one."""
    if isinstance(part, (tuple, list)) and len(part) == 2:
        part, given = part
        threshold = given
        if isinstance(given, dict):
            if given.keys() - {"threshold"}:
                raise InvalidParameterError(
                    f"abstract= gives {plain(part)} the options {', '.join(map(str, given))}: "
                    "reductions have one, threshold"
                )
            threshold = given.get("threshold", 0.0)
        alone = True
    if isinstance(part, str):
        part = part.strip()
    elif not hasattr(part, "apply"):
        raise InvalidParameterError(f"abstract={part!r}: give a name")
    if not alone and threshold and not _takes_threshold(part):
        threshold = 0.0
    return Step(part, threshold)


def _takes_threshold(reduction: str | Reduction) -> bool:
    if not isinstance(reduction, str):
        return reduction.takes_threshold
    return reduction in REDUCTIONS and REDUCTIONS.get(reduction).takes_threshold


def reduction_of(reduction: str | Reduction, threshold: float, game: Any) -> Reduction:
    """Return a reduction that may be given by name, checked for a threshold and a game.

    Parameters
    ----------
    reduction
        A name in `REDUCTIONS`, a table of buckets (`merge_by`), which ends in .csv, or a reduction.
    threshold
        The threshold that it will be applied with; 0 for none.
    game
        The game that it will be applied to.

    Raises
    ------
    UnknownNameError
        If there is no reduction of that name; the message has the nearest name.
    InvalidParameterError
        If the threshold is negative or not finite, or the reduction takes none.
    UnsupportedGameError
        If the reduction does not accept the game.
    """
    found = checked(reduction, threshold)
    refusal = found.accepts(game)
    if refusal is not None:
        raise UnsupportedGameError(refusal)
    return found


def checked(reduction: str | Reduction, threshold: float) -> Reduction:
    """Return a reduction that may be given by name, checked for a threshold; see `reduction_of`."""
    found = _named(reduction) if isinstance(reduction, str) else whole(reduction, Reduction)
    check_threshold(threshold)
    if threshold and not found.takes_threshold:
        raise InvalidParameterError(
            f"reduction {found.name!r} has no threshold; {having_thresholds()} have one"
        )
    return found


def having_thresholds() -> str:
    """Return the names of the reductions that take a threshold, for people."""
    return ", ".join(of.name for of in REDUCTIONS.at_hand() if of.takes_threshold)


def check_threshold(threshold: float) -> None:
    """Check that games can be merged up to this much.

    Raises
    ------
    InvalidParameterError
        If it is negative or not finite.
    """
    if not (is_float_sized(threshold) and threshold >= 0):
        raise InvalidParameterError(f"threshold={threshold!s:.40}: use a finite number from 0 on")


def _named(name: str) -> Reduction:
    """Return a reduction by its name, or by the table of buckets to merge by."""
    if not name.endswith(".csv"):
        return REDUCTIONS.get(name)
    from seqform.links.buckets import merge_by

    return merge_by(name)


def reduce(
    game: Any,
    reduction: str | Reduction = "equitable",
    threshold: float = 0.0,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> tuple[SequenceForm, Inverse]:
    """Return the smaller game that a reduction makes, and the way back.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form; which of them, depends on the reduction.
    reduction
        A name in `REDUCTIONS`, which `seqform shrink --help` lists, the path of a table of buckets
        (`merge_by`), which ends in .csv, or a reduction.
    threshold
        Merge what is alike up to this much; 0 is exact. For reductions that take one.
    max_nodes
        Largest tree to build.
    time_limit
        Seconds.

    Returns
    -------
    smaller
        The reduced game in sequence form.
    inverse
        For each sequence of the game, the one of the smaller game that it plays like; see `lift`.

    Raises
    ------
    UnknownNameError
        If there is no reduction of that name.
    InvalidParameterError
        If the threshold is negative or not finite, or the reduction takes none.
    UnsupportedGameError
        If the reduction does not accept the game.
    GameTooLargeError
        If a tree of more than `max_nodes` nodes would have to be built.
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> from seqform import make
    >>> smaller, inverse = reduce(make("leduc"), "suit")
    >>> smaller.treeplexes[0].num_sequences, inverse.original.treeplexes[0].num_sequences
    (547, 1093)
    """
    game = listed(game)
    found = reduction_of(reduction, threshold, game)
    with time_limited(time_limit):
        return found.apply(game, ReductionOptions(threshold, max_nodes))
