"""How large the tree of a game is by random probes: an estimate, and what it has at least."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from fractions import Fraction
from math import floor, inf, log10
from typing import Any

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError
from seqform.base.number import power_of_ten
from seqform.base.progress import tell
from seqform.base.summary import Rows, Summarized
from seqform.game.least_cost import ODDS, least_cost
from seqform.game.probe import LONGEST, Probe, Walk, probe

BATCHES = 10
"""How many means of probes show how far such a mean may be off."""

BLOCKS = (1, 10, 100)
"""Numbers of probes whose mean is one factor of what proves a lower bound."""

TRIED = 1_000
"""Probes that may show a tree to be too large while it grows."""

TRIED_MOVES = 50_000
"""Moves that they may make together."""

MORE = 100
"""Further powers of ten that a probe counts up to, once it has shown that."""

WHOLE = 20
"""Probes of a whole game that is too large by what is less than its nodes."""

SMALLER = "use smaller parameters, or the game below some moves (GAME@MOVES, or restricted_game)"
"""What to do about a game that is too large for a tree."""

OR_RAISE = f"{SMALLER}, or raise max_nodes= if it is meant to be larger"
"""What to do where the limit on nodes can be raised."""

TRIED_FROM = 20_000
"""Nodes from which on a tree that grows is probed: smaller ones are there sooner."""

NOTE = (
    "The nodes are a mean over random plays (Knuth 1975). Its error has heavy tails: most plays "
    "see too little, a rare one far more. No confidence is claimed; the batches show how far such "
    f"means differ. What it is at least is wrong for one of 10^{ODDS} seeds at most (Ville's "
    "inequality). The branching factor is the mean number of moves that these plays met."
)


@dataclass(frozen=True, repr=False)
class SizeEstimate(Summarized):
    """What random probes say of the size of a game's tree.

    Parameters
    ----------
    probes, seed
        How many plays, and the seed of their moves; equal ones give equal estimates.
    nodes, terminal_nodes
        Means of the probes' unbiased estimates; infinity for all nodes if play need not end.
    batches
        Means of the nodes by every tenth probe, from the first, second, ... on.
    log10_at_least
        Power of ten that the number of nodes is at least; wrong for one of 10^6 seeds at most.
    branching_factor
        b: the mean number of children of the inner nodes that random play meets.
    depth
        m: moves of the longest play that was seen.
    cut
        Probes that were cut, and count too little.
    endless
        How play comes back to a state, so that it need not end; None if no probe saw it.
    """

    probes: int
    seed: int
    nodes: Fraction | float
    terminal_nodes: Fraction
    batches: tuple[Fraction, ...]
    log10_at_least: float
    branching_factor: float
    depth: int
    cut: int = 0
    endless: str | None = None

    def summary(self) -> Rows:
        """Return the estimate in words."""
        record = self.record()
        sizes = [
            (name.removeprefix("log10_").replace("_", " "), power_of_ten(exponent))
            for name, exponent in record.items()
            if name.startswith("log10_")
        ]
        return [
            *sizes,
            ("branching factor", f"{self.branching_factor:.4g}"),
            ("deepest seen", f"{self.depth:,}"),
            ("probes", f"{self.probes:,}, seed {self.seed}"),
            ("play", self._play()),
        ]

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON values; sizes are powers of ten."""
        record: dict[str, Any] = {}
        if self.endless is None:
            batches = sorted(self.batches)
            record = {
                "log10_nodes": log10_of(self.nodes),
                "log10_nodes_by_batches": [log10_of(batches[0]), log10_of(batches[-1])],
                "log10_nodes_at_least": floor(10 * self.log10_at_least) / 10,
                "log10_terminal_nodes": (
                    log10_of(self.terminal_nodes) if self.terminal_nodes else None
                ),
            }
        return {
            **record,
            "branching_factor": self.branching_factor,
            "deepest_seen": self.depth,
            "probes": self.probes,
            "seed": self.seed,
            "play": self._play(),
            "note": NOTE,
        }

    def _play(self) -> str:
        if self.endless is not None:
            return f"need not end, and the tree is infinite: {self.endless}"
        if self.cut:
            return (
                f"may not end: {self.cut:,} of {self.probes:,} probes were cut, "
                "and count nothing below"
            )
        return "ended in every probe"


