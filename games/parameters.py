"""Checks of the parameters that games share."""

from __future__ import annotations

from seqform.base.errors import InvalidParameterError


def require(name: str, value: int, smallest: int) -> None:
    """Validate that a parameter is not below its smallest value.

    Raises
    ------
    InvalidParameterError
        If `value` is below `smallest`.
    """
    if value < smallest:
        raise InvalidParameterError(f"{name}={value} is too small: use {smallest} or more")
