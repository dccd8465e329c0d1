"""What a profile proves in exact arithmetic, once its plans are rounded to integers.

They become integers over a power of two, and nothing else is rounded: an interval of a
constant-sum game, at any size, else the players' gains.
"""

from __future__ import annotations

from collections.abc import Sequence

from seqform.base.arrays import Floats, Index
from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.base.summary import counted
from seqform.exact.gains import check_exact
from seqform.exact.interval import check_provable
from seqform.exact.plan_proof import (
    Bracket,
    ProvenGains,
    ProvenInterval,
    prove_gains,
    prove_gains_through,
    prove_through,
)
from seqform.exact.plans import MOST_BITS, round_plan
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game import needs


def bracket(game: SequenceForm, profile: Profile, bits: int = MOST_BITS) -> Bracket:
    """Return what a profile proves, its plans rounded to integers over ``2**bits``.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    InvalidStrategyError
        If the profile is of another game, or not finite.
    """
    of = interval_of if needs.is_zero_sum(game) else gains_of
    return of(game, profile, bits)


def interval_of(game: SequenceForm, profile: Profile, bits: int = MOST_BITS) -> ProvenInterval:
    """Return the interval that a profile proves, its plans rounded to integers over ``2**bits``.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from games.kuhn import kuhn
    >>> from seqform import solve
    >>> solution = solve(kuhn())
    >>> proven = interval_of(solution.game, solution.profile)
    >>> proven.lower <= Fraction(-1, 18) <= proven.upper, proven.width < Fraction(1, 10**14)
    (True, True)

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    InvalidStrategyError
        If the profile is of another game, or not finite.
    InvalidParameterError
        If `bits` is not from 0 to 52.
    """
    if not 0 <= bits <= MOST_BITS:
        raise InvalidParameterError(
            f"bits={bits}: use 0 to {MOST_BITS}; probabilities that are floats have no more"
        )
    passage = game.through(profile, in_integers=True)
    check_provable(game)
    mine, theirs = _rounded(passage.treeplexes, passage.behaviors, bits)
    return prove_through(passage, (mine, theirs), [1 << bits] * 2)


def gains_of(game: SequenceForm, profile: Profile, bits: int = MOST_BITS) -> ProvenGains:
    """Return the gains that a profile proves, its plans rounded to integers over ``2**bits``.

    Examples
    --------
    >>> from seqform import build_tree, make
    >>> from seqform.form.from_tree import build_sequence_form
    >>> form = build_sequence_form(build_tree(make("matching-pennies")))
    >>> gains_of(form, Profile.uniform(form.treeplexes)).gains
    (Fraction(0, 1), Fraction(0, 1))

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    InvalidStrategyError
        If the profile is of another game, or not finite.
    """
    passage = game.through(profile, in_integers=True) if profile.kept is not None else None
    if passage is not None and not isinstance(passage, ExplicitPassage):
        mine, theirs = _rounded(passage.treeplexes, passage.behaviors, bits)
        return prove_gains_through(passage, (mine, theirs), [1 << bits] * 2)
    if len(profile.behaviors) != game.num_players:
        raise InvalidStrategyError(
            f"the profile is of {counted(len(profile.behaviors), 'player')} and the game of "
            f"{game.num_players}"
        )
    return prove_gains(
        game, _rounded(game.treeplexes, profile.behaviors, bits), [1 << bits] * game.num_players
    )


def check_bracketable(game: SequenceForm) -> None:
    """See that something can be proven of a game's profiles.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    """
    if needs.is_zero_sum(game):
        check_provable(game)
    else:
        check_exact(game)


def _rounded(treeplexes: Sequence[Treeplex], behaviors: Sequence[Floats], bits: int) -> list[Index]:
    return [round_plan(*of, bits) for of in zip(treeplexes, behaviors, strict=True)]
