"""HandLock: what is fixed of a game of hands, by public nodes and boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import ResultFileError
from seqform.form.hand_structure import HandStructure
from seqform.form.hand_symmetries import Symmetry
from seqform.form.hand_tables import FAR, normalized, on_boards_of
from seqform.form.patterns import Matched

KIND, VERSION = "seqform-hand-lock", 1


class LockedNode(NamedTuple):
    """What hands do at a public node, as far as it is fixed.

    Parameters
    ----------
    fixed
        float64 (num_orbits, num_actions, num_hands): probabilities on the first board of each orbit
        of boards; NaN where an action is free.
    left
        float64 (num_orbits, num_hands): what free actions share, 1 where nothing is fixed. What is
        fixed and what is left sum to 1 up to rounding.
    """

    fixed: Floats
    left: Floats

    @property
    def said(self) -> Mask:
        """Where something is fixed: bool (num_orbits, num_hands)."""
        return np.asarray(np.logical_not(np.isnan(self.fixed)).any(axis=1), dtype=np.bool_)

    @property
    def given(self) -> Floats:
        """The probabilities that are fixed, and 0 where an action is free."""
        return np.nan_to_num(self.fixed, nan=0.0)

    @property
    def share(self) -> Floats:
        """What all free actions share, at each of them; 0 where an action is fixed."""
        return np.where(np.isnan(self.fixed), self.left[:, None], 0.0)

    @property
    def num_free(self) -> NDArray[np.int64]:
        """How many actions are left to decide between: 0 where there are not several.

        int64 (num_orbits, num_hands).
        """
        count = np.isnan(self.fixed).sum(axis=1)
        return np.where((count > 1) & (self.left > 0), count, 0)

    def on(self, orbits: NDArray[np.integer]) -> LockedNode:
        """Return the same on some of the boards."""
        return LockedNode(self.fixed[orbits], self.left[orbits])

    def kept_to(self, table: NDArray[np.floating]) -> Floats:
        """Return behaviours that keep to the lock: free actions as in a table, made to sum to left.

        Where all of them are 0 there they share what is left evenly.

        Parameters
        ----------
        table
            (num_orbits, num_actions, num_hands): probabilities.
        """
        free = np.isnan(self.fixed)
        wanted = np.where(free, table, 0.0)
        even = free / np.maximum(free.sum(axis=1, keepdims=True), 1)
        some = wanted.sum(axis=1, keepdims=True) > 0
        odds = normalized(np.where(some, wanted, even), axis=1)
        return np.where(free, odds * self.left[:, None], self.fixed)


Nodes = Mapping[int, LockedNode]
"""By public node; those at which nothing is fixed are left out."""


@dataclass(frozen=True, eq=False)
class HandLock:
    """What is fixed of a game of hands.

    Parameters
    ----------
    structure
        The game, with such of its symmetries only as the lock has, too.
    nodes
        For each player what is fixed.
    matched
        What each pattern matched, if it was given by patterns.
    """

    structure: HandStructure
    nodes: tuple[Nodes, Nodes]
    matched: tuple[Matched, ...] = ()

    @cached_property
    def counts(self) -> tuple[int, int]:
        """In how many information sets of each player something is fixed."""
        mine, theirs = (sum(self._counted(player)) for player in (0, 1))
        return mine, theirs

    def _counted(self, player: int) -> Iterator[int]:
        for node, of in self.nodes[player].items():
            dealt = int(self.structure.game.betting.dealt[node])
            orbits = self.structure.orbits[dealt]
            alive = self.structure.avoids(player, dealt)[orbits.first]
            yield orbits.counted(of.said & alive)

    def on(self, structure: HandStructure) -> HandLock:
        """Return the lock by the boards of the same game with more symmetries, or with fewer.

        Parameters
        ----------
        structure
            Has no symmetries that the lock has not.
        """
        if structure is self.structure:
            return self
        betting = structure.game.betting
        nodes: tuple[dict[int, LockedNode], dict[int, LockedNode]] = ({}, {})
        for player, of_player in enumerate(self.nodes):
            for node, of in of_player.items():
                dealt = int(betting.dealt[node])
                nodes[player][node] = self._on_boards(player, of, dealt, structure)
        return HandLock(structure, nodes, self.matched)

    def _on_boards(
        self, player: int, of: LockedNode, dealt: int, structure: HandStructure
    ) -> LockedNode:
        """Return what is fixed on the first boards of another structure's orbits."""
        where = player, dealt, self.structure, structure
        return LockedNode(on_boards_of(of.fixed, *where), on_boards_of(of.left, *where))

    def with_its_symmetries(self, structure: HandStructure) -> HandLock:
        """Return a lock by all boards of a game, by boards up to those symmetries that it has.

        Parameters
        ----------
        structure
            The game, with all its symmetries.
        """
        kept = [of for of in structure.symmetries if self._has(of)]
        return self.on(structure.with_symmetries(kept))

    def _has(self, symmetry: Symmetry) -> bool:
        """Tell whether a symmetry of the game leaves the lock as it is."""
        for player, of_player in enumerate(self.nodes):
            hands = symmetry.hands[player]
            for node, of in of_player.items():
                check_time("looking for symmetries")
                dealt = int(self.structure.game.betting.dealt[node])
                image = of.on(self.structure.images(symmetry, dealt))
                if not np.array_equal(image.fixed[:, :, hands], of.fixed, equal_nan=True):
                    return False
                if not np.array_equal(image.left[:, hands], of.left):
                    return False
        return True

    def save(self, path: Path) -> None:
        """Write the lock, by all boards.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        from seqform.base.array_file import write_arrays

        whole = self.on(self.structure.without_symmetries)
        arrays = {
            f"{name}{player}.{node}": array
            for player, nodes in enumerate(whole.nodes)
            for node, of in nodes.items()
            for name, array in of._asdict().items()
        }
        write_arrays(path, KIND, VERSION, {}, arrays, compress=True)

    @classmethod
    def load(cls, path: Path, structure: HandStructure) -> HandLock:
        """Read a lock of a game, which has all its symmetries.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, foreign, or of another game.
        """
        from seqform.base.array_file import read_arrays

        _, arrays = read_arrays(path, KIND, VERSION)
        nodes: tuple[dict[int, LockedNode], dict[int, LockedNode]] = ({}, {})
        try:
            for name, array in arrays.items():
                if name.startswith("fixed"):
                    player, node = map(int, name.removeprefix("fixed").split("."))
                    left = arrays[f"left{player}.{node}"]
                    nodes[player][node] = _checked(structure, player, node, array, left)
        except (KeyError, IndexError, ValueError) as error:
            raise ResultFileError(f"{path} is damaged or of another game: {error}") from None
        if not any(nodes):
            raise ResultFileError(f"{path} is damaged: it fixes nothing")
        return cls(structure.without_symmetries, nodes).with_its_symmetries(structure)


def _checked(
    structure: HandStructure, player: int, node: int, fixed: Floats, left: Floats
) -> LockedNode:
    """Return what a file says of a node.

    Raises
    ------
    ValueError
        If it is none of the player's, or the numbers are no probabilities of all its actions.
    """
    betting, hands = structure.game.betting, structure.game.ranges[player].num_hands
    if betting.player[node] != player:
        raise ValueError(f"player {player} does not act at node {node}")
    shape = structure.num_boards(int(betting.dealt[node])), int(betting.num_children[node]), hands
    found = LockedNode(fixed, left)
    if (fixed.shape, left.shape) != (shape, (shape[0], hands)):
        raise ValueError(f"node {node} has tables of {fixed.shape} and {left.shape}")
    total = found.given.sum(axis=1) + np.where(np.isnan(fixed).any(axis=1), left, 0.0)
    if (
        not ((found.given >= 0) & (left >= 0)[:, None]).all()
        or (np.abs(total - 1) > FAR[np.dtype(np.float64)]).any()
    ):
        raise ValueError(f"what node {node} fixes, and leaves, does not sum to 1")
    return found
