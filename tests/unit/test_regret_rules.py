"""A regret rule is what its paper says, written down here from the papers.

`dcfr` averages by t^4 where the paper has t^2, as docs/explanation/regret-minimization.md says.
`sapdcfr+` is of no paper as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import pytest

from seqform.solvers.iterative.regret.rules import RULES

ITERATIONS = 12

Discounts = Callable[[int], tuple[float, float, float]]

PAPERS: dict[str, Discounts] = {
    "cfr": lambda t: (1.0, 1.0, 1.0),
    "cfr+": lambda t: (1.0, 0.0, t),
    "linear-cfr": lambda t: ((t - 1) / t, (t - 1) / t, t),
    "dcfr": lambda t: ((t - 1) ** 1.5 / ((t - 1) ** 1.5 + 1), 0.5, t**4),
    "pcfr+": lambda t: (1.0, 0.0, t**2),
    "pdcfr+": lambda t: ((t - 1) ** 2.3 / ((t - 1) ** 2.3 + 1), 0.0, t**5),
    "sapcfr+": lambda t: (1.0, 0.0, t**2),
    "sapdcfr+": lambda t: ((t - 1) ** 1.5 / ((t - 1) ** 1.5 + 1), 0.0, t**4),
}
"""For iteration t: what positive and negative regrets are multiplied by before it, and the weight
of its strategy."""


SCHEDULES = {
    "hs-dcfr": (2000, (1.0, 4.0), (-1.0, -3.0), (15.0, 10.0)),
    "tuned-dcfr": (350, (0.5, 6.0), (0.0, -3.0), (15.0, 3.0)),
}
"""Horizon, and the first and the last alpha, beta and gamma of rules whose exponents drift."""


def test_each_rule_is_here() -> None:
    assert set(RULES) == {*PAPERS, *SCHEDULES}


@pytest.mark.parametrize("name", PAPERS)
def test_discounts_and_weights(name: str) -> None:
    expected = [PAPERS[name](t) for t in range(1, ITERATIONS + 1)]
    schedule = RULES[name].schedule(0, ITERATIONS)
    assert schedule[:, :3] == pytest.approx(np.array(expected), rel=1e-12)
    assert (schedule[:-1, 3:] == schedule[1:, :2]).all()  # those of the iteration after it


@pytest.mark.parametrize("name", RULES)
def test_which_rules_predict_and_that_all_alternate(name: str) -> None:
    predictions = {"pcfr+": 1.0, "pdcfr+": 1.0, "sapcfr+": 1 / 3, "sapdcfr+": 1 / 3}
    assert RULES[name].prediction == predictions.get(name, 0.0)
    assert RULES[name].alternating


def _share(s: float, exponent: float) -> float:
    """Return s**exponent / (s**exponent + 1), also for s = 0."""
    if s == 0:
        return 0.0 if exponent > 0 else 1.0
    return s**exponent / (s**exponent + 1)


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("t", [1, 2, 100, 349, 350, 351, 500, 1999, 2000, 2001, 10_000])
def test_exponents_drift(name: str, t: int) -> None:
    horizon, alphas, betas, gammas = SCHEDULES[name]

    def drifting(ends: tuple[float, float], now: int) -> float:
        return ends[0] + (ends[1] - ends[0]) * min(now / horizon, 1.0)

    s = float(t - 1)
    positive, negative, weight, *_ = RULES[name].schedule(t - 1, 1)[0]
    assert positive == pytest.approx(_share(s, drifting(alphas, t)))
    assert negative == pytest.approx(_share(s, drifting(betas, t)))
    # weights grow as those of the exponent at the time: by t**gamma
    step = 1e-6
    later = RULES[name].schedule(t, 1)[0][2]
    slopes = [drifting(gammas, moment) for moment in (t, t + 1)]
    growth = log(later / weight) / log((t + 1) / t)
    if weight > 1e-29:  # above the least that single precision holds
        assert min(slopes) - step <= growth <= max(slopes) + step
