"""A regret rule is what its paper says, written down here from the papers.

`dcfr` averages by t^4 where the paper has t^2, as docs/explanation/regret-minimization.md says.
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
}
"""For iteration t: what positive and negative regrets are multiplied by before it, and the weight
of its strategy."""


def test_each_rule_is_here() -> None:
    assert set(RULES) == {*PAPERS, "hs-dcfr"}


@pytest.mark.parametrize("name", PAPERS)
def test_discounts_and_weights(name: str) -> None:
    expected = [PAPERS[name](t) for t in range(1, ITERATIONS + 1)]
    assert RULES[name].schedule(0, ITERATIONS) == pytest.approx(np.array(expected), rel=1e-12)


@pytest.mark.parametrize("name", RULES)
def test_only_pcfr_predicts_and_all_alternate(name: str) -> None:
    assert RULES[name].predictive == (name == "pcfr+")
    assert RULES[name].alternating


@pytest.mark.parametrize("t", [1, 2, 500, 1999, 2000, 2001, 10_000])
def test_the_schedule_of_hs_dcfr(t: int) -> None:
    """Exponents drift until iteration 2,000: alpha 1 to 4, beta -1 to -3, gamma 15 to 10."""
    share, s = min(t / 2000, 1.0), t - 1
    positive, negative, weight = RULES["hs-dcfr"].schedule(t - 1, 1)[0]
    assert positive == pytest.approx(s ** (1 + 3 * share) / (s ** (1 + 3 * share) + 1))
    assert negative == pytest.approx(1 / (1 + s ** (1 + 2 * share)))
    # weights grow as those of the exponent at the time: by t**gamma
    step = 1e-6
    later = RULES["hs-dcfr"].schedule(t, 1)[0][2]
    slopes = [15 - 5 * min(moment / 2000, 1.0) for moment in (t, t + 1)]
    growth = log(later / weight) / log((t + 1) / t)
    if weight > 1e-29:  # above the least that single precision holds
        assert min(slopes) - step <= growth <= max(slopes) + step
