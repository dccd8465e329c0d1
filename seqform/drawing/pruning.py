"""What alpha-beta does not look at, in the part of a game that a picture shows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from seqform.base.errors import GameTooLargeError, UnsupportedGameError
from seqform.game.below import Below
from seqform.game.rules import Game
from seqform.perfect_information.decision import Decision
from seqform.tree.as_rules import TreeGame
from seqform.tree.views import RulesView, TreeView, View

MOST_STATES = 2_000_000
"""States that the search enters at most; a minute."""

Path = tuple[Hashable, ...]


def skipped_moves(
    seen: View, state: Any, max_depth: int | None
) -> Callable[[Path], tuple[Hashable, ...]]:
    """Search a game below a state by alpha-beta; return which moves of each node it skips.

    Moves are tried in the order in which they are drawn. Without a table of positions, so each node
    is looked at by itself.

    Parameters
    ----------
    seen
        The game as it is drawn: of perfect information, two players and zero sum.
    state
        Where the picture begins.
    max_depth
        How many moves deep to search, where the game can tell how good a position looks; else it is
        searched to its end.

    Raises
    ------
    UnsupportedGameError
        If alpha-beta is not for this game.
    GameTooLargeError
        If it would enter too many states.
    """
    from seqform.perfect_information import alpha_beta

    if isinstance(seen, TreeView):
        rules: Game = TreeGame(seen.tree)
    elif isinstance(seen, RulesView):
        rules = seen.game
    else:
        raise UnsupportedGameError("pruning is of alpha-beta, for games in which nothing is hidden")
    found: dict[Path, tuple[Hashable, ...]] = {}

    def note(decision: Decision) -> None:
        found[decision.path] = decision.skipped

    depth = max_depth if hasattr(rules, "evaluate") else None
    try:
        alpha_beta(
            Below(rules, state),
            depth=depth or None,
            table_size=0,
            ordered=False,
            max_nodes=MOST_STATES,
            trace=note,
        )
    except GameTooLargeError:
        raise GameTooLargeError(
            f"alpha-beta would enter more than {MOST_STATES:,} states below what is drawn; begin "
            "further down (start=...)"
        ) from None
    return lambda path: found.get(path, ())
