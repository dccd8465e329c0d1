"""What the certificates of perfect information have in common: values and lines of play."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from seqform.base.number import is_exact
from seqform.perfect_information.decision import Values

ANSWER = ("value", "values", "exact_values", "best_action", "principal_variation")
"""What the records of all answers hold."""


def values_record(values: Values, zero_sum: bool) -> dict[str, Any]:
    """Return values as floats, None for NaN, and as text where they are exact.

    Only a zero-sum game has one value.
    """
    floats = [finite(value) for value in values]
    exact = [str(value) for value in values] if all(map(is_exact, values)) else None
    return {"value": floats[0] if zero_sum else None, "values": floats, "exact_values": exact}


def line_record(actions: Sequence[Any]) -> dict[str, Any]:
    """Return a line of play as text."""
    return {
        "best_action": str(actions[0]) if actions else None,
        "principal_variation": [str(action) for action in actions],
    }


def finite(value: Any) -> float | None:
    """Return a number as a float; None if it is infinite, NaN or too large for floats."""
    return float(value) if abs(value) <= sys.float_info.max else None
