"""How a restricted game of hands is gone through: by boards, with the model's plan beside the free.

The player who answers is paid against a mixture of both plans. The modelled player's lines are paid
for the free case; and what following the model pays does not depend on what is done when free, so
it belongs to the empty sequence. It is a part of its own, of one entry, which goes up from board to
board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import UnsupportedGameError
from seqform.form.followed import Followed
from seqform.form.hand_paid import ROWS, HandPaid
from seqform.form.hand_passage import HandBlock, HandPassage
from seqform.form.hand_strategy import HandStrategy
from seqform.form.listed_paid import ListedPaid
from seqform.form.protocol import Integers, Paid, Parts, Played

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm

FOLLOWED = "followed"
"""The key of the part with what following the model pays on a board."""

BELOW = "followed below"
"""The key of what it pays on all boards that were gone through."""


class FollowedStep(NamedTuple):
    """What following the model pays: nothing to decide, and all of it goes to the empty sequence.

    Parameters
    ----------
    block
        The board.
    """

    block: HandBlock

    def entries(self, parts: Parts) -> Any:
        """Return what it pays on this board: (1, 1)."""
        return parts[FOLLOWED].reshape(1, 1)

    def over_actions(self, operation: np.ufunc, parts: Parts) -> Any:
        """Return that times the boards that are like this one: (1,)."""
        return parts[FOLLOWED] * self.block.times

    def spread(self, values: Any) -> Any:
        """Return the values."""
        return values

    def add(self, values: Any, parts: Parts, later: Parts) -> None:
        """Add values to those of the boards so far; on the last board, to the empty sequence."""
        so_far = parts.get(BELOW, 0.0) + values
        if self.block.is_last:
            parts[ROWS][0, 0] += so_far[0]
        else:
            later[BELOW] = so_far


class RestrictedBlock(HandBlock):
    """A board and those like it, with the model's plan.

    Parameters
    ----------
    passage
        What it is of.
    dealt, orbit, parent
        As of `HandBlock`.
    """

    def __init__(
        self,
        passage: RestrictedHandPassage,
        dealt: int,
        orbit: int,
        parent: RestrictedBlock | None = None,
    ) -> None:
        super().__init__(passage, dealt, orbit, parent)
        self._followed = passage.followed
        before = None if parent is None else parent.by_model
        self.by_model: HandBlock = HandBlock(passage.by_model, dealt, orbit, before)
        """The same board, for what the model does."""

    def steps(self, player: int) -> Iterator[Any]:
        """Yield the steps of the game, and then what following the model pays."""
        yield from super().steps(player)
        if player == self._followed.player:
            yield FollowedStep(self)

    def paid(self, player: int, plans: Sequence[Parts]) -> Paid:
        """Return what ends on this board pay, and bounds on what rounding does to it."""
        modelled = self._followed.player
        share, free = self._followed.shares
        model = self.by_model.played(modelled).plan[ROWS]
        if player != modelled:
            against = list(plans)
            against[modelled] = {ROWS: free * plans[modelled][ROWS] + share * model}
            return super().paid(player, against)
        found = cast(HandPaid, super().paid(player, plans)).listed()
        gradient, magnitude, errors = (
            {ROWS: free * of[ROWS], FOLLOWED: _by_plan(of[ROWS], model, share)}
            for of in (found.gradient, found.magnitude, cast(Parts, found.errors))
        )
        return ListedPaid(gradient, magnitude, errors)

    def numerators(self, player: int, plans: Sequence[Parts]) -> Parts:
        """Refuse: the model's plan is in floats."""
        _refuse_integers()


def _by_plan(paid: Floats, plan: Floats, share: float) -> Floats:
    """Return what a plan is paid, times a share: (1,)."""
    return np.array([share * float((paid * plan).sum())])


class RestrictedHandPassage(HandPassage):
    """A restricted game of hands, and strategies that are kept by boards up to symmetry.

    Parameters
    ----------
    form
        The game.
    strategy
        What it is gone through for: of the modelled player, what it does where it is free. By
        symmetries that the model has, too.
    followed
        The model.

    Raises
    ------
    InvalidStrategyError
        If the strategies have symmetries that the model has not.
    """

    def __init__(self, form: SequenceForm, strategy: HandStrategy, followed: Followed) -> None:
        super().__init__(form, strategy)
        strategy.require_symmetries_of(followed.structure, "model")
        self.followed = followed
        self.by_model = HandPassage(form, followed.strategy.by_boards_of(strategy.structure))

    def block(self, dealt: int, orbit: int, parent: Any = None) -> RestrictedBlock:
        """Return a board, which goes on from another one."""
        return RestrictedBlock(self, dealt, orbit, parent)

    def played(self, player: int, block: HandBlock) -> Played:
        """Return a player's plan on a board; the model is always followed where it is."""
        found = super().played(player, block)
        if player != self.followed.player:
            return found
        return Played({**found.plan, FOLLOWED: np.ones(1)}, found.residuals)

    def integers(self) -> Integers:
        """Refuse: the model's plan is in floats."""
        _refuse_integers()


def _refuse_integers() -> NoReturn:
    raise UnsupportedGameError(
        "a restricted game of hands of this size is certified in floats, with bounds on all "
        "rounding errors, and has no proofs in integers"
    )
