"""How long what follows a method takes: certificates and lifting, by rates that were measured.

Rates are of one core of a shared machine and may be off by a factor of two
(benchmarks/results/whole_game.md has the games).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm

logger = logging.getLogger(__name__)

CERTIFY_SEQUENCE, CERTIFY_ENTRY = 3.5e-7, 6e-8
"""Seconds to certify a profile, for each sequence and for each payoff that is stored."""

LIFT_SEQUENCE = 2.5e-7
"""Seconds to lift a profile, for each sequence of the game that was reduced."""

BY_BOARDS = 4e-8
"""Seconds to certify a profile of a game of signals board by board, for each sequence."""

BY_HANDS = 1.4e-7
"""Seconds to make a profile of a game of hands and to certify it by boards, for each sequence: 1.1
and 1.3 CPU seconds for the preset `turn` with 18 million."""

WORTH_TELLING = 10.0
"""Seconds from which the user is told of a certificate before it is begun."""


def certificate_seconds(form: SequenceForm) -> float:
    """Return how long it takes to certify a profile of a game."""
    sequences = sum(treeplex.num_sequences for treeplex in form.treeplexes)
    if form.origin.hands is not None:
        return BY_HANDS * sequences
    stored = 0 if form.signals is not None else form.payoffs.num_nonzeros
    return CERTIFY_SEQUENCE * sequences + CERTIFY_ENTRY * stored


def lifting_seconds(sequences: int, by_boards: bool = False) -> float:
    """Return how long it takes to lift a profile and to certify it in the game that was reduced.

    Parameters
    ----------
    sequences
        Of both players of that game.
    by_boards
        Whether that is done board by board.
    """
    if by_boards:
        return BY_BOARDS * sequences
    return (LIFT_SEQUENCE + CERTIFY_SEQUENCE) * sequences


def announce(what: str, seconds: float, instead: str = "") -> None:
    """Tell the user what is going to take long, and what could be done instead, if anything."""
    if seconds >= WORTH_TELLING:
        logger.warning("%s takes about %.0f s%s", what, seconds, instead and f"; {instead}")
