"""Battleship: both hide ships and shoot in turn; a ship lost may hurt more than one sunk gains.

References
----------
Farina, Ling, Fang & Sandholm, "Correlation in extensive-form games: saddle-point formulation and
benchmarks", NeurIPS 2019. The rules are those of OpenSpiel's ``battleship`` without repeated shots.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from games.parameters import require
from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GameEntry
from seqform.game.rules import TERMINAL

MAX_CELLS = 1000
"""Of a grid; every state holds where ships are."""

Item = TypeVar("Item")

Ship = tuple[int, ...]
"""The cells of a ship, numbered by rows."""


class Battle(NamedTuple):
    """What was done so far, by each player."""

    ships: tuple[tuple[Ship, ...], tuple[Ship, ...]] = ((), ())
    shots: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


@dataclass(frozen=True)
class Battleship:
    """Players place their ships in turn, unseen, then shoot in turn at cells of the other's grid.

    Who shoots learns whether a ship was hit or sunk, and the other where the shot went. The battle
    ends when all ships of one player are sunk, or both have used up their shots. A player gets the
    values of the ships sunk, and pays `loss` times those of the own ships lost.
    """

    width: int
    height: int
    sizes: tuple[int, ...]
    values: tuple[int, ...]
    shots: int
    loss: int
    num_players: int = 2
    unit: str = "points"

    def root(self) -> Battle:
        """Return the state before a ship is placed."""
        return Battle()

    def player(self, state: Battle) -> int:
        """Return whose turn it is."""
        if len(state.ships[1]) < len(self.sizes):
            return len(state.ships[0]) - len(state.ships[1])
        fired = [len(shots) for shots in state.shots]
        lost = [self._sunk(state, player) for player in (0, 1)]
        over = fired[1] == self.shots or len(self.sizes) in map(len, lost)
        return TERMINAL if over else fired[0] - fired[1]

    def chance(self, state: Battle) -> tuple[tuple[Hashable, int], ...]:
        """There is no chance in this game."""
        return ()

    def actions(self, state: Battle) -> tuple[str, ...]:
        """Return where the next ship fits, or the cells not shot at yet."""
        player = self.player(state)
        placed = state.ships[player]
        if len(placed) < len(self.sizes):
            return tuple(
                name for name, ship in self._places[len(placed)] if self._fits((*placed, ship))
            )
        cells = range(self.width * self.height)
        return tuple(self._name(cell) for cell in cells if cell not in state.shots[player])

    @cached_property
    def _places(self) -> tuple[tuple[tuple[str, Ship], ...], ...]:
        """Where each ship can be: first all that lie, then all that stand."""
        return tuple(self._of_size(size) for size in self.sizes)

    def _of_size(self, size: int) -> tuple[tuple[str, Ship], ...]:
        found = []
        for row in range(self.height):
            for column in range(self.width - size + 1):
                first = row * self.width + column
                found.append((f"h{self._name(first)}", tuple(range(first, first + size))))
        for row in range(self.height - size + 1 if size > 1 else 0):
            for column in range(self.width):
                first = row * self.width + column
                cells = range(first, first + size * self.width, self.width)
                found.append((f"v{self._name(first)}", tuple(cells)))
        return tuple(found)

    def _fits(self, ships: tuple[Ship, ...]) -> bool:
        """Return whether ships do not overlap, and leave room for those to come."""
        cells = [cell for ship in ships for cell in ship]
        if len(set(cells)) < len(cells):
            return False
        if len(ships) == len(self.sizes):
            return True
        return any(self._fits((*ships, ship)) for _, ship in self._places[len(ships)])

    def _name(self, cell: int) -> str:
        return f"{cell // self.width},{cell % self.width}"

    def child(self, state: Battle, action: str) -> Battle:
        """Return the state after a ship is placed, or a shot."""
        player = self.player(state)
        placed = state.ships[player]
        if len(placed) < len(self.sizes):
            ships = *placed, dict(self._places[len(placed)])[action]
            return state._replace(ships=_with(state.ships, player, ships))
        row, column = map(int, action.split(","))
        shots = *state.shots[player], row * self.width + column
        return state._replace(shots=_with(state.shots, player, shots))

    def infoset(self, state: Battle) -> Hashable:
        """Return the own ships, the own shots with what they hit, and the other's shots."""
        player = self.player(state)
        ships = " ".join("-".join(map(self._name, ship)) for ship in state.ships[player])
        mine = "".join(
            f"/{self._name(shot)}{self._result(state, player, number)}"
            for number, shot in enumerate(state.shots[player])
        )
        theirs = "".join(f"/{self._name(shot)}" for shot in state.shots[1 - player])
        return f"{player}: {ships}; {mine}; {theirs}"

    def _result(self, state: Battle, player: int, number: int) -> str:
        """Say what a shot of a player did: missed, hit, or sank a ship."""
        shots = state.shots[player][: number + 1]
        for ship in state.ships[1 - player]:
            if shots[-1] in ship:
                return "!" if set(ship) <= set(shots) else "*"
        return "~"

    def _sunk(self, state: Battle, player: int) -> list[int]:
        """Return the numbers of a player's ships that are sunk."""
        shots = set(state.shots[1 - player])
        return [number for number, ship in enumerate(state.ships[player]) if shots.issuperset(ship)]

    def payoffs(self, state: Battle) -> tuple[int, int]:
        """Return the values of ships sunk, less `loss` times those of ships lost."""
        lost = [sum(self.values[ship] for ship in self._sunk(state, player)) for player in (0, 1)]
        return lost[1] - self.loss * lost[0], lost[0] - self.loss * lost[1]


def _with(pair: tuple[Item, Item], player: int, value: Item) -> tuple[Item, Item]:
    return (value, pair[1]) if player == 0 else (pair[0], value)


def battleship(
    width: int = 2,
    height: int = 2,
    ships: str = "1",
    values: str = "1",
    shots: int = 2,
    loss: int = 2,
) -> Battleship:
    """Return the game on a grid, each with ships of such sizes and values, and so many shots.

    `ships` and `values` are whole numbers with commas between them. A ship lost costs `loss` times
    its value.

    Parameters
    ----------
    width
        Columns of each player's grid.
    height
        Rows of each player's grid.
    ships
        Their lengths, with commas between them, such as ``2,1``.
    values
        What each ship is worth, with commas between them.
    shots
        How many each player has.
    loss
        What a ship that is lost costs, for each unit of its value.
    """
    require("width", width, 1, MAX_CELLS)
    require("height", height, 1, MAX_CELLS)
    require("width * height", width * height, 1, MAX_CELLS)
    require("shots", shots, 1)
    require("loss", loss, 0)
    sizes, worth = _numbers("ships", ships), _numbers("values", values)
    if len(sizes) != len(worth):
        raise InvalidParameterError(
            f"ships={ships!r} are {len(sizes)} and values={values!r} are {len(worth)}: "
            "give one value for each ship"
        )
    game = Battleship(width, height, sizes, worth, min(shots, width * height), loss)
    if not game._fits(()):
        raise InvalidParameterError(
            f"ships={ships!r} do not fit on a grid of {width} x {height}: use fewer, or smaller"
        )
    return game


def _numbers(name: str, text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and 0 < int(part) < 10**6 for part in parts):
        raise InvalidParameterError(
            f"{name}={text!r}: give whole numbers from 1 to 999999, with commas between them"
        )
    return tuple(map(int, parts))


BATTLESHIP = GameEntry("battleship", "Two fleets on two grids; not zero-sum", battleship)
