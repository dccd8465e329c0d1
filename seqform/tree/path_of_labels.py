"""From a path of labels, such as "J,Q,bet", to the state that it leads to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from seqform.base.errors import UnknownNameError
from seqform.base.nearest import hint
from seqform.game.rules import TERMINAL
from seqform.tree.views import Edge, mistakes_named

BETWEEN = (",", ">")
"""What moves are joined by, where they are typed, and where they are shown: J > Q > bet."""

MOST_NAMED = 20
"""Actions named in an error message."""


class Moves(Protocol):
    """As much of a view of a game as finding a state takes; see `seqform.tree.views.View`."""

    def root(self) -> Any:
        """Return the state in which the game begins."""

    def player(self, state: Any) -> int:
        """Return who moves, or `TERMINAL`."""

    def edges(self, state: Any) -> Sequence[Edge]:
        """Return the moves at a state that is not terminal."""


def find_state(game: Moves, path: str) -> Any:
    """Return the state that the moves of `path` lead to from the root.

    Parameters
    ----------
    path
        Labels of actions and of outcomes of chance, joined by commas or as moves are shown, by
        ``>``. A label may hold these itself: the longest that fits is taken.

    Raises
    ------
    UnknownNameError
        With the moves there are at the first label that fits none.
    """
    state, rest, done = game.root(), path.strip(), ""
    while rest:
        with mistakes_named(state):
            edges = [] if game.player(state) == TERMINAL else list(game.edges(state))
        found = max(
            (edge for edge in edges if _begins(rest, str(edge.label))),
            key=lambda edge: len(str(edge.label)),
            default=None,
        )
        if found is None:
            raise _no_such_move(rest, done, edges)
        done = f"{done},{found.label}" if done else str(found.label)
        state, rest = found.state, rest[len(str(found.label)) :].lstrip()[1:].lstrip()
    return state


def _begins(rest: str, label: str) -> bool:
    return rest.startswith(label) and rest[len(label) :].lstrip()[:1] in ("", *BETWEEN)


def _no_such_move(rest: str, done: str, edges: Iterable[Edge]) -> UnknownNameError:
    wrong, labels = re.split("[,>]", rest, maxsplit=1)[0].strip(), [str(e.label) for e in edges]
    where = f"after {done}" if done else "at the root"
    if not labels:
        return UnknownNameError(
            f"the game is over {where}, so there is no {wrong!r}; use a shorter path"
        )
    more = ", ..." if len(labels) > MOST_NAMED else ""
    return UnknownNameError(
        f"{where} there is no {wrong!r}{hint(wrong, labels)}; there are "
        f"{', '.join(labels[:MOST_NAMED])}{more}"
    )
