"""How many states a game has at least, by how late random plays meet in one.

If a game has N states, k plays that were drawn alike are all in different ones after so many moves
with a probability of exp(-k (k - 1) / 2N) at most; if some states are likelier than others, it is
less. So plays that have not met say that there are k (k - 1) / 2L states or more, which is wrong
with a probability of exp(-L) at most, whenever the plays stop.

Two more steps save most of the moves. Of the state that a play comes to, m different children are
taken at random, and plays meet if they have a child in common. That probability is a sum over
families of k disjoint sets, linear in how likely each set is, and no term has two sets that meet:
what one of these has may all go to the other, and the sum is no less (the symmetrization of Zykov
and of Motzkin & Straus). In the end sets that are disjoint are left, N / m at most. So N is m times
as large. And c plays that met others may be left out, for any of their choices: L grows by the
logarithm of (k choose c).
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from math import comb, log
from typing import Any

from seqform.base.deadline import check_time
from seqform.base.memory import MemoryLimit
from seqform.base.number import power_of_ten
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

DEEPER = 1.4
"""By what factor plays go on beyond that depth."""

CHILDREN = 32
"""Of a state at which a play ends that are looked at; at most three quarters of those that the
first such state has."""

LEFT_OUT = 4
"""Plays that met others and are left out at most; after that games are not that large."""

LONGEST = 200
"""Moves of a play at most."""

MOST_MOVES = 800_000
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
        depth, many = _depth(game, rng, limit)
        moves, plays, apart, met = 0, 0, 0, 0
        while depth is not None and moves < most_moves:
            state, made = _play(game, rng, depth)
            moves += made + many
            plays += 1
            children = _children(game, rng, state, many) if made == depth else None
            if children is None:
                continue
            if seen.isdisjoint(children):
                seen |= children
                apart += 1
            elif met == LEFT_OUT:
                return None
            else:
                met += 1
            known = _shown(apart, met, many)
            if known > limit:
                return known
            tell(f"looking how many states the game has: {known:,.0f} or more")
            check_time(f"looking how many states the game has, {plays:,} plays so far")
    return None


def _shown(apart: int, met: int, many: int) -> float:
    """Return how many states there are at least, by plays that did not meet beside some that did.

    What is known with none of them, one, two, ... is wrong with half the probability each time.
    """
    odds = ODDS * log(10) + log(comb(apart + met, met)) + (met + 1) * log(2)
    return many * apart * (apart - 1) / (2 * odds)


def _children(game: Game, rng: random.Random, state: Any, many: int) -> set[Hashable] | None:
    """Return so many children of a state, at random; None if it does not have as many."""
    options = _moves(game, state)
    if len(options) < many:
        return None
    children = {game.child(state, option) for option in rng.sample(options, many)}
    return children if len(children) == many else None


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
    most = memory.bytes / max(LEAST_BYTES, each / SLACK)
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
        f"{nodes} nodes or more; {evaluated_to_a_depth(game)}, use smaller parameters, or the game "
        "below some moves (GAME@MOVES, or restricted_game)"
    )


def evaluated_to_a_depth(game: Game) -> str:
    """Return how one searches a game to a depth."""
    guess = "" if hasattr(game, "evaluate") else " and evaluation=..."
    return f"search it to a depth (method='alphabeta' with depth=4{guess})"


def _depth(game: Game, rng: random.Random, limit: float) -> tuple[int | None, int]:
    """Return after how many moves there are likely enough states, and how many children to take.

    None if a play ended before.
    """
    paths, state = 1.0, game.root()
    for made in range(LONGEST):
        options = _moves(game, state)
        if not options:
            return None, 1
        if paths >= PATHS * limit:
            return int(DEEPER * made) + 1, max(1, min(CHILDREN, 3 * len(options) // 4))
        paths *= len(options)
        state = game.child(state, rng.choice(options))
    return None, 1


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
