"""The restarted primal-dual hybrid gradient method over any two treeplexes and payoff operator.

Both players step along their payoffs, the second against a look ahead at the first, and are
projected back onto their treeplexes (Chambolle & Pock, J. Math. Imaging Vision 40, 2011). Steps are
reflected and drawn back to an anchor, which a restart moves to the newest plans. Restarts are
sufficient, necessary or artificial (PDLP: Applegate et al., NeurIPS 2021), with the gap as the
criterion. Bilinear games are sharp: their gap grows at least in proportion to the distance from the
equilibria. So with restarts the gap shrinks by a constant factor every fixed number of iterations
(Gilpin, Pena & Sandholm, Math. Program. 133, 2012; Applegate, Hinder, Lu & Lubin, Math. Program.
201, 2023; with reflection and anchors Lu & Yang, arXiv 2407.16144).

Two things are our own: projections onto the treeplex itself, so that plans are always feasible, and
a metric that follows the plans. With any positive vectors d and e, steps of ``d / |A| e`` and ``e /
|A|' d`` are short enough (Schur's test; Pock & Chambolle, ICCV 2011, use vectors of ones). Here d
and e are the plans at the last restart, mixed with uniform ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Ints
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.solvers.iterative import primal_dual_kernels as kernels
from seqform.solvers.iterative.regret.treeplex_engine import claimed_bounds, compress
from seqform.solvers.iterative.search import Engine

CHECK_EVERY = 20
"""The gap is computed after so many iterations."""

SUFFICIENT = 0.2
"""A sufficient restart: the gap has shrunk to this share since the last one."""

NECESSARY = 0.8
"""A necessary restart: the gap has shrunk to this share since the last one, and grows again."""

ARTIFICIAL = 0.36
"""An artificial restart: this share of all iterations was made since the last one. Here the gap
must have shrunk at all."""

FOLLOW = 0.9
"""How much the metric follows the plans; the rest is uniform."""

SHORTER = 0.99
"""Of the longest steps that are short enough."""

SKEW = 1e4
"""One player's steps may be longer than the other's by this factor, squared."""


class Player(NamedTuple):
    """One player's treeplex, and vectors over its sequences: from `ahead` on, working space."""

    first: Ints
    parent: Ints
    weight: Floats
    anchor: Floats
    point: Floats
    plan: Floats
    ahead: Floats
    utility: Floats
    curve: Floats
    base: Floats
    inverse: Floats

    @classmethod
    def start(cls, treeplex: Treeplex, plan: Floats) -> Player:
        """Return a player at a plan."""
        plans = [plan.copy() for _ in range(3)]
        weight, *space = [np.zeros(treeplex.num_sequences) for _ in range(6)]
        return cls(treeplex.first_sequence, treeplex.parent_sequence, weight, *plans, *space)


