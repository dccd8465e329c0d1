"""Numbers too large to write, as powers of ten for people."""

from __future__ import annotations

PLAIN_BELOW = 6
"""Powers of ten below this are written as numbers."""


def power_of_ten(exponent: float | list[float] | None) -> str:
    """Write 10 to a power for people, or the least and the greatest of some.

    Examples
    --------
    >>> power_of_ten(29.31), power_of_ten([3.5, 21.0]), power_of_ten(None)
    ('10^29.3', '3,162 to 10^21.0', 'none seen')
    """
    if exponent is None:
        return "none seen"
    if isinstance(exponent, list):
        return " to ".join(map(power_of_ten, exponent))
    return f"{10**exponent:,.0f}" if exponent < PLAIN_BELOW else f"10^{exponent:.1f}"
