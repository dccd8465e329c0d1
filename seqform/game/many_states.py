"""How many states a game has at least, by how late random plays meet in one.

If a game has N states, k plays that were drawn alike are all in different ones after so many moves
with a probability of exp(-k (k - 1) / 2N) at most; if some states are likelier than others, it is
less. So plays that have not met say that there are k (k - 1) / 2L states or more, which is wrong
with a probability of exp(-L) at most, whenever the plays stop.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from math import log
from typing import Any

from seqform.base.deadline import check_time
from seqform.base.memory import MemoryLimit
from seqform.base.powers import power_of_ten
from seqform.base.progress import tell
from seqform.game.checks import placing
from seqform.game.least_cost import ODDS, count_in_words
from seqform.game.rules import CHANCE, TERMINAL, Game

PROBED_FROM = 20_000
"""States from which on a game is probed: smaller ones are gone through sooner."""

LEAST_BYTES = 200
"""That a state takes, with its value in a table."""

SLACK = 2.0
"""By what factor states may turn out smaller than those so far."""

PATHS = 10_000
"""Paths to a depth for each state of the limit, from which on plays are likely not to meet there;
many paths lead to the same state."""

DEEPER = 1.5
"""By what factor plays go on beyond that depth."""

LONGEST = 200
"""Moves of a play at most."""

MOST_MOVES = 400_000
"""Of all plays together, after which nothing is known."""


def states_above(game: Game, limit: float, most_moves: int = MOST_MOVES) -> float | None:
    """Return a number of states above `limit` that a game has at least; None if none was shown.

    It is wrong for one of 10^6 seeds at most.

    Parameters
    ----------
    game
        The rules, which are not checked.
    limit
        How many states are too many.
    most_moves
        After which plays end.

    Examples
    --------
    >>> from seqform import make
    >>> states_above(make("tic-tac-toe"), 5_478) is None  # it has as many
    True
    """
    rng, seen = random.Random(0), set[Hashable]()
    with placing(lambda: "a random play"):
        depth = _depth(game, rng, limit)
        moves, plays = 0, 0
        while depth is not None and moves < most_moves:
            state, made = _play(game, rng, depth)
            moves += made + 1
            if made == depth:
                if state in seen:
                    return None
                seen.add(state)
            plays += 1
            known = len(seen) * (len(seen) - 1) / (2 * ODDS * log(10))
            if known > limit:
                return known
                tell(f"looking how many states the game has: {known:,.0f} or more")
            check_time(f"looking how many states the game has, {plays:,} plays so far")
    return None


def too_many_states(
    game: Game, memory: MemoryLimit, states: int, max_nodes: int | None = None
) -> str | None:
    """Return why the states of a game cannot all be held, if random plays show it; else None.

    Parameters
    ----------
    memory, states
        What may be used, and how many states are held by now.
    max_nodes
        How many states may be entered.
    """
    each = max(LEAST_BYTES, memory.added / states)
    most = SLACK * memory.bytes / each
    by_count = max_nodes is not None and max_nodes < most
    known = states_above(game, max_nodes if by_count and max_nodes is not None else most)
    if known is None:
        return None
    from seqform.game.probe import RulesWalk  # here, since they load arrays
    from seqform.game.size_estimate import least_size

    limit = f"{max_nodes:,} states" if by_count else str(memory)
    nodes = power_of_ten(least_size(RulesWalk(game)))
    return (
        f"the game does not end within {limit}: random plays show that it has "
        f"{count_in_words(known)} states or more, of about {each:,.0f} bytes each, and a tree of "
        f"{nodes} nodes or more; search it to a "
        "depth (method='alphabeta' with depth=4), use smaller parameters, or the game below some "
        "moves (GAME@MOVES, or restricted_game)"
    )


def _depth(game: Game, rng: random.Random, limit: float) -> int | None:
    """Return after how many moves there are likely enough states; None if a play ended before."""
    paths, state = 1.0, game.root()
    for made in range(LONGEST):
        if paths >= PATHS * limit:
            return int(DEEPER * made) + 1
        options = _moves(game, state)
        if not options:
            return None
        paths *= len(options)
        state = game.child(state, rng.choice(options))
    return None


def _play(game: Game, rng: random.Random, depth: int) -> tuple[Any, int]:
    """Return the state after a play of so many moves, and how many it had: it may end before."""
    state = game.root()
    for made in range(depth):
        options = _moves(game, state)
        if not options:
            return state, made
        state = game.child(state, rng.choice(options))
    return state, depth


def _moves(game: Game, state: Any) -> Sequence[Hashable]:
    player = game.player(state)
    if player == TERMINAL:
        return []
    if player == CHANCE:
        return [label for label, _ in game.chance(state)]
    return game.actions(state)
