"""The Game protocol: what a user writes to describe a game implicitly, one state at a time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, runtime_checkable

from seqform.base.number import Number

CHANCE = -1
"""Stands where a player would: chance moves here."""

TERMINAL = -2
"""Stands where a player would: the game is over here."""


@runtime_checkable
class Game(Protocol):
    """An extensive-form game given by its rules.

    States are immutable and hashable. A game may add `rewards(state)`, which returns a payoff
    vector (or None) collected on arriving at a non-terminal state; rewards add up along the path.
    It may also give `unit`, the name of what payoffs are counted in.

    A game of perfect information may say so with the attribute ``perfect_information = True``. Then
    every node of its tree is a singleton information set, and `infoset` is not called. For a search
    it may give ``search_order(state)``: the actions, the most promising first. It may give
    ``evaluate(state)``: an estimate of what player 0 gets in the subgame that begins at `state`. It
    may also give ``methods``, special algorithms: a mapping from names to functions, written
    ``module:function`` (`seqform.perfect_information.result`). Finally ``draw(state)`` may give a
    small picture of `state` in lines of text.

    What people read is text, and a game may say which. ``information_set_label(player, key)``
    returns a text, or a pair of texts: what the player holds, and what everybody has seen; or None,
    which leaves it to the key. ``action_label(action)`` is asked of actions and of outcomes of
    chance, ``state_label(state)`` of states. ``player_names`` has a name for each player. See
    `seqform.game.labels`.

    Examples
    --------
    The methods are small; matching pennies needs six lines (see `games/textbook.py`).
    """

    @property
    def num_players(self) -> int:
        """How many players there are, chance not counted."""

    def root(self) -> Any:
        """Return the state in which the game begins."""

    def player(self, state: Any) -> int:
        """Return who moves: a player `0..n-1`, `CHANCE` or `TERMINAL`."""

    def actions(self, state: Any) -> Sequence[Hashable]:
        """Return the actions of the player who moves, in a fixed order."""

    def chance(self, state: Any) -> Sequence[tuple[Hashable, Number]]:
        """Return the outcomes of a chance state with their probabilities, summing to one."""

    def child(self, state: Any, action: Hashable) -> Any:
        """Return the state after an action or a chance outcome."""

    def infoset(self, state: Any) -> Hashable:
        """Return a key shared by exactly the states that the mover cannot distinguish.

        Keys of different players never clash.
        """

    def payoffs(self, state: Any) -> Sequence[Number]:
        """Return what each player receives at a terminal state."""


class PerfectInformation:
    """What a game of perfect information without chance need not write down.

    Examples
    --------
    >>> class Choice(PerfectInformation):
    ...     num_players = 1
    ...     def root(self):
    ...         return "start"
    ...     def player(self, state):
    ...         return 0 if state == "start" else TERMINAL
    ...     def actions(self, state):
    ...         return (1, 2)
    ...     def child(self, state, action):
    ...         return action
    ...     def payoffs(self, state):
    ...         return (state,)
    >>> isinstance(Choice(), Game)
    True
    """

    perfect_information = True

    def chance(self, state: Any) -> Sequence[tuple[Hashable, Number]]:
        """There is no chance."""
        return ()

    def infoset(self, state: Any) -> Hashable:
        """Return the state: whoever moves knows it."""
        return state  # type: ignore[no-any-return]
