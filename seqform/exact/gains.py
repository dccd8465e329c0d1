"""Gains in fractions: what every player gets by plans in integers, and could gain by deviating.

A theorem about any profile of any game with exact payoffs: of many players, of any sums. Payoffs
are integers over a common denominator, and so are the plans. So a best response is one sum of
products and one backward pass in integers (von Stengel, "Efficient computation of behavior
strategies", GEB 14, 1996, Section 5), and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING
from fractions import Fraction
from math import prod
from typing import ClassVar

from seqform.base.amount import amount
from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.number import decimal, fraction_text
from seqform.base.summary import Rows
from seqform.exact.plans import MOST_BITS, check_plan, round_plan
from seqform.exact.products import integer_entries
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex

STEPS = 4_096
"""Entries after which the time limit is looked at."""


@dataclass(frozen=True, eq=False)
class ProvenGains:
    """What plans in integers prove: each player's payoff and gain from a best response, exactly.

    Parameters
    ----------
    values
        Expected payoff of each player, in the game's unit.
    gains
        The most that each player gains by deviating alone, in the game's unit; at least 0.
    plans
        For each player int64 or, holding Python ints, object (num_sequences,): `denominators`
        of the player times a realization plan.
    denominators
        For each player the plan's common denominator.
    game
        The game that they prove it of.
    """

    values: tuple[Fraction, ...]
    gains: tuple[Fraction, ...]
    plans: tuple[Exact, ...]
    denominators: tuple[int, ...]
    game: SequenceForm

    proof: ClassVar[str] = "bounded"
    words: ClassVar[str] = "bounded: by deviating alone nobody gains more than is proven below"

    @property
    def nash_gap(self) -> Fraction:
        """The sum of the gains, in the game's unit: 0 for an equilibrium."""
        return sum(self.gains, Fraction(0))

    def on(self, game: SequenceForm) -> ProvenGains:
        """Return what the same plans prove of the game in another form."""
        return prove_gains(game, self.plans, self.denominators)

    def rows(self, unit: str) -> Rows:
        """Return what is proven for people, bounds rounded up."""
        gains = ", ".join(decimal(gain, 3, ROUND_CEILING) for gain in self.gains)
        return [
            ("proven in exact arithmetic", f"the players' gains are at most {gains} {unit}"),
            ("proven nash_gap", amount(f"{decimal(self.nash_gap, 3, ROUND_CEILING)}", unit)),
        ]

    def record(self) -> dict[str, str | list[str]]:
        """Return what is proven as JSON values, each number as text 'numerator/denominator'."""
        return {
            "values": [fraction_text(value) for value in self.values],
            "gains": [fraction_text(gain) for gain in self.gains],
            "nash_gap": fraction_text(self.nash_gap),
        }


def prove_gains(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> ProvenGains:
    """Return what plans in integers prove; that they are plans is checked first.

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
    for player, (treeplex, plan, whole) in enumerate(
        zip(game.treeplexes, plans, denominators, strict=True)
    ):
        try:
            check_plan(treeplex, plan, whole)
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"player {player}, {error}") from None
    found = [_responses(game, player, plans, denominators) for player in range(game.num_players)]
    values = tuple(value for value, _ in found)
    gains = tuple(best - value for value, best in found)
    return ProvenGains(values, gains, tuple(plans), tuple(denominators), game)


def prove_profile(game: SequenceForm, profile: Profile, bits: int = MOST_BITS) -> ProvenGains:
    """Round a profile's plans to integers over ``2**bits`` and return what they prove.

    Examples
    --------
    >>> from seqform import build_tree, make
    >>> from seqform.form.from_tree import build_sequence_form
    >>> form = build_sequence_form(build_tree(make("matching-pennies")))
    >>> prove_profile(form, Profile.uniform(form.treeplexes)).gains
    (Fraction(0, 1), Fraction(0, 1))

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    InvalidStrategyError
        If the profile is of another game, or not finite.
    """
    if len(profile.behaviors) != game.num_players:
        raise InvalidStrategyError(
            f"the profile is of {len(profile.behaviors)} players and the game of {game.num_players}"
        )
    plans = [
        round_plan(treeplex, behavior, bits)
        for treeplex, behavior in zip(game.treeplexes, profile.behaviors, strict=True)
    ]
    return prove_gains(game, plans, [1 << bits] * game.num_players)


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
