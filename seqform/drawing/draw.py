"""From a game to the part of its tree that is to be shown."""

from __future__ import annotations

from typing import Any

from seqform.base.errors import InvalidParameterError
from seqform.drawing.drawn_tree import MAX_NODES, DrawnTree, walk
from seqform.drawing.start import find_state
from seqform.drawing.views import view
from seqform.tree.from_any import AnyGame


def draw_tree(
    game: AnyGame,
    *,
    start: str = "",
    max_depth: int | None = None,
    max_nodes: int = MAX_NODES,
    solution: Any = False,
    values: bool = False,
) -> DrawnTree:
    """Return the tree of a game, or a part of it, for `draw_figure` and `draw_text`.

    Parameters
    ----------
    game
        Rules, tree or signal game. Only what is shown is expanded, unless it is to be solved.
    start
        Labels of the moves from the root to where the picture begins, joined by commas.
    max_depth
        Moves from there to the deepest nodes shown; None for all.
    max_nodes
        The most nodes to show.
    solution
        Whether to solve the game and show what is played: by backward induction where nothing is
        hidden, else in an equilibrium. Or a `Solution` of it, or what backward induction returned:
        then it is not solved again.
    values
        Whether to show what each player gets from each node on, in that solution.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong with the game or the options.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> below = draw_tree(kuhn(), start="J,Q,bet")
    >>> [node.label for node in below.nodes], [node.payoffs for node in below.nodes]
    ([None, 'fold', 'call'], [None, (1, -1), (-2, 2)])
    """
    if max_depth is not None and max_depth < 0:
        raise InvalidParameterError(f"max_depth={max_depth} is negative; use 0 or more moves")
    is_given = not isinstance(solution, bool)
    if not (is_given or solution or values):
        seen = view(game)
        return walk(seen, find_state(seen, start), max_depth, max_nodes)
    from seqform.drawing.answers import answer, given_answer

    seen, state, found = given_answer(game, start, solution) if is_given else answer(game, start)
    return walk(
        seen,
        state,
        max_depth,
        max_nodes,
        found.value if values else None,
        found.behavior if is_given or solution else None,
    )
