"""Reduction `outcome`, GameShrink as published for poker; what it loses is measured, not bounded.

See docs/explanation/gameshrink.md.

References
----------
Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
Sections 4 and 5.
"""

from __future__ import annotations

from abstraction.equal_rows import combine
from abstraction.outcome_thresholds import approximate_outcome
from abstraction.signal_reduction import SignalReduction
from abstraction.signal_signatures import signatures
from seqform.base.arrays import Ints
from seqform.game.observations import Classes, SignalStructure


def outcome(structure: SignalStructure) -> Classes:
    """Merge siblings whose subtrees match.

    Leaves match if they win, tie and lose against equally many of the opponent's cards. Bottom-up,
    an observation's signature is the multiset of its payoffs at each outcome and of its successors'
    signatures. Top-down, successors of one class are merged if their signatures are equal.
    """
    return tuple(_outcome(structure, player) for player in (0, 1))


def _outcome(structure: SignalStructure, player: int) -> tuple[Ints, ...]:
    found = signatures(structure, player)
    classes = [found[0]]
    for stage in range(1, structure.num_stages):
        classes.append(combine(classes[-1][structure.earlier(player, stage)], found[stage]))
    return tuple(classes)


OUTCOME = SignalReduction("outcome", outcome, approximate=approximate_outcome)
