"""A signalling game: the signals cost nothing, and only a mediator makes them worth something.

References
----------
von Stengel & Forges, "Extensive-form correlated equilibrium: definition and computational
complexity", Math. of OR 33, 2008, Section 2.3.
"""

from __future__ import annotations

from fractions import Fraction

from games.parameters import require
from seqform.game.catalogue import GameEntry
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

MAX_SIGNALS = 1000

PAID = {"good": ((4, 10), (0, 6)), "bad": ((6, 0), (0, 6))}
"""By type: what both get if player 1 accepts, and if not."""


def signalling(signals: int = 2) -> GameTree:
    """Return the game with so many signals.

    Player 0 is good or bad, each half of the time, and knows which. Player 0 sends a signal; player
    1 sees it, not the type, and accepts or rejects. Player 1 gains by accepting the good type only,
    and player 0 by being accepted. Whatever is said can be said by both types, so in a Nash
    equilibrium player 1 rejects everybody: (0, 6).

    A mediator may choose a signal as a password, tell it the good type alone, and tell player 1 to
    accept nothing else. With two signals the bad type guesses it half of the time, and the players
    get (7/2, 13/2), the most that player 1 gets in any EFCE.

    Parameters
    ----------
    signals
        How many player 0 can choose from.
    """
    require("signals", signals, 1, MAX_SIGNALS)
    b = TreeBuilder(num_players=2)
    types = b.chance(b.root, [(name, Fraction(1, 2)) for name in PAID])
    names = [f"signal {number}" for number in range(signals)]
    for node, (name, paid) in zip(types, PAID.items(), strict=True):
        for signal, sent in zip(names, b.decision(node, 0, name, names), strict=True):
            answers = b.decision(sent, 1, signal, ["accept", "reject"])
            for end, payoffs in zip(answers, paid, strict=True):
                b.terminal(end, payoffs)
    return b.freeze()


SIGNALLING = GameEntry(
    "signalling", "Signals that cost nothing, of a good or a bad type; not zero-sum", signalling
)
