"""How many random games a law is tried on, where each takes long."""

from __future__ import annotations

from hypothesis import settings

ANEW = 60
"""Games that a law draws by default in the profile `anew`; `conftest` has fewer for others."""


def examples(usual: int, anew: int) -> settings:
    """Have a law draw `usual` games in `make test`, and `anew` ones in `make test-long`."""
    return settings(max_examples=anew if settings().max_examples >= ANEW else usual)
