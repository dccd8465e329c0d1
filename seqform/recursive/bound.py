"""Bounds on what a deviation gets in a whole recursive game, proven in integers.

All but one player keep to stationary strategies y. For numbers u of the positions, T u is the most
that a stage plan gets there against y where leads are worth u: one best response. No strategy of
the player, not even one that remembers, gets more than

* (A) ``T^n M`` for any n, where no play pays more than M;
* (B) u, if ``T u <= u`` and y *ends play*: with C_0 all positions, and C_k+1 those of C_k in which
  the player has a pure plan all of whose leaves of positive probability stay in C_k, some C_k is
  empty;
* (C) u, if ``T u <= u``, and ``T u < u`` wherever u is below what endless play pays (Everett,
  "Recursive games", 1957).

docs/explanation/recursive-games.md has the proof. ``T u <= u`` alone proves nothing: where both
players may fold for ever, every constant satisfies it. Rewards along the way are unbounded, so with
them (B) alone holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import ceil, floor, lcm

import numpy as np

from seqform.base.arrays import Exact, Floats, Mask
from seqform.base.deadline import check_time, on_time
from seqform.base.errors import OutOfTimeError, VerificationError
from seqform.recursive.against import Against, best_exactly
from seqform.recursive.graph import StageGraph

SHIFT = 64
"""Bounds are integers over ``2**SHIFT``."""

FIRST_SLACK, MOST_SLACK, WIDEN = 2.0**-54, 2.0**-14, 4.0
"""Of a stage, as a share of the largest payoff: the least that is tried, the most, and the step.
Values are rounded to 52 bits, so the least is enough where play lasts long, and that is where it
matters: the bound is so much wider for each stage. What is not enough is seen early."""

MOST_SWEEPS, SETTLED = 5_000, 2**24
"""Sweeps of case (A), and changes of bounds, over ``2**SHIFT``, from which on no more follow."""


class Case(Enum):
    """Why a bound holds; the value of each is a sentence."""

    HORIZON = "(A) finite horizons: no play pays more than where the sweeps began"
    ENDS = "(B) the others' strategies end play, whatever the player does"
    SLACK = "(C) each stage leaves a slack wherever endless play would pay more (Everett)"


@dataclass(frozen=True)
class Bound:
    """What no deviation gets more than.

    Parameters
    ----------
    values
        A Fraction for each stage and seat.
    case
        Why.
    """

    values: tuple[tuple[Fraction, ...], ...]
    case: Case


class Operator:
    """T: what a stage is worth to a seat where leads are worth so much, in integers.

    Parameters
    ----------
    graph
        The stages.
    against
        For each position the chances against the others' plans, in integers.
    own
        For each position the player's own plan in integers, over `whole`, if the player keeps to it
        too: then T is a mean, and not a maximum. None for the best there is.
    sign
        1; or -1 for all payoffs negated, which makes lower bounds of upper ones.
    """

    def __init__(
        self,
        graph: StageGraph,
        against: Sequence[Against],
        own: Sequence[Exact] | None = None,
        sign: int = 1,
    ) -> None:
        self.graph, self.against, self.own, self.sign = graph, against, own, sign
        self.seats = graph.num_players
        below = (payoff.denominator for s in graph.stages for d in s.leads for payoff in d.payoffs)
        self.common = lcm(*below) << SHIFT
        """What numbers of `worth` are over."""
        self.endless = [sign * w for row in graph.endless for w in row]
        self._paid, self._next = [], []
        for stage, seat in self.positions():
            leads = graph.stages[stage].leads
            paid = np.array([sign * self._over(lead.payoffs[seat]) for lead in leads], dtype=object)
            self._paid.append(paid)
            places = [
                lead.stage * self.seats + lead.seat[seat] if lead.stage >= 0 else -1
                for lead in leads
            ]
            self._next.append(np.array(places, dtype=np.int64))

    def positions(self) -> Iterable[tuple[int, int]]:
        """Yield the positions, in the order of everything here."""
        for stage in range(len(self.graph.stages)):
            for seat in range(self.seats):
                yield stage, seat

    @property
    def most(self) -> Fraction:
        """M: no play without rewards along the way pays more, times the sign."""
        return self.graph.most if self.sign > 0 else -self.graph.least

    def _over(self, payoff: Fraction) -> int:
        return payoff.numerator * (self.common // payoff.denominator)

    def scaled(self, u: Exact) -> Exact:
        """Return bounds over ``2**SHIFT`` as numbers over `common`."""
        return u * (self.common >> SHIFT)

    def at(self, position: int, scaled: Exact) -> Fraction:
        """Return T u of one position.

        Parameters
        ----------
        scaled
            u times `common`, object (num_positions,).
        """
        worth = self._paid[position].copy()
        on = self._next[position] >= 0
        worth[on] += scaled[self._next[position][on]]
        against = self.against[position]
        paid = against.gradient(worth)
        if self.own is None:
            return Fraction(best_exactly(against.treeplex, paid), against.denominator * self.common)
        plan = self.own[position].astype(object)
        total = int((paid * plan).sum())
        return Fraction(total, against.denominator * self.common * int(plan[0]))

    def ends_play(self) -> bool:
        """Return whether the others' strategies, and the own where it is kept to, end play (B)."""
        staying: Mask = np.ones(len(self.against), dtype=np.bool_)
        while staying.any():
            check_time("seeing whether play ends")
            left = staying.copy()
            for position in np.flatnonzero(staying).tolist():
                left[position] = self._may_stay(position, staying)
            if (left == staying).all():
                return False
            staying = left
        return True

    def _may_stay(self, position: int, staying: Mask) -> bool:
        """Return whether a pure plan never leads out of some positions."""
        following, against = self._next[position], self.against[position]
        out = (following < 0) | ~staying[following]
        leaves = against.gradient(-out.astype(object) * 1) if self.own is None else None
        if leaves is not None:
            return best_exactly(against.treeplex, leaves) == 0
        plan = self.own[position].astype(object)  # type: ignore[index]
        likely = against.of_plan(plan, len(following))
        return not any(bool(number) for number in likely[out].tolist())


