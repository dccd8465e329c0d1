"""A certificate by classes of observations that fits a page, of a game too large for a tree.

A page can go through all deals of such a game, but holds a few megabytes. So plans are rounded to
fewer bits until their certificate fits. It proves a wider interval then, which the page shows
beside the one that is certified.
"""

from __future__ import annotations

import json
import logging
from gzip import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from seqform.base.errors import UnsupportedGameError, VerificationError
from seqform.exact.plan_proof import ProvenInterval

if TYPE_CHECKING:
    from seqform.results.solution import Solution

logger = logging.getLogger(__name__)

MOST_BYTES = 3_000_000
"""Of a certificate that a page holds; what is packed grows by a third, since pages hold text."""

MOST_UNPACKED = 40_000_000
"""Bytes of a certificate that a page goes through."""

MOST_SEQUENCES = 20_000_000
"""Of a quotient, of both players together; larger ones would not fit at any precision."""

BITS = (52, 16, 10)
"""To how many bits plans are rounded, the first that fits."""


class ByClasses(NamedTuple):
    """A certificate, packed, and what it proves."""

    packed: bytes
    proven: ProvenInterval


def certificate_by_classes(solution: Solution, identity: Any) -> ByClasses | None:
    """Return a certificate that fits a page.

    None if the game's numbers are not exact, or its classes prove nothing of the whole game, or it
    is too large.
    """
    from seqform.exact.bracket import interval_of
    from seqform.exact.quotient_file import quotient_of_signals
    from seqform.form.signal_strategy import strategy_of

    if solution.profile is None or solution.game.signals is None:
        return None
    strategy = strategy_of(solution.game, solution.profile)
    if sum(map(len, strategy.behaviors)) > MOST_SEQUENCES:
        return None
    try:
        quotient = quotient_of_signals(strategy.structure, strategy.classes)
    except (UnsupportedGameError, VerificationError) as error:
        logger.info("no certificate by classes: %s", error)
        return None
    profile = quotient.form.profile(strategy.behaviors)
    for bits in BITS:
        proven = interval_of(quotient.form, profile, bits)
        content = quotient.content(identity, proven)
        text = json.dumps(content, separators=(",", ":")).encode()
        if fits(packed := compress(text, mtime=0)):
            return ByClasses(packed, proven)
    return None


def fits(packed: bytes) -> bool:
    """Return whether a page holds, and goes through, a certificate that gzip packed."""
    return len(packed) <= MOST_BYTES and unpacked_size(packed) <= MOST_UNPACKED


def unpacked_size(packed: bytes) -> int:
    """Return how many bytes there are unpacked: gzip files end in it, modulo 2^32 (RFC 1952)."""
    return int.from_bytes(packed[-4:], "little")
