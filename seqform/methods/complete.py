"""Completing an answer: what its player does where its own plan never comes.

No plan changes by that, so no payoff and no gain of anybody does, in games of any number of players
and any sums. It is done in the game that was solved: of a reduction in the smaller one, before the
answer is lifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from seqform.base import thresholds
from seqform.base.errors import OutOfTimeError
from seqform.results.off_path import Gains, OffPath
from seqform.results.solution import Solution

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm


def completed(solution: Solution, clock: Clock, reduction: str | None = None) -> Solution:
    """Return a solution with a complete profile; as it is if time is over.

    Where merged information sets have to play alike, nothing is added.

    Values, bounds and the status stay what they are, since plans do.

    Parameters
    ----------
    reduction
        The reduction that made the game, if any.
    """
    profile = solution.profile
    if profile is None or solution.game.merged:
        return solution
    if solution.refinement is not None:  # it says what to do everywhere
        return solution
    sequences = sum(treeplex.num_sequences for treeplex in solution.game.treeplexes)
    is_large = sequences > thresholds.COMPLETED_UP_TO or not solution.game.lists_sequences
    where = f", in the game that {reduction!r} made" if reduction else ""
    if profile.kept is not None and is_large:  # vectors would take more than all else
        return _by_hands(solution, profile, clock, where)
    from seqform.strategies.completion import complete

    try:
        with clock.phase("complete"):
            found = complete(solution.game, profile)
            profiles = [profile, found.profile] if any(found.num_completed) else [profile]
            gains = _gains(solution.game, profiles)
    except OutOfTimeError as error:
        return solution.saying(error)
    off_path = OffPath(found.num_completed, gains[0], gains[-1], where)
    return replace(solution, answer=found.profile, off_path=off_path)


def _by_hands(solution: Solution, profile: Profile, clock: Clock, where: str) -> Solution:
    """Return a solution of a locked game of hands with a complete profile; others as they are.

    Average strategies of a search come everywhere, but where a lock bars the way.
    """
    if solution.game.origin.hands is None or solution.game.lists_sequences:
        return solution
    from seqform.strategies.hand_completion import complete_by_hands

    try:
        with clock.phase("complete"):
            found, counts = complete_by_hands(solution.game, profile)
    except OutOfTimeError as error:
        return solution.saying(error)
    return replace(solution, answer=found, off_path=OffPath(counts, None, None, where))


def _gains(game: SequenceForm, profiles: Sequence[Profile]) -> Sequence[Gains | None]:
    """Return what could be gained after mistakes under each profile, in a small game."""
    from seqform.strategies.one_mistake import after_mistakes

    if sum(treeplex.num_sequences for treeplex in game.treeplexes) > thresholds.GAINS_UP_TO:
        return [None for _ in profiles]
    return after_mistakes(game, *profiles)
