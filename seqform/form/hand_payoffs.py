"""Payoffs of both players of a game of hands in which they add up to different amounts.

A rake does that. Each player's payoffs are an operator of their own: products go by sums over
boards and lines, as in a game of constant sum, and entries are listed when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from seqform.base.arrays import Floats, Ints, Numbers
from seqform.base.memory import require_memory
from seqform.form.hand_boards import HandBoards
from seqform.form.hand_ends import end_groups
from seqform.form.hand_entries import BYTES_PER_ENTRY, entries, gathered
from seqform.form.hand_numbering import HandNumbering
from seqform.form.hand_payoff import HandPayoff
from seqform.form.multiples import Multiples
from seqform.form.payoff import PayoffOperator
from seqform.form.payoff_sums import ratios
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.sparse_payoff import SparsePayoff


@dataclass(frozen=True, eq=False)
class HandPayoffs:
    """What both players are paid.

    Parameters
    ----------
    operators
        For each player what it is paid, by sequences of player 0 and of player 1.
    """

    operators: tuple[HandPayoff, HandPayoff]

    constant_sum = None

    @classmethod
    def of(cls, boards: HandBoards, players: tuple[HandNumbering, HandNumbering]) -> HandPayoffs:
        """Return the payoffs of a game."""
        mine, theirs = (
            HandPayoff(boards, players, end_groups(boards.game, players, payee)) for payee in (0, 1)
        )
        return cls((mine, theirs))

    @cached_property
    def num_nonzeros(self) -> int:
        """Pairs of sequences that pay somebody, counted as `HandPayoff.num_nonzeros` counts."""
        mine = self.operators[0]
        groups = end_groups(mine.boards.game, mine.players, payee=None)
        return HandPayoff(mine.boards, mine.players, groups).num_nonzeros

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan."""
        return _times(self.operators[player], player, plans)

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the gradient with all payoffs made positive."""
        return _times(self._absolute[player], player, plans)

    @cached_property
    def _absolute(self) -> tuple[HandPayoff, HandPayoff]:
        mine, theirs = self.operators
        return mine.absolute(), theirs.absolute()

    def error_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Bound what sums by shared cards lose beyond a share of their terms."""
        return _times(self.operators[player].errors(), player, plans)

    def roundings(self, player: int) -> int:
        """Return the most roundings that a term of the player's gradient passes through."""
        return self.operators[player].roundings(player)

    def entries(self, player: int) -> tuple[list[Ints], Numbers]:
        """Return where a player is paid something, and numerators.

        Raises
        ------
        GameTooLargeError
            If they do not fit into memory.
        """
        rows, columns = (of.astype(np.int32) for of in self._sorted(player)[:2])
        return [rows, columns], self._sorted(player)[2]

    def _sorted(self, player: int) -> tuple[Ints, Ints, Numbers]:
        sparse = self.matrix(player, self.operators[player].shape)
        entries = sparse.matrix.tocoo()
        return entries.row, entries.col, cast(Numbers, sparse.numerators)  # hands have integers

    def denominator(self, player: int) -> int:
        """Return what the numerators of a player are over."""
        return self.operators[player].denominator

    def number_errors(self, player: int) -> None:
        """Return None: numbers are exact."""
        return

    def matrix(self, player: int, shape: tuple[int, int]) -> SparsePayoff:
        """Return a player's payoffs as a matrix; errors as for `entries`."""
        return self._matrices[player]

    @cached_property
    def _matrices(self) -> tuple[SparsePayoff, SparsePayoff]:
        mine, theirs = self.operators
        return mine.to_sparse(), theirs.to_sparse()

    def fingerprint(self) -> Iterator[bytes]:
        """Yield ranges, betting and strengths; what is paid to both is part of the betting."""
        return self.operators[0].fingerprint()

    def counted(self, multiples: Sequence[Multiples]) -> PayoffTensor:
        """Return the payoffs when each sequence counts so many times, every entry stored."""
        return self.listed.counted(multiples)

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> PayoffTensor:
        """Return the payoffs of the mapped sequences, every entry stored."""
        return self.listed.merged(images, sizes)

    @cached_property
    def listed(self) -> PayoffTensor:
        """Both players' payoffs, every entry stored.

        Raises
        ------
        GameTooLargeError
            If they do not fit into memory.
        """
        count = sum(payoff.num_nonzeros for payoff in self.operators)
        require_memory(
            BYTES_PER_ENTRY * count,
            f"a table of {count:,} payoffs by pairs of hands",
            "use a method that needs none (method='dcfr'), or leave out hands, boards or lines",
        )
        return _tensor(self.operators)


def _times(operator: PayoffOperator, player: int, plans: Sequence[Floats]) -> Floats:
    """Return a product with the other player's plan."""
    return operator.times(plans[1]) if player == 0 else operator.transposed_times(plans[0])


def _tensor(operators: tuple[HandPayoff, HandPayoff]) -> PayoffTensor:
    """Return the payoffs of two operators by the pairs of sequences at which either pays."""
    found = [gathered(entries(payoff)) for payoff in operators]
    width, over = operators[0].shape[1], operators[0].denominator
    keys = [of.rows * width + of.columns for of in found]
    every = np.unique(np.concatenate(keys))
    numerators = []
    for key, of in zip(keys, found, strict=True):
        numbers = np.zeros(len(every), dtype=of.numerators.dtype)
        numbers[np.searchsorted(every, key)] = of.numerators
        numerators.append(numbers)
    return PayoffTensor(
        sequences=np.stack(np.divmod(every, width), axis=1).astype(np.int32),
        weights=np.stack([ratios(of, over) for of in numerators], axis=1),
        numerators=tuple(numerators),
        denominators=(over, over),
    )
