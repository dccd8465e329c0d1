"""What is done at public nodes of a game of hands on any board, however a profile is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.errors import UnsupportedGameError
from seqform.form.hand_boards import HandBoards
from seqform.form.hand_numbering import HandNumbering
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.hand_symmetries import Symmetry
from seqform.form.hand_tables import normalized

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm


class Policies(Protocol):
    """Strategies of both players, asked by public nodes and boards."""

    @property
    def structure(self) -> HandStructure:
        """The game."""

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Symmetries of the game that the strategies have, too; the identity is the first."""

    def on(self, player: int, nodes: Sequence[int], board: int, hands: Index) -> Floats:
        """Return what some hands do at nodes of a player with equally many actions, on a board.

        Parameters
        ----------
        board
            Its number among those with as many cards as lie there at the nodes.
        hands
            Numbers of hands that avoid the board: int64 (num_hands,).

        Returns
        -------
        float64 (num_nodes, num_actions, num_hands)
        """


class KeptPolicies(NamedTuple):
    """Strategies that are kept by boards up to symmetry."""

    strategy: HandStrategy

    @property
    def structure(self) -> HandStructure:
        """The game."""
        return self.strategy.structure

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All of the game: what is kept once is played alike."""
        return self.structure.symmetries

    def on(self, player: int, nodes: Sequence[int], board: int, hands: Index) -> Floats:
        """Return what hands do; see `Policies.on`."""
        dealt = int(self.structure.game.betting.dealt[nodes[0]])
        orbits, tables = self.structure.orbits[dealt], self.strategy.behaviors[player]
        symmetry = self.structure.symmetries[orbits.symmetry[board]]
        back = np.argsort(symmetry.hands[player])[hands]  # what the hands are on the first board
        orbit = int(orbits.orbit[board])
        found = np.stack([tables[node][orbit][:, back] for node in nodes]).astype(np.float64)
        return normalized(found)


class ListedPolicies:
    """Strategies whose vectors over all sequences are at hand.

    Parameters
    ----------
    structure
        The game.
    profile
        The strategies.
    """

    def __init__(self, structure: HandStructure, profile: Profile) -> None:
        self.structure, self._behaviors = structure, profile.behaviors
        self._boards = boards = HandBoards(structure.game)
        self._players = HandNumbering(boards, 0), HandNumbering(boards, 1)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The identity: hands that symmetries exchange may be played differently."""
        return self.structure.without_symmetries.symmetries

    def on(self, player: int, nodes: Sequence[int], board: int, hands: Index) -> Floats:
        """Return what hands do; see `Policies.on`."""
        numbering, behavior = self._players[player], self._behaviors[player]
        dealt = int(self.structure.game.betting.dealt[nodes[0]])
        place = np.searchsorted(self._boards.on(player, dealt, board), hands)
        place = place + int(self._boards.starts(player, dealt)[board])
        found = []
        for node in nodes:
            at = int(np.searchsorted(numbering.nodes, node))
            first, count = numbering.first_sequence[at], numbering.num_actions[at]
            found.append(behavior[first + place[:, None] * count + np.arange(count)].T)
        return np.stack(found)


def policies_of(form: SequenceForm, profile: Profile) -> Policies:
    """Return the strategies of a profile of a game of hands.

    Raises
    ------
    UnsupportedGameError
        If it is a game of another kind.
    """
    structure, kept = hands_of(form), profile.kept
    if isinstance(kept, HandStrategy):
        return KeptPolicies(kept)
    return ListedPolicies(structure, profile)


def hands_of(form: SequenceForm) -> HandStructure:
    """Return the boards and hands of a game of hands, to be looked at line by line.

    Raises
    ------
    UnsupportedGameError
        If it is a game of another kind.
    """
    if form.origin.hands is None:
        raise UnsupportedGameError(
            "only games of hands, such as hold'em endgames, and those that say hand and line in "
            "each information set are looked at line by line: show with infoset=TEXT chooses "
            "information sets of any other"
        )
    return form.origin.hands
