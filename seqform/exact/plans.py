"""Realization plans in integers: 2**bits times a plan, with all constraints satisfied exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Exact, Floats, Index
from seqform.base.errors import InvalidStrategyError
from seqform.form.treeplex import Treeplex

MOST_BITS = 52
"""Integers up to 2**52 and their products with probabilities are as good in floats as probabilities
are."""


def round_plan(treeplex: Treeplex, behavior: Floats, bits: int) -> Index:
    """Return integers near 2**bits times the realization plan of a behaviour strategy.

    From the top down, the integer of each information set's parent is split among the actions, one
    after the other. Each takes its share of what is left, rounded to the nearest integer. The last
    action of positive probability takes all that is left. So sums are exact, nothing is negative,
    and an action of probability zero gets zero. If all probabilities of a reached information set
    are zero, the result is not a realization plan; `check_plan` finds that.

    Parameters
    ----------
    behavior
        float64 (num_sequences,), not negative.
    bits
        From 0 to MOST_BITS.

    Returns
    -------
    plan
        int64 (num_sequences,), ``plan[0] == 2**bits``.

    Raises
    ------
    InvalidStrategyError
        If there is a probability that is negative or not finite.
    """
    if (
        behavior.shape != (treeplex.num_sequences,)
        or not (np.isfinite(behavior) & (behavior >= 0)).all()
    ):
        raise InvalidStrategyError(
            f"a behaviour strategy here has {treeplex.num_sequences} "
            "probabilities, finite and not negative"
        )
    share = _share_of_rest(treeplex, behavior)
    plan = np.zeros(treeplex.num_sequences, dtype=np.int64)
    plan[0] = 1 << bits
    for infosets, _ in treeplex.runs:
        first, count = treeplex.first_sequence[infosets], treeplex.num_actions[infosets]
        left = plan[treeplex.parent_sequence[infosets]]
        for position in range(int(count.max())):
            there = np.flatnonzero(count > position)
            sequences = first[there] + position
            taken = np.rint(left[there] * share[sequences]).astype(np.int64)
            plan[sequences] = taken
            left[there] -= taken
    return plan


def _share_of_rest(treeplex: Treeplex, behavior: Floats) -> Floats:
    """Return each probability as a share of what its action and all later ones have.

    The last positive one of an information set has 1.
    """
    first, count = treeplex.first_sequence[:-1], treeplex.num_actions
    rest = behavior.copy()
    for position in range(int(count.max(initial=0)) - 2, -1, -1):
        sequences = first[count > position + 1] + position
        rest[sequences] += rest[sequences + 1]
    return np.divide(behavior, rest, out=np.zeros_like(rest), where=rest > 0)


def check_plan(treeplex: Treeplex, plan: Exact, whole: int) -> None:
    """See that integers are `whole` times a realization plan, exactly.

    Parameters
    ----------
    plan
        int64, or object holding Python ints.

    Raises
    ------
    InvalidStrategyError
        With the information set at which they are not.
    """
    integers = plan.dtype == np.int64 or all(type(entry) is int for entry in plan.flat)
    if not integers or plan.shape != (treeplex.num_sequences,):
        raise InvalidStrategyError(
            f"a plan here is int64, or Python ints, of shape ({treeplex.num_sequences},), not "
            f"{plan.dtype} of {plan.shape}"
        )
    if whole < 1 or int(plan[0]) != whole or int(plan.min()) < 0 or int(plan.max()) > whole:
        raise InvalidStrategyError(
            f"a plan in integers starts with {_short(whole)}, and all others lie between 0 and that"
        )
    if not treeplex.num_infosets:
        return
    fits = int(treeplex.num_actions.max()) * whole < 2**63
    sums = np.add.reduceat(plan if fits else plan.astype(object), treeplex.first_sequence[:-1])
    wrong = np.flatnonzero(sums != plan[treeplex.parent_sequence])
    if len(wrong):
        h = int(wrong[0])
        total, above = _short(int(sums[h])), _short(int(plan[treeplex.parent_sequence[h]]))
        raise InvalidStrategyError(
            f"information set {h}: the integers add up to {total}, "
            f"and the sequence that leads there has {above}"
        )


def check_plans(
    treeplexes: Sequence[Treeplex], plans: Sequence[Exact], wholes: Sequence[int]
) -> None:
    """See that integers are plans of all players; see `check_plan`.

    Raises
    ------
    InvalidStrategyError
        With the player, and the information set at which they are not.
    """
    for player, (treeplex, plan, whole) in enumerate(zip(treeplexes, plans, wholes, strict=True)):
        try:
            check_plan(treeplex, plan, whole)
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"player {player}, {error}") from None


def _short(number: int) -> str:
    """Write an integer for people, by its size if it is long."""
    return str(number) if number.bit_length() <= 128 else f"a number of {number.bit_length()} bits"
