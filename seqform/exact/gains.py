"""Gains in fractions: what every player gets by plans in integers, and could gain by deviating.

A theorem about any profile of any game with exact payoffs: of many players, of any sums. Payoffs
are integers over a common denominator, and so are the plans. So a best response is one sum of
products and one backward pass in integers (von Stengel, "Efficient computation of behavior
strategies", GEB 14, 1996, Section 5), and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.base.number import is_exact
from seqform.base.summary import counted
from seqform.exact.plans import check_plans
from seqform.exact.products import FLOATS, integer_entries
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game import needs

STEPS = 4_096
"""Entries after which the time limit is looked at."""


def values_and_gains(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return each player's payoff, and gain from a best response; plans are checked first.

    Parameters
    ----------
    plans
        For each player int64 or, holding Python ints, object (num_sequences,).
    denominators
        For each player the plan's common denominator.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    InvalidStrategyError
        If the integers are not plans of this game.
    """
    if not len(plans) == len(denominators) == game.num_players:
        raise InvalidStrategyError(
            f"{counted(len(plans), 'plan')} with {counted(len(denominators), 'denominator')} for "
            "a game of "
            f"{counted(game.num_players, 'player')}: give one of each for every player"
        )
    check_plans(game.treeplexes, plans, denominators)
    players = range(game.num_players)
    found = [respond_exactly(game, player, plans, denominators) for player in players]
    return tuple(of.value for of in found), tuple(of.gain for of in found)


class ExactResponse(NamedTuple):
    """What a player gets, and a best response to the others, in fractions."""

    value: Fraction
    """The expected payoff, in the game's unit."""
    best: Fraction
    """That of a best response."""
    choices: list[int]
    """For each information set the sequence of the first best action, also where nobody comes."""

    @property
    def gain(self) -> Fraction:
        """How much more a best response gets."""
        return self.best - self.value


def respond_exactly(
    game: SequenceForm, player: int, plans: Sequence[Exact], denominators: Sequence[int]
) -> ExactResponse:
    """Return what a player gets, and a best response; parameters as for `values_and_gains`.

    Plans are not checked.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    """
    gradient, below = _gradient(game, player, plans)
    below *= prod(whole for other, whole in enumerate(denominators) if other != player)
    mine = sum(a * b for a, b in zip(gradient, plans[player].tolist(), strict=True))
    best, choices = _best(game.treeplexes[player], gradient)
    value = Fraction(mine, below * denominators[player])
    return ExactResponse(value, Fraction(best, below), choices)


def expected_exactly(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> tuple[Fraction, ...]:
    """Return each player's payoff; parameters and errors as for `respond_exactly`."""
    found = []
    for player in range(game.num_players):
        places, numbers, denominator = integer_entries(game, player)
        weights = np.array(numbers, dtype=object)
        for sequences, plan in zip(places, plans, strict=True):
            weights *= plan.astype(object)[sequences]
        found.append(Fraction(int(weights.sum()), denominator * prod(denominators)))
    return tuple(found)


def check_exact(game: SequenceForm) -> None:
    """See that all numbers of a game are int or Fraction.

    Raises
    ------
    UnsupportedGameError
        If there are floats.
    """
    if needs.is_zero_sum(game):
        zero_sum = game.zero_sum()
        is_given = zero_sum.operator.is_exact and is_exact(zero_sum.constant_sum)
    else:
        denominators = map(game.payoffs.denominator, range(game.num_players))
        is_given = all(of is not None for of in denominators)
    if not is_given:
        raise UnsupportedGameError(FLOATS)


def _gradient(game: SequenceForm, player: int, plans: Sequence[Exact]) -> tuple[list[int], int]:
    """Return what each sequence of a player pays, as integers over the denominator beside."""
    places, numbers, denominator = integer_entries(game, player)
    others = [
        (sequences.tolist(), plan.tolist())
        for other, (sequences, plan) in enumerate(zip(places, plans, strict=True))
        if other != player
    ]
    gradient = [0] * game.treeplexes[player].num_sequences
    for entry, own in enumerate(places[player].tolist()):
        if entry % STEPS == 0:
            check_time("proving gains")
        factors = (plan[sequences[entry]] for sequences, plan in others)
        gradient[own] += prod(factors, start=numbers[entry])
    return gradient, denominator


def _best(treeplex: Treeplex, gradient: list[int]) -> tuple[int, list[int]]:
    """Return the most that a plan gets, and the first best sequence of each information set."""
    values = list(gradient)
    parents, first = treeplex.parent_sequence.tolist(), treeplex.first_sequence.tolist()
    choices = [0] * treeplex.num_infosets
    for infoset in reversed(range(treeplex.num_infosets)):
        here = range(first[infoset], first[infoset + 1])
        choices[infoset] = max(here, key=values.__getitem__)
        values[parents[infoset]] += values[choices[infoset]]
    return values[0], choices
