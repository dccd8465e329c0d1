"""A correlated device, judged: what each player gains by not doing what a mediator recommends.

A device draws a combination of pure strategies and tells each player in private what to do. It is

* a correlated equilibrium (ce) if nobody gains by another strategy, having been told the own one as
  a whole (Aumann, J. of Math. Economics 1, 1974);
* a coarse one (cce) if nobody gains by doing without the device, before being told anything;
* an extensive-form correlated equilibrium (efce) if nobody gains where moves are told one by one,
  on reaching their information sets, and who does something else is told nothing more (von Stengel
  & Forges, Math. of OR 33, 2008, Definition 2.2);
* a coarse one (efcce) if nobody gains by doing without the device from an information set on.

The first is the strongest, and the second the weakest: ce implies efce, that efcce, and that cce.
All players' best deviations are found by one pass over their information sets for each trigger, in
fractions: weights and payoffs that are floats are the rational numbers that they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, NotForThisGameError, UnknownNameError
from seqform.base.number import amount, fraction_text, in_words
from seqform.base.summary import Rows, Summarized, counted
from seqform.concepts import efcce, efce, nfcce
from seqform.concepts.trigger_deviations import Trigger, expected_payoff, gains
from seqform.form.correlation_plan import CorrelationPlan
from seqform.form.integer_payoffs import IntegerPayoffs, integer_payoffs
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.form.strategy_mixture import are_pure
from seqform.form.treeplex import Treeplex
from seqform.form.triangles import find_triangle
from seqform.strategies.exactly import IN_FRACTIONS
from seqform.strategies.mixed import plan_name

KINDS = {
    "ce": "correlated equilibrium",
    "efce": "extensive-form correlated equilibrium",
    "efcce": "extensive-form coarse correlated equilibrium",
    "cce": "coarse correlated equilibrium",
}
"""The concepts by which a device is judged, the strongest first."""

TOLERANCE = Fraction(1, 10**9)
"""Of numbers that are floats, gains up to this share of the largest payoff count as 0."""

DIGITS = 9
"""Of decimals beside fractions."""


@dataclass(frozen=True, eq=False)
class Device:
    """A distribution over combinations of reduced pure strategies.

    Parameters
    ----------
    form
        The game.
    plans
        For each player bool (num_drawn, num_sequences): the strategies of each combination.
    weights
        How likely each combination is; they sum to 1.
    is_exact
        Whether the weights were given in fractions.

    Raises
    ------
    InvalidStrategyError
        If weights are no probabilities, or plans no reduced pure strategies of the game.
    """

    form: SequenceForm
    plans: tuple[Mask, ...]
    weights: tuple[Fraction, ...]
    is_exact: bool = True

    def __post_init__(self) -> None:
        if min(self.weights, default=Fraction(-1)) < 0 or sum(self.weights) != 1:
            raise InvalidStrategyError(
                "the weights of a device are probabilities, at least 0 and 1 together; these sum "
                f"to {float(sum(self.weights)):.12g}"
            )
        if len(self.plans) != self.form.num_players:
            raise InvalidStrategyError(
                f"the device is for {counted(len(self.plans), 'player')}, and the game has "
                f"{self.form.num_players}"
            )
        for player, (treeplex, plans) in enumerate(
            zip(self.form.treeplexes, self.plans, strict=True)
        ):
            shape = len(self.weights), treeplex.num_sequences
            if plans.shape != shape or not are_pure(treeplex, plans):
                raise InvalidStrategyError(
                    f"the device tells player {player} to play what is no reduced pure strategy of "
                    "this game"
                )


class Deviation(NamedTuple):
    """What a player gains at most by one way not to obey; amounts are in the game's unit."""

    kind: str
    """The concept that it is a deviation of."""
    player: int
    told: str
    """Where it begins: what the player has been told, or from where on it is not obeyed."""
    probability: Fraction
    """How likely the device says so."""
    gain: Fraction
    """As seen before the game; negative if whatever else is done loses."""

    def record(self) -> dict[str, Any]:
        """Return it as JSON values; fractions as text."""
        return {
            **self._asdict(),
            "probability": fraction_text(self.probability),
            "gain": fraction_text(self.gain),
        }


