"""The restricted game: an opponent who follows a model with probability p, and is free otherwise.

Let A be the payoffs of player 0, and y a model of player 1. Against an opponent who plays y with
probability p, and else what it likes, plans pay ``(1 - p) x'A z + p x'A y``. This is linear in z,
whose first entry is 1. So it is a sequence form: A times 1 - p, with ``p A y`` added in the column
of the opponent's empty sequence. Its equilibria are restricted Nash responses (Johanson, Zinkevich
& Bowling, "Computing robust counter-strategies", NIPS 2007, Section 3). For p = 0 they are
equilibria of the game, and for p = 1 best responses to the model.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm, ulp

import numpy as np

from seqform.base.arrays import Exact, Floats, Ints
from seqform.base.integer_matrix import largest
from seqform.concepts.rounding import of_plan
from seqform.form.multiples import Multiples
from seqform.form.origin import QuotientOrigin
from seqform.form.payoff import PayoffOperator, ZeroSumPayoffs
from seqform.form.payoff_sums import errors_at, meeting_points, sums_at
from seqform.form.restricted_payoff import RestrictedPayoff
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
        operator: PayoffOperator = unstored(model, float(p))
    else:
        operator = _stored(model, p)
    payoffs = replace(form.payoffs, operator=operator)
    return replace(form, payoffs=payoffs, origin=QuotientOrigin(form.origin, members))


def unstored(model: Model, p: float) -> RestrictedPayoff:
    """Return the restricted payoffs as the game's own, and what the model pays beside them."""
    depth = of_plan(model.form.treeplexes[model.player])
    operator, signals = model.form.operator, model.form.signals
    return RestrictedPayoff.of(operator, model.player, model.plan, p, depth, signals)


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
