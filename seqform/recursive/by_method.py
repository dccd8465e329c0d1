"""solve_stages: a recursive game, solved by the method that is named or by the one that fits it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seqform.base.deadline import time_limited
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.game.recursive import RecursiveGame
from seqform.recursive.graph import StageGraph
from seqform.recursive.search import METHOD as SEARCH
from seqform.recursive.search import METHODS as SEARCHES
from seqform.recursive.search import check_stage_gap, searched
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.solve import METHOD as ITERATION
from seqform.recursive.solve import begin, bracketed, check_limits, has_value

AUTO = "auto"

OPTIONS = ("gap", "iterations", "start")
"""What all methods take, besides limits of time and stages."""

OF_SEARCHES = (*OPTIONS, "stage_gap", "checkpoint", "resume")
"""What searches take."""


def solve_stages(
    game: RecursiveGame | StageGraph,
    *,
    method: str = AUTO,
    time_limit: float | None = None,
    callback: Callable[[Any], None] | None = None,
    max_stages: int | None = None,
    **options: Any,
) -> RecursiveSolution:
    """Return strategies of a recursive game, and what they prove.

    Parameters
    ----------
    game
        The recursive game, or its graph of stages.
    method
        'pollatschek', for two players whose payoffs have a constant sum (`solve_recursive`); one of
        `search_recursive`, such as 'pi-pcfr+' or 'vi-fp'; or 'auto', the former where it can be.
    time_limit, callback, max_stages
        See `solve_recursive`.
    options
        Of the method.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong with the game or an option.
    """
    if method not in (AUTO, ITERATION, *SEARCHES):
        names = (AUTO, ITERATION, *SEARCHES)
        raise UnknownNameError.of("method of recursive games", method, names)
    check_options(method, options)
    check_limits(options.get("gap"), options.get("iterations"))
    with time_limited(time_limit):
        begun = begin(game, callback, max_stages)
        if method == AUTO:
            method = ITERATION if has_value(begun.graph) else SEARCH
            check_options(method, options)
        if method == ITERATION:
            return bracketed(begun, **options)
        check_stage_gap(method, options.get("stage_gap"))
        return searched(begun, method, **options)


def check_options(method: str, options: dict[str, Any]) -> None:
    """See that a method takes what it is given.

    Raises
    ------
    InvalidParameterError
        If there are options that it does not take.
    """
    taken = OPTIONS if method == ITERATION else OF_SEARCHES
    others = [name for name in options if name not in taken]
    if not others:
        return
    names = ", ".join(others)
    if set(others) <= set(OF_SEARCHES):
        raise InvalidParameterError(
            f"method {method} of recursive games has no {names}; searches have, such as "
            f"method={SEARCH!r}"
        )
    raise InvalidParameterError(
        f"a recursive game is solved stage by stage, without {names}; it takes "
        f"{', '.join(taken)}, max_stages and time_limit"
    )
