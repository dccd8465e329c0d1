"""An equilibrium on a support to any number of digits, and in fractions where it is rational.

The equations of `seqform.solvers.support` are polynomials with rational coefficients. Newton's
method needs their values to many digits, and their derivative to few: each step with the
derivative of the first point, in floats, adds as many digits. Numbers are integers over a power of
two here.

Where equilibria are not isolated, some probabilities can be chosen. A factorisation with pivots
says which ones. They are put to fractions that are near and simple, and the others follow. Where
all of these are near to fractions with short denominators, they are taken for these. Whether that
is an equilibrium, best responses in integers say (`seqform.exact.gains`), and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, ldexp

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Mask
from seqform.base.deadline import check_time
from seqform.exact.plan_proof import ProvenGains, prove_gains
from seqform.exact.products import integer_entries
from seqform.form.treeplex import Treeplex
from seqform.solvers.support import Conditions, SupportPoint

PLAYED = 1e-9
"""A smaller probability of reaching a sequence is rounding: the sequence is not played."""

RANK = 1e-9
"""A pivot below this share of the largest one is rounding."""

SIMPLE = (60, 1_000, 1_000_000, 8, 1)
"""Denominators at most, tried one after the other, of probabilities that can be chosen."""

SPARE = 64
"""Bits beyond those of the gap asked for."""

STEPS = 100
"""Of Newton's method at most."""


