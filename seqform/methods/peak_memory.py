"""How much memory solving a game takes, by a method and by the way that `solve` takes it.

The peak is the largest of what comes one after the other: the tree while it is built; the method,
beside the finished tree; and the answer of a smaller game, lifted to the whole game and certified
there. What a method takes it says itself (`seqform.methods.need`), and refuses by the same figure.
What each takes was fitted to whole processes (benchmarks/results/memory.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from seqform.base.errors import SeqformError, UnsupportedGameError
from seqform.base.memory import in_words, shortage
from seqform.form.sizes import counted_lp_size
from seqform.game.deals import num_deals
from seqform.game.observations import SignalStructure
from seqform.game.probe import RulesWalk
from seqform.game.rules import Game
from seqform.game.state_counts import count_by_states
from seqform.links.chain import reduction_of
from seqform.links.link import Reduction, ReductionOptions
from seqform.methods.choose import choose_chain, choose_method
from seqform.methods.need import SEARCH_BYTES
from seqform.methods.problem import Problem
from seqform.methods.request import Request
from seqform.tree.from_signals import BYTES_PER_NODE, KEPT_BYTES_PER_NODE

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.method import Method
    from seqform.tree.from_any import AnyGame
    from seqform.tree.tree import GameTree

BASE_BYTES = 70 * 2**20
"""Of a process with its libraries, before it builds anything."""

PLAIN_BASE_BYTES = 30 * 2**20
"""The same where no arrays are needed."""

BYTES_PER_STATE = 600
"""Of a state that a search of perfect information holds, with its value and its best action."""

BY_STATES = ("subgame-perfect", "game-value")
"""Concepts whose methods go through the states of rules."""

LIFTED_BYTES_PER_SEQUENCE = 56
"""Of the whole game, while plans are lifted and certified in it."""

MAX_DEALS = 1_000_000
"""Of a signal game whose classes are found for an estimate, which takes some seconds then. Beyond
that lifting takes more than the smaller game does."""


class Peak(NamedTuple):
    """What solving a game takes."""

    num_bytes: int
    method: str
    """By which method, and after which reduction if there is one."""

    def record(self) -> dict[str, Any]:
        """Return the estimate as JSON values, and whether there is too little memory for it."""
        short = shortage(self.num_bytes - BASE_BYTES)
        found = {
            "memory_estimate_mb": self.num_bytes // 2**20,
            "memory_estimate_of": self.method,
        }
        if short is None:
            return found
        needed = f"about {in_words(self.num_bytes)} needed, and {in_words(short)} may be taken"
        return {**found, "will_not_fit": f"{needed}: use a smaller game, or another method"}


def default_reduction(
    game: AnyGame, max_nodes: int | None = None, method: str = "auto"
) -> Reduction | None:
    """Return the reduction that a game is solved by when the user does not say."""
    request = _request(Problem(game, max_nodes), method)
    try:
        chain, _ = choose_chain(request)
        return reduction_of(*chain[0], game) if chain else None
    except UnsupportedGameError:  # a signal game that needs its tree
        return None


def peak_of_tree(
    game: AnyGame, tree: GameTree, form: SequenceForm | None = None, method: str = "auto"
) -> Peak:
    """Estimate the peak of solving a game by its tree, or by its states."""
    problem = Problem(game)
    problem.__dict__["tree"] = tree  # as it is built already
    if form is None:
        return Peak(BASE_BYTES + BYTES_PER_NODE * tree.num_nodes, "building the tree")
    problem.__dict__["form"] = form
    chosen = _chosen(problem, method)
    if chosen is None:
        return Peak(BASE_BYTES + BYTES_PER_NODE * tree.num_nodes, "building the tree")
    if chosen.concept in BY_STATES and problem.declares_perfect_information:
        states = min(tree.num_nodes, _states(game) or tree.num_nodes)
        return Peak(PLAIN_BASE_BYTES + BYTES_PER_STATE * states, chosen.name)
    solving = KEPT_BYTES_PER_NODE * tree.num_nodes + _needed(chosen, form)
    return Peak(BASE_BYTES + max(BYTES_PER_NODE * tree.num_nodes, solving), chosen.name)


def peak_of_classes(
    structure: SignalStructure, counts: dict[str, list[int]], method: str = "auto"
) -> Peak:
    """Estimate the peak of solving a signal game by its classes.

    `counts` are those of `seqform.form.counts_from_signals.count_signal_game`.
    """
    game, lifted = structure.game, LIFTED_BYTES_PER_SEQUENCE * sum(counts["sequences_per_player"])
    reduction = default_reduction(game, method=method)
    if reduction is None:
        solving = counted_lp_size(counts).solver_bytes
        return Peak(BASE_BYTES + max(solving, lifted), "lp")
    if num_deals(game.deck, structure.stages[-1]) > MAX_DEALS:
        search = "tuned-dcfr" if method == "auto" else method
        return Peak(BASE_BYTES + SEARCH_BYTES + lifted, f"{search} after {reduction.name}")
    form, _ = reduction.apply(game, ReductionOptions())
    chosen = _chosen(Problem(form, reduction=reduction.name), method)
    needed = 0 if chosen is None else _needed(chosen, form)
    if needed >= SEARCH_BYTES:
        lifted += SEARCH_BYTES
    name = "" if chosen is None else f"{chosen.name} "
    return Peak(BASE_BYTES + max(needed, lifted), f"{name}after {reduction.name}")


def _request(problem: Problem, method: str) -> Request:
    return Request(problem, method, None, 0.0, False, {})


def _chosen(problem: Problem, method: str) -> Method | None:
    """Return the method that solves a game; None if none does, or not the one that was named."""
    try:
        return choose_method(_request(problem, method)).method
    except SeqformError:
        if method != "auto":
            raise
        return None


def _needed(method: Method, form: SequenceForm) -> int:
    need = method.need(form)
    return 0 if need is None else int(need.num_bytes)


def _states(game: AnyGame) -> int | None:
    """Return how many states a game has, if they are few enough to be counted."""
    if not isinstance(game, Game):
        return None
    found = count_by_states(RulesWalk(game))
    return None if found.counts is None else found.states
