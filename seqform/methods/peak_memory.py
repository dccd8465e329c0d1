"""How much memory solving a game takes, by the way that is taken by default.

The peak is the largest of what comes one after the other: the tree while it is built; the solver,
beside the finished tree; and the answer of a smaller game, lifted to the whole game and certified
there. What each takes was fitted to whole processes (benchmarks/results/memory.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.errors import UnsupportedGameError
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sizes import counted_lp_size, form_lp_size
from seqform.game.deals import num_deals
from seqform.game.observations import SignalStructure
from seqform.methods.choose import ITERATE_FROM, Request, choose_reduction
from seqform.methods.lcp import pivot_bytes
from seqform.methods.problem import Problem
from seqform.methods.which_program import choose_program
from seqform.results.reduction import Reduction, ReductionOptions
from seqform.tree.from_signals import BYTES_PER_NODE, KEPT_BYTES_PER_NODE

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.tree.from_any import AnyGame
    from seqform.tree.tree import GameTree

BASE_BYTES = 70 * 2**20
"""Of a process with its libraries, before it builds anything."""

SEARCH_BASE_BYTES = 150 * 2**20
"""Of compiled kernels, and the compiler that makes them."""

SEARCH_BYTES_PER_NONZERO = 60

LIFTED_BYTES_PER_SEQUENCE = 56
"""Of the whole game, while plans are lifted and certified in it."""

MAX_DEALS = 1_000_000
"""Of a signal game whose classes are found for an estimate, which takes some seconds then. Beyond
that lifting takes more than the smaller game does."""


def default_reduction(game: AnyGame, max_nodes: int | None = None) -> Reduction | None:
    """Return the reduction that a game is solved by when the user does not say."""
    request = Request(Problem(game, max_nodes), "auto", "auto", 0.0, False, {})
    try:
        return choose_reduction(request)[0]
    except UnsupportedGameError:  # a signal game that needs its tree
        return None


def peak_of_tree(tree: GameTree, form: SequenceForm | None = None) -> int:
    """Estimate the peak of building a tree, and of solving its program if it has one, in bytes."""
    solving = KEPT_BYTES_PER_NODE * tree.num_nodes
    if isinstance(form, ZeroSumForm):
        solving += _solver_bytes(form)
    elif form is not None and form.num_players == 2:
        solving += pivot_bytes(form)
    return BASE_BYTES + max(BYTES_PER_NODE * tree.num_nodes, solving)


def peak_of_classes(structure: SignalStructure, counts: dict[str, list[int]]) -> int:
    """Estimate the peak of solving a signal game by its classes, in bytes.

    `counts` are those of `seqform.form.counts_from_signals.count_signal_game`.
    """
    game, lifted = structure.game, LIFTED_BYTES_PER_SEQUENCE * sum(counts["sequences_per_player"])
    reduction = default_reduction(game)
    if reduction is None:
        return BASE_BYTES + max(counted_lp_size(counts).solver_bytes, lifted)
    if num_deals(game.deck, structure.stages[-1]) > MAX_DEALS:
        return BASE_BYTES + SEARCH_BASE_BYTES + lifted
    form, _ = reduction.apply(game, ReductionOptions())
    if form_lp_size(form).nonzeros >= ITERATE_FROM:
        lifted += SEARCH_BASE_BYTES
    return BASE_BYTES + max(_solver_bytes(form), lifted)


def _solver_bytes(form: SequenceForm) -> int:
    """Return about what the default solver takes beside the form."""
    nonzeros = form_lp_size(form).nonzeros
    if nonzeros >= ITERATE_FROM:
        return SEARCH_BASE_BYTES + SEARCH_BYTES_PER_NONZERO * nonzeros
    return choose_program(form)[0].solver_bytes