def prove_bound(operator: Operator, guess: Floats, lengths: Floats) -> Bound:
    """Return bounds near a guess, and why they hold.

    Parameters
    ----------
    guess
        float64 (num_positions,): what positions are worth, about; times the operator's sign.
    lengths
        float64 (num_positions,): how many stages play lasts at most, on average; maybe infinite.

    Raises
    ------
    VerificationError
        If there are rewards along the way, and nothing is proven.
    """
    graph = operator.graph
    scale = max(float(max(abs(graph.most), abs(graph.least), graph.span)), 1e-300)
    if np.isfinite(guess).all() and (np.isfinite(lengths).all() or not graph.has_rewards):
        # where play may last for ever (C) can still hold: at positions worth as much as that
        lengths = np.where(np.isfinite(lengths), lengths, 1.0)
        ends = operator.ends_play() if graph.has_rewards else None
        slack = FIRST_SLACK
        while slack <= MOST_SLACK:
            u = _raised(guess, slack * scale * lengths)
            if not graph.has_rewards:  # no play pays more, and the cases hold of the lesser as well
                u = np.minimum(u, ceil(operator.most * 2**SHIFT))
            case = _case(operator, u, ends)
            if case is not None:
                return _bound(operator, u, case)
            slack *= WIDEN
    if graph.has_rewards:
        why = (
            "these do, after so long that floats give no bounds near enough"
            if operator.ends_play()
            else "these do not"
        )
        raise VerificationError(
            "nothing is proven: payoffs along the way add up, and then the strategies have to end "
            f"play, whatever a player does against them; {why}"
        )
    return _bound(operator, _horizon(operator), Case.HORIZON)


def _raised(guess: Floats, by: Floats) -> Exact:
    """Return guesses raised a little, over ``2**SHIFT``, as Python ints."""
    raised = np.empty(len(guess), dtype=object)
    raised[:] = [ceil(Fraction(x) * 2**SHIFT) for x in (guess + by).tolist()]
    return raised


def _case(operator: Operator, u: Exact, ends: bool | None) -> Case | None:
    """Return by which case numbers over ``2**SHIFT`` are bounds, (B) or (C); None by neither.

    Parameters
    ----------
    ends
        Whether the strategies end play, where (C) does not apply, or else None.
    """
    scaled = operator.scaled(u)
    strict = True
    for position, bound in enumerate(u.tolist()):
        check_time("proving bounds")
        number = Fraction(bound, 2**SHIFT)
        found = operator.at(position, scaled)
        if found > number:
            return None
        strict &= found < number or number >= operator.endless[position]
    if ends is None:
        if strict:
            return Case.SLACK
        return Case.ENDS if operator.ends_play() else None
    return Case.ENDS if ends else None


def check_bound(operator: Operator, bound: Bound) -> None:
    """See that a bound that somebody claims holds, for the reason that is claimed.

    Raises
    ------
    VerificationError
        If it does not.
    """
    stages, seats = len(operator.graph.stages), operator.seats
    if len(bound.values) != stages or any(len(row) != seats for row in bound.values):
        raise VerificationError(
            f"bounds are claimed of other positions than the {stages:,} stages and {seats} seats "
            "of the game"
        )
    u = np.empty(len(operator.against), dtype=object)
    u[:] = [floor(operator.sign * value * 2**SHIFT) for row in bound.values for value in row]
    has_rewards = operator.graph.has_rewards
    if bound.case is Case.HORIZON:
        holds = not has_rewards and any((swept <= u).all() for swept in _sweeps(operator))
    else:
        found = _case(operator, u, operator.ends_play() if has_rewards else None)
        holds = found is bound.case
    if not holds:
        raise VerificationError(
            "a bound that is claimed of the strategies is not proven by them, or not by case "
            f"{bound.case.value[:3]}: some deviation may get more, or play may last for ever"
        )


def _horizon(operator: Operator) -> Exact:
    """Return ``T^n M``, rounded up after each sweep, over ``2**SHIFT`` (A).

    Each sweep is a bound. So when the time is over the last one is returned, and is as true.
    """
    sweeps = _sweeps(operator)
    u = next(sweeps)
    with suppress(OutOfTimeError), on_time():
        for swept in sweeps:
            settled, u = max(u - swept) < SETTLED, swept
            if settled:
                break
    return u


def _sweeps(operator: Operator) -> Iterator[Exact]:
    """Yield ``T^n M`` for n from 0 on, rounded up after each sweep, over ``2**SHIFT``."""
    u = np.full(len(operator.against), ceil(operator.most * 2**SHIFT), dtype=object)
    for _ in range(MOST_SWEEPS):
        yield u
        check_time("proving bounds sweep by sweep")
        scaled = operator.scaled(u)
        u = np.array(
            [ceil(operator.at(position, scaled) * 2**SHIFT) for position in range(len(u))],
            dtype=object,
        )


def _bound(operator: Operator, u: Exact, case: Case) -> Bound:
    values = [operator.sign * Fraction(number, 2**SHIFT) for number in u.tolist()]
    n = operator.seats
    rows = tuple(tuple(values[start : start + n]) for start in range(0, len(values), n))
    return Bound(rows, case)
