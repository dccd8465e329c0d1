"""A tree counted by its states: the subtree of each is counted once, and added often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from seqform.base.deadline import check_time
from seqform.game.probe import RulesWalk, SignalWalk

MAX_STATES = 30_000
"""States of a game that are gone through before its size is estimated; half a second or so."""

MOVES_A_STATE = 20
"""Moves that these may have on average; going through more takes seconds."""


@dataclass(frozen=True)
class StateCounts:
    """Exact counts of a subtree.

    Parameters
    ----------
    nodes, terminal_nodes, chance_nodes
        Of the tree, not states.
    depth
        Moves on the longest path.
    inner, children
        Inner nodes that random play meets, and their children, in expectation.
    """

    nodes: int
    terminal_nodes: int
    chance_nodes: int = 0
    depth: int = 0
    inner: float = 0.0
    children: float = 0.0


class ByStates(NamedTuple):
    """What going through the states of a game found."""

    states: int
    """How many were gone through."""
    counts: StateCounts | None = None
    """The tree's; None if there are more states or moves than the limit, or it is infinite."""
    endless: str | None = None
    """Which state comes back on its path, if one does."""


def count_by_states(walk: RulesWalk | SignalWalk, max_states: int = MAX_STATES) -> ByStates:
    """Return the counts of a game's tree, if it has few enough states.

    Raises
    ------
    InvalidGameError
        If the rules break a requirement of docs/data-model.md.
    """
    counts: dict[Any, StateCounts] = {}
    path: dict[Any, list[Any]] = {}  # each state on the way, with its children
    todo, num_moves = [root := walk.root()], 0
    while todo:
        state = todo[-1]
        if state in counts:
            todo.pop()
        elif state in path:
            below = path.pop(state)
            counts[todo.pop()] = _together(walk, state, below, [counts[child] for child in below])
        elif len(counts) + len(path) >= max_states or num_moves > MOVES_A_STATE * max_states:
            return ByStates(len(counts) + len(path))
        else:
            path[state] = children = [walk.child(state, move) for move in walk.moves(state)]
            num_moves += len(children)
            again = next((child for child in children if child in path), None)
            if again is not None:
                return ByStates(len(counts), endless=f"the state {again!r} comes back")
            todo += children
            check_time(f"counting nodes by states, {len(counts):,} so far")
    return ByStates(len(counts), counts[root])


def _together(
    walk: RulesWalk | SignalWalk, state: Any, children: list[Any], below: list[StateCounts]
) -> StateCounts:
    """Return the counts of a state from those of its children."""
    alike, width = walk.copies(state), len(children)
    if not children:
        return StateCounts(nodes=alike, terminal_nodes=alike)
    return StateCounts(
        nodes=alike + sum(child.nodes for child in below),
        terminal_nodes=sum(child.terminal_nodes for child in below),
        chance_nodes=alike * walk.is_chance(state) + sum(child.chance_nodes for child in below),
        depth=1 + max(child.depth for child in below),
        inner=1 + sum(child.inner for child in below) / width,
        children=sum(map(walk.copies, children)) / alike
        + sum(child.children for child in below) / width,
    )