def sampled(
    walk: Walk,
    probes: int,
    seed: int = 0,
    seconds: float | None = None,
    longest: int = LONGEST,
) -> SizeEstimate:
    """Return what probes say of a tree; see `seqform.methods.estimate_size`."""
    for name, value in (("probes", probes), ("longest", longest)):
        if not value >= 1:
            raise InvalidParameterError(f"{name}={value}: use 1 or more")
    start, time_given = time.perf_counter(), inf if seconds is None else seconds
    rng, seen = random.Random(seed), list[Probe]()
    while len(seen) < probes:
        # The probe under way is counted when the time is over: leaving out long ones is a bias.
        # It is cut if it takes as long again as all.
        found = probe(walk, rng.randrange, longest, end=start + 2 * time_given)
        seen.append(found)
        if found.endless is not None or time.perf_counter() >= start + time_given:
            break
        tell(f"probing the game: {len(seen):,} plays")
        check_time(f"probing the game, {len(seen):,} plays so far")
    return _summed(seen, seed)


def _summed(seen: list[Probe], seed: int) -> SizeEstimate:
    """Return the means of probes."""
    endless, inner = seen[-1].endless, sum(one.inner for one in seen)
    batches = [seen[first::BATCHES] for first in range(min(BATCHES, len(seen)))]
    return SizeEstimate(
        probes=len(seen),
        seed=seed,
        nodes=_mean([one.nodes for one in seen]) if endless is None else inf,
        terminal_nodes=_mean([one.terminal_nodes for one in seen]),
        batches=tuple(_mean([one.nodes for one in batch]) for batch in batches),
        log10_at_least=lower_bound([one.nodes for one in seen]) if endless is None else inf,
        branching_factor=sum(one.children for one in seen) / inner if inner else 0.0,
        depth=max(one.depth for one in seen),
        cut=sum(one.cut for one in seen),
        endless=endless,
    )


def _mean(numbers: list[int]) -> Fraction:
    return Fraction(sum(numbers), len(numbers))


def lower_bound(nodes: list[int]) -> float:
    """Return a power of ten that a tree's number of nodes is at least, by what probes counted.

    It is wrong for one of 10^6 seeds at most, however it was decided when to stop. For means of
    blocks of probes, each over the true number, are independent and of mean 1, or less where probes
    are cut. So their product is a supermartingale, which ever comes to C with probability 1 / C at
    most (Ville's inequality). There is one for each size of blocks.
    """
    odds, bounds = ODDS + log10(len(BLOCKS)), [0.0]
    for size in BLOCKS:
        means = [
            log10(sum(nodes[first : first + size])) - log10(size)
            for first in range(0, len(nodes) - size + 1, size)
        ]
        if means:
            bounds.append((sum(means) - odds) / len(means))
    return max(bounds)


def why_too_large(walk: Walk, max_nodes: int, of: Walk | None = None) -> str | None:
    """Return why a tree has more than `max_nodes` nodes, if random probes show it; else None.

    Parameters
    ----------
    walk, max_nodes
        What is probed, and its limit.
    of
        The game's own tree, of whose nodes several are one of `walk`; None if they are the same.
    """
    rng, nodes, moves = random.Random(0), list[int](), 0
    while len(nodes) < TRIED and moves < TRIED_MOVES:
        # one probe that counts so much is enough; it goes on for a while, to say how much more
        enough = max_nodes * 10 ** (ODDS + 1 + MORE)
        seen = probe(walk, rng.randrange, TRIED_MOVES - moves, enough)
        if seen.endless is not None:
            return f"it is cyclic: {seen.endless}"
        nodes, moves = [*nodes, seen.nodes], moves + seen.depth
        known = lower_bound(nodes)
        if known > log10(max_nodes):
            return f"random probes show that it has {_and_costs(known, of)}"
        check_time(f"probing the game, {len(nodes):,} plays so far")
    return None


def least_size(walk: Walk) -> float:
    """Return a power of ten that a tree's number of nodes is at least, by a few probes."""
    rng, enough = random.Random(0), 10 ** (ODDS + 1 + MORE)
    return lower_bound(
        [probe(walk, rng.randrange, TRIED_MOVES // WHOLE, enough).nodes for _ in range(WHOLE)]
    )


def _and_costs(known: float, of: Walk | None) -> str:
    """Return how large a tree is at least, what that takes, and who says more."""
    size = f"10^{floor(10 * known) / 10} or more"
    if of is not None:
        known = max(known, least_size(of))
        size += f", and 10^{floor(10 * known) / 10} nodes or more with the signals"
    return f"{size}; {least_cost(known)}; `seqform info` and estimate_size() say more"


def log10_of(number: Fraction | float) -> float:
    """Return the logarithm of a number that may be too large for a float."""
    if isinstance(number, Fraction):
        return log10(number.numerator) - log10(number.denominator)
    return log10(number)