def proven(conditions: Conditions, point: SupportPoint, bits: int) -> ProvenGains | None:
    """Return what is proven of the best equilibrium found near to a point; None if there is none.

    Parameters
    ----------
    point
        An equilibrium up to rounding.
    bits
        Where it is not rational, how many there are to be of each probability.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    """
    system = _System(conditions, point, bits + SPARE)
    best = None
    for limit in SIMPLE if system.has_choice else (0,):
        solved = system.solve(limit)
        if solved is None:
            continue
        for plans, wholes in _candidates(conditions, solved, system.bits):
            found = prove_gains(conditions.form, plans, wholes)
            if best is None or found.nash_gap < best.nash_gap:
                best = found
            if not found.nash_gap:
                return found
        if best is not None and best.nash_gap < Fraction(1, 1 << bits // 2):
            return best
    return best


@dataclass(frozen=True, eq=False)
class _Numerators:
    """A player's payoffs as integers, the others' sequences beside them."""

    own: list[int]
    others: list[list[int]]
    numbers: list[int]
    players: list[int]


class _System:
    """The equations on the sequences that are played, in integers over ``2**bits``."""

    def __init__(self, conditions: Conditions, point: SupportPoint, bits: int) -> None:
        self.conditions, self.bits = conditions, bits
        self.played: Mask = point.x > PLAYED
        self.rows = np.flatnonzero(self.played[conditions.parent])
        self.columns = np.flatnonzero(self.played)
        self.start = np.concatenate([point.x[self.columns], point.v[self.rows]])
        slope = conditions.gradient_derivative(np.where(self.played, point.x, 0.0))
        flow = conditions.constraints[self.rows][:, self.columns]
        slope = slope[self.columns][:, self.columns]
        self.matrix = sp.block_array([[flow, None], [-slope, flow.T]]).toarray()
        self.flow = flow.tocoo()
        self._factor()
        self._payoffs = [self._integers(p) for p in range(conditions.form.num_players)]

    def _factor(self) -> None:
        from scipy.linalg import qr

        turned, triangle, order = qr(self.matrix, mode="economic", pivoting=True)
        pivots = np.abs(triangle.diagonal())
        rank = int((pivots > RANK * pivots[0]).sum())
        self.basic: Index = order[:rank]
        self.chosen: Index = order[rank:]
        self.turned, self.triangle = turned[:, :rank], triangle[:rank, :rank]

    @property
    def has_choice(self) -> bool:
        """Whether the equations leave something to choose."""
        return bool(len(self.chosen))

    def _integers(self, player: int) -> tuple[_Numerators, int]:
        places, numbers, denominator = integer_entries(self.conditions.form, player)
        first = self.conditions.first
        others = [other for other in range(len(places)) if other != player]
        return _Numerators(
            (places[player] + first[player]).tolist(),
            [(places[other] + first[other]).tolist() for other in others],
            numbers,
            others,
        ), denominator

    def solve(self, limit: int) -> dict[int, int] | None:
        """Return the numerators of the played sequences; None if Newton's method does not end.

        Parameters
        ----------
        limit
            The largest denominator of what is chosen.
        """
        from scipy.linalg import solve_triangular

        numbers = [_fixed(value, self.bits) for value in self.start.tolist()]
        for place in self.chosen.tolist():
            simple = Fraction(float(self.start[place])).limit_denominator(max(1, limit))
            numbers[place] = (simple.numerator << self.bits) // simple.denominator
        last = np.inf
        for _ in range(STEPS):
            check_time("finding digits of an equilibrium")
            change = solve_triangular(self.triangle, self.turned.T @ self._residual(numbers))
            size = float(np.abs(change).max(initial=0.0))
            if not np.isfinite(size) or size > max(2.0 * last, 1e-3) or size > 1.0:
                return None
            for place, amount in zip(self.basic.tolist(), change.tolist(), strict=True):
                numbers[place] -= _fixed(amount, self.bits)
            if size < ldexp(1.0, 8 - self.bits):
                dust = 1 << self.bits // 4
                kept = (number if abs(number) > dust else 0 for number in numbers)
                return dict(zip(self.columns.tolist(), kept, strict=False))
            last = size
        return None

    def _residual(self, numbers: list[int]) -> Floats:
        """Return what the equations are off by, each to the digits of a float."""
        x = dict(zip(self.columns.tolist(), numbers, strict=False))
        v = numbers[len(self.columns) :]
        one = 1 << self.bits
        flow = [-one * int(e) for e in self.conditions.e[self.rows].tolist()]
        slack = [-paid for paid in self._gradient(x)]
        entries = (self.flow.row.tolist(), self.flow.col.tolist(), self.flow.data.tolist())
        for row, column, sign in zip(*entries, strict=True):
            flow[row] += int(sign) * numbers[column]
            slack[column] += int(sign) * v[row]
        return np.array([number / one for number in (*flow, *slack)])

    def _gradient(self, x: dict[int, int]) -> list[int]:
        """Return what the played sequences are paid, as shares of the payoff scale."""
        sums = dict.fromkeys(x, 0)
        scale = Fraction(self.conditions.form.payoff_scale)
        for payoffs, denominator in self._payoffs:
            mine = dict.fromkeys(payoffs.own, 0)
            for entry, own in enumerate(payoffs.own):
                if own not in x:
                    continue
                product = payoffs.numbers[entry] << self.bits
                for places in payoffs.others:
                    product = product * x.get(places[entry], 0) >> self.bits
                mine[own] += product
            for own, paid in mine.items():
                if own in x:
                    sums[own] += paid * scale.denominator // (denominator * scale.numerator)
        return [sums[column] for column in self.columns.tolist()]


def _fixed(value: float, bits: int) -> int:
    """Return a float times ``2**bits``, rounded down; exact where that is an integer."""
    numerator, denominator = value.as_integer_ratio()
    return (numerator << bits) // denominator


def _candidates(
    conditions: Conditions, x: dict[int, int], bits: int
) -> Iterator[tuple[list[Exact], list[int]]]:
    """Yield plans in fractions if all are near to short ones, then plans of so many bits."""
    treeplexes = conditions.form.treeplexes
    own = [
        [x.get(int(first) + s, 0) for s in range(t.num_sequences)]
        for first, t in zip(conditions.first, treeplexes, strict=False)
    ]
    if any(min(plan) < 0 for plan in own):
        return
    short = [_short_fractions(t, plan, bits) for t, plan in zip(treeplexes, own, strict=True)]
    if all(plan is not None for plan in short):
        plans = [_over_common(plan) for plan in short if plan is not None]
        yield [plan for plan, _ in plans], [whole for _, whole in plans]
    yield (
        [_split(t, plan, bits) for t, plan in zip(treeplexes, own, strict=True)],
        [1 << bits] * len(own),
    )


def _short_fractions(treeplex: Treeplex, plan: list[int], bits: int) -> list[Fraction] | None:
    """Return the plan whose probabilities have short denominators; None if one has none near."""
    found = [Fraction(0)] * len(plan)
    found[0] = Fraction(1)
    near, longest = Fraction(1, 1 << 3 * bits // 4), 1 << bits // 4
    for infoset, first, stop in _infosets(treeplex):
        above = int(treeplex.parent_sequence[infoset])
        total = sum(plan[first:stop])
        if not plan[above]:
            continue
        if not total:
            return None
        chances = [Fraction(weight, total) for weight in plan[first:stop]]
        simple = [chance.limit_denominator(longest) for chance in chances]
        if sum(simple) != 1 or any(abs(a - b) > near for a, b in zip(chances, simple, strict=True)):
            return None
        found[first:stop] = [found[above] * chance for chance in simple]
    return found


def _over_common(plan: list[Fraction]) -> tuple[Exact, int]:
    whole = lcm(*(weight.denominator for weight in plan))
    return np.array([int(weight * whole) for weight in plan] + [None], dtype=object)[:-1], whole


def _split(treeplex: Treeplex, plan: list[int], bits: int) -> Exact:
    """Return ``2**bits`` times a plan, exactly one; what is 0 stays 0.

    But where play leads and no action has weight, it is the first action's.
    """
    found = [0] * len(plan)
    found[0] = 1 << bits
    for infoset, first, stop in _infosets(treeplex):
        left = found[int(treeplex.parent_sequence[infoset])]
        weights = plan[first:stop] if any(plan[first:stop]) else [1] + [0] * (stop - first - 1)
        rest = sum(weights)
        for sequence, weight in enumerate(weights, first):
            if rest:
                found[sequence] = (2 * left * weight + rest) // (2 * rest)
            left -= found[sequence]
            rest -= weight
    return np.array([*found, None], dtype=object)[:-1]


def _infosets(treeplex: Treeplex) -> Iterator[tuple[int, int, int]]:
    starts = treeplex.first_sequence.tolist()
    yield from zip(range(treeplex.num_infosets), starts[:-1], starts[1:], strict=True)
