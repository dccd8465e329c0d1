"""What the certificates of perfect information have in common: values and lines of play."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from seqform.base.number import is_exact
from seqform.perfect_information.decision import Values

ANSWER = ("value", "values", "exact_values", "best_action", "principal_variation")
"""What the records of all answers hold."""


def values_record(values: Values) -> dict[str, Any]:
    """Return values as floats, None for NaN, and as text where they are exact."""
    floats = [finite(value) for value in values]
    exact = [str(value) for value in values] if all(map(is_exact, values)) else None
    return {"value": floats[0], "values": floats, "exact_values": exact}


def line_record(actions: Sequence[Any]) -> dict[str, Any]:
    """Return a line of play as text."""
    return {
        "best_action": str(actions[0]) if actions else None,
        "principal_variation": [str(action) for action in actions],
    }


def finite(value: Any) -> float | None:
    """Return a number as a float; None if it is infinite, NaN or too large for floats."""
    return float(value) if abs(value) < inf else None
