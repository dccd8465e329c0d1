"""Backward induction: what every subgame is worth and what to do there, from the rules."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Mapping
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, overload

from seqform.base.deadline import deadline_of
from seqform.base.errors import InvalidParameterError
from seqform.game.checks import root_of
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.perfect_information.decision import Trace, Values
from seqform.perfect_information.result import ProgressCallback
from seqform.perfect_information.transposition_table import new_table
from seqform.perfect_information.traversal import Entry, Settled, Traversal

if TYPE_CHECKING:
    from seqform.perfect_information.tree_induction import TreeInduction


class Induction:
    """A subgame-perfect equilibrium in pure strategies, and what it pays in every subgame.

    Attributes
    ----------
    game
        The rules.
    value
        What the game pays each player; exact on exact payoffs.
    statistics
        `nodes`, states entered; `table_hits`, states that were found in the table instead.
    extent
        How large and deep the game is, and whether its numbers are exact.
    seconds
        Wall-clock seconds.
    """

    def __init__(self, traversal: Traversal) -> None:
        start = time.perf_counter()
        self._traversal = traversal
        self.game: Game = traversal.game
        self.value: Values = traversal.settle(root_of(self.game))[0]
        self.statistics: Mapping[str, int] = dict(traversal.statistics)
        self.extent = traversal.extent
        self.seconds = time.perf_counter() - start
        # What is asked of it later is no news, and may take its time.
        traversal.trace = traversal.callback = None
        traversal.deadline = inf

    @property
    def table(self) -> Mapping[Any, Settled]:
        """The values, the best action and the height of every state entered.

        Of those kept, if the table was limited.
        """
        return self._traversal.table

    def values_of(self, state: Any) -> Values:
        """Return what the subgame at `state` pays each player, arriving there included."""
        return self._entry(state)[0]

    def best_action(self, state: Any) -> Hashable | None:
        """Return the first best action at `state`; None at a chance or terminal state."""
        return self._entry(state)[1]

    def principal_variation(self) -> tuple[Hashable, ...]:
        """Return the line of play from the root up to the first chance state, or the end."""
        state, line = self.game.root(), []
        while self.game.player(state) not in (CHANCE, TERMINAL):
            line.append(self.best_action(state))
            state = self.game.child(state, line[-1])
        return tuple(line)

    def _entry(self, state: Any) -> Settled:
        return self._traversal.table.get(state) or self._traversal.settle(state)


@overload
def backward_induction(
    game: Game,
    *,
    cache: bool = ...,
    cache_size: int | None = ...,
    ties: Literal["first"] = ...,
    max_nodes: int | None = ...,
    time_limit: float | None = ...,
    callback: ProgressCallback | None = ...,
    trace: Trace | None = ...,
) -> Induction: ...


@overload
def backward_induction(
    game: Game, *, ties: Literal["all"], max_nodes: int | None = ...
) -> Iterator[TreeInduction]: ...


def backward_induction(
    game: Game,
    *,
    cache: bool = True,
    cache_size: int | None = None,
    ties: Literal["first", "all"] = "first",
    max_nodes: int | None = None,
    time_limit: float | None = None,
    callback: ProgressCallback | None = None,
    trace: Trace | None = None,
) -> Induction | Iterator[TreeInduction]:
    """Solve a game of perfect information from its ends to its root.

    It may have any number of players, chance, and any payoffs.

    Parameters
    ----------
    game
        The rules; no tree is built, and depth is bounded by memory only.
    cache
        Whether a state that is met again is looked up; the result is the same without.
    cache_size
        How many states to keep at most.
    ties
        'first': of actions that are equally good, the first. 'all': build the tree of a small game
        and iterate over all its subgame-perfect equilibria in pure strategies
        (`seqform.perfect_information.equilibria`). Of the other parameters, 'all' takes `max_nodes`
        only.
    max_nodes
        How many states to enter at most, or how large a tree to build.
    time_limit
        Seconds, after which there is no answer.
    callback
        Called with the progress, a few times a second.
    trace
        Called with every decision, in the order in which they are made.

    Raises
    ------
    InvalidParameterError
        If `ties` is unknown, or other options are given with ties='all'.
    InvalidGameError
        If the rules break a requirement of docs/data-model.md, or the game is cyclic.
    UnsupportedGameError
        If a player cannot distinguish two states.
    GameTooLargeError
        If there are more than `max_nodes` states, or more than memory can hold.
    OutOfTimeError
        If the time limit is reached.

    References
    ----------
    Zermelo 1913; Osborne & Rubinstein, A Course in Game Theory, 1994, Section 6.2 (Kuhn's theorem).

    Examples
    --------
    >>> from games.tic_tac_toe import tic_tac_toe
    >>> result = backward_induction(tic_tac_toe())
    >>> result.value, result.statistics["nodes"]
    ((0, 0), 5478)
    """
    if ties not in ("first", "all"):
        raise InvalidParameterError(f"ties={ties!r}: use 'first' or 'all'")
    if ties == "all":
        from seqform.perfect_information.equilibria import pure_equilibria
        from seqform.tree.from_any import build_tree

        others = (cache_size, time_limit, callback, trace)
        if not cache or any(given is not None for given in others):
            raise InvalidParameterError(
                "cache, cache_size, time_limit, callback and trace are for ties='first'; "
                "ties='all' goes through a tree"
            )
        return pure_equilibria(build_tree(game, max_nodes))
    table, deadline = new_table(cache_size if cache else 0), deadline_of(time_limit)
    return Induction(Traversal(game, first_best, table, max_nodes, trace, deadline, callback))


def first_best(
    state: Any, player: int, actions: tuple[Hashable, ...], options: list[Values]
) -> Entry:
    """Choose the first of the actions that pay the player who moves the most."""
    best = max(options, key=itemgetter(player))
    return best, actions[options.index(best)]
