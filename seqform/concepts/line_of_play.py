"""What the certificates of perfect information have in common: values and lines of play."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from seqform.base.number import is_exact
from seqform.perfect_information.decision import Values

ANSWER = ("value", "values", "exact_values", "best_action", "principal_variation")
"""What the records of all answers hold."""

LINE = "best play"
"""How the row is called in which short answers show the line of play."""


def values_record(values: Values, zero_sum: bool) -> dict[str, Any]:
    """Return values as JSON numbers, None for NaN, and as text where they are exact.

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


def finite(value: Any) -> float | int | None:
    """Return a number as a float; None if it is infinite, NaN or too large for floats.

    An integer that no float is equal to stays one, as JSON has integers of any size.

    Examples
    --------
    >>> finite(3), finite(2**53 + 1), finite(float("nan"))
    (3.0, 9007199254740993, None)
    """
    if not abs(value) <= sys.float_info.max:
        return None
    is_rounded = is_exact(value) and value == int(value) and float(value) != value
    return int(value) if is_rounded else float(value)
