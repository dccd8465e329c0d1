"""What going through a tree or its states takes at the least, in words for an error message.

The figures are meant to be too low: no game took less for a node when it was built by its rules.
"""

from __future__ import annotations

from decimal import Decimal
from math import log10
from typing import Any

from seqform.base.memory import in_words
from seqform.base.number import power_of_ten

ODDS = 6
"""One of 10^6 seeds makes a lower bound on states or nodes wrong, or fewer."""

BYTES, SECONDS = 100, 1e-6
"""For each node, while a tree grows."""

HOPELESS = 12
"""The power of ten of nodes from which no machine has the memory for them."""

HOURS_FROM, MINUTES_FROM = 2 * 3600.0, 100.0
"""Seconds from which a time is told in hours, or in minutes."""

DAYS_FROM = 48 * 3600.0


def least_cost(log10_nodes: float) -> str:
    """Return what a tree of 10 to this power of nodes takes at the least.

    Examples
    --------
    >>> least_cost(9.5)
    'a tree of that size takes 294 GB of memory and 53 min, or more'
    >>> least_cost(120.0)
    'no machine has the memory for a tree of that size'
    """
    if log10_nodes >= HOPELESS:
        return "no machine has the memory for a tree of that size"
    nodes = 10**log10_nodes
    memory, seconds = in_words(BYTES * nodes).replace(".0 GB", " GB"), SECONDS * nodes
    return f"a tree of that size takes {_short(memory)} of memory and {_time(seconds)}, or more"


def count_in_words(count: float) -> str:
    """Return a number of nodes or states, as a power of ten if it is large.

    Examples
    --------
    >>> count_in_words(20_001), count_in_words(3.2e8)
    ('20,001', '10^8.5')
    """
    return f"{count:,.0f}" if count < 1e7 else power_of_ten(log10(count))


def _short(memory: str) -> str:
    """Leave the tenth of a gigabyte out where there are hundreds."""
    number, _, unit = memory.partition(" ")
    return f"{number.partition('.')[0] if len(number) > 4 else number} {unit}"


def _time(seconds: float) -> str:
    if seconds >= DAYS_FROM:
        return f"{seconds / 86400:,.0f} days"
    if seconds >= HOURS_FROM:
        return f"{seconds / 3600:.0f} hours"
    return f"{seconds / 60:.0f} min" if seconds >= MINUTES_FROM else f"{seconds:.0f} s"


def not_built(why: str, found: dict[str, Any]) -> dict[str, str]:
    """Return what a description says of a tree that is too large: why, and what it would take."""
    said = {"not_built": why.partition(";")[0]}
    if "log10_nodes_at_least" in found:
        return {**said, "would_take": least_cost(found["log10_nodes_at_least"])}
    if "nodes" in found:
        nodes = Decimal(str(found["nodes"]).removeprefix("about "))
        return {**said, "would_take": least_cost(float(nodes.log10()))}
    return said