@dataclass(frozen=True, eq=False, repr=False)
class DeviceCheck(Summarized):
    """What was found out about a device.

    Parameters
    ----------
    form
        The game.
    values
        What each player gets if all obey, in the game's unit.
    kinds
        The concepts that it was judged by.
    deviations
        Of all these, those that gain most first.
    is_exact
        Whether all numbers of the game and of the device are exact.
    note
        What is to be known besides; empty if nothing.
    """

    form: SequenceForm
    values: tuple[Fraction, ...]
    kinds: tuple[str, ...]
    deviations: tuple[Deviation, ...]
    is_exact: bool
    note: str = ""

    def gains(self, kind: str) -> tuple[Fraction, ...]:
        """Return for each player the most that a deviation of a concept gains; at least 0."""
        found = [Fraction(0)] * self.form.num_players
        for deviation in self.deviations:
            if deviation.kind == kind:
                found[deviation.player] = max(found[deviation.player], deviation.gain)
        return tuple(found)

    def is_equilibrium(self, kind: str) -> bool:
        """Return whether nobody gains by a deviation of a concept.

        Raises
        ------
        UnknownNameError
            If it was not judged by that.
        """
        if kind not in self.kinds:
            raise UnknownNameError.of("concept that it was judged by", kind, self.kinds)
        slack = 0 if self.is_exact else TOLERANCE * Fraction(self.form.payoff_scale)
        return max(self.gains(kind)) <= slack

    def summary(self) -> Rows:
        """Return what the players get, and for each concept what a deviation gains."""
        unit = self.form.unit
        rows = [
            (f"player {player} gets", amount(in_words(value, DIGITS), unit))
            for player, value in enumerate(self.values)
        ]
        rows += [(KINDS[kind], self._verdict(kind)) for kind in self.kinds]
        rows.append(("numbers", IN_FRACTIONS if self.is_exact else "floats, as they are stored"))
        return [*rows, ("note", self.note)] if self.note else rows

    def gaining_rows(self) -> list[tuple[str, ...]]:
        """Return the deviations that gain, for people, those that gain most first.

        Of each: the player, where it begins, the concept, what is gained as seen before the game,
        and how likely the device says so.
        """
        return [
            (str(of.player), of.told, of.kind, in_words(of.gain, 6), in_words(of.probability, 6))
            for of in self.deviations
            if of.gain > 0
        ]

    def _verdict(self, kind: str) -> str:
        if self.is_equilibrium(kind):
            return "yes"
        worst = next(of for of in self.deviations if of.kind == kind)
        gained = amount(in_words(worst.gain, DIGITS), self.form.unit)
        return f"no: player {worst.player}, {worst.told}, gains {gained}"

    def record(self) -> dict[str, Any]:
        """Return what was found as JSON values; fractions as text."""
        return {
            "unit": self.form.unit,
            "values": [float(value) for value in self.values],
            "exact_values": [fraction_text(value) for value in self.values],
            "is_exact": self.is_exact,
            "note": self.note,
            "equilibrium": {kind: self.is_equilibrium(kind) for kind in self.kinds},
            "gains": {kind: list(map(fraction_text, self.gains(kind))) for kind in self.kinds},
            "deviations": [deviation.record() for deviation in self.deviations],
        }


def judge_device(
    form: SequenceForm, device: Device | CorrelationPlan, kinds: Sequence[str]
) -> DeviceCheck:
    """Return what each deviation from a device gains; see `check_correlated_equilibrium`."""
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownNameError.of("concept of correlated equilibrium", kind, tuple(KINDS))
    if isinstance(device, CorrelationPlan):
        return _of_plan(form, device, tuple(kinds))
    players = [_Seat(device, player) for player in range(form.num_players)]
    found = [each for seat in players for kind in kinds for each in seat.deviations(kind)]
    exact = device.is_exact and all(seat.is_exact for seat in players)
    return DeviceCheck(form, tuple(s.value for s in players), tuple(kinds), _sorted(found), exact)


def _sorted(found: list[Deviation]) -> tuple[Deviation, ...]:
    return tuple(sorted(found, key=lambda deviation: -deviation.gain))


TRIGGERS = {"efce": efce.triggers, "efcce": efcce.triggers, "cce": nfcce.triggers}
"""What tells these concepts from one another."""


def _of_plan(form: SequenceForm, plan: CorrelationPlan, kinds: tuple[str, ...]) -> DeviceCheck:
    """Judge a correlation plan, of which no distribution over strategies is known."""
    kinds = tuple(kind for kind in kinds if kind != "ce")
    require_two_players(form)
    plan = plan.of_game(relevant_pairs(form))
    payoffs = integer_payoffs(form)
    found = [
        Deviation(
            kind,
            player,
            _told(form, player, kind, trigger),
            plan.weight(*((trigger.told, 0) if player == 0 else (0, trigger.told))),
            gain,
        )
        for player in (0, 1)
        for kind in kinds
        for trigger, gain in gains(TRIGGERS[kind], payoffs, plan, player)
    ]
    triangle = find_triangle(plan.pairs)
    values = tuple(expected_payoff(payoffs, plan, player) for player in (0, 1))
    note = "a plan says how likely pairs of moves are, and not of strategies: ce is not judged"
    if triangle is not None:
        note += (
            f"; chance ties {triangle.describe(form)}, so that the plan need not come from any "
            "distribution"
        )
    return DeviceCheck(form, values, kinds, _sorted(found), payoffs.is_exact, note)


def _told(form: SequenceForm, player: int, kind: str, trigger: Trigger) -> str:
    """Say where a deviation begins."""
    if kind == "cce":
        return "without the device"
    infoset = trigger.tops[0]
    label = form.infoset_text(player, infoset)
    if kind == "efcce":
        return f"without it from {label} on"
    first = int(form.treeplexes[player].first_sequence[infoset])
    return f"told {form.action_texts(player, infoset)[trigger.told - first]} at {label}"


