"""From a game to the part of its tree that is to be shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.drawing.drawn_tree import MAX_NODES, PAGE_ENDS, DrawnTree, walk
from seqform.drawing.part import FOLDED, Part, Place, actions_of
from seqform.game.rules import Game
from seqform.results.solution import Solution
from seqform.tree.from_any import AnyGame, tree_in
from seqform.tree.path_of_labels import find_state
from seqform.tree.views import view

FEWER_MOVES = (10, 4)
"""Moves of a node that are drawn at most, where all of them are too many."""

MOST_JOINED = 6
"""Information sets of a level with lines behind others, above which these would be a thicket."""

FOLDED_FROM = 15
"""Ends of a tree that a page is not wide enough for: moves that are alike are then drawn once."""


def draw_tree(
    game: AnyGame | Solution,
    *,
    start: str = "",
    max_depth: int | None = None,
    max_nodes: int | None = None,
    solution: Any = False,
    values: bool | None = None,
    fit: bool = False,
    hand: str = "",
    player: int = 0,
    line: str = "",
    fold: bool | None = None,
    pruning: bool = False,
) -> DrawnTree:
    """Return the tree of a game, or a part of it, for `draw_figure` and `draw_text`.

    Parameters
    ----------
    game
        Rules, tree or signal game. Only what is shown is expanded, unless it is to be solved. Or a
        `Solution`, such as `seqform.load` returns: its game, which is not solved again.
    start
        Labels of the moves from the root to where the picture begins, joined by commas.
    max_depth
        Moves from there to the deepest nodes shown; None for all.
    max_nodes
        The most nodes to show; None for 800, which can still be read, and with `fit` for about a
        page where something is left out.
    solution
        Whether to solve the game and show what is played: by backward induction where nothing is
        hidden, else in an equilibrium. Or a `Solution` of the game, or what backward induction
        returned: then it is not solved again.
    values
        Whether to show what each player gets from each node on, in that solution. By default where
        a solution is shown that has them.
    fit
        Whether to leave out what is too much, instead of an error: nodes far down, and moves of
        nodes that have many. `DrawnTree.left_out` says what.
    hand, player
        Of a game that deals signals: the cards of one player, such as "Ks"; other deals to that
        player are left out.
    line
        Actions from there on, such as "check-bet/call": others are left out.
    fold
        Whether moves that are alike by a symmetry of the game are drawn once, with their number;
        by default, with `fit`, where the tree would have 15 ends or more. Games say what is alike
        by a method `canonical(state)`, which returns the same for states that are.
    pruning
        Whether to show which moves alpha-beta would not look at from there on.

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
    limit = MAX_NODES if max_nodes is None else max_nodes
    given = None if isinstance(solution, bool) else solution
    is_played = given is not None or bool(solution)
    if isinstance(game, Solution):
        shown, given = solved_game(game), given or game
    else:
        shown = game
    if not (is_played or values):
        seen = view(shown)
        state, answered = find_state(seen, start), None
    else:
        from seqform.drawing.answers import answer, given_answer, solution_of

        if given is None and hand:
            given, _ = solution_of(shown)
        known = (
            answer(shown, start)
            if given is None
            else given_answer(shown, start, given, as_signals=bool(hand))
        )
        seen, state, answered = known

    shows_values = is_played and has_values(answered) if values is None else values
    skipped = None
    if pruning:
        from seqform.drawing.pruning import skipped_moves

        if fold or hand or line:
            raise InvalidParameterError("pruning=True is of all moves: leave out fold, hand, line")
        skipped = skipped_moves(seen, state, max_depth)

    def draw(most_moves: int | None, max_ends: float = inf, folds: bool = False) -> DrawnTree:
        part = Part(seen, most_moves, hand.split(), player, actions_of(line), folds)
        return walk(
            part,
            Place(state),
            max_depth,
            limit,
            part.said(answered.value if answered and shows_values else None),
            part.played(answered.behavior if answered and is_played else None),
            part.said(answered.is_reached if answered and is_played else None),
            fit,
            max_ends,
            skipped,
        )

    folds = bool(fold)
    if fold is None and fit and not pruning:
        folds = Part(seen, folds=True).folds and draw(None).num_ends >= FOLDED_FROM
    page = PAGE_ENDS if max_nodes is None else inf
    drawn = deepest(partial(draw, folds=folds), page) if fit else draw(None, folds=folds)
    is_folded = any(FOLDED in str(node.label) for node in drawn.nodes) if folds else False
    return replace(drawn, begins=start.strip(), most_joined=MOST_JOINED, folds=is_folded)


def has_values(answered: Any) -> bool:
    """Return whether a solution says what nodes are worth; those of large signal games do not."""
    from seqform.drawing.signal_answer import SignalAnswer

    return answered is not None and not isinstance(answered, SignalAnswer)


def deepest(draw: Callable[[int | None, float], DrawnTree], page: float) -> DrawnTree:
    """Return the whole picture if it fits; else the deepest with the fewest moves left out.

    Parameters
    ----------
    draw
        Makes the picture with so many moves of a node, and so many ends, at most.
    page
        How many ends a page takes. A longer picture is drawn only if it is whole, and if it is not
        long because of nodes with many moves.
    """
    whole = draw(None, inf)
    if not whole.left_out:
        if whole.num_ends <= page:
            return whole
        found = draw(FEWER_MOVES[0], inf)
        return _folded(found, FEWER_MOVES[0]) if found.num_ends < whole.num_ends else whole
    best = draw(None, page)
    for most in FEWER_MOVES:
        found = draw(most, page)
        if not found.left_out or len(found.levels) > len(best.levels):
            best = _folded(found, most)
            if not found.left_out:
                break
    return best


def _folded(tree: DrawnTree, most: int) -> DrawnTree:
    """Return a tree that was drawn with so many moves of a node at most, and says so."""
    folded = f"moves of a node beyond the first {most - 1}, where it has over {most}"
    return replace(tree, left_out="; ".join(filter(None, [folded, tree.left_out])))


def solved_game(solution: Solution) -> AnyGame:
    """Return what can be drawn of a solution's game: its tree if it has one, else its rules.

    Raises
    ------
    UnsupportedGameError
        If the solution is of a sequence form without a tree.
    """
    for game in (solution.game, solution.source):
        if (tree := tree_in(game)) is not None:
            return tree
    rules: AnyGame | None = solution.source
    if isinstance(solution.game, Game):
        rules = solution.game
    if rules is None:
        raise UnsupportedGameError(
            "the solution is of a sequence form that has no tree to draw; solve the game itself"
        )
    return rules
