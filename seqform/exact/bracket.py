"""What a profile proves in exact arithmetic: an interval of a constant-sum game, else gains."""

from __future__ import annotations

from seqform.exact.gains import ProvenGains, check_exact, prove_profile
from seqform.exact.interval import ProvenInterval, check_provable, prove
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm, ZeroSumForm

Bracket = ProvenInterval | ProvenGains


def bracket(game: SequenceForm, profile: Profile) -> Bracket:
    """Return what a profile proves, its plans rounded to integers over a power of two.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    InvalidStrategyError
        If the profile is of another game, or not finite.
    """
    return prove(game, profile) if isinstance(game, ZeroSumForm) else prove_profile(game, profile)


def check_bracketable(game: SequenceForm) -> None:
    """See that something can be proven of a game's profiles.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    """
    if isinstance(game, ZeroSumForm):
        check_provable(game)
    else:
        check_exact(game)
