"""Which hands avoid which boards, numbered for everything that goes through a game of hands.

A hand that avoids a board is *alive* there. For each player and number of cards dealt, pairs of a
board and a hand alive on it are numbered board by board, and on a board in the order of the range.
"""

from __future__ import annotations

from math import perm
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.base.memory import require_memory
from seqform.form.hand_products import HandProducts
from seqform.form.hand_structure import HandStructure

if TYPE_CHECKING:
    from seqform.form.hands import HandGame

BYTES_PER_PLACE = 16
"""Of a board and a hand: whether they meet, two numbers, and how strong the hand is."""


class HandBoards:
    """The hands that are alive on each board, and products over them.

    Parameters
    ----------
    game
        The game. Nothing is made before it is asked for.
    """

    def __init__(self, game: HandGame) -> None:
        self.game, self.structure = game, HandStructure(game)
        self._ranks: dict[tuple[int, int], Ints] = {}
        self._alive: dict[tuple[int, int], tuple[Index, Ints]] = {}
        self._strengths: dict[tuple[int, int], Ints] = {}

    def num_alive(self, player: int, dealt: int) -> int:
        """Return how many pairs there are of a board of a length and a hand that is alive there."""
        held = self.game.ranges[player]
        return held.num_hands * perm(len(self.structure.cards) - held.hand_size, dealt)

    def num_following(self, player: int, earlier: int, dealt: int) -> int:
        """Return how many longer boards a hand is alive on, that go on from one where it is."""
        left = len(self.structure.cards) - self.game.ranges[player].hand_size - earlier
        return perm(left, dealt - earlier)

    def num_further(self, earlier: int, dealt: int) -> int:
        """Return how many longer boards go on from one; `earlier` is -1 for the empty one, too."""
        earlier = max(earlier, 0)
        return perm(len(self.structure.cards) - earlier, dealt - earlier)

    def starts(self, player: int, dealt: int) -> Index:
        """Return where the pairs of each board begin: int64 (num_boards + 1,)."""
        return self._made(player, dealt)[0]

    def alive(self, player: int, dealt: int) -> Ints:
        """Return the hand of each pair: int32 (num_alive,)."""
        return self._made(player, dealt)[1]

    def on(self, player: int, dealt: int, board: int) -> Ints:
        """Return the hands that are alive on a board, ascending: int32 (num_hands,)."""
        starts, hands = self._made(player, dealt)
        return hands[starts[board] : starts[board + 1]]

    def places(self, player: int, dealt: int, board: int, earlier: int) -> Index:
        """Return, for hands alive on a board, the number of the pair with the board that it had.

        Parameters
        ----------
        earlier
            Cards dealt then: `dealt` for the board itself; -1 for before the hands were dealt,
            when there is but one, 0.

        Returns
        -------
        places
            int64 (num_hands,).
        """
        if earlier == dealt:
            starts = self.starts(player, dealt)
            return np.arange(starts[board], starts[board + 1])
        if earlier < 0:
            return np.zeros(len(self.on(player, dealt, board)), dtype=np.int64)
        before = board // self.num_further(earlier, dealt)
        ranks = self._rank(player, earlier)[before, self.on(player, dealt, board)]
        return ranks + self.starts(player, earlier)[before]  # type: ignore[no-any-return]

    def weights(self, player: int, dealt: int, board: int) -> Index:
        """Return the weights of the hands that are alive on a board: int64 (num_hands,)."""
        return self.game.ranges[player].weights[self.on(player, dealt, board)]

    def strengths(self, player: int, board: int) -> Ints:
        """Return how strong the hands are that are alive on a whole board; kept as small integers.

        Numbers of different players compare.
        """
        if (player, board) not in self._strengths:
            dealt = self.structure.num_dealt
            both = [
                self.structure.strengths(who, board)[self.on(who, dealt, board)] for who in (0, 1)
            ]
            levels, ranked = np.unique(np.concatenate(both), return_inverse=True)
            small: Ints = ranked.astype(np.int16 if len(levels) < 2**15 else np.int32)
            self._strengths[0, board], self._strengths[1, board] = np.split(small, [len(both[0])])
        return self._strengths[player, board]

    def products(self, player: int, dealt: int, board: int) -> HandProducts:
        """Return the products over a board that pay a player; showdowns too on whole boards."""
        own, other = (self.on(who, dealt, board) for who in (player, 1 - player))
        shared = self.structure.shared[player]
        if dealt < self.structure.num_dealt:
            return HandProducts.on_board(shared, own, other)
        strengths = (self.strengths(who, board) for who in (player, 1 - player))
        return HandProducts.on_board(shared, own, other, *strengths)

    def _made(self, player: int, dealt: int) -> tuple[Index, Ints]:
        if (player, dealt) not in self._alive:
            self.require(dealt)
            avoids = self.structure.avoids(player, dealt)
            counts = np.cumsum(avoids.sum(axis=1))
            hands = np.nonzero(avoids)[1].astype(np.int32)
            self._alive[player, dealt] = np.concatenate([[0], counts]), hands
        return self._alive[player, dealt]

    def _rank(self, player: int, dealt: int) -> Ints:
        """Return which of the hands alive on a board each one is: int32 (num_boards, num_hands)."""
        if (player, dealt) not in self._ranks:
            avoids = self.structure.avoids(player, dealt)
            self._ranks[player, dealt] = np.cumsum(avoids, axis=1, dtype=np.int32) - 1
        return self._ranks[player, dealt]

    def require(self, dealt: int) -> None:
        """See that what there is of boards and hands fits into memory.

        Raises
        ------
        GameTooLargeError
            If it does not.
        """
        boards = self.structure.num_boards(dealt)
        hands = sum(held.num_hands for held in self.game.ranges)
        require_memory(
            BYTES_PER_PLACE * boards * hands,
            f"a game with {boards:,} boards and {hands:,} hands",
            "let more cards of the board be known, or leave out hands",
        )
