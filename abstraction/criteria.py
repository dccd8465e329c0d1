"""The reductions by name: what the command line offers as criteria."""

from __future__ import annotations

import difflib

from abstraction import signal_criteria
from abstraction.color_refinement import ColorRefinement
from abstraction.reduction import Reduction
from abstraction.signal_reduction import SignalReduction
from seqform.build import AnyGame
from seqform.errors import UnknownNameError
from seqform.signal_game import SignalGame

CRITERIA = ("outcome", "suit", "equitable")


def reduction(criterion: str, game: AnyGame) -> Reduction:
    """Return the reduction of a name for a game; 'equitable' looks at cards alone where there are any.

    Raises
    ------
    UnknownNameError
        With the nearest names there are.
    """
    if criterion not in CRITERIA:
        close = difflib.get_close_matches(criterion, CRITERIA, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UnknownNameError(f"there is no criterion {criterion!r}{hint}; use one of {', '.join(CRITERIA)}")
    if criterion == "equitable" and not (isinstance(game, SignalGame) and game.num_players == 2):
        return ColorRefinement()
    return SignalReduction(criterion, getattr(signal_criteria, criterion))
