"""Locking as a reduction: `solve` solves the smaller game, lifts the answer, and certifies it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqform.base.errors import GameTooLargeError
from seqform.game.kinds import is_form
from seqform.links.chain import LOCK
from seqform.links.link import EXACTLY, Reduction, ReductionOptions

if TYPE_CHECKING:  # loaded when a lock is applied
    from seqform.form.sequence_form import SequenceForm
    from seqform.links.link import SequenceMap
    from seqform.strategies.bend.lock import LockGiven


MAX_PAYOFFS = 30_000_000
"""25 million took 75 s to lock, and 2.8 GB with the solution (Rhode Island hold'em, 4 ranks of 4
suits)."""


@dataclass(frozen=True, eq=False)
class Locking(Reduction):
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
        from seqform.links.locked_game import lock_game
        from seqform.strategies.bend.lock import lock_from

        form = game if is_form(game) else form_to_lock(game, options.max_nodes)
        locked = lock_game(lock_from(self.given, form))
        return locked.form, locked.inverse


def form_to_lock(game: Any, max_nodes: int | None) -> SequenceForm:
    """Return the form of a game, without its tree where that is too large.

    Raises
    ------
    GameTooLargeError
        If there are more payoffs than a locked game can store.
    """
    from seqform.form.counts_from_signals import count_signal_game, is_too_large
    from seqform.form.from_signals import build_signal_form
    from seqform.form.from_tree import build_sequence_form
    from seqform.game.observations import SignalStructure
    from seqform.tree.from_any import build_tree

    if not is_too_large(game, max_nodes):
        return build_sequence_form(build_tree(game, max_nodes))
    structure = SignalStructure(game)
    payoffs = count_signal_game(structure)["payoff_nonzeros"]
    if payoffs > MAX_PAYOFFS:
        raise GameTooLargeError(
            f"the payoffs of a locked game are stored, and here there are {payoffs:,}, more than "
            f"{MAX_PAYOFFS:,}; use a smaller deck, or without lock= respond() (`seqform "
            "best-response`), which answers strategies of any size"
        )
    return build_signal_form(structure)
