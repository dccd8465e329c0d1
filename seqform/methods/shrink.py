"""shrink: what a reduction does to the size of a game."""

from __future__ import annotations

import time
from typing import Any

from seqform.base.deadline import time_limited
from seqform.form.counts_from_signals import count_signal_game
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import counted_lp_size, form_lp_size
from seqform.game import needs
from seqform.game.kinds import listed
from seqform.game.observations import SignalStructure, num_classes
from seqform.game.signals import is_taken_apart
from seqform.links.chain import reduction_of
from seqform.links.link import Inverse, Reduction, ReductionOptions

Size = dict[str, Any]
"""Counts by name."""


def shrink(
    game: Any,
    reduction: str | Reduction | None = None,
    threshold: float = 0.0,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> dict[str, Any]:
    """Apply a reduction to a game, and compare sizes before and after.

    The sizes of a signal game before the reduction are counted without building it, so it may be of
    any size.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form.
    reduction
        A name in `seqform.links.link.REDUCTIONS`, or a reduction. By default ``outcome``
        where signals are dealt, and ``equitable`` elsewhere.
    threshold
        Merge observations whose difference is at most this; 0 is exact.
    max_nodes
        Largest tree to build.
    time_limit
        Seconds.

    Returns
    -------
    record
        JSON values. ``criterion`` is the reduction's name; ``lossless`` whether a theorem proves it
        so. ``classes`` are player 0's at each round of a signal game, and elsewhere its information
        sets after 0, 1, 2, ... own moves; ``classes_of_player_1``, and so on, are given where they
        differ. ``before``, ``after`` and ``ratio`` are rows, columns and nonzeros of the linear
        program of a two-player zero-sum game; of another information sets and sequences of all
        players, and payoffs where sequences meet. ``nodes``, before and after, is given where the
        smaller game has a tree. ``seconds`` are the CPU seconds of applying the reduction, with the
        trees and forms that it builds.

    Raises
    ------
    SeqformError
        If the reduction does not exist or does not accept the game, or the game is too large.
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> from seqform import make
    >>> record = shrink(make("leduc"), "equitable")
    >>> record["classes"], record["before"]["rows"], record["after"]["rows"]
    ([3, 9], 1562, 482)
    """
    game = listed(game)
    if reduction is None:
        reduction = "outcome" if is_taken_apart(game) else "equitable"
    with time_limited(time_limit):
        return _compared_by(reduction_of(reduction, threshold, game), game, threshold, max_nodes)


def _compared_by(
    found: Reduction, game: Any, threshold: float, max_nodes: int | None
) -> dict[str, Any]:
    """Apply a reduction, and return the record of `shrink`."""
    start = time.process_time()
    after, inverse = found.apply(game, ReductionOptions(threshold, max_nodes))
    seconds = time.process_time() - start
    nodes, before, smaller = _sizes(game, inverse, after)
    record = {
        "criterion": found.name,
        "threshold": threshold,
        "lossless": found.lossless and threshold == 0,
        **_classes(after),
        **_compared(before, smaller),
        "seconds": round(seconds, 4),
    }
    return record if after.tree is None else record | {"nodes": [nodes, after.num_nodes]}


def _sizes(game: Any, inverse: Inverse, after: SequenceForm) -> tuple[int, Size, Size]:
    """Return the nodes of a game, and the sizes before and after: of linear programs, or of forms.

    What is left of a game may be zero-sum although the game is not.
    """
    if is_taken_apart(game):
        counts = count_signal_game(SignalStructure(game))
        return counts["nodes"], counted_lp_size(counts)._asdict(), form_lp_size(after)._asdict()
    before = inverse.original
    have_programs = needs.is_zero_sum(before) and needs.is_zero_sum(after)
    sizes = [form_lp_size(f)._asdict() if have_programs else _size(f) for f in (before, after)]
    return before.num_nodes, sizes[0], sizes[1]


def _size(form: SequenceForm) -> Size:
    return {
        "infosets": sum(treeplex.num_infosets for treeplex in form.treeplexes),
        "sequences": sum(treeplex.num_sequences for treeplex in form.treeplexes),
        "payoffs": form.payoffs.num_nonzeros,
    }


def _classes(form: SequenceForm) -> dict[str, list[int]]:
    if form.signals is not None:
        found = num_classes(form.signals[1])
    else:
        found = [_by_depth(form, player) for player in range(form.num_players)]
    others = {f"classes_of_player_{player}": of for player, of in enumerate(found) if player}
    differ = {name: of for name, of in others.items() if of != found[0]}
    return {"classes": found[0], **differ}


def _by_depth(form: SequenceForm, player: int) -> list[int]:
    return [infosets.stop - infosets.start for infosets, _ in form.treeplexes[player].runs]


def _compared(before: Size, after: Size) -> dict[str, Size]:
    ratio = {name: round(before[name] / after[name], 3) for name in before if after[name]}
    return {"before": before, "after": after, "ratio": ratio}
