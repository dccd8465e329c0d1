"""Best responses in large games of hands, written down by public nodes, boards and hands.

They are found as certificates are: board by board, without vectors over all sequences.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from seqform.base.deadline import check_time
from seqform.form.hand_lines import Group
from seqform.form.hand_passage import GroupStep, HandBlock, HandPassage
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_tables import alike_hands
from seqform.form.locked_hand_passage import LockedStep
from seqform.form.profile import Profile
from seqform.form.protocol import Parts
from seqform.form.sequence_form import SequenceForm


def hand_response(form: SequenceForm, profile: Profile, player: int) -> HandStrategy:
    """Return the strategies of a profile in which a player answers the other one best.

    In every information set it takes the first of the actions that get most, as computed. Hands
    that a symmetry exchanges without moving the board do what the first of them does. In a locked
    game the best of free actions is taken; what is locked is not written.

    Parameters
    ----------
    form
        A game of hands as it is, or locked by boards.
    profile
        Kept by boards and hands.
    player
        Who answers.
    """
    passage = cast(HandPassage, form.through(profile))
    finding = _Finding(passage, player)
    for block in passage.blocks():
        check_time("looking for a best response")
        finding.take(block)
    kept = passage.strategy
    tables = [finding.tables if who == player else kept.behaviors[who] for who in (0, 1)]
    return HandStrategy(kept.structure, tables, in_place=True)


class _Finding:
    """A backward pass of a player that writes down what is best."""

    def __init__(self, passage: HandPassage, player: int) -> None:
        self._passage, self._player = passage, player
        self._later: Parts = {}
        self._alike = alike_hands(passage.strategy.structure, player)
        self.tables: dict[int, NDArray[Any]] = {
            node: np.zeros(table.shape, dtype=np.float32)
            for node, table in passage.strategy.behaviors[player].items()
        }

    def take(self, block: HandBlock) -> None:
        """Go up a board."""
        plans = [self._passage.played(who, block).plan for who in (0, 1)]
        worth = self._later | block.paid(self._player, plans).gradient
        first = self._first(block)
        for step in block.steps(self._player):
            if isinstance(step, GroupStep):
                self._write(block, step.group, step.entries(worth).argmax(axis=1), first)
            elif isinstance(step, LockedStep):
                free = np.where(step.share > 0, step.entries(worth), -np.inf)
                self._write(block, step.unlocked.group, free.argmax(axis=1), first)
            step.add(step.over_actions(np.maximum, worth), worth, self._later)

    def _first(self, block: HandBlock) -> NDArray[np.int64]:
        """Return, of the hands on a board, the place of the first that each is played like."""
        alive = block.alive[self._player]
        for orbits, first in self._alike[block.dealt]:
            if block.orbit in orbits:
                return np.searchsorted(alive, first[alive])
        return np.arange(len(alive))

    def _write(
        self, block: HandBlock, group: Group, best: NDArray[np.int64], first: NDArray[np.int64]
    ) -> None:
        """Write the best actions of nodes on a board, (num_nodes, num_hands)."""
        alive = block.alive[self._player]
        for node, chosen in zip(group.nodes, best[:, first], strict=True):
            self.tables[node][block.orbit, chosen, alive] = 1.0
