"""The reductions by name: what the command line offers as criteria."""

from __future__ import annotations

from functools import partial
from math import isfinite

from abstraction.color_refinement import ColorRefinement
from abstraction.signal_criteria import equitable, outcome, suit
from abstraction.signal_reduction import SignalReduction
from abstraction.signal_thresholds import approximate_outcome
from abstraction.tree_isomorphism import lossless_classes, published_classes
from abstraction.tree_shrink import TreeReduction
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.game.signals import SignalGame
from seqform.results.reduction import Reduction
from seqform.tree.from_any import AnyGame

CRITERIA = ("outcome", "suit", "equitable", "tree", "tree-published")
LOSSLESS = ("suit", "equitable", "tree")
WITH_THRESHOLD = ("outcome", "tree", "tree-published")


def reduction(criterion: str, game: AnyGame, threshold: float = 0.0) -> Reduction:
    """Return the reduction of a name for a game; 'equitable' looks at cards alone where there are any.

    Raises
    ------
    UnknownNameError
        With the nearest name there is.
    InvalidParameterError
        If the threshold makes no sense, or the criterion has none.
    """
    if criterion not in CRITERIA:
        raise UnknownNameError.of("criterion", criterion, CRITERIA)
    if not (threshold >= 0 and isfinite(threshold)):
        raise InvalidParameterError(f"threshold={threshold}: use a finite number from 0 on")
    if threshold and criterion not in WITH_THRESHOLD:
        raise InvalidParameterError(
            f"criterion {criterion!r} has no threshold; {', '.join(WITH_THRESHOLD)} have one"
        )
    if criterion == "tree":
        return TreeReduction(criterion, lossless_classes, threshold)
    if criterion == "tree-published":
        return TreeReduction(criterion, published_classes, threshold)
    if criterion == "outcome":
        return SignalReduction(
            criterion, partial(approximate_outcome, threshold=threshold) if threshold else outcome
        )
    if criterion == "suit":
        return SignalReduction(criterion, suit)
    if isinstance(game, SignalGame) and game.num_players == 2:
        return SignalReduction(criterion, equitable)
    return ColorRefinement()
