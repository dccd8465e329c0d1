"""What a reduction does to the size of a game, as a plain dictionary."""

from __future__ import annotations

import time
from typing import Any

from abstraction.criteria import LOSSLESS, reduction
from abstraction.signal_reduction import SignalReduction
from seqform.base.errors import UnsupportedGameError
from seqform.form.counts_from_signals import count_signal_game
from seqform.form.from_signals import build_signal_form
from seqform.form.from_tree import build_sequence_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure, num_classes
from seqform.game.signals import SignalGame
from seqform.results.reduction import Reduction
from seqform.solvers.linear.program import LPSize, form_lp_size, lp_size
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree


def shrink(
    game: AnyGame,
    criterion: str | None = None,
    threshold: float = 0.0,
    max_nodes: int | None = None,
) -> dict[str, Any]:
    """Return classes per round, sizes of the linear program before and after, and the CPU seconds of the reduction itself.

    Classes are player 0's at each round of a signal game, and elsewhere its information sets after
    0, 1, 2, ... own moves; player 1's are given too where they differ. A signal game as it is is
    only counted, so that it may be of any size. Without a criterion, 'outcome' is used where
    signals are dealt and 'equitable' elsewhere.

    Raises
    ------
    SeqformError
        If the criterion does not exist or does not apply to the game.
    """
    if criterion is None:
        criterion = "outcome" if isinstance(game, SignalGame) else "equitable"
    found = reduction(criterion, game, threshold)
    record = {
        "criterion": criterion,
        "threshold": threshold,
        "lossless": criterion in LOSSLESS and threshold == 0,
    }
    if isinstance(found, SignalReduction) and isinstance(game, SignalGame):
        return record | _shrink_signals(game, found)
    return record | _shrink_form(build_tree(game, max_nodes), found)


def _shrink_signals(game: SignalGame, found: SignalReduction) -> dict[str, Any]:
    structure = SignalStructure(game)
    counts = count_signal_game(structure)
    before = lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )
    start = time.process_time()
    classes = found.criterion(structure)
    seconds = time.process_time() - start
    return _record(
        num_classes(classes), before, form_lp_size(build_signal_form(structure, classes)), seconds
    )


def _shrink_form(tree: GameTree, found: Reduction) -> dict[str, Any]:
    form = build_sequence_form(tree)
    if form.num_players != 2 or form.constant_sum is None:
        raise UnsupportedGameError(
            "R10: sizes of linear programs are compared, which only two-player zero-sum games have"
        )
    start = time.process_time()
    reduced, _ = found.apply(tree)
    record = _record(
        _by_depth(reduced), form_lp_size(form), form_lp_size(reduced), time.process_time() - start
    )
    return (
        record if reduced.tree is None else record | {"nodes": [form.num_nodes, reduced.num_nodes]}
    )


def _by_depth(form: SequenceForm) -> list[list[int]]:
    return [
        [infosets.stop - infosets.start for infosets, _ in treeplex.runs]
        for treeplex in form.treeplexes
    ]


def _record(
    classes: list[list[int]], before: LPSize, after: LPSize, seconds: float
) -> dict[str, Any]:
    differ = {} if classes[0] == classes[1] else {"classes_of_player_1": classes[1]}
    ratio = {
        name: round(old / new, 3)
        for name, old, new in zip(before._fields, before, after, strict=True)
    }
    return {
        "classes": classes[0],
        **differ,
        "before": before._asdict(),
        "after": after._asdict(),
        "ratio": ratio,
        "seconds": round(seconds, 4),
    }
