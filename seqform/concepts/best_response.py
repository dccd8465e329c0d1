"""Expected values and best responses of a profile, for any number of players."""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import InvalidStrategyError
from seqform.base.number import check_player
from seqform.concepts.first_best import first_best
from seqform.form import explicit_passage
from seqform.form.from_any import Formed, form_from
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm


def expected_values(game: Formed, profile: Profile) -> Floats:
    """Return every player's expected payoff, float64 (num_players,), in the game's unit.

    Parameters
    ----------
    game
        Rules, a tree, a signal game, or a sequence form.
    profile
        One realization plan for each player.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game.
    """
    game = form_from(game)
    check_shapes(game, profile)
    return np.array(
        [game.gradient(player, profile.plans) @ plan for player, plan in enumerate(profile.plans)]
    )


def best_response(game: Formed, profile: Profile, player: int) -> tuple[float, Floats]:
    """Return the most that a player can get against the others' plans, and a pure plan for it.

    Of actions that are equally good, up to a bound on all rounding errors, it takes the first.

    Parameters
    ----------
    game
        Rules, a tree, a signal game, or a sequence form.
    profile
        One realization plan for each player.
    player
        Who answers.

    Returns
    -------
    value, plan
        In the game's unit, and float64 (num_sequences,).

    Raises
    ------
    InvalidParameterError
        If there is no such player.
    InvalidStrategyError
        If the profile is of another game.
    """
    game = form_from(game)
    check_player(player, game.num_players)
    check_shapes(game, profile)
    treeplex, gradient = game.treeplexes[player], game.gradient(player, profile.plans)
    value, choices = first_best(game, player, profile.plans, gradient)
    pure = np.zeros(treeplex.num_sequences)
    pure[choices] = 1.0
    return value, treeplex.to_plan(pure)


def check_profile(profile: object) -> None:
    """Check that something is a profile.

    Raises
    ------
    InvalidStrategyError
        If it is none.
    """
    if not isinstance(profile, Profile):
        raise InvalidStrategyError(
            f"a {type(profile).__name__} is no profile: give a Profile, such as solution.profile"
        )


def check_shapes(game: SequenceForm, profile: Profile) -> None:
    """Check that a profile's plans are as long as the game's sequences are many.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game, or is none.
    """
    check_profile(profile)
    explicit_passage.check_shapes(game, profile)
