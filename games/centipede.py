"""The centipede game: a pot grows while both pass, and whoever takes it ends the game.

References
----------
Rosenthal, "Games of perfect information, predatory pricing and the chain-store paradox", Journal of
Economic Theory 25, 1981.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.parameters import require
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.rules import TERMINAL, PerfectInformation

TAKE, PASS = "take", "pass"
MCKELVEY = "McKelvey & Palfrey, An experimental study of the centipede game, Econometrica 60, 1992"


@dataclass(frozen=True)
class Centipede(PerfectInformation):
    """A state is (moves made, whether the pot was taken).

    Before the first move the piles are 4 and 1; every pass doubles both. The player who takes gets
    the larger one, the other the smaller. If the last player passes too, the roles are exchanged as
    if the other had taken the doubled piles.
    """

    moves: int
    num_players: int = 2
    unit: str = "points"

    def root(self) -> tuple[int, bool]:
        """Return the state before the first move."""
        return 0, False

    def player(self, state: tuple[int, bool]) -> int:
        """Return who may take."""
        made, taken = state
        return TERMINAL if taken or made == self.moves else made % 2

    def information_set_label(self, player: int, key: tuple[int, bool]) -> str:
        """Return the number of the move, from 1 on."""
        return f"move {key[0] + 1}"

    def actions(self, state: tuple[int, bool]) -> tuple[str, str]:
        """Return the two choices."""
        return TAKE, PASS

    def child(self, state: tuple[int, bool], action: str) -> tuple[int, bool]:
        """Return the state after taking or passing."""
        return (state[0], True) if action == TAKE else (state[0] + 1, False)

    def payoffs(self, state: tuple[int, bool]) -> tuple[int, int]:
        """Return the larger pile to who took, or whose turn it would be."""
        made = state[0]
        large, small = 4 << made, 1 << made
        return (large, small) if made % 2 == 0 else (small, large)


def centipede(moves: int = 6) -> Centipede:
    """Return a centipede with `moves` decisions.

    Payoffs are those of McKelvey & Palfrey 1992 in dimes: 4 and 1 at first.

    Parameters
    ----------
    moves
        How often somebody may take, both players together.
    """
    require("moves", moves, 1)
    return Centipede(moves)


CENTIPEDE = GameEntry(
    "centipede",
    "Centipede: a growing pot that either may take; not zero-sum",
    centipede,
    (
        KnownValue(4, f"Rosenthal 1981: the first player takes at once; payoffs of {MCKELVEY}"),
        KnownValue(4, MCKELVEY, {"moves": 4}),
    ),
)
