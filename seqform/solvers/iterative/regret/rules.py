"""Regret rules: how regrets are kept and discounted, and how strategies are averaged.

References
----------
CFR: Zinkevich, Johanson, Bowling & Piccione, NeurIPS 2007. CFR+: Tammelin, arXiv 1407.5042, 2014.
Linear and discounted CFR: Brown & Sandholm, AAAI 2019. PCFR+: Farina, Kroer & Sandholm, AAAI 2021.
PDCFR+: Xu, Li, Liu, Fu, Fu, Xing & Cheng, "Minimizing weighted counterfactual regret with
optimistic online mirror descent", IJCAI 2024, arXiv 2404.13891 (alpha 2.3, gamma 5). SAPCFR+: Meng,
Yang, Zhang, Ge & Gao, "Faster game solving via asymmetry of step sizes", AAAI 2026, arXiv
2503.12770: predictions by the step 1 / (1 + 2), averages as in PCFR+.
Schedules: Zhang, McAleer & Sandholm, arXiv 2404.09097, 2024. The numbers of `tuned-dcfr` are ours:
the best of 110 schedules on Rhode Island hold'em with 5 and 6 ranks
(docs/explanation/regret-minimization.md). So are those of `sapdcfr+`, which is PDCFR+ with the
predictions of SAPCFR+: the best of 36 to 1e-5 on three games (docs/explanation/league.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import InvalidParameterError, UnknownNameError

TIE = 1e-12
"""A regret below this share of the payoffs that it came from is rounding, and counts as zero."""

SMALLEST_WEIGHT = 1e-30
"""In an average: single precision holds it."""


@dataclass(frozen=True)
class RegretRule:
    """A member of the family of discounted regret rules.

    Before iteration t, positive regrets are multiplied by ``s**alpha / (s**alpha + 1)`` with ``s =
    t - 1``.

    Parameters
    ----------
    name
        What the command line calls it.
    alpha, beta
        Exponents for positive and for negative regrets. Infinity keeps them unchanged. Minus
        infinity sets them to 0 in the next iteration; for negative regrets that gives the
        strategies of CFR+, which sets them to 0 at once.
    gamma
        The strategy of iteration t has weight ``t**gamma`` in the average.
    prediction
        How often the newest regret is counted once more when the next strategy is chosen: by
        regrets as they would be if it came again. 1 is PCFR+, less trusts it less, 0 is not at all.
    alternating
        Whether player 1 answers the strategy that player 0 has just chosen, or its last one.
    drift, horizon
        What is added to alpha, beta and gamma: linearly more until iteration `horizon`, and in full
        afterwards. Weights grow from iteration to iteration as those of the current exponent do.
    """

    name: str
    alpha: float
    beta: float
    gamma: float
    prediction: float = 0.0
    alternating: bool = True
    drift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    horizon: int = 1

    def __post_init__(self) -> None:
        exponents = (self.alpha, self.beta, self.gamma)
        if any(map(np.isnan, exponents)) or not 0 <= self.gamma < 100:
            raise InvalidParameterError(
                f"alpha={self.alpha}, beta={self.beta}, "
                f"gamma={self.gamma}: use numbers, gamma from 0 to 100"
            )
        if not 0 <= self.prediction <= 1:
            raise InvalidParameterError(f"prediction={self.prediction}: use a number from 0 to 1")
        last_gamma = self.gamma + self.drift[2]
        if self.horizon < 1 or not all(map(np.isfinite, self.drift)) or not 0 <= last_gamma < 100:
            raise InvalidParameterError(
                f"drift={self.drift}, horizon={self.horizon}: "
                "use numbers, gamma from 0 to 100, a horizon of 1 or more"
            )

    def schedule(self, start: int, count: int) -> Floats:
        """Return discounts and weights of iterations start + 1, ..., start + count.

        float64 (count, 5): positive discount, negative discount, averaging weight, and both
        discounts of the iteration after that, by which it is predicted.
        """
        s = np.arange(start, start + count + 1, dtype=np.float64)
        time = (s + 1) / self.horizon
        drifted = np.minimum(time, 1.0)
        alpha = self.alpha + self.drift[0] * drifted
        beta = self.beta + self.drift[1] * drifted
        # the exponential of the integral of gamma(t) / t
        early = time**self.gamma * np.exp(self.drift[2] * (drifted - 1.0))
        weight = np.where(time < 1, early, time ** (self.gamma + self.drift[2]))
        weight = np.maximum(weight, SMALLEST_WEIGHT)
        discounts = np.column_stack([_discount(s, alpha), _discount(s, beta)])
        return np.column_stack([discounts[:-1], weight[:-1], discounts[1:]])


def _discount(s: Floats, exponents: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        # 0 ** -alpha is infinite, which gives a discount of 0
        discounts = 1.0 / (1.0 + s**-exponents)
    return np.where(np.isinf(exponents), exponents > 0, discounts)


INFINITY = float("inf")
RULES = {
    rule.name: rule
    for rule in (
        RegretRule("dcfr", 1.5, 0.0, 4.0),
        RegretRule("cfr", INFINITY, INFINITY, 0.0),
        RegretRule("cfr+", INFINITY, -INFINITY, 1.0),
        RegretRule("linear-cfr", 1.0, 1.0, 1.0),
        RegretRule("pcfr+", INFINITY, -INFINITY, 2.0, prediction=1.0),
        RegretRule("pdcfr+", 2.3, -INFINITY, 5.0, prediction=1.0),
        RegretRule("sapcfr+", INFINITY, -INFINITY, 2.0, prediction=1 / 3),
        RegretRule("sapdcfr+", 1.5, -INFINITY, 4.0, prediction=1 / 3),
        RegretRule("hs-dcfr", 1.0, -1.0, 15.0, drift=(3.0, -2.0, -5.0), horizon=2000),
        RegretRule("tuned-dcfr", 0.5, 0.0, 15.0, drift=(5.5, -3.0, -12.0), horizon=350),
    )
}


def rule(name: str, **changes: Any) -> RegretRule:
    """Return a rule by name, with fields changed.

    Raises
    ------
    UnknownNameError
        With the nearest name there is.
    InvalidParameterError
        If a field does not exist or makes no sense.
    """
    if name not in RULES:
        raise UnknownNameError.of("regret rule", name, RULES)
    try:
        return replace(RULES[name], **changes)
    except TypeError as error:
        raise InvalidParameterError(f"{name}: {error}") from None
