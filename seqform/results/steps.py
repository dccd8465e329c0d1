"""Step: one application of a reduction that merges two parts of a game at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from seqform.game.rules import CHANCE

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.links.link import Inverse, ReductionOptions
    from seqform.tree.tree import GameTree


@dataclass(frozen=True, eq=False)
class Step:
    """What was merged, and the games before and after.

    Parameters
    ----------
    number
        From 1 on.
    before, after
        The games.
    parent, kept, merged
        Nodes of the game before: what is below `merged` became one with what is below `kept`.
    by_name
        Whether every action became one with an action of the same name.
    smaller
        The sequence form of the game after; None where a player forgets something in it.
    back, back_to_all
        The ways back to the game before, and to the one before the first step. None where a player
        forgets something in one of the two games.
    """

    number: int
    before: GameTree = field(repr=False)
    after: GameTree = field(repr=False)
    parent: int
    kept: int
    merged: int
    by_name: bool
    smaller: SequenceForm | None = field(repr=False)
    back: Inverse | None = field(repr=False)
    back_to_all: Inverse | None = field(repr=False)

    @property
    def infoset(self) -> str:
        """The information set of the pair; of chance nodes, chance."""
        h = int(self.before.infoset[self.kept])
        return "chance" if h < 0 else self.before.infoset_text(h)

    @property
    def moves(self) -> tuple[str, str]:
        """What led from the parent to the two nodes."""
        last = (self.before.path(node)[-1] for node in (self.kept, self.merged))
        kept, merged = map(self.before.action_text, last)
        return kept, merged

    @property
    def is_after_chance(self) -> bool:
        """Whether probabilities were added; else two actions of a player became one."""
        return bool(self.before.player[self.parent] == CHANCE)

    @property
    def what(self) -> str:
        """What was merged, in words."""
        tree, (kept, merged) = self.before, self.moves
        if not self.is_after_chance:
            player = int(tree.player[self.parent])
            return f"{tree.player_text(player)} plays {kept} for {merged}"
        rows = [int(tree.probability[node]) for node in (self.kept, self.merged)]
        one, other = (tree.probabilities[row] for row in rows)
        return f"chances {one} + {other}"

    def record(self) -> dict[str, Any]:
        """Return JSON values: paths are labels of moves from the root."""
        before, after = self.before, self.after
        return {
            "step": self.number,
            "level": len(before.path(self.kept)),
            "parent": [str(label) for label in before.path(self.parent)],
            "pair": list(self.moves),
            "infoset": self.infoset,
            "merged": self.what,
            "nodes": [before.num_nodes, after.num_nodes],
            "infosets": [before.num_infosets, after.num_infosets],
            "actions_by_name": self.by_name,
        }


@runtime_checkable
class StepByStep(Protocol):
    """A reduction that can show what it merges, one pair after the other."""

    def steps(self, game: Any, options: ReductionOptions) -> Iterator[Step]:
        """Yield the steps, in order."""
