"""The restricted game: an opponent who follows a model with probability p, and is free otherwise.

Let A be the payoffs of player 0, and y a model of player 1. Against an opponent who plays y with
probability p, and else what it likes, plans pay ``(1 - p) x'A z + p x'A y``. This is linear in z,
whose first entry is 1. So it is a sequence form: A times 1 - p, with ``p A y`` added in the column
of the opponent's empty sequence. Its equilibria are restricted Nash responses (Johanson, Zinkevich
& Bowling, "Computing robust counter-strategies", NIPS 2007, Section 3). For p = 0 they are
equilibria of the game, and for p = 1 best responses to the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, ulp

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import largest
from seqform.concepts.rounding import of_plan
from seqform.form.multiples import Multiples
from seqform.form.origin import QuotientOrigin
from seqform.form.payoff import PayoffOperator, ZeroSumPayoffs
from seqform.form.payoff_sums import errors_at, meeting_points, sums_at
from seqform.form.sequence_form import ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import UNIT_ROUNDOFF
from seqform.strategies.bend.model import Model

STORED_UP_TO = 2_000_000
"""Nonzeros up to which the restricted payoffs are added up and stored, in fractions if they are."""


def restricted_form(model: Model, p: Fraction) -> ZeroSumForm:
    """Return the game in which the modelled player follows the model with probability p.

    Information sets and sequences are those of the game.
    """
    form = model.form
    members = tuple(np.arange(t.num_infosets, dtype=np.int64) for t in form.treeplexes)
    if form.operator.stored_csr is None and form.operator.num_nonzeros > STORED_UP_TO:
        operator: PayoffOperator = RestrictedPayoff.of(model, float(p))
    else:
        operator = _stored(model, p)
    payoffs = replace(form.payoffs, operator=operator)
    return replace(form, payoffs=payoffs, origin=QuotientOrigin(form.origin, members))


def _stored(model: Model, p: Fraction) -> SparsePayoff:
    """Return the sum of what is paid in the free case, and in that of the model."""
    form, payoffs = model.form, model.form.payoffs
    sizes = [treeplex.num_sequences for treeplex in form.treeplexes]
    free = payoffs.counted([_constant(sizes[0], 1 - p), _constant(sizes[1], Fraction(1))])
    forced = payoffs.counted(
        [
            model.multiples if player == model.player else _constant(size, p)
            for player, size in enumerate(sizes)
        ]
    )
    images = [np.arange(size, dtype=np.int32) for size in sizes]
    images[model.player] = np.zeros(sizes[model.player], dtype=np.int32)
    return _sum(free, forced.merged(images, sizes))


def _constant(size: int, share: Fraction) -> Multiples:
    """Return the multiples of a player all of whose sequences count equally often."""
    return Multiples.of([share] * size)


def _sum(left: ZeroSumPayoffs, right: ZeroSumPayoffs) -> SparsePayoff:
    """Return the operator of both payoffs together."""
    parts = [payoffs.operator.to_sparse() for payoffs in (left, right)]
    shape, images = parts[0].shape, [np.arange(size, dtype=np.int32) for size in parts[0].shape]
    entries = [part.matrix.tocoo() for part in parts]
    places: list[Ints] = [
        np.concatenate([e.row for e in entries]),
        np.concatenate([e.col for e in entries]),
    ]
    points, place = meeting_points(places, images, shape)
    if all(part.is_exact for part in parts):
        whole = lcm(*(part.denominator for part in parts))
        numbers = np.concatenate([_over(part, whole) for part in parts])
        sums = sums_at(numbers, place, len(points))
        return SparsePayoff.from_sorted(points[:, 0], points[:, 1], sums, whole, shape)
    floats = np.concatenate([part.matrix.data for part in parts])
    bounds = np.concatenate([_errors(part) for part in parts])
    errors = errors_at(floats, bounds, place, len(points))
    sums = sums_at(floats, place, len(points))
    return SparsePayoff.from_sorted(points[:, 0], points[:, 1], sums, None, shape, errors)


def _over(part: SparsePayoff, whole: int) -> Exact:
    """Return the numerators over another denominator."""
    numerators, factor = part.numerators, whole // part.denominator
    exact: Exact = np.zeros(0, dtype=np.int64) if numerators is None else numerators
    if largest(exact) * factor >= 2**63:
        exact = exact.astype(object)
    return exact * factor


def _errors(part: SparsePayoff) -> Floats:
    """Bound how far floats are from the true entries."""
    if part.entry_errors is not None:
        return part.entry_errors
    bound: Floats = 2 * UNIT_ROUNDOFF * np.abs(part.matrix.data) + ulp(0.0)
    return bound


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
    """

    free: PayoffOperator
    player: int
    paid: Floats
    plan: Floats
    p: float
    depth: int

    @classmethod
    def of(cls, model: Model, p: float) -> RestrictedPayoff:
        """Return the restricted payoffs of a model's game."""
        depth = of_plan(model.form.treeplexes[model.player])
        return cls._made(model.form.operator, model.player, model.plan, p, depth)

    @classmethod
    def _made(
        cls, free: PayoffOperator, player: int, plan: Floats, p: float, depth: int
    ) -> RestrictedPayoff:
        paid = free.times(plan) if player == 1 else free.transposed_times(plan)
        return cls(free, player, paid, plan, p, depth)

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
        product[0] += self.p * float(self.paid @ y)
        return product

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""
        product: Floats = (1 - self.p) * self.free.transposed_times(x)
        if self.player == 0:
            product += (self.p * x[0]) * self.paid
            return product
        product[0] += self.p * float(self.paid @ x)
        return product

    def absolute(self) -> RestrictedPayoff:
        """Return the operator of ``abs(A)``, or of more: what is added up is made positive first.

        So it bounds rounding errors of `paid`, too.
        """
        return self._made(self.free.absolute(), self.player, self.plan, self.p, self.depth)

    def errors(self) -> RestrictedPayoff | None:
        """Return bounds on how far entries are from the true ones, but for rounding."""
        errors = self.free.errors()
        if errors is None:
            return None
        return self._made(errors, self.player, self.plan, self.p, self.depth)

    def roundings(self, axis: int) -> int:
        """Return the most roundings of a term: those of `paid`, too, and of the sum with it."""
        long = int(self.free.shape[1 - self.player]).bit_length() + 17
        return self.free.roundings(0) + self.free.roundings(1) + long + self.depth + 6

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
