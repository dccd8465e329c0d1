"""Payoffs of a game of hands as an operator: sums over boards and lines, never pairs of hands.

A product goes through the groups of ends, and in each through the boards. On a board it gathers
what the other player's hands weigh on each line, sums it up by shared cards
(`seqform.form.hand_products`), and adds the result to the own player's lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Numbers
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.hand_boards import HandBoards
from seqform.form.hand_ends import EndGroup, denominator, end_groups
from seqform.form.hand_numbering import NO_LINE, HandNumbering
from seqform.form.hand_products import HandProducts, fold_stakes, most_roundings
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import UNIT_ROUNDOFF

ROUNDINGS = 10
"""Of a term, besides additions over ends and boards: both weights, stake and denominator become
floats, and there are three products and a quotient; two are to spare."""

Where = tuple[Index, Index, Numbers]
"""As of `seqform.form.hand_line_kernels`."""


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
            lines = [self._where(who, group) for who in (player, 1 - player)]
            stakes = self._stakes(player, group).astype(vector.dtype)
            for board in range(self.boards.structure.num_boards(group.dealt)):
                check_time("multiplying by payoffs")
                mine, theirs = (
                    (of, *self._hands(who, group, board, vector.dtype))
                    for who, of in zip((player, 1 - player), lines, strict=True)
                )
                here = self.boards.products(player, group.dealt, board)
                add = _add_plainly if vector.dtype == object else _add
                add(here, vector, theirs, mine, self._signs(here), stakes, total)
        return total

    def _where(self, player: int, group: EndGroup) -> Index:
        """Return first sequence and stride of a player's line at each end: (2, num_ends)."""
        of = self.players[player]
        where = [of.where(line) for line in group.lines[player].tolist()]
        return np.array(where, dtype=np.int64).T.copy()

    def _hands(
        self, player: int, group: EndGroup, board: int, dtype: np.dtype
    ) -> tuple[Index, Numbers]:
        """Return the places and weights of the hands that are alive on a board."""
        places = self.boards.places(player, group.dealt, board, group.earlier[player])
        return places, self.boards.weights(player, group.dealt, board).astype(dtype)

    def _stakes(self, player: int, group: EndGroup) -> Exact:
        """Return what sums of hands are multiplied by; three rows where hands are compared."""
        return group.stakes(player)

    def _signs(self, here: HandProducts) -> Index:
        """Return the signs of sets of cards."""
        return here.signs

    def absolute(self) -> HandPayoff:
        """Return the operator of ``abs(A)``, or of more.

        More it is where a hand is all in before the last card, and some boards win and others lose.
        """
        return HandPayoff(self.boards, self.players, [group.absolute() for group in self.groups])

    def negated(self) -> HandPayoff:
        """Return the operator of ``-A``."""
        return HandPayoff(self.boards, self.players, [group.negated() for group in self.groups])

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


def _add(
    here: HandProducts,
    vector: Numbers,
    theirs: Where,
    mine: Where,
    signs: Index,
    stakes: Numbers,
    total: Numbers,
) -> None:
    """Add what is paid on a board to a vector over the own player's sequences."""
    from seqform.form.hand_line_kernels import add_ends  # it loads numba

    folded = len(stakes) == 1  # nobody shows
    sweep, paid = (here.unranked, fold_stakes(stakes)) if folded else (here.sweep, stakes)
    rest = (here.other, here.own, signs, here.same, here.num_sets)
    add_ends(vector, theirs, mine, *rest, *sweep, paid, total)


def _add_plainly(
    here: HandProducts,
    vector: Numbers,
    theirs: Where,
    mine: Where,
    signs: Index,
    stakes: Numbers,
    total: Numbers,
) -> None:
    """Do what `_add` does, with numbers of any kind."""
    (first, stride), places, weights = theirs
    weighed = vector[first[:, None] + stride[:, None] * places] * weights
    paid = here.fold(weighed) * stakes[0][:, None] if len(stakes) == 1 else None
    paid = here.ranked(weighed, stakes) if paid is None else paid
    (first, stride), places, weights = mine
    np.add.at(total, first[:, None] + stride[:, None] * places, paid * weights)


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

    def _stakes(self, player: int, group: EndGroup) -> Exact:
        hands = self.boards.game.ranges[1 - player].num_hands
        count = most_roundings(hands, len(self.boards.structure.shared[player].signs))
        sizes = np.abs(group.stakes(player)).sum(axis=0, keepdims=True)
        bounds: Floats = sizes.astype(np.float64) * (count * UNIT_ROUNDOFF)
        return bounds

    def _signs(self, here: HandProducts) -> Index:
        return np.abs(here.signs)

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
