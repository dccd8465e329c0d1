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

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.exact.plans import check_plans
from seqform.exact.products import integer_entries
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex

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
            f"{len(plans)} plans with {len(denominators)} denominators for a game of "
            f"{game.num_players} players: give one of each for every player"
        )
    check_plans(game.treeplexes, plans, denominators)
    found = [_responses(game, player, plans, denominators) for player in range(game.num_players)]
    return tuple(value for value, _ in found), tuple(best - value for value, best in found)


def check_exact(game: SequenceForm) -> None:
    """See that all numbers of a game are int or Fraction.

    Raises
    ------
    UnsupportedGameError
        If there are floats.
    """
    for player in range(game.num_players):
        integer_entries(game, player)


def _responses(
    game: SequenceForm, player: int, plans: Sequence[Exact], denominators: Sequence[int]
) -> tuple[Fraction, Fraction]:
    """Return what a player gets, and could get by a best response."""
    gradient, below = _gradient(game, player, plans)
    below *= prod(whole for other, whole in enumerate(denominators) if other != player)
    mine = sum(a * b for a, b in zip(gradient, plans[player].tolist(), strict=True))
    value = Fraction(mine, below * denominators[player])
    best = Fraction(_best_value(game.treeplexes[player], gradient), below)
    return value, best


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


def _best_value(treeplex: Treeplex, gradient: list[int]) -> int:
    """Return the most that a plan gets, from the last information sets to the first."""
    values = list(gradient)
    parents, first = treeplex.parent_sequence.tolist(), treeplex.first_sequence.tolist()
    for infoset in reversed(range(treeplex.num_infosets)):
        values[parents[infoset]] += max(values[first[infoset] : first[infoset + 1]])
    return values[0]
