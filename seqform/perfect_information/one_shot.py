"""The certificate of a subgame-perfect equilibrium: nobody gains anywhere by deviating once.

In a finite game of perfect information that is enough (the one-shot deviation principle: Osborne &
Rubinstein, A Course in Game Theory, 1994, Lemma 98.2). The profile is evaluated anew, by what it
does and not by what it claims.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidStrategyError
from seqform.base.number import Number
from seqform.game.checks import root_of
from seqform.game.rules import Game
from seqform.perfect_information.decision import Values
from seqform.perfect_information.induction import Induction
from seqform.perfect_information.table import new_table
from seqform.perfect_information.traversal import Entry, Traversal

if TYPE_CHECKING:
    from seqform.perfect_information.tree_induction import TreeInduction
    from seqform.tree.tree import GameTree


@dataclass(frozen=True)
class OneShotCertificate:
    """What a profile pays, and the most that anybody gains by another action at one decision."""

    value: Values
    """What the profile pays each player."""
    largest_gain: Number
    """0 exactly if the profile is a subgame-perfect equilibrium."""
    player: int | None
    """Who gains it; None if nobody gains."""
    state: Any
    """Where, a state or a node; None if nobody gains."""
    num_decisions: int
    """How many decisions were looked at: distinct states, or nodes of a tree."""


def check_one_shot(game: Game | GameTree, profile: Induction | TreeInduction) -> OneShotCertificate:
    """Evaluate a profile from the ends of the game, and look for a player who gains by deviating once.

    Raises
    ------
    InvalidStrategyError
        If the profile takes an action that there is not.

    Examples
    --------
    >>> from games.tic_tac_toe import tic_tac_toe
    >>> from seqform.perfect_information import backward_induction
    >>> game = tic_tac_toe()
    >>> check_one_shot(game, backward_induction(game)).largest_gain
    0
    """
    if isinstance(profile, Induction):
        return _Deviations(profile).certificate(game)  # type: ignore[arg-type]
    from seqform.perfect_information.tree_one_shot import check_tree

    return check_tree(game, profile)  # type: ignore[arg-type]


class _Deviations:
    """Plays what a profile says, and remembers the best deviation from it."""

    def __init__(self, profile: Induction) -> None:
        self.profile = profile
        self.best: tuple[Number, int | None, Any] = (0, None, None)
        self.num_decisions = 0

    def certificate(self, game: Game) -> OneShotCertificate:
        values, _ = Traversal(game, self.follow, new_table(None)).settle(root_of(game))
        return OneShotCertificate(values, *self.best, self.num_decisions)

    def follow(
        self, state: Any, player: int, actions: tuple[Hashable, ...], options: list[Values]
    ) -> Entry:
        action = self.profile.best_action(state)
        if action not in actions:
            raise InvalidStrategyError(
                f"the profile takes {action!r} at {state!r}, where the actions are "
                f"{', '.join(map(repr, actions))}"
            )
        values = options[actions.index(action)]
        gain = max(option[player] for option in options) - values[player]
        self.num_decisions += 1
        if gain > self.best[0]:
            self.best = gain, player, state
        return values, action