class _Seat:
    """One player of a device."""

    def __init__(self, device: Device, player: int) -> None:
        self.form, self.player = device.form, player
        self.treeplex = device.form.treeplexes[player]
        self.plans = device.plans[player]
        whole = lcm(*(weight.denominator for weight in device.weights))
        places, numbers, below, self.is_exact = _entries(device.form, player)
        self.below = below * whole
        self.weights = np.array([int(w * whole) for w in device.weights], dtype=object)
        self.whole = whole
        self.worth = np.zeros((len(self.plans), self.treeplex.num_sequences), dtype=object)
        for drawn, weight in enumerate(self.weights):
            check_time("judging a device")
            met = np.ones(len(numbers), dtype=np.bool_)
            for other, sequences in enumerate(places):
                if other != player:
                    met &= device.plans[other][drawn][sequences]
            np.add.at(self.worth[drawn], places[player][met], numbers[met] * weight)

    @property
    def value(self) -> Fraction:
        """What the player gets if all obey."""
        return Fraction(int((self.worth * self.plans).sum()), self.below)

    def deviations(self, kind: str) -> Iterator[Deviation]:
        """Yield the deviations of a concept, each at its best."""
        if kind == "ce":
            yield from self._from_strategies()
            return
        for trigger in TRIGGERS[kind](self.treeplex):
            check_time("judging a device")
            told = self.plans[:, trigger.told]
            if told.any():
                gain = self._gain(told, trigger.tops)
                where = _told(self.form, self.player, kind, trigger)
                yield Deviation(kind, self.player, where, self._chance(told), gain)

    def _from_strategies(self) -> Iterator[Deviation]:
        """Yield the best answer to having been told a whole strategy, for each that is told."""
        tops = tuple(np.flatnonzero(self.treeplex.parent_sequence == 0).tolist())
        strategies, numbers = np.unique(self.plans, axis=0, return_inverse=True)
        for number, plan in enumerate(strategies):
            check_time("judging a device")
            told = numbers.reshape(-1) == number
            where = f"told to play {plan_name(self.form, self.player, plan)}"
            yield Deviation("ce", self.player, where, self._chance(told), self._gain(told, tops))

    def _chance(self, told: Mask) -> Fraction:
        return Fraction(int(self.weights[told].sum()), self.whole)

    def _gain(self, told: Mask, tops: tuple[int, ...]) -> Fraction:
        """Return the most that doing something else from some information sets on gains."""
        worth = self.worth[told].sum(axis=0)
        below = _below(self.treeplex, tops)
        first = self.treeplex.first_sequence.tolist()
        moves = [s for infoset in below for s in range(first[infoset], first[infoset + 1])]
        kept = int((self.worth[told][:, moves] * self.plans[told][:, moves]).sum()) if moves else 0
        best = _best(self.treeplex, worth, below, tops)
        return Fraction(best - kept, self.below)


def _below(treeplex: Treeplex, tops: tuple[int, ...]) -> list[int]:
    """Return information sets and those after them, in order."""
    found = set(tops)
    for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
        if parent and int(treeplex.infoset_of[parent]) in found:
            found.add(infoset)
    return sorted(found)


def _best(treeplex: Treeplex, worth: Exact, below: list[int], tops: tuple[int, ...]) -> int:
    """Return the most that can be got from some information sets on; `worth` is added up."""
    first, total = treeplex.first_sequence.tolist(), 0
    for infoset in reversed(below):
        most = max(worth[first[infoset] : first[infoset + 1]])
        if infoset in tops:
            total += most
        else:
            worth[treeplex.parent_sequence[infoset]] += most
    return int(total)


def _entries(form: SequenceForm, player: int) -> tuple[list[Any], Exact, int, bool]:
    """Return where sequences meet, what that pays as integers, their denominator; if all is exact.

    Floats are the rational numbers that they are.
    """
    if form.num_players == 2:
        return _of_two(integer_payoffs(form), player)
    places, numbers = form.payoffs.entries(player)
    below = form.payoffs.denominator(player)
    fractions = [Fraction(number) for number in numbers.tolist()]
    common = lcm(*(number.denominator for number in fractions))
    found = np.array([int(number * common) for number in fractions], dtype=object)
    return list(places), found, common * (below or 1), below is not None


def _of_two(payoffs: IntegerPayoffs, player: int) -> tuple[list[Any], Exact, int, bool]:
    matrix = payoffs.matrices[player]
    own = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.pattern.indptr))
    places = [own, matrix.pattern.indices][:: 1 if player == 0 else -1]
    return places, matrix.entries.astype(object), payoffs.denominator, payoffs.is_exact


def require_two_players(form: SequenceForm) -> None:
    """See that a correlation plan can be one of the game.

    Raises
    ------
    NotForThisGameError
        If the game is not for two players.
    """
    if form.num_players != 2:
        raise NotForThisGameError(
            f"correlation plans are of two players, and the game has {form.num_players}: give a "
            "distribution over combinations of strategies"
        )
