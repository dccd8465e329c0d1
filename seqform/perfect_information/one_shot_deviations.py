"""The certificate of a subgame-perfect equilibrium: nobody gains anywhere by deviating once.

In a finite game of perfect information that is enough (the one-shot deviation principle: Osborne &
Rubinstein, A Course in Game Theory, 1994, Lemma 98.2). The profile is evaluated anew, by what it
does and not by what it claims. Games whose numbers are exact are evaluated exactly, and for others
there is a bound on the rounding errors.
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
from seqform.perfect_information.transposition_table import new_table
from seqform.perfect_information.traversal import Entry, Traversal

if TYPE_CHECKING:
    from seqform.base.arrays import Index
    from seqform.perfect_information.tree_induction import Family, TreeInduction
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
    """How many decisions were checked: distinct states, or nodes of a tree."""
    rounding: float = 0.0
    """A bound on the rounding error of the gain; 0 if all numbers of the game are exact."""

    @property
    def gap(self) -> Number:
        """The most that anybody can gain by one deviation, rounding errors included."""
        return self.largest_gain + self.rounding if self.rounding else self.largest_gain


def check_one_shot(game: Game | GameTree, profile: Induction | TreeInduction) -> OneShotCertificate:
    """Evaluate a profile, and look for a player who gains by deviating once.

    Parameters
    ----------
    game
        Rules or tree.
    profile
        What `backward_induction` or `backward_induction_tree` returned for it.

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
    return _check_tree(game, profile)  # type: ignore[arg-type]


class _Deviations:
    """Plays what a profile says, and remembers the best deviation from it."""

    def __init__(self, profile: Induction) -> None:
        self.profile = profile
        self.best: tuple[Number, int | None, Any] = (0, None, None)
        self.num_decisions = 0

    def certificate(self, game: Game) -> OneShotCertificate:
        traversal = Traversal(game, self.follow, new_table(None))
        values, _, _ = traversal.settle(root_of(game))
        rounding = traversal.extent.rounding()
        return OneShotCertificate(values, *self.best, self.num_decisions, rounding)

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


def _check_tree(tree: GameTree, profile: TreeInduction) -> OneShotCertificate:
    """Do the same on a tree, all nodes of a depth at once."""
    import numpy as np

    from seqform.perfect_information.tree_induction import (
        extent_of,
        floats_are_exact,
        fold_levels,
    )
    from seqform.tree.as_rules import require_perfect_information

    require_perfect_information(tree)
    decides = tree.player >= 0
    _check_choices(tree, profile)
    best: tuple[Number, int | None, int | None] = (0, None, None)

    def follow(family: Family) -> Index:
        nonlocal best
        mine, first = decides[family.parents], family.level.start
        children = np.where(mine, profile.best_child[family.parents], first)
        gains = np.where(mine, family.best()[0] - family.own[children - first], 0)
        place = int(np.argmax(gains))
        if gains[place] > best[0]:
            node = int(family.parents[place])
            best = gains[place : place + 1].tolist()[0], int(tree.player[node]), node
        return children

    exact = tree.is_exact and not floats_are_exact(tree)
    value = fold_levels(tree, follow, exact).value
    if tree.is_exact and not exact:  # floats that are integers, as computed without rounding
        value, best = tuple(map(int, value)), (int(best[0]), *best[1:])
    return OneShotCertificate(value, *best, int(decides.sum()), extent_of(tree).rounding())


def _check_choices(tree: GameTree, profile: TreeInduction) -> None:
    """Check that a profile chooses a child at every decision."""
    import numpy as np

    decisions = np.flatnonzero(tree.player >= 0)
    chosen, first = profile.best_child[decisions], tree.first_child[decisions]
    wrong = np.flatnonzero((chosen < first) | (chosen >= first + tree.num_children[decisions]))
    if len(wrong):
        node = int(decisions[wrong[0]])
        raise InvalidStrategyError(
            f"the profile chooses {profile.best_child[node]} "
            f"at {tree.describe(node)}, which is not a child of it"
        )
