"""The default measure: a game is built, reduced, solved, lifted and certified as a point says."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError, SeqformError
from seqform.experiment.methods_by_name import known
from seqform.experiment.point import Point
from seqform.experiment.row import Row
from seqform.form.sizes import ABSTRACT_SIZES, GAME_SIZES, SOLVER_SIZES
from seqform.game.catalogue import GAMES

if TYPE_CHECKING:
    from seqform.results.solution import Solution

WARM_SECONDS = 10.0
"""What loading and compiling may take, at most."""

SIZES = (*GAME_SIZES, *SOLVER_SIZES)
"""Counts of a solution that have a column: of the game, and of what a solver was given."""


def make_game(point: Point) -> Any:
    """Return the game of a point, with its parameters and its seed if it takes one.

    Raises
    ------
    SeqformError
        If there is no such game, file or parameter.
    """
    from seqform.io.named_game import named_game

    parameters = dict(point.parameters)
    if point.seed is not None and _has_seed(point.game):
        parameters["seed"] = point.seed
    return named_game(point.game, parameters)


def solve_point(point: Point) -> Row:
    """Return value, bounds, gap, sizes and seconds by phase of a game that is solved.

    Raises
    ------
    SeqformError
        Whatever refuses the game, the reduction or the method.
    """
    from seqform.methods.solve import solve

    game = make_game(point)
    solution = solve(
        game,
        method=known(point.method or "auto"),
        abstract=point.reduction or "auto",
        threshold=point.threshold,
        **_options(point),
    )
    return row_of(solution)


def warm_up(point: Point) -> None:
    """Solve a tiny game as a point says, so that what is loaded and compiled then is not timed."""
    _warm_up(point.method or "auto", point.reduction or "auto")


@lru_cache(maxsize=100)
def _warm_up(method: str, reduction: str) -> None:
    from seqform.game.catalogue import make
    from seqform.methods.solve import solve

    with suppress(SeqformError):  # it is for other games: nothing is loaded then, and all is well
        solve(make("kuhn"), method=known(method), abstract=reduction, time_limit=WARM_SECONDS)


def row_of(solution: Solution) -> Row:
    """Return the cells that a solution fills."""
    sizes, seconds = solution.sizes, solution.seconds
    return {
        "status": solution.status.name.lower(),
        "engine": solution.method,
        "value": float(solution.values[0]),
        **_bounds(solution),
        **_abstract(solution),
        "gap": float(solution.gap),
        "iterations": solution.iterations,
        **{name: sizes[name] for name in SIZES if name in sizes},
        **{f"seconds_{phase}": round(spent, 6) for phase, spent in seconds.items()},
        "message": solution.message or None,
    }


def _bounds(solution: Solution) -> Row:
    """Return what is proven of the value, in floats; nothing in games that have no value."""
    return {
        name: bound
        for name, bound in (("lower", solution.lower), ("upper", solution.upper))
        if not isnan(bound)
    }


def _abstract(solution: Solution) -> Row:
    """Return what the smaller game is worth, and its sizes, where one was solved."""
    if solution.abstract is None:
        return {}
    small = solution.abstract
    counts = {f"abstract_{name}": small.sizes.get(name) for name in ABSTRACT_SIZES}
    return {"abstract_value": float(small.values[0]), "abstract_gap": float(small.gap), **counts}


def _options(point: Point) -> dict[str, Any]:
    """Return the options of the method, and the seed if it is the method that takes one."""
    options = dict(point.options)
    if point.seed is None or _has_seed(point.game):
        return options
    from seqform.methods.advice import option_names
    from seqform.methods.method import METHODS

    if point.method in METHODS and "seed" in option_names(METHODS.get(point.method)):
        return options | {"seed": point.seed}
    raise InvalidParameterError(
        f"neither the game {point.game} nor the method {point.method} takes a seed: leave it out"
    )


def _has_seed(game: str) -> bool:
    """Return whether a game of the catalogue has a parameter of that name."""
    whole = game.partition("@")[0]
    return whole in GAMES and "seed" in GAMES.get(whole).parameters
