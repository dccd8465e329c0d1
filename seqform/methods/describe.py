"""Description: the counts of a game, and the memory that it takes, as a plain dictionary."""

from __future__ import annotations

from typing import Any

from seqform.base.deadline import time_limited
from seqform.base.errors import GameTooLargeError, ImperfectRecallError
from seqform.form.counts_from_signals import count_signal_game, is_too_large
from seqform.form.from_tree import build_sequence_form
from seqform.form.pure_strategies import EXACT_BELOW, count_strategies, large_number
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import counted_lp_size, sizes
from seqform.game import needs
from seqform.game.kinds import is_form, is_other_form, listed
from seqform.game.least_cost import not_built
from seqform.game.observations import SignalStructure
from seqform.game.probe import RulesWalk, SignalWalk, Walk
from seqform.game.recursive import is_recursive
from seqform.game.signals import SignalGame
from seqform.game.size_estimate import sampled
from seqform.game.state_counts import count_by_states
from seqform.methods.estimate_size import PROBES, walk_of
from seqform.methods.peak_memory import Peak, default_reduction, peak_of_classes, peak_of_tree
from seqform.recursive.walk import stage_graph
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.from_signals import MAX_NODES
from seqform.tree.tree import GameTree
from seqform.tree.walk import branching_of_signals, branching_of_tree

BY_TREE = 1_000_000
"""Nodes up to which a signal game that is solved by classes is described by its tree all the same,
which knows more of it."""


def describe(
    game: AnyGame,
    max_nodes: int | None = None,
    time_limit: float | None = None,
    *,
    probes: int = PROBES,
    probe_seconds: float | None = None,
    seed: int = 0,
    method: str = "auto",
) -> dict[str, Any]:
    """Return the counts of a game, without solving it; where it has no sequence form, why not.

    A large signal game is counted without a tree. So are the nodes of another game whose tree is
    too large, if it has few states. The tree of all others is estimated by random probes.

    Parameters
    ----------
    game
        Rules, tree, signal game or form; of a recursive game its stages are counted.
    max_nodes
        Largest tree to build.
    time_limit
        Seconds.
    probes, probe_seconds, seed
        Of the estimate of a tree that is too large: see `seqform.estimate_size`.
    method
        By which the game is to be solved, for the estimate of memory.

    Returns
    -------
    record
        JSON values: counts of nodes, information sets, sequences and pure strategies. Counts of
        strategies from 1e15 on are text, such as 'about 6.33e44'; so are nodes counted by states.
        What is estimated is given as powers of ten, `log10_nodes`, with a `note`. The branching
        factor is the mean number of children of the inner nodes that random play meets, in which
        every move is equally likely, also where chance moves. A two-player constant-sum game
        has the size of its linear program. `memory_estimate_mb` is the peak of a process that
        solves the game by the method `memory_estimate_of`, in MB (`seqform.methods.peak_memory`);
        ``will_not_fit`` is there if this process may not take as much.

    Raises
    ------
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
        if is_recursive(game):
            return stage_graph(game).counts()
        try:
            return _counted(game, max_nodes, method)
        except GameTooLargeError as error:
            why = str(error)
        walk = walk_of(game)
        found = _by_states(game, walk) or sampled(walk, probes, seed, probe_seconds).record()
        return {**_of(game), **found, **not_built(why, found)}


def _counted(game: AnyGame, max_nodes: int | None, method: str) -> dict[str, Any]:
    """Describe a game by its tree, a large signal game without it, or a form by its own counts."""
    if is_form(game) or is_other_form(game):
        form: SequenceForm = listed(game)
        if form.tree is None:
            return _describe_form(form)
        game = form.tree
    if isinstance(game, SignalGame):
        limit = MAX_NODES if max_nodes is None else max_nodes
        by_classes = default_reduction(game, max_nodes, method) is not None
        if is_too_large(game, min(limit, BY_TREE) if by_classes else limit):
            return _describe_signals(SignalStructure(game), method)
    return _describe_tree(game, build_tree(game, max_nodes), method)


def _by_states(game: AnyGame, walk: Walk) -> dict[str, Any] | None:
    """Count the nodes of a tree that is too large; None if it has too many states, too."""
    if not isinstance(walk, (RulesWalk, SignalWalk)):
        return None
    found = count_by_states(walk)
    if found.endless is not None:
        return {"play": f"need not end, and the tree is infinite: {found.endless}"}
    if found.counts is None:
        return None
    counts = found.counts
    decisions = counts.nodes - counts.terminal_nodes - counts.chance_nodes
    is_perfect = needs.declares_perfect_information(game)
    return {
        "nodes": _for_json(counts.nodes),
        "decision_nodes": _for_json(decisions),
        "chance_nodes": _for_json(counts.chance_nodes),
        "terminal_nodes": _for_json(counts.terminal_nodes),
        "depth": counts.depth,
        "branching_factor": counts.children / counts.inner,
        "states": found.states,
        **({"infosets": _for_json(decisions)} if is_perfect else {}),
    }


def _of(game: Any) -> dict[str, Any]:
    return {"players": game.num_players, "unit": getattr(game, "unit", "units")}


def _describe_tree(game: AnyGame, tree: GameTree, method: str) -> dict[str, Any]:
    """Describe a game by its tree and sequence form."""
    record: dict[str, Any] = {
        "players": tree.num_players,
        "unit": tree.unit,
        "nodes": tree.num_nodes,
        "decision_nodes": tree.count("decision"),
        "chance_nodes": tree.count("chance"),
        "terminal_nodes": tree.count("terminal"),
        "depth": tree.depth,
        "branching_factor": branching_of_tree(tree),
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
            **peak_of_tree(game, tree).record(),
        }
    record |= {
        "recall": "perfect",
        "sequences_per_player": [t.num_sequences for t in form.treeplexes],
        **sizes(form),
        **_strategies(form),
    }
    record["payoff_nonzeros"] = form.payoffs.num_nonzeros
    record["sum"] = _sum(form)
    return {**record, **_peak(game, tree, form, method).record()}


def _describe_form(form: SequenceForm) -> dict[str, Any]:
    """Describe a form that no tree is known of."""
    return {
        "players": form.num_players,
        "unit": form.unit,
        **sizes(form),
        "infosets_per_player": [t.num_infosets for t in form.treeplexes],
        "sequences_per_player": [t.num_sequences for t in form.treeplexes],
        "recall": "imperfect" if form.merged else "perfect",
        "payoff_nonzeros": form.payoffs.num_nonzeros,
        "sum": _sum(form),
    }


def _describe_signals(structure: SignalStructure, method: str) -> dict[str, Any]:
    """Describe a signal game that is too large for a tree, by counting."""
    counts = count_signal_game(structure)
    peak = peak_of_classes(structure, counts, method)
    branching, depth = branching_of_signals(structure.game.deck, structure.public)
    return {
        "players": 2,
        "unit": getattr(structure.game, "unit", "units"),
        **counts,
        "depth": depth,
        "branching_factor": branching,
        "infosets": sum(counts["infosets_per_player"]),
        "sequences": sum(counts["sequences_per_player"]),
        **counted_lp_size(counts).of_game,
        "recall": "perfect",
        "sum": "zero",
        **peak.record(),
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


def _peak(game: AnyGame, tree: GameTree, form: SequenceForm, method: str) -> Peak:
    if isinstance(game, SignalGame) and default_reduction(game, method=method):
        structure = SignalStructure(game)
        return peak_of_classes(structure, count_signal_game(structure), method)
    return peak_of_tree(game, tree, form, method)
