"""Description: the counts of a game, and the memory that it takes, as a plain dictionary."""

from __future__ import annotations

from typing import Any

from seqform.base.deadline import time_limited
from seqform.base.errors import ImperfectRecallError
from seqform.form.counts_from_signals import count_signal_game, is_too_large
from seqform.form.from_tree import build_sequence_form
from seqform.form.pure_strategies import EXACT_BELOW, count_strategies, large_number
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import counted_lp_size, sizes
from seqform.game.observations import SignalStructure
from seqform.game.signals import SignalGame
from seqform.methods.peak_memory import default_reduction, peak_of_classes, peak_of_tree
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.from_signals import MAX_NODES
from seqform.tree.tree import GameTree

BY_TREE = 1_000_000
"""Nodes up to which a signal game that is solved by classes is described by its tree all the same,
which knows more of it."""


def describe(
    game: AnyGame, max_nodes: int | None = None, time_limit: float | None = None
) -> dict[str, Any]:
    """Return the counts of a game, without solving it; where it has no sequence form, why not.

    A large signal game is counted without a tree.

    Parameters
    ----------
    game
        Rules, tree or signal game.
    max_nodes
        Largest tree to build.
    time_limit
        Seconds.

    Returns
    -------
    record
        JSON values: counts of nodes, information sets, sequences and pure strategies. Counts of
        strategies from 1e15 on are text, such as 'about 6.33e44'. A two-player constant-sum game
        has the size of its linear program. `memory_estimate_mb` is the peak of building the tree
        and solving its program if there is one, or of solving a signal game by its classes, in MB
        (`seqform.methods.peak_memory`).

    Raises
    ------
    GameTooLargeError
        If the tree is too large, and chance does not deal signals.
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> from seqform import make
    >>> record = describe(make("kuhn"))
    >>> record["nodes"], record["infosets"], record["lp_rows"], record["sum"]
    (58, 12, 20, 'zero')
    >>> describe(make("rhode-island"))["nodes"]
    6705372545
    """
    with time_limited(time_limit):
        if isinstance(game, SignalGame):
            limit = MAX_NODES if max_nodes is None else max_nodes
            by_classes = default_reduction(game, max_nodes) is not None
            if is_too_large(game, min(limit, BY_TREE) if by_classes else limit):
                return _describe_signals(SignalStructure(game))
        return _describe_tree(game, build_tree(game, max_nodes))


def _describe_tree(game: AnyGame, tree: GameTree) -> dict[str, Any]:
    """Describe a game by its tree and sequence form."""
    record: dict[str, Any] = {
        "players": tree.num_players,
        "unit": tree.unit,
        "nodes": tree.num_nodes,
        "decision_nodes": tree.count("decision"),
        "chance_nodes": tree.count("chance"),
        "terminal_nodes": tree.count("terminal"),
        "depth": tree.depth,
        "exact": tree.is_exact,
        "infosets": tree.num_infosets,
        "infosets_per_player": [
            int((tree.infoset_player == player).sum()) for player in range(tree.num_players)
        ],
    }
    try:
        form = build_sequence_form(tree)
    except ImperfectRecallError as error:
        return {
            **record,
            "recall": f"imperfect: {error}",
            "memory_estimate_mb": peak_of_tree(tree) // 2**20,
        }
    record |= {
        "recall": "perfect",
        "sequences_per_player": [t.num_sequences for t in form.treeplexes],
        **sizes(form),
        **_strategies(form),
    }
    record["payoff_nonzeros"] = form.payoffs.num_nonzeros
    record["sum"] = _sum(form)
    record["memory_estimate_mb"] = _peak(game, tree, form) // 2**20
    return record


def _describe_signals(structure: SignalStructure) -> dict[str, Any]:
    """Describe a signal game that is too large for a tree, by counting."""
    counts = count_signal_game(structure)
    peak = peak_of_classes(structure, counts)
    return {
        "players": 2,
        "unit": getattr(structure.game, "unit", "units"),
        **counts,
        "infosets": sum(counts["infosets_per_player"]),
        "sequences": sum(counts["sequences_per_player"]),
        **counted_lp_size(counts).of_game,
        "recall": "perfect",
        "sum": "zero",
        "memory_estimate_mb": peak // 2**20,
    }


def _strategies(form: SequenceForm) -> dict[str, list[int | str]]:
    """Return how many pure and reduced pure strategies each player has."""
    counts = [count_strategies(treeplex) for treeplex in form.treeplexes]
    return {
        "pure_strategies_per_player": [_for_json(count.pure) for count in counts],
        "reduced_strategies_per_player": [_for_json(count.reduced) for count in counts],
    }


def _for_json(count: int) -> int | str:
    """Return a count that any reader of JSON holds exactly, or else its size as text."""
    return count if count < EXACT_BELOW else large_number(count)


def _sum(form: SequenceForm) -> str:
    if form.constant_sum is None:
        return "general"
    return "zero" if form.constant_sum == 0 else f"constant ({form.constant_sum})"


def _peak(game: AnyGame, tree: GameTree, form: SequenceForm) -> int:
    if isinstance(game, SignalGame) and default_reduction(game):
        structure = SignalStructure(game)
        return peak_of_classes(structure, count_signal_game(structure))
    return peak_of_tree(tree, form)
