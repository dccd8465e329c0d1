"""How a solve ended."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """How a solve ended; the value of each member is a sentence for the user."""

    SOLVED = "an answer within the tolerance, as certified below"
    INACCURATE = "the certificate has a gap above the tolerance: try another solver or method"
    LIFTED = "a smaller game was solved: lifted to the whole game, its profile loses the gap below"
    LOCKED = "the game with what is locked was solved; in the free one players gain what is below"
    REACHED = (
        "what was asked for, a point of a path or a depth of a search: what it is worth is below"
    )
    BEST_FOUND = "an equilibrium, the best one found: that no other is better is not proven"
    RELAXED = "a relaxation was solved: the bound below holds for every equilibrium of this kind"
    LIMIT = "a limit was hit, or the user stopped it, before the gap asked for"
    FAILED = "the solver failed: try another solver or method"
