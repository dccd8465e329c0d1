"""Checks of the parameters that games share."""

from __future__ import annotations

from seqform.base.errors import InvalidParameterError

UNBOUNDED = 10**100
"""For parameters that only make numbers larger."""


def require(name: str, value: int, smallest: int, largest: int = UNBOUNDED) -> None:
    """Validate that a parameter is within its bounds.

    The largest value is what a state of the game is written down with at all. What tree fits into
    memory is for others to say.

    Raises
    ------
    InvalidParameterError
        If `value` is below `smallest` or above `largest`.
    """
    if value < smallest:
        raise InvalidParameterError(f"{name}={value} is too small: use {smallest} or more")
    if value > largest:
        raise InvalidParameterError(f"{name}={value} is too large: use {largest:,} or less")
