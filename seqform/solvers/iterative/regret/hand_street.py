"""What is remembered of a street of a game of hands, and the passes of threads over its boards."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from seqform.base.aligned import aligned_copy, aligned_zeros
from seqform.base.arrays import Ints, Numbers
from seqform.form.hand_lock import HandLock
from seqform.solvers.iterative.regret import hand_regret_kernels as plain
from seqform.solvers.iterative.regret.hand_layout import Held, Layout, Street
from seqform.solvers.iterative.regret.hand_locks import LockedStreet
from seqform.solvers.iterative.regret.hand_returns import Returns, runs_of
from seqform.solvers.iterative.regret.hand_rounds import WIDTH, Lanes, filled

SHARES = 2
"""Runs of boards are handed to threads in this many shares for each, so that a thread held up by
other programs holds up no other. More cost more: each share takes 0.05 ms beside its loops."""


class StreetAtWork:
    """What is remembered of a street from iteration to iteration, and where it is worked on.

    Parameters
    ----------
    kernels
        The loops of the engine, by vectors or plain.
    layout, street
        The game, and which of its streets.
    dtype
        Of regrets, averages and everything computed from them.
    threads
        How many share its boards.
    lock
        What is locked; None for nothing.
    """

    def __init__(
        self,
        kernels: Any,
        layout: Layout,
        street: Street,
        dtype: np.dtype[Any],
        threads: int,
        lock: HandLock | None,
    ) -> None:
        self.street, self.kernels = street, self._chosen(kernels)
        self._exits = [_exits(street, player) for player in (0, 1)]
        self._even = [(1 / side.nodes[:, 1]).astype(dtype) for side in street.round.sides]
        self._held = [_held(of, kernels.ROW, dtype) for of in street.held]
        shapes = [
            (held.num_places // WIDTH, side.num_actions, WIDTH)
            for held, side in zip(street.held, street.round.sides, strict=True)
        ]
        self.regret, self.average = self._memory(shapes, dtype)
        self.locked = [LockedStreet(lock, street, player, dtype) for player in (0, 1)]
        for locked, regret in zip(self.locked, self.regret, strict=True):
            locked.play(regret)
        self._check_locks()
        self._given = [plain.Given(*map(aligned_copy, of.given)) for of in self.locked]
        self.model = [aligned_zeros((shape[0], 0, WIDTH), dtype) for shape in shapes]
        self.columns = filled(street.round.num_exits)
        self.returns = [Returns(street, player, dtype) for player in (0, 1)]
        self.worth = [
            aligned_zeros((held.num_places + 1, self.columns), dtype) for held in street.held
        ]
        self.pays = [_pays(lanes, street, dtype) for lanes in street.round.lanes]
        self._shares = _shares(street.num_boards, threads)
        self._scratch = [
            _new_scratch(self.kernels, layout, street, dtype)
            for _ in range(min(threads, len(self._shares)))
        ]

    def _chosen(self, kernels: Any) -> Any:
        """Return the loops of this street, where the others have `kernels`."""
        return kernels

    def _memory(
        self, shapes: list[tuple[int, int, int]], dtype: np.dtype[Any]
    ) -> tuple[list[Numbers], list[Numbers]]:
        """Return regrets and averages of both players, of such shapes."""
        return (
            [aligned_zeros(shape, dtype) for shape in shapes],
            [aligned_zeros(shape, dtype) for shape in shapes],
        )

    def _check_locks(self) -> None:
        """Refuse locks that its memory cannot hold."""

    def by_average(self, me: plain.Player) -> plain.Player:
        """Return a player whose regrets say what its average does."""
        return me._replace(regret=me.average)

    def beside(self, player: int, mean: Numbers) -> tuple[Any, ...]:
        """Return what else its loops take of a player whose average reach from above is `mean`."""
        return ()

    def player(self, player: int, above: Numbers) -> plain.Player:
        """Return a player as kernels see it."""
        side, held = self.street.round.sides[player], self._held[player]
        return plain.Player(
            side.nodes,
            self._exits[player],
            self._even[player],
            *held,
            above,
            self.returns[player].into,
            self.regret[player],
            self.average[player],
            self._given[player],
            self.model[player],
        )

    def share_out(
        self, pool: ThreadPoolExecutor | None, function: Callable[..., None], numbers: Numbers
    ) -> None:
        """Call a function for all boards, with working arrays of its own.

        Which thread takes what changes nothing.
        """

        def take(boards: tuple[int, int]) -> None:
            work = self._scratch.pop()
            function(boards, work, numbers)
            self._scratch.append(work)

        if pool is None or len(self._shares) == 1:
            function((0, self.street.num_boards), self._scratch[0], numbers)
        else:
            for future in [pool.submit(take, boards) for boards in self._shares]:
                future.result()


def _held(held: Held, row: int, dtype: np.dtype[Any]) -> Held:
    """Return a player's hands with rows of sums by card as kernels count them, times `row`."""
    return held._replace(
        cards=held.cards * row,
        adds=held.adds * row,
        counts=held.counts.astype(dtype),
        images=held.images.astype(dtype),
    )


def _shares(num_boards: int, threads: int) -> list[tuple[int, int]]:
    """Return the first board of each share, and the one behind its last."""
    runs = runs_of(num_boards)
    count = min(len(runs) - 1, SHARES * threads if threads > 1 else 1)
    return list(pairwise(runs[(len(runs) - 1) * i // count] for i in range(count + 1)))


def _num_lines(street: Street) -> int:
    """Return how many lines a scratch has for either player, without the one that is never reached.

    Entries are written as whole vectors.
    """
    entries = len(street.round.entries)
    return max(filled(entries), entries + max(side.num_actions for side in street.round.sides))


def _exits(street: Street, player: int) -> Ints:
    """Return a player's line at each exit; in memory a whole vector follows, of the line behind."""
    exits = street.round.sides[player].exits
    found = np.full(filled(len(exits)), _num_lines(street), dtype=np.int32)
    found[: len(exits)] = exits
    return found[: len(exits)]


def _pays(lanes: Lanes, street: Street, dtype: np.dtype[Any]) -> plain.Pays:
    line = np.where(lanes.line < 0, _num_lines(street), lanes.line).astype(np.int32)
    factor = lanes.factor.copy()
    factor[lanes.is_end] *= street.share
    return plain.Pays(
        line, lanes.num_mass, lanes.first_duel, lanes.paid, lanes.source, factor.astype(dtype)
    )


def _new_scratch(kernels: Any, layout: Layout, street: Street, dtype: np.dtype[Any]) -> Any:
    """Return working arrays for either player, for the board with the most hands."""
    return kernels.scratch(
        _num_lines(street) + 1,
        max(side.num_actions for side in street.round.sides),
        max(int(np.diff(held.start).max()) for held in street.held),
        max(len(of.line) for of in street.round.lanes),
        filled(street.round.num_exits),
        layout.num_cards,
        lambda *shape: aligned_zeros(shape, dtype),
    )
