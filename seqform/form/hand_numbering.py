"""Which number each information set and sequence of a game of hands has.

A player's information sets are ordered by public decision node, then by the board that lies there,
then by the hand, in the order of the range. The sequences of an information set stand side by side.
So at one node, what an action leads to is ``first + stride * place``, where `place` is the number
of the pair of board and hand (`seqform.form.hand_boards`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.base.memory import require_memory
from seqform.form.hand_boards import HandBoards
from seqform.form.treeplex import Treeplex

NO_LINE = -1
"""The line of a player who has not acted: the empty sequence."""

BYTES_PER_SEQUENCE = 60
"""As of signal games: a treeplex, a profile and its certificate."""


class HandNumbering:
    """The numbers of one player; a *line* is a public node that an own action led to.

    Arrays are over `nodes`, the player's decision nodes in level order.
    """

    def __init__(self, boards: HandBoards, player: int) -> None:
        betting = boards.game.betting
        self.boards, self.player = boards, player
        self.nodes: Index = np.flatnonzero(betting.player == player)
        self.dealt = [int(betting.dealt[node]) for node in self.nodes]
        self.num_actions = [int(betting.num_children[node]) for node in self.nodes]
        self.line = betting.last_own(player).tolist()
        self._position = {int(node): at for at, node in enumerate(self.nodes)}
        self.first_infoset, self.first_sequence = [0], [1]
        for dealt, actions in zip(self.dealt, self.num_actions, strict=True):
            count = boards.num_alive(player, dealt)
            self.first_infoset.append(self.first_infoset[-1] + count)
            self.first_sequence.append(self.first_sequence[-1] + count * actions)

    @property
    def num_infosets(self) -> int:
        """Information sets of the player, counted."""
        return self.first_infoset[-1]

    @property
    def num_sequences(self) -> int:
        """Sequences, counted; the empty one is the first."""
        return self.first_sequence[-1]

    def dealt_at(self, line: int) -> int:
        """Return how many cards lay face up when a line's action was chosen; -1 for `NO_LINE`."""
        return NO_LINE if line == NO_LINE else self.dealt[self._of(line)[0]]

    def where(self, line: int) -> tuple[int, int]:
        """Return the first sequence of a line, and how far they are apart; (0, 0) for `NO_LINE`."""
        if line == NO_LINE:
            return 0, 0
        at, action = self._of(line)
        return self.first_sequence[at] + action, self.num_actions[at]

    def _of(self, line: int) -> tuple[int, int]:
        betting = self.boards.game.betting
        node = int(betting.parent[line])
        return self._position[node], line - int(betting.first_child[node])

    def place(self, infoset: int) -> int:
        """Return the place in `nodes` of the public node of an information set."""
        return bisect_right(self.first_infoset, infoset) - 1

    def at(self, infoset: int) -> tuple[int, int, int]:
        """Return the place in `nodes`, the board and the hand of an information set."""
        at = self.place(infoset)
        place, dealt = infoset - self.first_infoset[at], self.dealt[at]
        starts = self.boards.starts(self.player, dealt)
        board = int(np.searchsorted(starts, place, side="right")) - 1
        return at, board, int(self.boards.alive(self.player, dealt)[place])

    @cached_property
    def levels(self) -> list[int]:
        """Where runs of nodes begin that are not below each other: places in `nodes`."""
        above = [self._above(int(node)) for node in self.nodes]
        starts: list[int] = []
        for at, earlier in enumerate(above):
            if not starts or earlier >= starts[-1]:
                starts.append(at)
        return starts

    def _above(self, node: int) -> int:
        """Return the place of the own node above one; -1 if there is none."""
        line = self.line[node]
        return -1 if line == NO_LINE else self._of(line)[0]

    @property
    def most_following(self) -> int:
        """The most information sets that follow one sequence, counted.

        The empty sequence is followed by those of all hands.
        """
        following: dict[int, int] = {}
        for node, dealt in zip(self.nodes.tolist(), self.dealt, strict=True):
            line = self.line[node]
            count = self.boards.num_alive(self.player, dealt)
            if line != NO_LINE:
                count = self.boards.num_following(self.player, self.dealt_at(line), dealt)
            following[line] = following.get(line, 0) + count
        return max(following.values(), default=0)

    @cached_property
    def treeplex(self) -> Treeplex:
        """The player's treeplex, made when it is asked for.

        Raises
        ------
        GameTooLargeError
            If it does not fit into memory together with a profile.
        """
        require_memory(
            BYTES_PER_SEQUENCE * self.num_sequences,
            f"a profile with {self.num_sequences:,} sequences of player {self.player}",
            "let more cards of the board be known, or leave out hands or lines of betting",
        )
        above = [np.zeros(0, dtype=np.int64)]
        for node, dealt in zip(self.nodes.tolist(), self.dealt, strict=True):
            first, stride = self.where(self.line[node])
            above.append(first + stride * self._places_before(self.line[node], dealt))
        counts = np.diff(self.first_infoset)
        actions = np.repeat(np.array(self.num_actions, dtype=np.int64), counts)
        first_sequence = np.concatenate([[1], 1 + np.cumsum(actions)])
        return Treeplex(np.concatenate(above).astype(np.int32), first_sequence.astype(np.int32))

    def _places_before(self, line: int, dealt: int) -> Index:
        """Return, for all pairs of a board and a hand, the pair when a line's action was chosen."""
        earlier = self.dealt_at(line)
        if earlier == dealt or line == NO_LINE:
            return np.arange(self.boards.num_alive(self.player, dealt))
        boards = range(self.boards.structure.num_boards(dealt))
        places = [self.boards.places(self.player, dealt, board, earlier) for board in boards]
        return np.concatenate(places)


class CountedHands(Treeplex):
    """A player's treeplex, of which only counts are known until more is asked for."""

    def __init__(self, numbering: HandNumbering) -> None:
        self._numbering = numbering

    @property
    def parent_sequence(self) -> Ints:
        """The sequence that leads to each information set, made now."""
        return self._numbering.treeplex.parent_sequence

    @property
    def first_sequence(self) -> Ints:
        """Where the sequences of each information set begin, made now."""
        return self._numbering.treeplex.first_sequence

    @property
    def num_infosets(self) -> int:
        """Information sets of the player, counted."""
        return self._numbering.num_infosets

    @property
    def num_sequences(self) -> int:
        """Sequences, counted."""
        return self._numbering.num_sequences

    def fingerprint(self) -> Iterator[bytes]:
        """Yield counts: what is counted is told by the payoffs, whose fingerprint has the game."""
        yield repr((self.num_infosets, self.num_sequences)).encode()

    @property
    def num_runs(self) -> int:
        """How many steps a pass takes."""
        return len(self._numbering.levels)

    @property
    def most_actions(self) -> int:
        """Actions of the largest information set."""
        return max(self._numbering.num_actions, default=0)

    @property
    def most_following(self) -> int:
        """The most information sets that follow one sequence."""
        return self._numbering.most_following