class PrimalDualEngine(Engine):
    """Finds the saddle point of a two-player constant-sum game by steps, projections and restarts.

    With a sparse payoff matrix, iterations are compiled as a whole; with any other operator, all
    but its products are.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    """

    name = "treeplex"

    def __init__(self, form: SequenceForm) -> None:
        self.operator, self.treeplexes = form.zero_sum_operator(), form.treeplexes
        self.uniform = tuple(treeplex.to_plan(treeplex.uniform()) for treeplex in form.treeplexes)
        self.players = tuple(
            Player.start(*pair) for pair in zip(form.treeplexes, self.uniform, strict=True)
        )
        self.best = [plan.copy() for plan in self.uniform]
        self.iterations = self.age = 0
        self.balance = 1.0
        self.best_gap = self.last_gap = float("inf")
        self.first_gap = self._gap()
        self._absolute = self.operator.absolute()
        self._matrices = compress(self.operator.stored_csr)
        self._measure()

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        while count > 0:
            size = min(count, CHECK_EVERY - self.age % CHECK_EVERY)
            if self._matrices is not None:
                kernels.iterate(
                    size, self.age, self.balance, tuple(map(tuple, self.players)), self._matrices
                )
            else:
                self._iterate(size)
            self.age += size
            self.iterations += size
            count -= size
            if self.age % CHECK_EVERY == 0:
                self._check()

    def _iterate(self, count: int) -> None:
        mine, theirs = self.players
        for age in range(self.age, self.age + count):
            mine.utility[:] = self.operator.times(theirs.point)
            _move(mine, self.balance)
            theirs.utility[:] = -self.operator.transposed_times(mine.ahead)
            _move(theirs, 1.0 / self.balance)
            for player in self.players:
                kernels.pull(player.anchor, player.ahead, player.point, age)

    def _check(self) -> None:
        """Keep the plans if they are the best so far, and restart if it is time to."""
        gap = self._gap()
        if gap < self.best_gap:
            self.best_gap = gap
            for best, player in zip(self.best, self.players, strict=True):
                best[:] = player.plan
        sufficient = gap <= SUFFICIENT * self.first_gap
        necessary = self.last_gap < gap <= NECESSARY * self.first_gap
        artificial = self.age >= ARTIFICIAL * self.iterations and gap < self.first_gap
        if sufficient or necessary or artificial:
            self._restart(gap)
        else:
            self.last_gap = gap

    def _restart(self, gap: float) -> None:
        far = [
            float(np.sqrt(player.weight @ (player.plan - player.anchor) ** 2))
            for player in self.players
        ]
        if min(far) > 0:
            self.balance = float(np.clip(np.sqrt(self.balance * far[1] / far[0]), 1 / SKEW, SKEW))
        for player in self.players:
            player.anchor[:] = player.point[:] = player.plan
        self.age, self.first_gap, self.last_gap = 0, gap, float("inf")
        self._measure()

    def _measure(self) -> None:
        """Set the metric by the anchors."""
        mine, theirs = (
            FOLLOW * player.anchor + (1 - FOLLOW) * uniform
            for player, uniform in zip(self.players, self.uniform, strict=True)
        )
        sums = self._absolute.times(theirs) / mine, self._absolute.transposed_times(mine) / theirs
        for player, weight in zip(self.players, sums, strict=True):
            paid = weight > 0
            player.weight[:] = (
                np.where(paid, weight, weight[paid].min() if paid.any() else 1.0) / SHORTER
            )

    def _gap(self) -> float:
        lower, upper = self._bounds([player.plan for player in self.players])
        return upper - lower

    def _bounds(self, plans: Sequence[Floats]) -> tuple[float, float]:
        return claimed_bounds(
            self.operator, [(player.first, player.parent) for player in self.players], plans
        )

    def plans(self) -> tuple[Floats, Floats]:
        """Return the best plans seen; before the first check, the newest."""
        plans = (
            self.best if np.isfinite(self.best_gap) else [player.plan for player in self.players]
        )
        return plans[0].copy(), plans[1].copy()

    def bounds(self) -> tuple[float, float]:
        """Return what `plans` guarantee, as the engine computes it: not a certificate."""
        return self._bounds(self.plans())

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint must hold to go on from here."""
        arrays = {f"best{number}": best for number, best in enumerate(self.best)}
        for number, player in enumerate(self.players):
            arrays |= {
                f"{name}{number}": getattr(player, name) for name in ("anchor", "point", "plan")
            }
        return arrays | {
            "numbers": np.array(
                [self.age, self.balance, self.best_gap, self.first_gap, self.last_gap]
            )
        }

    def restore(self, state: dict[str, NDArray[Any]], iterations: int) -> None:
        """Go on from a state that `state` returned."""
        for name, vector in self.state().items():
            vector[:] = state[name]
        age, self.balance, self.best_gap, self.first_gap, self.last_gap = state["numbers"].tolist()
        self.iterations, self.age = iterations, int(age)
        self._measure()


def _move(player: Player, scale: float) -> None:
    kernels.move(
        player.first,
        player.parent,
        player.weight,
        scale,
        player.utility,
        player.point,
        player.plan,
        player.ahead,
        *player[-3:],
    )
