"""Reductions `dominated` and `strictly-dominated`: iterated elimination of dominated actions.

Actions that are dominated are left out, round after round, until there are none. It is proven in
docs/explanation/dominated-actions.md, for n players and general sums, that

* an equilibrium of the smaller game, lifted, is an equilibrium; no player can gain more by
  deviating in the whole game than in the smaller one, whatever the profile;
* `strictly-dominated` loses no equilibrium: in none of them is an action played that is left out;
* `dominated` may lose some, such as those that rest on threats which nobody would carry out.

References
----------
Shimoji & Watson, "Conditional dominance, rationalizability, and game forms", J. Econ. Theory 83,
1998. Koller, Megiddo & von Stengel, GEB 14, 1996 (the sequence form's best responses).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from abstraction.dominance import Dominance
from abstraction.pruned_tree import can_be_pruned, prune
from abstraction.restriction import Restriction, restrict
from seqform.base.arrays import Mask
from seqform.base.deadline import check_time
from seqform.form.from_any import form_by_tree
from seqform.form.sequence_form import SequenceForm
from seqform.links.link import EXACTLY, Reduction, ReductionOptions, SequenceMap


@dataclass(frozen=True)
class DominatedActions(Reduction):
    """Leave out actions that are dominated, until none is found.

    Parameters
    ----------
    name
        What the command line calls it.
    strict
        Whether only what is strictly dominated is left out, in the whole game: another strategy
        always pays more, wherever the others steer the game.
    """

    name: str
    strict: bool
    lossless: bool = True
    theorem = "dominated actions"
    takes_threshold = False

    def accepts(self, game: Any) -> str | None:
        """Return None: any game with perfect recall is accepted."""
        return None

    def apply(
        self, game: Any, options: ReductionOptions = EXACTLY
    ) -> tuple[SequenceForm, SequenceMap]:
        """Return the smaller game and the way back; the game of a tree has a tree.

        In a game whose payoffs are floats and also paid on the way, it has none.

        Raises
        ------
        GameTooLargeError
            If the game is no sequence form, and has more than `max_nodes` nodes.
        ImperfectRecallError
            If players forget something in the game.
        OutOfTimeError
            If the time limit is over.
        """
        form = form_by_tree(game, options.max_nodes)
        kept = [np.ones(treeplex.num_sequences, dtype=np.bool_) for treeplex in form.treeplexes]
        smaller = restrict(form, kept)
        while self._leave_out(smaller, kept):
            smaller = restrict(form, kept)
        if form.tree is not None and can_be_pruned(form.tree):
            return prune(form, form.tree, kept)
        return smaller.form, smaller.inverse

    def _leave_out(self, smaller: Restriction, kept: list[Mask]) -> bool:
        """Strike what is dominated in the smaller game from what is kept; whether anything is."""
        found = False
        for player, treeplex in enumerate(smaller.form.treeplexes):
            dominance = Dominance(smaller.form, player, self.strict)
            for infoset in range(treeplex.num_infosets):
                check_time("looking for dominated actions")
                first = int(treeplex.first_sequence[infoset])
                for action in dominance.dominated(infoset):
                    kept[player][smaller.sources[player][first + action]] = False
                    found = True
        return found


DOMINATED = DominatedActions("dominated", strict=False)
STRICTLY_DOMINATED = DominatedActions("strictly-dominated", strict=True)
