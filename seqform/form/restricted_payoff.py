"""Payoffs against somebody who follows a model with probability p, kept beside the game's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index
from seqform.base.errors import UnsupportedGameError
from seqform.base.pairwise_sum import additions
from seqform.form.payoff import PayoffOperator
from seqform.form.sparse_payoff import SparsePayoff

if TYPE_CHECKING:
    from seqform.game.observations import Classes, SignalStructure


@dataclass(frozen=True, eq=False)
class RestrictedPayoff:
    """The restricted payoffs of a game whose own are too many to be stored again.

    Parameters
    ----------
    free
        The game's payoffs.
    player
        Who is modelled.
    paid
        float64: what each sequence of the other player is paid against the model, in player 0's
        payoffs.
    plan
        The model's plan.
    p
        How often it is followed.
    depth
        The most roundings that an entry of the plan passes through.
    signals
        The signal game that `free` is of, if any, and its classes of observations.
    """

    free: PayoffOperator
    player: int
    paid: Floats
    plan: Floats
    p: float
    depth: int
    signals: tuple[SignalStructure, Classes] | None = None

    @classmethod
    def of(
        cls,
        free: PayoffOperator,
        player: int,
        plan: Floats,
        p: float,
        depth: int,
        signals: tuple[SignalStructure, Classes] | None = None,
    ) -> RestrictedPayoff:
        """Return the restricted payoffs of a game and a player's plan."""
        paid = free.times(plan) if player == 1 else free.transposed_times(plan)
        return cls(free, player, paid, plan, p, depth, signals)

    @property
    def answers(self) -> int:
        """Who answers the model: the other player."""
        return 1 - self.player

    @property
    def paid_to_answer(self) -> Floats:
        """What each sequence of the player who answers gets against the model."""
        return self.paid if self.player == 1 else -self.paid

    @property
    def shape(self) -> tuple[int, int]:
        """Sequences of player 0 and of player 1."""
        return self.free.shape

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries, those that are added counted apart."""
        return self.free.num_nonzeros + int(np.count_nonzero(self.paid))

    denominator = 1
    is_exact = False
    stored_csr = None
    kronecker_terms = None

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""
        product: Floats = (1 - self.p) * self.free.times(y)
        if self.player == 1:
            product += (self.p * y[0]) * self.paid
            return product
        product[0] += self.p * self._paid_by_model(y)
        return product

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""
        product: Floats = (1 - self.p) * self.free.transposed_times(x)
        if self.player == 0:
            product += (self.p * x[0]) * self.paid
            return product
        product[0] += self.p * self._paid_by_model(x)
        return product

    def _paid_by_model(self, plan: Floats) -> float:
        """Return what a plan is paid; not by `@`, which adds in an order that is not known."""
        return float((self.paid * plan).sum())

    def absolute(self) -> RestrictedPayoff:
        """Return the operator of ``abs(A)``, or of more: what is added up is made positive first.

        So it bounds rounding errors of `paid`, too.
        """
        return self.of(self.free.absolute(), self.player, self.plan, self.p, self.depth)

    def errors(self) -> RestrictedPayoff | None:
        """Return bounds on how far entries are from the true ones, but for rounding."""
        errors = self.free.errors()
        if errors is None:
            return None
        return self.of(errors, self.player, self.plan, self.p, self.depth)

    def roundings(self, axis: int) -> int:
        """Return the most roundings of a term: those of `paid`, too, and of the sum with it."""
        summed = 1 + additions(len(self.paid))
        return self.free.roundings(0) + self.free.roundings(1) + summed + self.depth + 6

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Return ``A[rows][:, columns]``."""
        part = (1 - self.p) * self.free.submatrix(rows, columns)
        mine, theirs = (rows, columns) if self.player == 1 else (columns, rows)
        if not (len(theirs) and theirs[0] == 0):
            return part.tocsr()
        added = sp.csr_array(self.p * self.paid[mine].reshape(-1, 1))
        added = sp.hstack([added, sp.csr_array((len(mine), len(theirs) - 1))], format="csr")
        return (part + (added if self.player == 1 else added.T)).tocsr()

    def to_sparse(self) -> SparsePayoff:
        """Refuse: there are too many entries.

        Raises
        ------
        UnsupportedGameError
            Always.
        """
        raise UnsupportedGameError(
            f"the restricted game has {self.num_nonzeros:,} payoffs, too many for a linear program "
            "or fractions: use regret minimization (method='dcfr') without prove= and exact="
        )

    def to_csr(self) -> sp.csr_array:
        """Return A as a float64 CSR matrix."""
        return self.submatrix(*(np.arange(size, dtype=np.int64) for size in self.shape))

    def fingerprint(self) -> Iterator[bytes]:
        """Yield what the operator is made of."""
        yield from self.free.fingerprint()
        yield np.ascontiguousarray(self.paid).tobytes()
        yield np.float64(self.p).tobytes()

    def numerator_bound(self) -> int:
        """Refuse, as `to_sparse`: these payoffs are floats."""
        return self.to_sparse().numerator_bound()

    def integer_times(self, y: Exact) -> Exact:
        """Refuse, as `to_sparse`: these payoffs are floats."""
        return self.to_sparse().integer_times(y)

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Refuse, as `to_sparse`: these payoffs are floats."""
        return self.to_sparse().integer_transposed_times(x)
