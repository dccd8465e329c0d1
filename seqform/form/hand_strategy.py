"""HandStrategy: what to do with which hand after which actions, kept by boards up to symmetry.

A strategy of a game of hands is a table for each public decision node: probabilities of actions by
hand, on the first board of each orbit (`seqform.form.hand_structure`). On a board that a symmetry
leads to, a hand is played as the one that it came from. So hands that a symmetry exchanges without
moving the board are played alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.form.hand_lines import NO_LINE, Street, streets_of
from seqform.form.hand_situation import Situation, situation, written
from seqform.form.hand_structure import HandStructure
from seqform.form.hand_tables import (
    FAR,
    alike_hands,
    check_sums,
    in_single,
    made_alike,
    normalized,
    on_boards_of,
    on_first,
    without_dead,
)
from seqform.form.lifted_profile import KeptProfile
from seqform.form.local_strategy import LocalStrategy

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm

KIND, VERSION = "seqform-hand-strategy", 1

MOST_COMPRESSED = 50_000_000
"""Bytes up to which a strategy is compressed; more take longer than they are worth."""

Tables = Mapping[int, NDArray[Any]]
"""By public decision node: (num_orbits, num_actions, num_hands)."""


class HandStrategy:
    """A strategy for each player of a game of hands.

    Parameters
    ----------
    structure
        The game.
    behaviors
        For each player, by public node at which the player acts, float32 or float64 (num_orbits,
        num_actions, num_hands): probabilities on the first board of each orbit of boards with as
        many cards. Entries of hands that meet the board are not looked at, and become 0. Where
        hands have to be played alike and are not, each gets the mean of them.

    Raises
    ------
    InvalidStrategyError
        If a node is missing, or a table has another shape or type, or numbers that are no
        probabilities or do not sum to 1: up to 1e-9, in single precision to 1e-6.
    """

    def __init__(
        self, structure: HandStructure, behaviors: Sequence[Tables], *, in_place: bool = False
    ) -> None:
        if len(behaviors) != 2:
            raise InvalidStrategyError(f"{len(behaviors)} strategies given for 2 players")
        self.structure = structure
        self.behaviors: tuple[dict[int, NDArray[Any]], ...] = tuple(
            self._checked(player, tables, in_place) for player, tables in enumerate(behaviors)
        )

    @classmethod
    def uniform(cls, structure: HandStructure) -> Self:
        """Return the strategies in which all actions are equally likely, in single precision."""
        betting, tables = structure.game.betting, []
        for player, held in enumerate(structure.game.ranges):
            nodes, alive = (
                np.flatnonzero(betting.player == player).tolist(),
                on_first(structure, player),
            )
            found = {}
            for node in nodes:
                share = alive[betting.dealt[node]] * np.float32(1 / betting.num_children[node])
                shape = len(share), int(betting.num_children[node]), held.num_hands
                found[node] = np.broadcast_to(share[:, None], shape).copy()
            tables.append(found)
        return cls(structure, tables)

    def is_of(self, structure: HandStructure) -> bool:
        """Tell whether these are strategies of a game, whichever of its symmetries they have."""
        return self.structure.is_of(structure)

    def require_symmetries_of(self, structure: HandStructure, breaks: str) -> None:
        """Refuse strategies by symmetries that a part of a game, such as a lock, does not have.

        Raises
        ------
        InvalidStrategyError
            If they are; `breaks` says what breaks them.
        """
        if not self.is_of(structure):
            raise InvalidStrategyError(
                f"these strategies are kept by symmetries that the {breaks} breaks: keep them "
                "without"
            )

    def on(self, player: int, node: int, orbit: int) -> Floats:
        """Return what is done at a node on the first board of an orbit.

        float64 (num_actions, num_hands): columns sum to 1 up to rounding, and are 0 for hands that
        meet the board.
        """
        return normalized(self.behaviors[player][node][orbit].astype(np.float64))

    def on_board(self, player: int, node: int, board: int) -> Floats:
        """Return the same on any board, by its number."""
        dealt = int(self.structure.game.betting.dealt[node])
        orbits = self.structure.orbits[dealt]
        symmetry = self.structure.symmetries[orbits.symmetry[board]]
        found = self.on(player, node, int(orbits.orbit[board]))
        there = np.empty_like(found)
        there[:, symmetry.hands[player]] = found
        return there

    def by_boards_of(self, structure: HandStructure) -> Self:
        """Return the same strategies by the boards of the game with fewer symmetries.

        Parameters
        ----------
        structure
            The same game, with no symmetries that these strategies have not.
        """
        if structure is self.structure:
            return self
        dealt, moved = structure.game.betting.dealt, []
        for player, tables in enumerate(self.behaviors):
            found = {}
            for node, table in tables.items():
                check_time("taking over a strategy")
                where = player, int(dealt[node]), self.structure, structure
                found[node] = on_boards_of(table, *where)
            moved.append(found)
        return type(self)(structure, moved, in_place=True)

    @cached_property
    def streets(self) -> tuple[tuple[Street, ...], tuple[Street, ...]]:
        """For each player the lines of betting, street by street."""
        betting = self.structure.game.betting
        return streets_of(betting, 0), streets_of(betting, 1)

    @cached_property
    def alive(self) -> tuple[tuple[Mask, ...], tuple[Mask, ...]]:
        """For each player, by cards dealt, which hands avoid the first board of each orbit.

        bool (num_orbits, num_hands).
        """
        return on_first(self.structure, 0), on_first(self.structure, 1)

    def ask(self, hand: str | Sequence[str], history: str) -> LocalStrategy:
        """Return the probability of each action, with the `reach` by the player's own actions.

        Parameters
        ----------
        hand
            The cards of the player to act, such as ``"AhKh"``, in any order; one star for all
            hands of the range that avoid the board.
        history
            The actions so far and the cards dealt face up, such as ``"check-check/8c/bet"``; the
            empty string where the player acts first.

        Returns
        -------
        local
            Of all hands it is the mean; each counts by its weight and the probability with which
            the player's own actions lead there, or by its weight if they never do.

        Raises
        ------
        InvalidParameterError
            If nobody acts after that history, or the hand is not one of that player's there.
        """
        where = situation(self.structure, history)
        hands = where.hands(self.structure, hand)
        reach = self._reach(where)[hands]
        weights = self.structure.game.ranges[where.player].weights[hands].astype(float)
        there = self.on_board(where.player, where.node, where.board)[:, hands]
        counted = weights * (reach if reach.any() else 1.0)
        mean = there[:, 0] if len(hands) == 1 else there @ counted / counted.sum()
        actions = [
            str(self.structure.game.betting.actions[child])
            for child in self.structure.game.betting.children(where.node)
        ]
        return LocalStrategy(
            dict(zip(actions, mean.tolist(), strict=True)),
            float(weights @ reach / weights.sum()),
            [written(self.structure, where, number) for number in hands.tolist()],
        )

    def _reach(self, where: Situation) -> Floats:
        """Return how likely a player's own actions lead somewhere with each hand."""
        betting, player, node = self.structure.game.betting, where.player, where.node
        reach = np.ones(self.structure.game.ranges[player].num_hands)
        last = betting.last_own(player)
        while (line := int(last[node])) != NO_LINE:
            node = int(betting.parent[line])
            board = where.board_before(self.structure, int(betting.dealt[node]))
            reach *= self.on_board(player, node, board)[line - int(betting.first_child[node])]
        return reach

    def in_form(self, form: SequenceForm) -> KeptProfile:
        """Return the profile of the game's sequence form that plays like this.

        Its vectors over all sequences are made when they are asked for.
        """
        return KeptProfile(form, ByHands(self))

    def save(self, path: Path) -> None:
        """Write the strategies, in single precision where that is all they have.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        from seqform.base.array_file import write_arrays

        arrays = {
            f"behavior{player}.{node}": in_single(table)
            for player, tables in enumerate(self.behaviors)
            for node, table in tables.items()
        }
        size = sum(table.nbytes for table in arrays.values())
        header: dict[str, Any] = {"symmetries": len(self.structure.symmetries)}
        if self.structure.is_part:
            header["cards"] = [of.cards.tolist() for of in self.structure.symmetries]
        write_arrays(path, KIND, VERSION, header, arrays, compress=size <= MOST_COMPRESSED)

    @classmethod
    def load(cls, path: Path, structure: HandStructure) -> Self:
        """Read the strategies of a game.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, foreign, or of another game.
        """
        from seqform.base.array_file import read_arrays

        header, arrays = read_arrays(path, KIND, VERSION)
        if (cards := header.get("cards")) is not None:
            kept = [of for of in structure.symmetries if of.cards.tolist() in cards]
            structure = structure.with_symmetries(kept)
        elif header.get("symmetries") != len(structure.symmetries):
            structure = structure.without_symmetries
        tables: tuple[dict[int, NDArray[Any]], ...] = ({}, {})
        try:
            for name, array in arrays.items():
                player, node = name.removeprefix("behavior").split(".")
                tables[int(player)][int(node)] = array
            return cls(structure, tables)
        except (IndexError, ValueError) as error:  # an InvalidStrategyError is one
            raise ResultFileError(f"{path} is damaged or of another game: {error}") from None

    def _checked(self, player: int, tables: Tables, in_place: bool) -> dict[int, NDArray[Any]]:
        """Return a player's tables, of which none has to be changed if all is well."""
        betting = self.structure.game.betting
        nodes = np.flatnonzero(betting.player == player).tolist()
        if sorted(tables) != nodes:
            wrong = sorted(set(nodes) ^ set(tables))
            raise InvalidStrategyError(
                f"player {player}: a table is needed for each public node at which the player "
                f"acts, and there is one too few or too many of node {wrong[0]}"
            )
        found, alike = {}, alike_hands(self.structure, player)
        for node in nodes:
            check_time("checking a strategy")
            dealt = int(betting.dealt[node])
            where = f"player {player}, after {betting.lines[node]!r} (node {node})"
            table = self._of_shape(np.asarray(tables[node]), player, node, where)
            table = without_dead(table, self.alive[player][dealt], in_place)
            check_sums(table, self.alive[player][dealt], where)
            found[node] = made_alike(table, alike[dealt], in_place)
        return found

    def _of_shape(self, table: NDArray[Any], player: int, node: int, where: str) -> NDArray[Any]:
        betting, held = self.structure.game.betting, self.structure.game.ranges[player]
        orbits = len(self.structure.orbits[betting.dealt[node]].first)
        shape = orbits, int(betting.num_children[node]), held.num_hands
        if table.shape != shape or table.dtype not in FAR:
            raise InvalidStrategyError(
                f"{where}: a table here is of float32 or float64 and has the shape {shape} "
                f"(orbits of boards, actions, hands), and this one is of {table.dtype} and has "
                f"{table.shape}"
            )
        return table


class ByHands(NamedTuple):
    """The way to the vectors of a profile that is kept by hands."""

    kept: HandStrategy

    def lifted(self, form: SequenceForm) -> Profile:
        """Return the vectors over the sequences of the game's form."""
        from seqform.form.hand_sequences import KeptSequences

        players = [KeptSequences(self.kept, player) for player in (0, 1)]
        return form.profile([of.behavior()[of.images()] for of in players])


class KeepingHands(NamedTuple):
    """How profiles of a game of hands are kept."""

    structure: HandStructure

    def of(self, game: SequenceForm, profile: Profile) -> HandStrategy:
        """Return what a profile is kept by; one by vectors is kept by all boards."""
        if isinstance(profile.kept, HandStrategy):
            return profile.kept
        from seqform.form.hand_sequences import KeptSequences

        structure = self.structure.without_symmetries
        even = HandStrategy.uniform(structure)
        both = enumerate(profile.behaviors)
        return HandStrategy(
            structure, [KeptSequences(even, player).tables(vector) for player, vector in both]
        )

    def load(self, path: Path) -> HandStrategy:
        """Read a strategy; see `HandStrategy.load`."""
        return HandStrategy.load(path, self.structure)
