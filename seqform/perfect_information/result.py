"""What a search of a two-player zero-sum game finds, and how it reports its progress."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from math import inf, nan
from types import MappingProxyType
from typing import NamedTuple

from seqform.base.number import Number
from seqform.base.summary import counted


class SearchResult(NamedTuple):
    """What is proven of a game's value to player 0, and the line of play that attains it.

    Returned by `alpha_beta` and `minimax`, and by the functions that games name in `methods`. Such
    a function is called with the game and two keywords: `callback` and `time_limit`. The callback,
    if not None, takes a `SearchProgress` and is called a few times a second. The time limit is in
    seconds, or None.
    """

    method: str
    lower: Number = -inf
    """Proven: the value is at least this."""
    upper: Number = inf
    """Proven: the value is at most this."""
    best_action: Hashable | None = None
    """The first action of the line; None at a terminal state, and where nothing is known."""
    principal_variation: tuple[Hashable, ...] = ()
    """Best actions of both players from the root on, as far as they are known."""
    estimate: Number | None = None
    """With a depth limit: the value if positions at that depth were worth their static
    evaluation."""
    depth: int | None = None
    """The depth that was searched in full; None if there was no limit."""
    statistics: Mapping[str, int] = MappingProxyType({})
    """Counts: `nodes` entered, `cutoffs` of at least one move (Knuth & Moore 1975), `table_hits`,
    `table_size`, and what else a method counts."""
    seconds: float = 0.0
    """Wall-clock seconds."""
    message: str = ""

    @property
    def solved(self) -> bool:
        """Whether the value is proven."""
        return self.lower == self.upper

    @property
    def value(self) -> Number:
        """The value to player 0, NaN unless it is proven; exact on exact payoffs."""
        return self.lower if self.solved else nan

    @property
    def values(self) -> tuple[Number, Number]:
        """The value to both players."""
        return self.value, -self.value


TELL_EVERY = 0.2
"""Seconds between two progress reports."""


class SearchProgress(NamedTuple):
    """How far a search has come."""

    seconds: float
    nodes: int
    lower: Number = -inf
    upper: Number = inf
    depth: int | None = None
    """The depth limit of the search under way, if it has one."""

    def __str__(self) -> str:
        parts = [counted(self.nodes, "node")]
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        if self.lower > -inf or self.upper < inf:
            parts.append(f"value in [{float(self.lower):g}, {float(self.upper):g}]")
        return ", ".join(parts)


ProgressCallback = Callable[[SearchProgress], None]
