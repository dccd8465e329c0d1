"""Nim: take any number of objects from one heap; who takes the last object wins (Bouton 1901)."""

from __future__ import annotations

from dataclasses import dataclass

from games.parameters import require
from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.rules import TERMINAL, PerfectInformation

State = tuple[int, tuple[int, ...]]

MAX_OBJECTS = 100_000
"""In all heaps; to take some of them is an action for each number of them."""


@dataclass(frozen=True)
class Nim(PerfectInformation):
    """A state is (who moves, the heaps in ascending order without empty ones).

    So positions that differ in the order of their heaps are one.
    """

    heaps: tuple[int, ...]
    num_players: int = 2
    unit: str = "games"

    def root(self) -> State:
        """Return the heaps to begin with."""
        return 0, self.heaps

    def player(self, state: State) -> int:
        """Return who moves; nobody once everything is taken."""
        return state[0] if state[1] else TERMINAL

    def actions(self, state: State) -> list[tuple[int, int]]:
        """Return pairs (a heap by its size, how many to take)."""
        return [(heap, taken) for heap in sorted(set(state[1])) for taken in range(1, heap + 1)]

    def child(self, state: State, action: tuple[int, int]) -> State:
        """Return the state after taking from a heap."""
        mover, heaps = state
        heap, taken = action
        place = heaps.index(heap)
        rest = heaps[:place] + heaps[place + 1 :]
        return 1 - mover, tuple(sorted((*rest, heap - taken))) if taken < heap else rest

    def payoffs(self, state: State) -> tuple[int, int]:
        """Return 1 to who took the last object, who is not to move."""
        return (-1, 1) if state[0] == 0 else (1, -1)

    def draw(self, state: State) -> str:
        """Return the heaps as rows of objects."""
        return "\n".join("|" * heap for heap in state[1]) or "(nothing left)"


def nim(heaps: str = "3,4,5") -> Nim:
    """Return nim with heaps written as sizes separated by commas.

    Player 0, who moves first, wins if the exclusive or of the sizes is not 0, and loses if it is.

    Parameters
    ----------
    heaps
        Their sizes, with commas between them.

    Raises
    ------
    InvalidParameterError
        If `heaps` is not a list of sizes of at least 1.

    Examples
    --------
    >>> game = nim("1,3")
    >>> game.actions(game.root())
    [(1, 1), (3, 1), (3, 2), (3, 3)]
    """
    try:
        sizes = tuple(sorted(int(size) for size in heaps.split(",")))
    except ValueError:
        raise InvalidParameterError(
            f"heaps={heaps!r}: write sizes separated by commas, such as 3,4,5"
        ) from None
    if sizes[0] < 1:
        raise InvalidParameterError(f"heaps={heaps!r}: every heap needs 1 object or more")
    require("objects in all heaps", sum(sizes), 1, MAX_OBJECTS)
    return Nim(sizes)


BOUTON = "Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3, 1901"
NIM = GameEntry(
    "nim",
    "Nim: take from one heap, the last object wins",
    nim,
    (
        KnownValue(1, BOUTON),
        KnownValue(-1, BOUTON, {"heaps": "1,2,3"}),
        KnownValue(-1, BOUTON, {"heaps": "2,4,6"}),
        KnownValue(1, BOUTON, {"heaps": "1,3,5,6"}),
    ),
)
