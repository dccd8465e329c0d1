"""Profiles of a smaller game, as profiles of the game that was reduced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.errors import InvalidStrategyError
from seqform.form.keepers import keeping_of
from seqform.form.lifted_profile import ByVectors, LiftedProfile
from seqform.form.profile import Profile
from seqform.links.link import Inverse, LiftsByClasses, SequenceMap

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm


def lift_profile(profile: Profile, inverse: Inverse) -> Profile:
    """Return the profile of the original in which each information set does what its image does.

    Parameters
    ----------
    profile
        Of the reduced game: one behaviour strategy per player, float64 (num_sequences,).
    inverse
        What `reduce` returned with that game.

    Raises
    ------
    InvalidStrategyError
        If the profile is not of the reduced game.
    """
    pairs = list(zip(inverse.sequences, profile.behaviors, strict=True))
    for player, (images, behavior) in enumerate(pairs):
        size = int(images.max(initial=0)) + 1
        if len(behavior) != size:
            raise InvalidStrategyError(
                f"player {player}: the profile has {len(behavior)} "
                f"sequences and the reduced game {size}"
            )
    behaviors = [np.append(behavior, 0.0)[images] for images, behavior in pairs]  # -1: the last
    if isinstance(inverse, SequenceMap) and inverse.shares is not None:
        behaviors = [of * share for of, share in zip(behaviors, inverse.shares, strict=True)]
    return Profile.from_behaviors(inverse.original.treeplexes, behaviors)


def lifted(profile: Profile, smaller: SequenceForm, inverse: Inverse) -> Profile:
    """Return a lifted profile, kept with the smaller one; by classes of cards without vectors."""
    if isinstance(inverse, LiftsByClasses):
        return inverse.lifted(profile, smaller)
    found, original = lift_profile(profile, inverse), inverse.original
    by_boards = None if original.origin.hands is None else keeping_of(original)
    kept = None if by_boards is None else by_boards.of(original, found)  # judged as it is saved
    return LiftedProfile(original, ByVectors(profile, smaller, found, kept))


def compose(inverses: Sequence[Inverse]) -> SequenceMap:
    """Return the inverse of several reductions, in the order in which they were applied."""
    images, shares = inverses[0].sequences, getattr(inverses[0], "shares", None)
    for inverse in inverses[1:]:
        later_shares = getattr(inverse, "shares", None)
        if later_shares is not None:
            copied = [np.append(s, 0.0)[of] for s, of in zip(later_shares, images, strict=True)]
            shares = tuple(copied if shares is None else map(np.multiply, shares, copied))
        images = tuple(
            np.append(later, np.int32(-1))[earlier]  # never played, and so it stays
            for later, earlier in zip(inverse.sequences, images, strict=True)
        )
    return SequenceMap(inverses[0].original, images, shares)
