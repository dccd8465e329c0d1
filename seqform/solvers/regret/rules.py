"""Regret rules: how regrets are kept and discounted, and how strategies are averaged.

References
----------
CFR: Zinkevich, Johanson, Bowling & Piccione, NeurIPS 2007. CFR+: Tammelin, arXiv 1407.5042, 2014. Linear and discounted
CFR: Brown & Sandholm, AAAI 2019. PCFR+: Farina, Kroer & Sandholm, AAAI 2021.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.errors import InvalidParameterError, UnknownNameError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RegretRule:
    """A member of the family: before iteration t, positive regrets are multiplied by ``s**alpha / (s**alpha + 1)`` with ``s = t - 1``.

    Parameters
    ----------
    name
        What the command line calls it.
    alpha, beta
        Exponents for positive and for negative regrets; infinity keeps them as they are, minus infinity forgets them: in the next
        iteration, which chooses the strategies of CFR+, where negative regrets are set to 0 at once.
    gamma
        The strategy of iteration t has weight ``t**gamma`` in the average.
    predictive
        Whether the last regret is counted once more when the next strategy is chosen.
    alternating
        Whether player 1 answers the strategy that player 0 has just chosen, or its last one.
    """

    name: str
    alpha: float
    beta: float
    gamma: float
    predictive: bool = False
    alternating: bool = True

    def __post_init__(self) -> None:
        if any(np.isnan(value) for value in (self.alpha, self.beta, self.gamma)) or not 0 <= self.gamma < 100:
            raise InvalidParameterError(f"alpha={self.alpha}, beta={self.beta}, gamma={self.gamma}: use numbers, gamma from 0 to 100")

    def schedule(self, start: int, count: int) -> Floats:
        """Return, for iterations start + 1, ..., start + count: positive discount, negative discount, averaging weight; (count, 3)."""
        s = np.arange(start, start + count, dtype=np.float64)
        return np.column_stack([_discount(s, self.alpha), _discount(s, self.beta), (s + 1) ** self.gamma])


def _discount(s: Floats, exponent: float) -> Floats:
    if np.isinf(exponent):
        return np.full(len(s), 1.0 if exponent > 0 else 0.0)
    with np.errstate(divide="ignore"):
        return 1.0 / (1.0 + s**-exponent)  # 0 ** -alpha is infinite: nothing is left of regrets that are all 0


INFINITY = float("inf")
RULES = {
    rule.name: rule
    for rule in (
        RegretRule("dcfr", 1.5, 0.0, 4.0),
        RegretRule("cfr", INFINITY, INFINITY, 0.0),
        RegretRule("cfr+", INFINITY, -INFINITY, 1.0),
        RegretRule("linear-cfr", 1.0, 1.0, 1.0),
        RegretRule("pcfr+", INFINITY, -INFINITY, 2.0, predictive=True),
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
        close = difflib.get_close_matches(name, RULES, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UnknownNameError(f"there is no regret rule {name!r}{hint}; use one of {', '.join(RULES)}")
    try:
        return replace(RULES[name], **changes)
    except TypeError as error:
        raise InvalidParameterError(f"{name}: {error}") from None
