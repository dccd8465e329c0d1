"""Regret minimization over games of hands, in passes over streets and boards.

The rules are those of `TreeplexEngine`. Boards that are images of each other are played alike, and
only one of them is gone through. Nothing has the size of pairs of hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from seqform.base.aligned import aligned_copy, aligned_zeros
from seqform.base.arrays import Numbers
from seqform.base.errors import InvalidParameterError
from seqform.base.memory import require_memory
from seqform.form.followed import Followed
from seqform.form.hand_lock import HandLock
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.locked_hands import kept_to
from seqform.solvers.iterative.regret import hand_regret_kernels as plain
from seqform.solvers.iterative.regret.hand_half_street import HalfStreet
from seqform.solvers.iterative.regret.hand_layout import Street, as_table, lay_out
from seqform.solvers.iterative.regret.hand_locks import locks_alike
from seqform.solvers.iterative.regret.hand_models import lines_of_model, plays_alike
from seqform.solvers.iterative.regret.hand_returns import Returns
from seqform.solvers.iterative.regret.hand_rounds import WIDTH
from seqform.solvers.iterative.regret.hand_street import StreetAtWork
from seqform.solvers.iterative.regret.rules import TIE, RegretRule
from seqform.solvers.iterative.search import Engine, Plans

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm

LEAST = -1e30
"""Less than anything is worth, in numbers of either type."""

NOISE = 64
"""Regrets below so many roundings count as ties. With 8 the preset `flop` stays at a gap of 0.75 of
its pot of 200 chips for good, and with none at more; with 64 rivers and turns need as many
iterations as with 8."""

Reach = list[Numbers]
Both = tuple[plain.Player, plain.Player]
Behaviors = tuple[dict[int, Numbers], dict[int, Numbers]]
"""For each player and each public node where it decides, what hands do there on the boards that
stand for all: (num_orbits, num_actions, num_hands), as `HandStrategy` takes it."""


class HandEngine(Engine):
    """Applies a regret rule to a game of hands.

    Parameters
    ----------
    structure
        The game.
    rule
        How regrets are kept; alternating, and without prediction.
    dtype
        Of regrets, averages and everything computed from them.
    threads
        How many threads share the boards.
    vectors
        Whether single precision goes by vectors, which is many times as fast.
    half
        Whether regrets and averages of the last street have 16 bits each
        (`hand_half_kernels`). Those of the streets before it, which are a few per cent of all where
        cards are dealt between, stay in single precision; and so is everything that is computed.
    lock
        What is locked of the game, whose symmetries are those of the lock; None for nothing.
    followed
        A model that a player follows with a probability, whose symmetries the game has; None for
        none. For payoffs of constant sum.

    Raises
    ------
    UnsupportedGameError
        If the game has hands or payoffs that cannot be laid out (`hand_layout.lay_out`); or if
        something is locked on a street that is kept in 16 bits.
    InvalidParameterError
        If the rule does not alternate, or predicts; or if 16 bits are asked for where the rest is
        not in single precision and by vectors.
    """

    name = "hand"

    def __init__(
        self,
        structure: HandStructure,
        rule: RegretRule,
        dtype: DTypeLike = np.float32,
        threads: int = 1,
        vectors: bool = True,
        half: bool = False,
        lock: HandLock | None = None,
        followed: Followed | None = None,
    ) -> None:
        if not rule.alternating or rule.prediction:
            raise InvalidParameterError(
                f"{rule.name}: the engine for games of hands takes rules that alternate and do not "
                "predict, such as dcfr, cfr+ and linear-cfr"
            )
        self.structure, self.rule, self.threads, self._lock = structure, rule, threads, lock
        self._followed = followed
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.single = self.dtype == np.float32
        if half and not (vectors and self.single):
            raise InvalidParameterError("half=True: 16 bits go with single precision, by vectors")
        self.bounds_value = structure.game.constant_sum is not None
        self.layout = lay_out(structure, structure.alike_cards)
        if (lock is not None and not locks_alike(self.layout, lock)) or (
            followed is not None and not plays_alike(self.layout, followed)
        ):
            self.layout = lay_out(structure)  # cards keep their places
        require_memory(
            self._num_bytes(half),
            "keeping regrets and averages of all hands on all boards",
            "leave out bet sizes or hands"
            if half
            else "keep them in 16 bits (half=True), which "
            "takes about half of that, or leave out bet sizes or hands",
        )
        self.iterations, self.total_weight = 0, 0.0
        self._kernels = _vectors() if vectors and self.single else plain
        self._numbers = np.array(
            [0, 1, 0, 0, 0, max(TIE, NOISE * _epsilon(self.dtype)), LEAST, 0, 1], self.dtype
        )
        last = self.layout.streets[-1]
        self._streets = [
            (HalfStreet if half and street is last else StreetAtWork)(
                self._kernels, self.layout, street, self.dtype, threads, lock
            )
            for street in self.layout.streets
        ]
        if followed is not None:
            self._numbers[plain.FREE] = followed.shares[1]
            lines = lines_of_model(self.layout, followed, self.dtype)
            for of, model in zip(self._streets, lines, strict=True):
                of.model[followed.player] = aligned_copy(model)
        self._root = tuple(_root(weights, self.dtype) for weights in self.layout.weights)
        self._paid = tuple(np.zeros_like(reach) for reach in self._root)
        self._reach = [self._new_reach(player) for player in (0, 1)]
        self._mean = [self._new_reach(player) if half else [] for player in (0, 1)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._learning = [self._passes(player, self._reach, plain.LEARN) for player in (0, 1)]
        for player in (0, 1):
            self._follow(player)

    def _num_bytes(self, half: bool) -> int:
        """Return what regrets and averages take, and the model."""
        found = 0
        for street in self.layout.streets:
            is_half = half and street is self.layout.streets[-1]
            size = 4 if is_half else 2 * self.dtype.itemsize
            for side, held in zip(street.round.sides, street.held, strict=True):
                found += size * side.num_actions * len(held.hand)
            if self._followed is not None:
                player = self._followed.player
                lines = len(street.round.entries) + street.round.sides[player].num_actions
                found += self.dtype.itemsize * lines * len(street.held[player].hand)
        return found

    def _follow(self, player: int) -> None:
        """Write the player's reach by what it has learnt."""
        self._descend(player, self._reach[player], averaged=False)
        self._descend(player, self._mean[player], averaged=True)

    def _new_reach(self, player: int) -> Reach:
        return [
            aligned_zeros((street.held[player].num_places + 1, of.columns), self.dtype)
            for street, of in zip(self.layout.streets[:-1], self._streets, strict=False)
        ]

    def run(self, count: int) -> None:
        """Make `count` more iterations."""
        for positive, negative, weight, *_ in self.rule.schedule(self.iterations, count):
            share = weight / (self.total_weight + weight)
            self._numbers[plain.POSITIVE : plain.TIE] = positive, negative, share
            self._numbers[plain.ITERATION] = self.iterations
            for player in (0, 1):
                self._upwards(self._learning[player])
                for of in self._streets:
                    of.locked[player].learn(of.regret[player], positive, negative)
                self._follow(player)
            self.total_weight += float(weight)
            self.iterations += 1

    def bounds(self) -> tuple[float, float]:
        """Return what the average plans guarantee, as the engine computes it: no certificate.

        Where payoffs have no constant sum: 0, and what both players gain by best responses.
        """
        reach = [self._new_reach(player) for player in (0, 1)]
        for player in (0, 1):
            self._descend(player, reach[player], averaged=True)
        best = [self._worth(player, self._passes(player, reach, plain.ANSWER)) for player in (0, 1)]
        if self._followed is not None:
            best[self._followed.player] = self._best_restricted(self._followed, best, reach)
        if self.bounds_value:
            return float(self.structure.game.constant_sum or 0) - best[1], best[0]
        got = [self._worth(player, self._mean_passes(player, reach)) for player in (0, 1)]
        return 0.0, sum(max(0.0, most - mean) for most, mean in zip(best, got, strict=True))

    def _best_restricted(self, followed: Followed, best: list[float], reach: list[Reach]) -> float:
        """Return what the modelled player gets by the model, and by a best response if free."""
        answers, (share, free) = 1 - followed.player, followed.shares
        self._numbers[plain.FREE] = 0
        try:
            paid = self._worth(answers, self._mean_passes(answers, reach))
        finally:  # a search that is interrupted here may still go on
            self._numbers[plain.FREE] = free
        constant = float(self.structure.game.constant_sum or 0)
        return free * best[followed.player] + share * constant - paid

    def remark(self) -> str:
        """Return what averages are where payoffs have no constant sum."""
        return "" if self.bounds_value else "a heuristic for Nash equilibria of this game"

    def _worth(self, player: int, passes: Iterable[_Pass]) -> float:
        """Return what a player gets by passes over all streets."""
        worth, weights = self._upwards(passes), self.layout.weights[player]
        return float(weights @ worth[:-1, 0]) / self.layout.total

    def _passes(self, player: int, reach: list[Reach], how: int) -> list[_Pass]:
        """Return the passes over all streets from last to first, of one who learns or answers."""
        return [
            self._pass(player, number, self._players(number, player, reach), how)
            for number in reversed(range(len(self._streets)))
        ]

    def _mean_passes(self, player: int, reach: list[Reach]) -> Iterator[_Pass]:
        """Yield the passes that pay a player for its average against the other's."""
        for number in reversed(range(len(self._streets))):
            me, other = self._players(number, player, reach)
            both = self._streets[number].by_average(me), other
            yield self._pass(player, number, both, plain.MEAN)

    def _players(self, number: int, player: int, reach: list[Reach]) -> Both:
        """Return a player on a street and the other one, as kernels see them."""
        me, other = (
            self._streets[number].player(who, self._above(who, number, reach[who]))
            for who in (player, 1 - player)
        )
        return me, other

    def _pass(self, player: int, number: int, both: Both, how: int) -> _Pass:
        """Return the pass over a street."""
        of = self._streets[number]
        beside = of.beside(player, self._above(player, number, self._mean[player]))
        given = (
            *both, *beside, of.pays[player], len(of.street.round.entries), of.worth[player],
            of.returns[player].rows, how,
        )  # fmt: skip
        above = self._streets[number - 1].worth[player] if number else self._paid[player]
        over_boards = partial(of.kernels.ascend_street, *given)
        return _Pass(of, over_boards, of.returns[player], above)

    def _upwards(self, passes: Iterable[_Pass]) -> Numbers:
        """Take all streets from last to first.

        Returns what hands are worth, (hands + 1, columns).
        """
        for over in passes:
            over.returns.clear()
            over.street.share_out(self._pool, over.boards, self._numbers)
            over.returns.hand_up(over.above)
        return over.above

    def _above(self, player: int, number: int, reach: Reach) -> Numbers:
        return reach[number - 1] if number and reach else self._root[player]

    def _descend(self, player: int, reach: Reach, averaged: bool) -> None:
        """Write the player's reach of the exits of all streets."""
        for number, out in enumerate(reach):
            of = self._streets[number]
            me = of.player(player, self._above(player, number, reach))
            given = me, len(of.street.round.entries), averaged, out
            of.share_out(self._pool, partial(self._kernels.descend, *given), self._numbers)

    def plans(self) -> Plans:
        """Return the average plans so far, times the weights of hands, as `behaviors` takes them.

        For each player and street (vectors, actions, width).
        """
        return tuple(array.copy() for array in self.last_plans())

    def last_plans(self) -> Plans:
        """Return the same where no iteration follows: the arrays at work."""
        return tuple(of.average[player] for player in (0, 1) for of in self._streets)

    def finish(self) -> None:
        """Give up all but what makes strategies of plans."""
        self._streets, self._learning, self._reach, self._mean = [], [], [], []

    def profile(self, form: SequenceForm, plans: Plans, rounded: bool) -> Profile:
        """Return the profile of the game that plays by such plans; it is kept by boards and hands.

        Single precision has no digits to round.
        """
        found = HandStrategy(self.structure, self.behaviors(plans), in_place=True)
        if self._lock is not None:  # where a plan does not come, its average says nothing
            found = HandStrategy(self.structure, kept_to(self._lock, found))
        return found.in_form(form)

    def behaviors(self, plans: Plans | None = None) -> Behaviors:
        """Return average behaviour strategies: those of plans that were kept, or those so far."""
        plans = self.plans() if plans is None else plans
        found: Behaviors = ({}, {})
        for player in (0, 1):
            of_player = plans[player * len(self.layout.streets) :]
            for street, plan in zip(self.layout.streets, of_player, strict=False):
                for node, sums in by_decision(street, player, plan):
                    found[player][node] = _behavior(sums)
        return found

    def state(self) -> dict[str, Numbers]:
        """Return what a checkpoint must hold to go on from here."""
        arrays = {"total_weight": np.array([self.total_weight])}
        for number, of in enumerate(self._streets):
            for player in (0, 1):
                arrays[f"regret{player}.{number}"] = of.regret[player]
                arrays[f"average{player}.{number}"] = of.average[player]
                for place, part in enumerate(of.locked[player].parts):
                    arrays[f"learned{player}.{number}.{place}"] = part.learned
        return arrays

    def restore(self, state: dict[str, Numbers], iterations: int) -> None:
        """Go on from a state that `state` returned."""
        for name, array in self.state().items():
            array[...] = state[name]
        self.total_weight, self.iterations = float(state["total_weight"][0]), iterations
        for player in (0, 1):
            self._follow(player)

    def order(self) -> Iterator[bytes]:
        """Yield the boards and hands that stand for all: which do is found, and may change."""
        for street in self.layout.streets:
            yield street.orbit.tobytes()
            for held in street.held:
                yield held.hand.tobytes()


