"""Opponent models: what one player of a two-player game is believed to do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.number import check_player
from seqform.form.multiples import Multiples
from seqform.form.profile import Profile
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.form.treeplex import Treeplex
from seqform.strategies.bend.lock import LockGiven, lock_from
from seqform.strategies.given import GivenStrategy

IN_FRACTIONS_UP_TO = 100_000
"""Sequences up to which a model's plan is multiplied in fractions: a second or so."""


@dataclass(frozen=True, eq=False)
class Model:
    """A model of a player.

    Parameters
    ----------
    form
        The game: two players, constant sum.
    player
        Who is modelled.
    behavior
        float64 (num_sequences,).
    multiples
        The plan: in integers where the model was given in fractions with few digits.
    open_sets
        Of how many information sets nothing was said: there it is uniform.
    """

    form: ZeroSumForm
    player: int
    behavior: Floats
    multiples: Multiples
    open_sets: int = 0

    @property
    def plan(self) -> Floats:
        """The model's realization plan, float64 (num_sequences,)."""
        return self.form.treeplexes[self.player].to_plan(self.behavior)

    def against(self, behavior: Floats) -> Profile:
        """Return the profile of a behaviour strategy of the other player, and the model.

        Raises
        ------
        InvalidStrategyError
            If it is none of the other player's.
        """
        pair = [behavior, self.behavior]
        return self.form.profile(pair if self.player == 1 else pair[::-1])


def model_from(
    given: LockGiven | Profile | SignalStrategy | Model, form: ZeroSumForm, player: int
) -> Model:
    """Return the model of a player; where nothing is said it is uniform.

    Parameters
    ----------
    given
        A profile, a strategy by classes of hands, a model, or a strategy as
        `seqform.strategies.bend.lock.lock_from` takes it. What it says of the other player is not
        read.
    player
        Who is modelled.

    Raises
    ------
    InvalidStrategyError
        If it is of another game, or says nothing of the player; and as `lock_from`.
    ResultFileError
        If a file is missing or cannot be read.
    """
    check_player(player, form.num_players)
    treeplex = form.treeplexes[player]
    if isinstance(given, Model):
        if given.form is not form or given.player != player:
            raise InvalidStrategyError("the model is of another game, or of the other player")
        return given
    if isinstance(given, SignalStrategy):
        given = given.in_form(form)
    if isinstance(given, GivenStrategy) and _is_large(treeplex):
        given = given.completed()
    if isinstance(given, Profile):
        behavior = form.profile(given.behaviors).behaviors[player]
        if _is_large(treeplex):
            return Model(form, player, behavior, Multiples(treeplex.to_plan(behavior), None))
        vectors = [np.full(t.num_sequences, np.nan) for t in form.treeplexes]
        vectors[player] = behavior
        given = vectors
    return _in_fractions(form, player, given)


def _is_large(treeplex: Treeplex) -> bool:
    return treeplex.num_sequences > IN_FRACTIONS_UP_TO


def _in_fractions(form: ZeroSumForm, player: int, given: LockGiven) -> Model:
    treeplex, fixed = form.treeplexes[player], lock_from(given, form).fixed[player]
    weights, behavior = [Fraction(1)], np.ones(treeplex.num_sequences)
    first, said = treeplex.first_sequence.tolist(), 0
    for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
        if infoset % 1024 == 0:
            check_time("reading a model")
        here = fixed[first[infoset] : first[infoset + 1]]
        free = here.count(None)
        said += free < len(here)
        left = 1 - sum(p for p in here if p is not None)
        numbers = [Fraction(left, free) if p is None else p for p in here]
        behavior[first[infoset] : first[infoset + 1]] = [float(p) for p in numbers]
        weights += [weights[parent] * p for p in numbers]
    if treeplex.num_infosets and not said:
        raise InvalidStrategyError(f"the model says nothing of player {player}, whom it is of")
    return Model(form, player, behavior, Multiples.of(weights), treeplex.num_infosets - said)
