"""What a search without a depth limit is up against: said or refused soon after it began."""

from __future__ import annotations

import logging

from seqform.base.errors import GameTooLargeError
from seqform.base.number import power_of_ten
from seqform.game.many_states import evaluated_to_a_depth
from seqform.game.probe import RulesWalk
from seqform.game.rules import Game
from seqform.game.size_estimate import least_size

logger = logging.getLogger(__name__)

A_YEAR = 13.5
"""The power of ten of nodes that a search looks at in a year, if it takes a microsecond for each,
which is less than any does."""

HOURS = 9.0
"""The power of ten of nodes from which alpha-beta takes hours."""


def refuse_or_warn(game: Game, method: str, prune: bool, is_timed: bool) -> None:
    """Refuse minimax where it takes years; warn where alpha-beta may take as long.

    Minimax looks at every node of the tree. Alpha-beta looks at about the square root of them at
    best, but it may meet many of them in its table, so that nothing is certain. Within a time limit
    neither is refused.

    Raises
    ------
    GameTooLargeError
        If minimax takes a year or more without a limit, wrong for one of 10^6 seeds at most.

    References
    ----------
    Knuth & Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6, 1975, Theorem 1.
    """
    least = least_size(RulesWalk(game))
    size = f"random plays show that the tree has {power_of_ten(least)} nodes or more"
    instead = f"{evaluated_to_a_depth(game)}, or use smaller parameters"
    all_of_them = f"{size}, and {method} looks at all of them, which takes years; {instead}"
    at_best = f"about {power_of_ten(least / 2)} of them at best, but for what its table spares"
    if prune and least / 2 >= HOURS:
        limited = "" if is_timed else ", or give it a time limit (time_limit=60)"
        logger.warning(
            "%s, and %s looks at %s; it may not end: %s%s", size, method, at_best, instead, limited
        )
    elif not prune and least >= A_YEAR and is_timed:
        logger.warning("%s", all_of_them)
    elif not prune and least >= A_YEAR:
        raise GameTooLargeError(all_of_them)
