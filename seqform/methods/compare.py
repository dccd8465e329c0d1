"""compare_reductions: what each reduction makes of one game, and what it loses, side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from seqform.base.deadline import seconds_left, time_limited
from seqform.base.errors import OutOfTimeError, SeqformError
from seqform.base.progress import tell
from seqform.base.summary import Rows, Summarized
from seqform.form.counts_from_signals import count_signal_game
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import counted_lp_size, sizes
from seqform.game.observations import SignalStructure
from seqform.game.signals import is_taken_apart
from seqform.links.chain import check_threshold, reduction_of
from seqform.links.link import REDUCTIONS, Inverse, Reduction, ReductionOptions, apply
from seqform.results.lift import lift
from seqform.results.status import Status
from seqform.tree.from_any import build_tree

CHEAP = 20_000
"""Sequences and nonzeros of a smaller game up to which its loss is measured without being asked
for: seconds."""

CHEAP_WHOLE = 200_000
"""The same, of sequences of the game as it is, to which the answer is lifted."""


@dataclass(frozen=True)
class Reduced:
    """What one reduction makes of a game.

    Parameters
    ----------
    criterion
        The reduction's name; 'none' is the game as it is.
    status
        'reduced'; 'refused' or 'out of time', with the reason.
    reason
        Why there are no sizes; or, where there are, why no loss was measured.
    sizes
        Counts of the smaller game, named as those of a `Solution`: `infosets` and `sequences`;
        `lp_rows`, `lp_columns`, `lp_nonzeros` if it has a linear program; `nodes` if it has a tree.
    ratio
        For each size, that of the game divided by it.
    seconds
        CPU seconds of applying the reduction, with the trees and forms that it builds.
    theorem
        By what the reduction loses nothing; None if no theorem says so.
    loss
        The nash_gap, in the game's unit, of the smaller game's solution lifted to the whole game;
        None where it was not measured. It has the gap to which the smaller game was solved in it.
    abstract_gap
        That gap.
    """

    criterion: str
    status: str = "reduced"
    reason: str = ""
    sizes: dict[str, int] = field(default_factory=dict)
    ratio: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None
    theorem: str | None = None
    loss: float | None = None
    abstract_gap: float | None = None

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        return dict(vars(self))


@dataclass(frozen=True, repr=False)
class Comparison(Summarized):
    """What reductions make of one game.

    Parameters
    ----------
    reduced
        The game as it is, and then what each reduction makes of it.
    unit
        Of losses.
    threshold
        Up to what was merged.
    """

    reduced: tuple[Reduced, ...]
    unit: str
    threshold: float = 0.0

    def __getitem__(self, criterion: str) -> Reduced:
        """Return what a reduction makes of the game, by its name; 'none' is the game as it is."""
        return {of.criterion: of for of in self.reduced}[criterion]

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        of_each = [of.record() for of in self.reduced]
        return {"threshold": self.threshold, "unit": self.unit, "reductions": of_each}

    def summary(self) -> Rows:
        """Return a line for each reduction."""
        return [(of.criterion, _words(of)) for of in self.reduced]


def compare_reductions(
    game: Any,
    reductions: Sequence[str | Reduction] | None = None,
    threshold: float = 0.0,
    *,
    loss: bool | None = None,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> Comparison:
    """Apply reductions to one game, each to the game as it is, and compare sizes and losses.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form.
    reductions
        Names or reductions; by default all that are registered, those of other packages too.
    threshold
        Merge what is alike up to this much; a reduction that takes no threshold refuses one.
    loss
        Whether to solve each smaller game, lift the answer and certify it in the whole game. None:
        where that takes seconds (`CHEAP`).
    max_nodes
        Largest tree to build.
    time_limit
        Seconds for the whole call. A reduction may take its share of what is left; one that does
        not end in it is reported as out of time, and others are gone on with.

    Returns
    -------
    comparison
        In the order of `reductions`. A reduction that refuses the game is there with its reason.

    Raises
    ------
    UnknownNameError
        If there is no reduction of a name.
    InvalidParameterError
        If the threshold is negative or not finite.
    GameTooLargeError
        If the game itself cannot be counted: it deals no signals, and its tree is too large.
    OutOfTimeError
        If the time is over before the game itself is counted.

    Examples
    --------
    >>> from seqform import make
    >>> found = compare_reductions(make("leduc"), ["suit", "equitable", "outcome"])
    >>> [(of.criterion, of.sizes["lp_rows"], of.theorem is not None) for of in found.reduced]
    [('none', 1562, False), ('suit', 782, True), ('equitable', 482, True), ('outcome', 382, False)]
    >>> found["suit"].loss < 1e-9 < found["outcome"].loss
    True
    """
    named = [REDUCTIONS.get(of) if isinstance(of, str) else of for of in reductions or ()]
    chosen = list(REDUCTIONS.usable()) if reductions is None else named
    check_threshold(threshold)
    options = ReductionOptions(threshold, max_nodes)
    with time_limited(time_limit):
        tell("counting the game", every=0)
        given, whole = _counted(game, max_nodes)
        found = [Reduced("none", sizes=whole)]
        for number, reduction in enumerate(chosen):
            left = seconds_left()
            share = None if left is None else max(left / (len(chosen) - number), 1e-3)
            with time_limited(share):
                found.append(_reduced(given, reduction, options, whole, loss, share))
    return Comparison(tuple(found), str(getattr(game, "unit", "units")), threshold)


def _counted(game: Any, max_nodes: int | None) -> tuple[Any, dict[str, int]]:
    """Return a game as reductions take it, its tree built once, and its sizes."""
    if isinstance(game, SequenceForm):
        return game, sizes(game)
    if is_taken_apart(game):
        counts = count_signal_game(SignalStructure(game))
        totals = {
            "nodes": counts["nodes"],
            "infosets": sum(counts["infosets_per_player"]),
            "sequences": sum(counts["sequences_per_player"]),
        }
        return game, totals | counted_lp_size(counts).of_game
    tree = build_tree(game, max_nodes)
    return tree, sizes(build_sequence_form(tree))


def _reduced(
    game: Any,
    reduction: Reduction,
    options: ReductionOptions,
    whole: dict[str, int],
    loss: bool | None,
    share: float | None,
) -> Reduced:
    """Return what a reduction makes of a game, or why it makes nothing."""
    tell(f"reducing by {reduction.name}", every=0)
    start = time.process_time()
    try:
        found = reduction_of(reduction, options.threshold, game)
        applied = apply(found, game, options)
    except OutOfTimeError as error:
        return Reduced(reduction.name, "out of time", _why(error, share))
    except SeqformError as error:
        return Reduced(reduction.name, "refused", _why(error, share))
    smaller, counts = applied.after, sizes(applied.after)
    if smaller.tree is None:
        del counts["nodes"]
    row = Reduced(
        found.name,
        sizes=counts,
        ratio={
            name: round(whole[name] / counts[name], 3)
            for name in counts
            if name in whole and counts[name]
        },
        seconds=round(time.process_time() - start, 4),
        theorem=applied.theorem,
    )
    return _measured(row, smaller, applied.inverse, whole, loss, share)


def _measured(
    row: Reduced,
    smaller: SequenceForm,
    inverse: Inverse,
    whole: dict[str, int],
    wanted: bool | None,
    share: float | None,
) -> Reduced:
    """Return a row with the loss of a solution that is lifted, or why none was measured."""
    if wanted is None:
        size = max(row.sizes["sequences"], row.sizes.get("lp_nonzeros", 0))
        wanted = size <= CHEAP and whole["sequences"] <= CHEAP_WHOLE
    if not wanted:
        return row
    from seqform.methods.solve import solve_smaller

    tell(f"measuring the loss of {row.criterion}", every=0)
    try:
        small = solve_smaller(smaller, row.criterion)
        lifted = lift(small, inverse)
    except SeqformError as error:
        return replace(row, reason=_why(error, share))
    if lifted.certificate is None or small.status not in (Status.SOLVED, Status.LIFTED):
        return replace(row, reason=f"the smaller game was not solved: {small.status.value}")
    return replace(row, loss=lifted.nash_gap, abstract_gap=small.nash_gap)


def _why(error: SeqformError, share: float | None) -> str:
    """Return an error as one line; nobody gave the share of the time limit that it may be about."""
    if share is not None and isinstance(error, OutOfTimeError):
        return f"its share of the time limit, {share:.2g} s, was too short"
    return " ".join(str(error).split())


def _words(of: Reduced) -> str:
    """Return a line of what a reduction makes."""
    if of.status != "reduced":
        return f"{of.status}: {of.reason}"
    return ", ".join(_parts(of))


def _parts(of: Reduced) -> Iterator[str]:
    for name in ("lp_rows", "lp_columns", "lp_nonzeros", "infosets", "sequences"):
        if name in of.sizes:
            yield f"{of.sizes[name]:,} {name.replace('_', ' ')}"
    if of.theorem is not None:
        yield f"lossless by {of.theorem}"
    if of.loss is not None:
        yield f"measured loss {of.loss:.3g}"
