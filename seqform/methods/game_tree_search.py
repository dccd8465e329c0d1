"""Minimax and alpha-beta as methods: values of two-player zero-sum games without chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqform.game import needs
from seqform.methods.method import Answer, Method, option
from seqform.methods.state_by_state import (
    TraceOptions,
    hidden_information,
    no_states,
    search_answer,
    tracer,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqform.base.clock import Clock
    from seqform.base.number import Number
    from seqform.methods.problem import Problem


@dataclass(frozen=True)
class SearchOptions(TraceOptions):
    """Options of searches, and those of `TraceOptions`.

    Parameters
    ----------
    depth
        How many moves deep to look at most. There the evaluation stands for the value. None: to the
        end. Alpha-beta looks 1, 2, 3, ... moves deep, one after the other.
    evaluation
        A function: what a state is worth to player 0, by a guess. None: the game's own
        `evaluate(state)`.
    """

    depth: int | None = option(None, "Look so many moves deep, and estimate what is below.")
    evaluation: Callable[[Any], Number] | None = option(
        None,
        "With --depth: the function that estimates what a state is worth to player 0, "
        "module:function; by default the game's own.",
    )


class Minimax(Method):
    """The whole game tree."""

    name = "minimax"
    summary = (
        "minimax: two players, zero sum, no chance, nothing hidden; the whole tree, or to a depth"
    )
    concept = "game-value"
    records = False
    Options = SearchOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None unless the game shows at once that it is not of the kind."""
        return not_searchable(self.name, problem)

    def run(self, problem: Problem, options: SearchOptions, clock: Clock) -> Answer:
        """Search the game; without an end in time nothing is proven."""
        from seqform.perfect_information.game_tree_search import minimax

        rules = problem.rules
        with clock.phase("solve"):
            result = minimax(rules, **_asked(options), **limits(problem, clock))
        return search_answer(rules, self.name, result, options.depth)


class AlphaBeta(Method):
    """The game tree without what cannot matter."""

    name = "alphabeta"
    summary = "alpha-beta: as minimax, and sooner; with a depth, an estimate"
    concept = "game-value"
    records = False
    Options = SearchOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None unless the game shows at once that it is not of the kind."""
        return not_searchable(self.name, problem)

    def run(self, problem: Problem, options: SearchOptions, clock: Clock) -> Answer:
        """Search the game; what was proven or estimated until the time is over is the answer."""
        from seqform.perfect_information.game_tree_search import alpha_beta

        rules, iterative = problem.rules, options.depth is not None
        with clock.phase("solve"):
            result = alpha_beta(
                rules, iterative=iterative, **_asked(options), **limits(problem, clock)
            )
        return search_answer(rules, self.name, result, options.depth)


def _asked(options: SearchOptions) -> dict[str, Any]:
    """Return the arguments that say what is searched and told."""
    return {
        "depth": options.depth,
        "evaluation": options.evaluation,
        "trace": tracer(options.trace),
    }


def limits(problem: Problem, clock: Clock) -> dict[str, Any]:
    """Return the limits of a search."""
    return {
        "max_nodes": problem.max_nodes,
        "time_limit": clock.seconds_left,
        "callback": clock.callback,
    }


def not_searchable(method: str, problem: Problem) -> str | None:
    """Return why a game cannot be searched, as far as it shows at once."""
    if (others := needs.two_players(f"R10: {method} is for", problem.game)) is not None:
        return others
    if (stateless := no_states(f"{method} is for", problem)) is not None:
        return stateless
    tree = problem.known_tree
    if tree is None:
        return None
    if (hidden := hidden_information(problem)) is not None:
        return hidden
    if tree.count("chance"):
        return f"chance moves, and {method} is for games without chance"
    from seqform.perfect_information.search_engine import cancel

    unequal = next((row for row in tree.payoffs if not cancel(*row)), None)
    return None if unequal is None else needs.cancelling(f"R10: {method} is for", unequal)


MINIMAX, ALPHABETA = Minimax(), AlphaBeta()