class _Pass(NamedTuple):
    """A pass over a street: what is called for its boards, and to what they hand up their worth."""

    street: StreetAtWork
    boards: Callable[..., None]
    returns: Returns
    above: Numbers


def _vectors() -> Any:
    """Return the loops by vectors, which are loaded where they are wanted only."""
    from seqform.solvers.iterative.regret import hand_vector_kernels

    return hand_vector_kernels


def _epsilon(dtype: np.dtype[Any]) -> float:
    return float(np.finfo(dtype).eps)


def _root(weights: Numbers, dtype: np.dtype[Any]) -> Numbers:
    """Return the reach of the root: (hands + 1, columns)."""
    found = aligned_zeros((len(weights) + 1, WIDTH), dtype)
    found[:-1, 0] = weights
    return found


def _behavior(sums: Numbers) -> Numbers:
    """Return the shares of sums over actions, (boards, actions, hands); even ones of nothing."""
    total = sums.sum(axis=1, dtype=np.float64, keepdims=True)
    with np.errstate(invalid="ignore"):
        found = np.where(total > 0, sums / total, 1 / sums.shape[1])
    behavior: Numbers = found.astype(np.result_type(sums.dtype, np.float32))
    return behavior


def by_decision(street: Street, player: int, cells: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Yield public nodes of a street, with numbers of actions: (orbits, actions, hands); else 0.

    Parameters
    ----------
    cells
        As regrets and averages are kept: (vectors, actions, width).
    """
    side = street.round.sides[player]
    for public, (first, count, _) in zip(side.public.tolist(), side.nodes.tolist(), strict=True):
        yield public, as_table(cells[:, first : first + count], street, player)
