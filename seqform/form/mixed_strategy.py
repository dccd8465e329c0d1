"""Mixed strategies and realization plans: Kuhn's theorem, both ways.

Every mixture of pure strategies plays like one realization plan, the mixture of their plans. With
perfect recall every realization plan is played by some mixture, and few strategies suffice for it.

References
----------
Kuhn, "Extensive games and the problem of information", Contributions to the Theory of Games II,
1953, Theorem 4. von Stengel, "Efficient computation of behavior strategies", GEB 14, 1996.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Mask, Numbers
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.summary import counted
from seqform.form.treeplex import Treeplex

TOLERANCE = 1e-9
"""How far floats may be from satisfying the equations of a plan; exact numbers satisfy them."""


@dataclass(frozen=True, eq=False)
class MixedStrategy:
    """Reduced pure strategies of a player, and how likely each is.

    Parameters
    ----------
    plans
        bool (num_strategies, num_sequences): the realization plan of each.
    weights
        (num_strategies,) probabilities: float64, or object holding int and Fraction.
    """

    plans: Mask
    weights: Numbers

    def to_plan(self) -> Numbers:
        """Return the realization plan that the mixture plays, (num_sequences,).

        It is exact if the weights are.

        Raises
        ------
        InvalidStrategyError
            If there is not one weight for each strategy, or they are no probabilities.
        """
        weights = np.asarray(self.weights)
        if weights.shape != self.plans.shape[:1]:
            raise InvalidStrategyError(
                f"{counted(len(self.plans), 'strategy needs', 'strategies need')} as many "
                "weights, not "
                f"{weights.size:,}"
            )
        short = abs(weights.sum() - 1) if len(weights) else 1
        if not (weights >= 0).all() or not short <= (0 if weights.dtype == object else TOLERANCE):
            raise InvalidStrategyError("the weights of strategies must be probabilities: sum to 1")
        if weights.dtype != object:
            return np.asarray(weights @ self.plans)
        plan = np.empty(self.plans.shape[1], dtype=object)
        plan[:] = [weights[played].sum() for played in self.plans.T]
        return plan


def mix(treeplex: Treeplex, plan: Numbers) -> MixedStrategy:
    """Return a mixed strategy that plays like a realization plan.

    Each sequence is given a part of the unit interval as long as its weight, within the part of the
    sequence that leads to it. A point of the interval is a pure strategy: it plays the sequences
    whose parts it lies in. So a part between two neighbouring ends is one strategy, and there are
    at most as many as sequences less information sets.

    Parameters
    ----------
    treeplex
        The player's.
    plan
        (num_sequences,), float64, or object holding int and Fraction; the weights are of this kind.

    Raises
    ------
    InvalidStrategyError
        If it is not a realization plan.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> kuhn = build_sequence_form(build_tree(make("kuhn"))).treeplexes[0]
    >>> mix(kuhn, kuhn.to_plan(kuhn.uniform())).weights
    array([0.25, 0.25, 0.5 ])
    """
    numbers = _checked(treeplex, plan)
    begins = _begins(treeplex, numbers)
    played = numbers > 0
    points = np.unique(begins[played & (begins < numbers[0])])
    weights = np.append(points[1:], numbers[0]) - points
    plans = np.zeros((len(points), treeplex.num_sequences), dtype=np.bool_)
    plans[:, 0] = True
    parents, first = treeplex.parent_sequence.tolist(), treeplex.first_sequence.tolist()
    for infoset, parent in enumerate(parents):
        check_time("mixing strategies")
        here = np.arange(first[infoset], first[infoset + 1])
        here = here[played[here]]
        if len(here):  # rounding leaves no gap: a part reaches up to where the next one begins
            who = np.flatnonzero(plans[:, parent])
            part = np.searchsorted(begins[here], points[who], side="right") - 1
            plans[who, here[np.maximum(part, 0)]] = True
        else:
            plans[plans[:, parent], first[infoset]] = True
    return MixedStrategy(plans, weights)


def _begins(treeplex: Treeplex, plan: Numbers) -> Numbers:
    """Return where the part of each sequence begins."""
    begins = np.zeros_like(plan)
    parents, first = treeplex.parent_sequence.tolist(), treeplex.first_sequence.tolist()
    for infoset, parent in enumerate(parents):
        here = slice(first[infoset], first[infoset + 1])
        begins[here] = begins[parent]  # also of the first one: equal, and not but for rounding
        begins[here][1:] += np.cumsum(plan[here])[:-1]
    return begins


def _checked(treeplex: Treeplex, plan: Numbers) -> Numbers:
    """Return a plan as an array of floats, or of exact numbers, that satisfies the equations."""
    numbers = np.asarray(plan)
    is_exact = numbers.dtype == object or numbers.dtype.kind in "iu"
    numbers = numbers.astype(object if is_exact else np.float64)
    if numbers.shape != (treeplex.num_sequences,):
        raise InvalidStrategyError(
            f"a plan here has shape ({treeplex.num_sequences},), not {numbers.shape}"
        )
    slack = 0 if is_exact else TOLERANCE
    sums = [abs(numbers[0] - 1)]
    if treeplex.num_infosets:
        inner = np.add.reduceat(numbers, treeplex.first_sequence[:-1])
        sums += abs(inner - numbers[treeplex.parent_sequence]).tolist()
    wrong = next((place for place, off in enumerate(sums) if not off <= slack), None)
    if wrong is not None or not (numbers >= 0).all():
        where = "a weight is negative" if wrong is None else _where(wrong)
        raise InvalidStrategyError(f"this is no realization plan: {where}")
    return numbers


def _where(equation: int) -> str:
    if not equation:
        return "the empty sequence must have weight 1"
    return (
        f"in information set {equation - 1} the weights do not add up to that of the "
        "sequence which leads there"
    )
