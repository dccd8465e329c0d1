"""What the best deviation gains in a whole recursive game: a Markov decision process, in floats.

Who faces the others' stationary strategies chooses one of its own plans in each position. Policy
iteration (Howard, "Dynamic programming and Markov processes", 1960): evaluate the choices, improve
them where that pays, until it does not. What is found here is believed by nobody: bounds are
proven in integers (`seqform.recursive.bound`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Mask
from seqform.base.deadline import check_time
from seqform.recursive.against import Against
from seqform.recursive.chain import TINY, chain_values, reaches_end
from seqform.recursive.stationary import StationaryProfile

MOST_ROUNDS = 200
"""Of policy iteration, which took up to 12."""

BETTER = 1e-14
"""By how much of the largest payoff another choice has to be better. Ties would go round."""

LONGER = 1e-9
"""By how much of itself play has to last longer by another choice."""

STAYING = 1e-12
"""By how much of the largest payoff endless play has to be better, so that a player stays in it."""


class Facing:
    """All positions of a stationary profile, each as its player faces the others there.

    Parameters
    ----------
    profile
        What everybody does.
    """

    def __init__(self, profile: StationaryProfile) -> None:
        self.graph, self.profile = profile.graph, profile
        self.positions = [
            (stage, seat)
            for stage in range(len(self.graph.stages))
            for seat in range(self.graph.num_players)
        ]
        self.against: list[Against] = self.graph.against(profile.plans)
        self.endless = np.array([[float(w) for w in row] for row in self.graph.endless]).ravel()
        self.scale = max(1e-300, float(self.graph.span))

    def values(self) -> Floats:
        """Return what the profile itself is worth, float64 (num_stages, num_players)."""
        return chain_values(*self._own_chain, self.endless).reshape(-1, self.graph.num_players)

    @cached_property
    def _own_chain(self) -> tuple[sp.csr_array, Floats, Floats]:
        return self.chain(self._own())

    def best(self) -> Floats:
        """Return the most that a deviation gets in each position, (num_stages, num_players)."""
        choices, values = self._own(), self.values().ravel()
        for _ in range(MOST_ROUNDS):
            check_time("looking for the best deviation")
            table = values.reshape(-1, self.graph.num_players)

            def worth(stage: int, seat: int, table: Floats = table) -> Floats:
                return self.graph.worth(stage, table)[:, seat]

            enough = values + BETTER * self.scale
            if not (self._improve(choices, worth, enough) or self._stay(choices, values)):
                break
            values = self._evaluate(choices)
        return values.reshape(-1, self.graph.num_players)

    def _stay(self, choices: list[Floats], values: Floats) -> bool:
        """Have the player stay for ever wherever that is possible and pays more.

        No single choice shows that: while the others are as they are, each of them ends play. The
        positions are the largest set of those worth less than endless play in which the player has
        a plan that surely stays among them.
        """
        if self.graph.has_rewards:
            return False
        staying = values < self.endless - STAYING * self.scale
        known: dict[int, tuple[bytes, Floats | None]] = {}
        while True:
            places = np.flatnonzero(staying).tolist()
            plans = {p: self._staying_plan(p, staying, known) for p in places}
            left = [p for p, plan in plans.items() if plan is None]
            if not left:
                break
            staying[left] = False
        for p, plan in plans.items():
            if plan is not None:
                choices[p] = plan
        return bool(plans)

    def _staying_plan(
        self, p: int, staying: Mask, known: dict[int, tuple[bytes, Floats | None]]
    ) -> Floats | None:
        """Return a plan that surely leads from one position to some; None if there is none.

        What is `known` is which leads of a position led out when it was last asked, and the plan.
        """
        stage, seat = self.positions[p]
        _, following, seats = self.graph.arrays(stage)
        places = following * self.graph.num_players + seats[:, seat]
        out = (following < 0) | ~staying[np.maximum(places, 0)]
        if p not in known or known[p][0] != out.tobytes():
            loss, plan = _best_plan(self.against[p], -out.astype(np.float64))
            known[p] = out.tobytes(), plan if loss >= -TINY else None
        return known[p][1]

    def longest(self) -> Floats:
        """Return the most stages that a deviation makes play last, on average; maybe infinite.

        float64 (num_stages, num_players), counting the present one.
        """
        choices, count = self._own(), len(self.positions)
        stages = np.full(count, np.inf)
        for _ in range(MOST_ROUNDS):
            check_time("looking for the longest play")
            moves, _, leaving = self.chain(choices)
            if not reaches_end(moves, leaving).all():
                stages = np.full(count, np.inf)
                break
            stages = chain_values(moves, np.ones(count), leaving, np.zeros(count))
            table = stages.reshape(-1, self.graph.num_players)

            def to_go(stage: int, seat: int, table: Floats = table) -> Floats:
                _, following, seats = self.graph.arrays(stage)
                return np.where(following >= 0, table[following, seats[:, seat]], 0.0)

            if not self._improve(choices, to_go, stages * (1 + LONGER) - 1):
                break
        return stages.reshape(-1, self.graph.num_players)

    def always_ends(self) -> bool:
        """Return whether play of the profile itself ends, wherever it begins."""
        moves, _, leaving = self._own_chain
        return bool(reaches_end(moves, leaving).all())

    def _own(self) -> list[Floats]:
        return [self.profile.plans[stage][seat] for stage, seat in self.positions]

    def _improve(
        self, choices: list[Floats], worth: Callable[[int, int], Floats], enough: Floats
    ) -> bool:
        """Put a better choice wherever there is one; return whether there was.

        Parameters
        ----------
        worth
            Returns what each lead of a stage is worth to a seat.
        enough
            float64 (num_positions,): what a choice has to be worth more than.
        """
        better = False
        for p, (stage, seat) in enumerate(self.positions):
            at = self.against[p]
            paid = at.gradient(worth(stage, seat))
            if at.treeplex.best_value(paid) > enough[p]:
                choices[p], better = at.treeplex.best_response(paid)[1], True
        return better

    def chain(self, choices: Sequence[Floats]) -> tuple[sp.csr_array, Floats, Floats]:
        """Return moves, payments and chances of an end between positions, for a plan in each."""
        n = self.graph.num_players
        rows, columns, chances = [], [], []
        paid, leaving = np.zeros(len(self.positions)), np.zeros(len(self.positions))
        for p, (stage, seat) in enumerate(self.positions):
            payoffs, following, seats = self.graph.arrays(stage)
            likely = self.against[p].of_plan(choices[p], len(following))
            paid[p] = likely @ payoffs[:, seat]
            on = np.flatnonzero(following >= 0)
            leaving[p] = likely[following < 0].sum()
            rows.append(np.full(len(on), p))
            columns.append(following[on].astype(np.int64) * n + seats[on, seat])
            chances.append(likely[on])
        places = np.concatenate(rows), np.concatenate(columns)
        shape = (len(self.positions), len(self.positions))
        moves = sp.csr_array((np.concatenate(chances), places), shape=shape)
        moves.sum_duplicates()
        return moves, paid, leaving

    def _evaluate(self, choices: Sequence[Floats]) -> Floats:
        return chain_values(*self.chain(choices), self.endless)


def _best_plan(against: Against, worth: Floats) -> tuple[float, Floats]:
    return against.treeplex.best_response(against.gradient(worth))
