"""Payoffs of a game of hands as an operator: sums over boards and lines, never pairs of hands.

A product goes through the groups of ends, and in each through the boards. On a board it gathers
what the other player's hands weigh on each line, sums it up by shared cards
(`seqform.form.hand_products`), and adds the result to the own player's lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Numbers, is_first
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.hand_boards import HandBoards
from seqform.form.hand_ends import EndGroup, denominator, end_groups
from seqform.form.hand_numbering import NO_LINE, HandNumbering
from seqform.form.hand_products import HandProducts
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import UNIT_ROUNDOFF

ROUNDINGS = 10
"""Of a term, besides additions over ends and boards: both weights, stake and denominator become
floats, and there are three products and a quotient; two are to spare."""


class Lanes(NamedTuple):
    """A group of ends as a product in one direction goes through them, by the own player's lines.

    Parameters
    ----------
    own
        For each of the own player's lines, its first sequence and stride: int64 (2, num_lines).
    other
        Likewise for each end, the line of the other player: int64 (2, num_ends).
    starts
        int64 (num_lines,): the first end of each own line.
    order
        int64 (num_ends,): ends by own lines.
    """

    own: Index
    other: Index
    starts: Index
    order: Index


class HandPayoff:
    """Player 0's payoffs in a game of hands.

    Parameters
    ----------
    boards
        The boards, and which hands are alive on them.
    players
        The numbering of both players.
    groups
        The ends; by default those of the game.
    """

    def __init__(
        self,
        boards: HandBoards,
        players: tuple[HandNumbering, HandNumbering],
        groups: Sequence[EndGroup] | None = None,
    ) -> None:
        self.boards, self.players = boards, players
        self.groups = end_groups(boards.game, players) if groups is None else list(groups)

    stored_csr = None
    kronecker_terms = None
    is_exact = True

    @property
    def shape(self) -> tuple[int, int]:
        """Sequences of player 0 and of player 1."""
        return self.players[0].num_sequences, self.players[1].num_sequences

    @cached_property
    def denominator(self) -> int:
        """What numerators are over."""
        return denominator(self.boards.game)

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""
        product: Floats = self._product(0, y)
        product /= self.denominator
        return product

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""
        product: Floats = self._product(1, x)
        product /= self.denominator
        return product

    def integer_times(self, y: Exact) -> Exact:
        """Return ``denominator * A @ y``.

        In int64, sums on the way may wrap around modulo 2**64, and come back.
        """
        return self._product(0, y)

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Return ``denominator * A.T @ x``; as `integer_times`."""
        return self._product(1, x)

    def _product(self, player: int, vector: Numbers) -> Numbers:
        """Return the product that pays a player, times the denominator."""
        total = np.zeros(self.shape[player], dtype=vector.dtype)
        for group in self.groups:
            lanes = self._lanes(player, group)
            factors = group.stakes(player)[:, lanes.order].astype(vector.dtype)
            for board in range(self.boards.structure.num_boards(group.dealt)):
                check_time("multiplying by payoffs")
                self._add(player, group, board, lanes, factors, vector, total)
        return total

    def _add(
        self,
        player: int,
        group: EndGroup,
        board: int,
        lanes: Lanes,
        factors: Numbers,
        vector: Numbers,
        total: Numbers,
    ) -> None:
        """Add what is paid on a board to the player's sequences."""
        boards, dealt = self.boards, group.dealt
        mine, theirs = (
            boards.places(who, dealt, board, group.earlier[who])[:, None]
            for who in (player, 1 - player)
        )
        weighed = vector[lanes.other[0] + lanes.other[1] * theirs]  # hands, lines
        weighed *= self._weights(1 - player, group, board, vector.dtype)
        here = boards.products(player, dealt, board)
        paid = self._paid(here, group, weighed.T, factors).T
        paid = np.add.reduceat(paid, lanes.starts, axis=1)
        paid *= self._weights(player, group, board, vector.dtype)
        if lanes.own[1].all():
            total[lanes.own[0] + lanes.own[1] * mine] += paid
        else:  # the empty sequence, which all hands have: it is alone
            total[0] += paid.sum()

    def _weights(self, player: int, group: EndGroup, board: int, dtype: np.dtype) -> Numbers:
        weights = self.boards.weights(player, group.dealt, board)
        column: Numbers = weights.astype(dtype)[:, None]
        return column

    def _paid(
        self, here: HandProducts, group: EndGroup, weighed: Numbers, factors: Numbers
    ) -> Numbers:
        """Return what each end of a group pays each own hand: (num_ends, num_own_hands)."""
        if group.shown:
            return here.ranked(weighed, factors)
        paid: Numbers = here.fold(weighed) * factors[0][:, None]
        return paid

    def _lanes(self, player: int, group: EndGroup) -> Lanes:
        own, other = group.lines[player], group.lines[1 - player]
        order = np.argsort(own, kind="stable")
        starts = np.flatnonzero(is_first(own[order]))
        where = [
            np.array([of.where(line) for line in lines.tolist()], dtype=np.int64).T
            for of, lines in (
                (self.players[player], own[order][starts]),
                (self.players[1 - player], other[order]),
            )
        ]
        return Lanes(where[0], where[1], starts, order)

    def absolute(self) -> HandPayoff:
        """Return the operator of ``abs(A)``, or of more.

        More it is where a hand is all in before the last card, and some boards win and others lose.
        """
        return HandPayoff(self.boards, self.players, [group.absolute() for group in self.groups])

    def errors(self) -> HandErrors:
        """Return bounds on what rounding changes beyond a share of the terms of a product.

        Sums by shared cards are differences of larger sums, whose errors stay.
        """
        return HandErrors(self.boards, self.players, self.groups)

    def roundings(self, axis: int) -> int:
        """Return the most roundings that a term of a product passes through.

        Besides those of `ROUNDINGS`, additions over ends and boards that meet in a line.
        """
        meeting: dict[int, int] = {}
        for group in self.groups:
            boards = self.boards.num_further(group.earlier[axis], group.dealt)
            for line in group.lines[axis].tolist():
                hands = 1 if line != NO_LINE else self.boards.game.ranges[axis].num_hands
                meeting[line] = meeting.get(line, 0) + boards * hands
        return ROUNDINGS + max(meeting.values(), default=0)

    @cached_property
    def num_nonzeros(self) -> int:
        """Entries that are not 0, counted.

        All pairs that may be are counted where hands are all in before the last card.
        """
        from seqform.form.hand_entries import count_entries

        return count_entries(self)

    def to_sparse(self) -> SparsePayoff:
        """Return A with every entry stored.

        Raises
        ------
        GameTooLargeError
            If they do not fit into memory.
        """
        from seqform.form.hand_entries import listed

        return listed(self)

    def to_csr(self) -> sp.csr_array:
        """Return A as a float64 CSR matrix; errors as for `to_sparse`."""
        return self.to_sparse().matrix

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Return ``A[rows][:, columns]`` as float64 CSR; both are sorted."""
        from seqform.form.hand_entries import listed_within

        return listed_within(self, rows, columns)

    def fingerprint(self) -> Iterator[bytes]:
        """Yield the ranges, the betting, and how strong hands are on each board, as bytes."""
        game, structure = self.boards.game, self.boards.structure
        yield repr((game.deck, game.board, self.denominator)).encode()
        for held in game.ranges:
            yield held.hands.tobytes()
            yield held.weights.tobytes()
        betting = game.betting
        for array in (betting.player, betting.parent, betting.dealt, betting.paid):
            yield np.ascontiguousarray(array).tobytes()
        for board in range(structure.num_boards(structure.num_dealt)):
            for player in (0, 1):
                yield self.boards.strengths(player, board).tobytes()

    def numerator_bound(self) -> int:
        """Return a bound on the sum of absolute numerators of any row or column.

        Partial sums may be larger in magnitude, and do no harm; see `integer_times`.
        """
        return self._bound

    @cached_property
    def _bound(self) -> int:
        absolute, errors, most = self.absolute(), self.errors(), 0.0
        for player in (0, 1):
            ones = np.ones(self.shape[1 - player])
            sums = absolute._product(player, ones) + errors._product(player, ones)
            most = max(most, float(sums.max(initial=0.0)))
        return int(1.01 * most) + 1  # by far more than what rounding has changed


class HandErrors(HandPayoff):
    """Bounds on what rounding changes in products, beyond a share of their terms.

    See `seqform.form.hand_products` for them.
    """

    is_exact = False
    denominator = 1

    def times(self, y: Floats) -> Floats:
        """Return the bounds for ``A @ y``."""
        return self._product(0, y) / self._over

    def transposed_times(self, x: Floats) -> Floats:
        """Return the bounds for ``A.T @ x``."""
        return self._product(1, x) / self._over

    @cached_property
    def _over(self) -> int:
        return denominator(self.boards.game)

    def _paid(
        self, here: HandProducts, group: EndGroup, weighed: Numbers, factors: Numbers
    ) -> Numbers:
        size = np.abs(factors).sum(axis=0) * (here.roundings * UNIT_ROUNDOFF)
        bounds: Floats = here.spread(weighed) * size[:, None]
        return bounds

    def absolute(self) -> HandErrors:
        """Return the bounds themselves."""
        return self

    def to_sparse(self) -> SparsePayoff:
        """Refuse: bounds are of sums, and not of entries.

        Raises
        ------
        UnsupportedGameError
            Always.
        """
        raise UnsupportedGameError("what rounding changes in a game of hands has no entries")

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Refuse, as `to_sparse`."""
        return self.to_sparse().matrix

    def integer_times(self, y: Exact) -> Exact:
        """Refuse, as `to_sparse`."""
        return self.to_sparse().integer_times(y)

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Refuse, as `to_sparse`."""
        return self.to_sparse().integer_transposed_times(x)

    def numerator_bound(self) -> int:
        """Refuse, as `to_sparse`."""
        return self.to_sparse().numerator_bound()
