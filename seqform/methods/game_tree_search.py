"""Minimax and alpha-beta as methods: values of two-player zero-sum games without chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqform.methods.backward import TraceOptions, hidden_information, tracer
from seqform.methods.method import Answer, Method, option

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqform.base.clock import Clock
    from seqform.base.number import Number
    from seqform.game.rules import Game
    from seqform.methods.problem import Problem
    from seqform.perfect_information.result import SearchResult


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
    Options = SearchOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None unless the game shows at once that it is not of the kind."""
        return not_searchable(self.name, problem)

    def run(self, problem: Problem, options: SearchOptions, clock: Clock) -> Answer:
        """Search the game; without an end in time nothing is proven."""
        from seqform.perfect_information.search import minimax

        rules = problem.rules
        with clock.phase("solve"):
            result = minimax(rules, **_asked(options), **limits(problem, clock))
        return search_answer(rules, self.name, result, options.depth)


class AlphaBeta(Method):
    """The game tree without what cannot matter."""

    name = "alphabeta"
    summary = "alpha-beta: as minimax, and sooner; with a depth, an estimate"
    concept = "game-value"
    Options = SearchOptions

    def accepts(self, problem: Problem) -> str | None:
        """Return None unless the game shows at once that it is not of the kind."""
        return not_searchable(self.name, problem)

    def run(self, problem: Problem, options: SearchOptions, clock: Clock) -> Answer:
        """Search the game; what was proven or estimated until the time is over is the answer."""
        from seqform.perfect_information.search import alpha_beta

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


def search_answer(rules: Game, name: str, result: SearchResult, depth: int | None = None) -> Answer:
    """Return what a search found as an answer.

    Unless it is solved, the status is REACHED at the depth that was asked for, and else LIMIT.
    """
    from seqform.results.solution import Status

    status = None
    if not result.solved:
        is_reached = depth is not None and result.depth == depth
        status = Status.REACHED if is_reached else Status.LIMIT
    sizes = dict(result.statistics)
    stands = status is Status.REACHED
    return Answer(rules, result, name, 0.0, status, result.message, sizes=sizes, stands=stands)


def not_searchable(method: str, problem: Problem) -> str | None:
    """Return why a game cannot be searched, as far as it shows at once."""
    players = getattr(problem.game, "num_players", 2)
    if players != 2:
        return f"R10: {method} is for 2 players and the game has {players}"
    tree = problem.known_tree
    if tree is None:
        return None
    if (hidden := hidden_information(problem)) is not None:
        return hidden
    if tree.count("chance"):
        return f"chance moves, and {method} is for games without chance"
    from seqform.perfect_information.search_engine import cancel

    unequal = next((row for row in tree.payoffs if not cancel(*row)), None)
    if unequal is None:
        return None
    return f"R10: {method} is for zero-sum games, and {unequal} sums to {sum(unequal)}"


MINIMAX, ALPHABETA = Minimax(), AlphaBeta()
