"""Locking as a reduction: `solve` solves the smaller game, lifts the answer, and certifies it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqform.base.loaded import is_form
from seqform.results.reduction import EXACTLY, ReductionOptions
from seqform.results.solution import LOCK

if TYPE_CHECKING:  # loaded when a lock is applied
    from seqform.form.sequence_form import SequenceForm
    from seqform.results.reduction import SequenceMap
    from seqform.strategies.bend.lock import LockGiven


@dataclass(frozen=True, eq=False)
class Locking:
    """The reduction that a lock makes of a game.

    Parameters
    ----------
    given
        The lock; see `seqform.strategies.bend.lock.lock_from`.
    """

    given: LockGiven

    name = LOCK
    lossless = False
    takes_threshold = False

    def accepts(self, game: Any) -> str | None:
        """Return None: a lock is for any game that has a sequence form."""
        return None

    def apply(
        self, game: Any, options: ReductionOptions = EXACTLY
    ) -> tuple[SequenceForm, SequenceMap]:
        """Return the locked game and the way back; errors also as for `lock_from`."""
        from seqform.form.from_tree import build_sequence_form
        from seqform.results.locked_form import lock_game
        from seqform.strategies.bend.lock import lock_from
        from seqform.tree.from_any import build_tree

        if not is_form(game):
            game = build_sequence_form(build_tree(game, options.max_nodes))
        locked = lock_game(lock_from(self.given, game))
        return locked.form, locked.inverse
