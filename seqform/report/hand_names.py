"""Names of a game of hands as a page writes them: cards, hands, and what hands are called."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.report.grid_of_hands import written_cards
from seqform.report.line_numbers import Coding

if TYPE_CHECKING:
    from seqform.form.hands import HandGame
    from seqform.form.origin import Grid

GRID = "grid"

MOST_HANDS = 5_000
"""Hands of a deck that are gone through for the names of cells."""


class HandNames:
    """What hands are called, numbered as they come.

    Parameters
    ----------
    game
        The game.
    """

    def __init__(self, game: HandGame) -> None:
        self.game = game
        self.by_grid = _same_as_grid(game)
        """The group of hands of which each cell of the matrix holds one; empty if none is so."""
        self._numbers: dict[str, int] = {}
        self._made: dict[tuple[int, bytes], dict[str, Coding]] = {}

    def codings(self, player: int, hands: Ints, board: Ints) -> dict[str, Coding]:
        """Return for hands on a board what they are put together by, the matrix among it."""
        key = player, board.tobytes()
        if key not in self._made:
            self._made = {of: made for of, made in self._made.items() if of[1] == key[1]}
            self._made[key] = self._coded(hands, board)
        return self._made[key]

    def _coded(self, hands: Ints, board: Ints) -> dict[str, Coding]:
        found, grid = {}, self.game.grid
        for name, of in self.game.groups.items():
            if name != self.by_grid:
                codes = [
                    self._numbers.setdefault(text, len(self._numbers))
                    for text in map(str, of(hands, board))
                ]
                found[name] = Coding(np.array(codes, dtype=np.int64), len(self._numbers))
        if grid is not None:
            found[GRID] = Coding(grid.cells(hands), len(grid.rows) * len(grid.columns))
        return found

    def record(self) -> dict[str, Any]:
        """Return cards, hands and names as JSON values."""
        game, grid = self.game, self.game.grid
        return {
            "deck": list(game.deck),
            "written": self._written(),
            "picker": self._picker(),
            "hands": [held.hands.tolist() for held in game.ranges],
            "cells": None
            if grid is None
            else [_listed(grid.cells(of.hands)) for of in game.ranges],
            "names": list(self._numbers),
            "groups": [name for name in game.groups if name != self.by_grid],
            "grid": None
            if grid is None
            else {
                "rows": list(grid.rows),
                "columns": list(grid.columns),
                "group": self.by_grid,
                "cells": self._cells(grid),
            },
        }

    def _written(self) -> list[str]:
        """Return how each card is written: suits by their signs."""
        kinds = self.game.card_kinds or {}
        deck = self.game.deck
        signs = written_cards(deck, [kinds.get(card, card) for card in deck])
        return [signs[card] for card in deck]

    def _picker(self) -> list[list[int]]:
        """Return cards as they are laid out to be picked: a row for each suit, if there are any."""
        deck, kinds = self.game.deck, self.game.card_kinds or {}
        rows: dict[str, list[int]] = {}
        for number, card in enumerate(deck):
            kind = kinds.get(card, card)
            rows.setdefault(card.removeprefix(kind) if card.startswith(kind) else "", []).append(
                number
            )
        return [row[::-1] for row in list(rows.values())[::-1]]

    def _cells(self, grid: Grid) -> list[str]:
        """Return the name of each cell of the matrix."""
        found = [f"{row}{column}" for row in grid.rows for column in grid.columns]
        if self.by_grid:
            hands = _every_hand(self.game)
            names = self.game.groups[self.by_grid](hands, _known(self.game))
            for cell, name in zip(grid.cells(hands), names, strict=True):
                found[cell] = str(name)
        return found


def _same_as_grid(game: HandGame) -> str:
    """Return the group that has a name for each cell of the matrix, and no others."""
    if game.grid is None:
        return ""
    hands = _every_hand(game)
    cells = game.grid.cells(hands).tolist()
    for group, of in game.groups.items():
        pairs = set(zip(cells, map(str, of(hands, _known(game))), strict=True))
        if len(pairs) == len(set(cells)) == len({name for _, name in pairs}):
            return group
    return ""


def _every_hand(game: HandGame) -> Ints:
    """Return hands beside the known board: int16 (num_hands, k).

    All that there are, if these are few enough; else those that either player may hold.
    """
    sizes = {held.hand_size for held in game.ranges}
    size, free = max(sizes), [card for card in range(len(game.deck)) if card not in game.board]
    if len(sizes) == 1 and comb(len(free), size) <= MOST_HANDS:
        return np.array(list(combinations(free, size)), dtype=np.int16)
    return np.unique(np.concatenate([held.hands for held in game.ranges]), axis=0)


def _known(game: HandGame) -> Ints:
    board: Ints = np.array(game.board, dtype=np.int16)
    return board


def _listed(cells: Index) -> list[int]:
    found: list[int] = cells.tolist()
    return found
