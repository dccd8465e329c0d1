"""Where the interior point method starts: inside the plans, with sequences that all lose a little.

Values are those of best play against the plans, raised in each information set by a share of what
is at stake there. So all conditions hold but two: the products of plans and losses are not zero,
and the pull to the plans to stay near to is left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.treeplex import Treeplex
from seqform.solvers.saddle.proximal_program import SaddleProgram

UNIFORM, RAISED = 0.05, 1e-3
"""Share of the uniform plan at the start, and by what share of the stake values are raised.

The number of iterations hardly changes from 0.05 to 0.5 and from 1e-3 to 0.1."""

LEAST_STAKE = 1.0
"""Where nothing is at stake values are raised, too. Payoffs are about 1. With a thousandth of it
iterations are a fifth more."""


class InteriorPoint(NamedTuple):
    """Plans z, values v and losses s of both players."""

    plans: Floats
    values: Floats
    losses: Floats


def start(program: SaddleProgram, least_stake: float = LEAST_STAKE) -> InteriorPoint:
    """Return a point inside, near to the plans that the program is to stay near to.

    Values are raised as if no less than `least_stake` were at stake anywhere.
    """
    uniform = [treeplex.to_plan(treeplex.uniform()) for treeplex in program.treeplexes]
    plans = (1 - UNIFORM) * program.near + UNIFORM * np.concatenate(uniform)
    own = program.num_own
    gains, stakes = program.gains(plans), _stakes(program, plans)
    values, losses = zip(
        *(
            _raised_values(treeplex, gains[part], stakes[part], least_stake)
            for treeplex, part in zip(
                program.treeplexes, (slice(own), slice(own, None)), strict=True
            )
        ),
        strict=True,
    )
    return InteriorPoint(plans, np.concatenate(values), np.concatenate(losses))


def _stakes(program: SaddleProgram, plans: Floats) -> Floats:
    """Return what sequences would gain if all payoffs were gains."""
    size = abs(program.payoff)
    own = program.num_own
    return np.concatenate([size @ plans[own:], plans[:own] @ size])


def _raised_values(
    treeplex: Treeplex, gains: Floats, stakes: Floats, least_stake: float
) -> tuple[Floats, Floats]:
    """Return values of the constraints and losses of the sequences, for given gains."""
    stake = _values(treeplex, stakes)[1]
    raised = RAISED * (stake + least_stake)
    above = gains + np.bincount(
        treeplex.parent_sequence, raised[1:], minlength=treeplex.num_sequences
    )
    worth, values = _values(treeplex, above)
    values += raised
    return values, values[treeplex.infoset_of + 1] - worth


def _values(treeplex: Treeplex, gains: Floats) -> tuple[Floats, Floats]:
    """Return the worth of sequences with best play, and of the root and information sets."""
    worth, best = treeplex.backward(gains)
    return worth, np.concatenate([worth[:1], worth[best]])
