"""How a locked game of hands is gone through: by boards, as the game is, keeping to the lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Numbers
from seqform.base.errors import UnsupportedGameError
from seqform.form.hand_lines import Group
from seqform.form.hand_lock import HandLock
from seqform.form.hand_passage import GroupStep, HandBlock, HandPassage
from seqform.form.hand_strategy import HandStrategy
from seqform.form.protocol import Integers, Parts

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm


class LockedStep(NamedTuple):
    """What is decided at public nodes of a street where some of it is locked.

    A mean over what is locked is taken in place of a decision, and of free actions one reduction.
    Where nothing is locked that is the reduction alone.

    Parameters
    ----------
    unlocked
        The same nodes without a lock.
    fixed
        (num_nodes, num_actions, num_hands): probabilities; 0 where an action is free.
    share
        The same of what all free actions share, 0 where an action is locked.
    """

    unlocked: GroupStep
    fixed: Floats
    share: Floats

    def entries(self, parts: Parts) -> Any:
        """Return the entries of the actions: (num_nodes, num_actions, num_hands)."""
        return self.unlocked.entries(parts)

    def over_actions(self, operation: np.ufunc, parts: Parts) -> Any:
        """Return the means, with a maximum (or a sum) over free actions: (num_nodes, num_hands)."""
        entries = self.entries(parts)
        free, left = self.share > 0, self.share.max(axis=1)
        least = -np.inf if operation is np.maximum else operation.identity
        best = operation.reduce(entries, axis=1, where=free, initial=least)
        return (self.fixed * entries).sum(axis=1) + left * np.where(left > 0, best, 0.0)

    def spread(self, values: Any) -> Any:
        """Return the values, which stand for each action."""
        return self.unlocked.spread(values)

    def add(self, values: Any, parts: Parts, later: Parts) -> None:
        """Add values to the lines that lead there."""
        self.unlocked.add(values, parts, later)


class LockedHandPassage(HandPassage):
    """A locked game of hands, and strategies that are kept by boards up to symmetry.

    Whatever the strategies say of what is locked: they do what the lock says.

    Parameters
    ----------
    form
        The game.
    strategy
        What it is gone through for; by symmetries that the lock has, too.
    lock
        What is locked.

    Raises
    ------
    InvalidStrategyError
        If the strategies have symmetries that the lock has not.
    """

    def __init__(self, form: SequenceForm, strategy: HandStrategy, lock: HandLock) -> None:
        super().__init__(form, strategy)
        strategy.require_symmetries_of(lock.structure, "lock")
        self.lock = lock.on(strategy.structure)

    def step(self, player: int, group: Group, block: HandBlock) -> Any:
        """Return how a player's nodes on a board are gone through."""
        nodes = self.lock.nodes[player]
        if not any(node in nodes for node in group.nodes):
            return GroupStep(group)
        hands, row = block.alive[player], block.row
        shape = *group.shape, len(hands)
        fixed, share = np.zeros(shape), np.ones(shape)
        for place, node in enumerate(group.nodes):
            if node in nodes:
                here = nodes[node].on(np.array([row]))
                fixed[place], share[place] = here.given[0][:, hands], here.share[0][:, hands]
        return LockedStep(GroupStep(group), fixed, share)

    def done(self, player: int, group: Group, row: int) -> Numbers:
        """Return what is done at nodes on a board: what is locked, and the odds of what is free."""
        found, nodes = super().done(player, group, row), self.lock.nodes[player]
        if any(node in nodes for node in group.nodes):
            found = found.astype(np.float64)
            for place, node in enumerate(group.nodes):
                if node in nodes:
                    here = nodes[node].on(np.array([row]))
                    found[place] = here.kept_to(found[place : place + 1])[0]
        return found

    def integers(self) -> Integers:
        """Refuse: what is locked is in floats.

        Raises
        ------
        UnsupportedGameError
            Always.
        """
        raise UnsupportedGameError(
            "a locked game of hands of this size is certified in floats, with bounds on all "
            "rounding errors, and has no proofs in integers"
        )
