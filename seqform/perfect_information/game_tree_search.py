"""Minimax and alpha-beta: the value of a two-player zero-sum game without chance."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from itertools import count
from math import inf
from numbers import Integral
from typing import Any

from seqform.base.deadline import deadline_of
from seqform.base.errors import InvalidParameterError, OutOfTimeError
from seqform.base.interrupt import First, Interrupt, Interrupted
from seqform.base.number import Number
from seqform.game.rules import Game
from seqform.perfect_information.decision import Trace
from seqform.perfect_information.result import ProgressCallback, SearchResult
from seqform.perfect_information.search_engine import Line, Search, Window
from seqform.perfect_information.transposition_table import new_table

OPEN: Window = (-inf, inf)

Evaluation = Callable[[Any], Number]
"""Static evaluation: an estimate of what player 0 gets in the subgame that begins at a state."""


def minimax(
    game: Game,
    *,
    depth: int | None = None,
    evaluation: Evaluation | None = None,
    max_nodes: int | None = None,
    time_limit: float | None = None,
    callback: ProgressCallback | None = None,
    trace: Trace | None = None,
) -> SearchResult:
    """Return the value of a two-player zero-sum game without chance, and a best line of play.

    The whole tree is gone through, or all of it down to a depth, and nothing is left out.
    Parameters are those of `alpha_beta`, which finds the same value sooner. Errors are the same.

    Examples
    --------
    The tree of three cards, and its first two moves with an end that is guessed:

    >>> from games.textbook import king_queen_jack
    >>> from seqform.tree.as_rules import TreeGame
    >>> result = minimax(TreeGame(king_queen_jack()))
    >>> result.value, result.principal_variation
    (-1, ('check', 'check'))
    >>> minimax(TreeGame(king_queen_jack()), depth=2, evaluation=lambda node: 5).estimate
    -1
    """
    search = Search(
        game,
        "minimax",
        evaluate=_evaluation(game, evaluation, depth),
        prune=False,
        table=new_table(0),
        ordered=False,
        max_nodes=max_nodes,
        deadline=deadline_of(time_limit),
        callback=callback,
        trace=trace,
    )
    return _searched(search, [inf if depth is None else depth], OPEN)


def alpha_beta(
    game: Game,
    *,
    window: Window = OPEN,
    depth: int | None = None,
    evaluation: Evaluation | None = None,
    iterative: bool = False,
    table_size: int | None = None,
    ordered: bool = True,
    max_nodes: int | None = None,
    time_limit: float | None = None,
    callback: ProgressCallback | None = None,
    trace: Trace | None = None,
) -> SearchResult:
    """Search a two-player zero-sum game without chance by alpha-beta, fail-soft.

    Bounds that were proven are kept in a transposition table.

    Parameters
    ----------
    game
        The rules. Its `search_order(state)`, if it has one, says in which order moves are tried.
    window
        Alpha and beta: the interval in which the value is searched for. If it is outside, `lower`
        or `upper` of the result is a bound on it.
    depth
        How many moves deep to search. At that depth the evaluation replaces the value, so the
        result is an estimate unless all lines end before.
    evaluation
        An estimate of what player 0 gets in the subgame that begins at a state, its own reward
        included; by default the game's own `evaluate(state)`.
    iterative
        Whether to look 1, 2, 3, ... moves deep, each time starting with the moves that were best
        before, up to `depth` or the end.
    table_size
        How many states to keep bounds of at most; 0: none.
    ordered
        Whether `search_order` is followed.
    max_nodes
        How many states to enter at most.
    time_limit
        Seconds, after which the result is what was proven so far.
    callback
        Called with the progress of the search.
    trace
        Called with every decision, in the order in which they are made.

    Raises
    ------
    InvalidGameError
        If the rules break a requirement of docs/data-model.md, or the game is cyclic.
    UnsupportedGameError
        For chance, imperfect information, more than two players, or payoffs that do not sum to
        zero.
    InvalidParameterError
        For a depth limit without an evaluation, an evaluation without a depth limit, and for
        numbers that make no sense.
    GameTooLargeError
        If `max_nodes` or the memory is used up.

    References
    ----------
    Knuth & Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6, 1975 (their F2;
    fail-soft is F3); Marsland, "A review of game-tree pruning", ICCA Journal 9, 1986 (tables of
    bounds, iterative deepening).

    Examples
    --------
    >>> from games.tic_tac_toe import tic_tac_toe
    >>> alpha_beta(tic_tac_toe()).value
    0
    >>> alpha_beta(tic_tac_toe("xoo/..x/...")).best_action
    'b2'
    """
    if not window[0] < window[1]:
        raise InvalidParameterError(f"window={window}: use alpha < beta")
    search = Search(
        game,
        "alpha-beta",
        evaluate=_evaluation(game, evaluation, depth, iterative),
        prune=True,
        table=new_table(table_size),
        ordered=ordered,
        max_nodes=max_nodes,
        deadline=deadline_of(time_limit),
        callback=callback,
        trace=trace,
    )
    if not iterative:
        return _searched(search, [inf if depth is None else depth], window)
    return _searched(search, count(1) if depth is None else range(1, depth + 1), window)


def _evaluation(
    game: Game, given: Evaluation | None, depth: int | None, iterative: bool = False
) -> Evaluation | None:
    """Return the evaluation of a search with a depth limit; None where there is no limit."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, Integral)):
        raise InvalidParameterError(f"depth={depth!r:.40}: use a whole number of moves")
    if depth is not None and depth < 1:
        raise InvalidParameterError(f"depth={depth}: use 1 or more")
    if depth is None and not iterative:
        if given is not None:
            raise InvalidParameterError("evaluation= is for a search with a depth: give depth= too")
        return None
    if given is not None and not callable(given):
        raise InvalidParameterError(f"evaluation={given!r}: give a function of a state")
    own: Evaluation | None = getattr(game, "evaluate", None)
    if given is None and own is None:
        raise InvalidParameterError(
            "depth and iterative need an estimate of what a state is worth to player 0: "
            "the game has no evaluate(state), so give evaluation="
        )
    return given or own


def _searched(search: Search, depths: Iterable[float], window: Window) -> SearchResult:
    """Search to each depth in turn until the value is proven."""
    start = time.perf_counter()
    result = SearchResult(search.method)
    try:
        with Interrupt(First.RAISE):
            for depth in depths:
                value = search.run(window, depth)
                result = _result(search, value, window, depth)
                if not search.limited:
                    break
    except OutOfTimeError as error:
        result = result._replace(message=str(error))
    except Interrupted:
        result = result._replace(message="interrupted")
    counts = {
        "nodes": search.nodes,
        "cutoffs": search.cutoffs,
        "table_hits": search.table_hits,
        "table_size": len(search.table),
    }
    return result._replace(statistics=counts, seconds=time.perf_counter() - start)


def _result(search: Search, value: Number, window: Window, depth: float) -> SearchResult:
    line = _actions(search.line)
    known: dict[str, Any] = {"best_action": line[0] if line else None, "principal_variation": line}
    if search.limited:
        return SearchResult(search.method, estimate=value, depth=int(depth), **known)
    lower, upper = value if value > window[0] else -inf, value if value < window[1] else inf
    return SearchResult(search.method, lower, upper, **known)


def _actions(line: Line) -> tuple[Hashable, ...]:
    actions = []
    while line is not None:
        actions.append(line[0])
        line = line[1]
    return tuple(actions)
