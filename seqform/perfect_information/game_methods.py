"""Methods that a game brings along: functions that use more than its rules say."""

from __future__ import annotations

from typing import Any

from seqform.base.errors import InvalidGameError, UnknownNameError
from seqform.base.siblings import import_ours, ours_in_place
from seqform.perfect_information.result import ProgressCallback, SearchResult


def game_methods(game: object) -> dict[str, str]:
    """Return the methods of a game: name to `module:function`."""
    return dict(getattr(game, "methods", {}))


def solve_by(
    game: Any,
    method: str,
    *,
    callback: ProgressCallback | None = None,
    time_limit: float | None = None,
) -> SearchResult:
    """Solve a game by one of its own methods.

    Raises
    ------
    UnknownNameError
        If the game has no such method.
    InvalidGameError
        If what the method names is not there.
    """
    known = game_methods(game)
    if method not in known:
        raise UnknownNameError.of("method", method, known)
    module, _, function = known[method].partition(":")
    try:
        solver = getattr(import_ours(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidGameError(
            f"the game's method {method!r} is {known[method]!r}, which cannot be loaded: {error}"
        ) from error
    with ours_in_place(module):  # numba looks for what is in its cache by name
        found = solver(game, callback=callback, time_limit=time_limit)
    if not isinstance(found, SearchResult):
        raise InvalidGameError(
            f"the game's method {method!r} returned {type(found).__name__}; it must return a "
            "SearchResult"
        )
    return found
