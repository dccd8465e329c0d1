"""The ends of a betting tree, in groups whose products are made at once.

In a group both players acted last at given numbers of cards dealt, play ends at a given one, and
hands are shown or not. What is paid where lines and hands meet sums, over all boards on which play
ends so,

    paid * w_0 * w_1 * (D - d) ... (D - m + 1)    over    Z * D ... (D - m + 1).

D cards are left when both hands are known, d of the m cards that are dealt lie face up at the end,
w are the weights of hands, and Z adds up w_0 w_1 over the pairs that can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import perm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Index
from seqform.form.hand_numbering import HandNumbering
from seqform.game.betting_tree import LOSS, TIE, WIN

if TYPE_CHECKING:
    from seqform.form.hands import HandGame


class EndGroup(NamedTuple):
    """Ends of one kind.

    Parameters
    ----------
    dealt
        Cards that lie face up at the end.
    shown
        Whether hands are shown.
    earlier
        For each player, how many cards lay face up at the last own action.
    nodes
        int64 (num_ends,): the ends.
    lines
        For each player, the line of each end, int64.
    paid
        object (3, num_ends), Python ints: what one player gets where player 0 has the better hand,
        at a tie, and where player 1 has it, times what chance multiplies it by.
    """

    dealt: int
    shown: bool
    earlier: tuple[int, int]
    nodes: Index
    lines: tuple[Index, Index]
    paid: Exact

    def stakes(self, player: int) -> Exact:
        """Return what sums of hands are multiplied by, if a player is the one whose hand is seen.

        object (3, num_ends) as `HandProducts.ranked` takes them; (1, num_ends)
        where nobody shows.
        """
        if not self.shown:
            return self.paid[:1]
        win, tie, loss = self.paid if player == 0 else self.paid[::-1]
        return np.stack([win - tie, tie - loss, loss])

    def absolute(self) -> EndGroup:
        """Return the same with all payoffs made positive."""
        return self._replace(paid=np.abs(self.paid))

    def negated(self) -> EndGroup:
        """Return the same with what is paid taken away in its place."""
        return self._replace(paid=-self.paid)


def end_groups(
    game: HandGame, players: Sequence[HandNumbering], payee: int | None = 0
) -> list[EndGroup]:
    """Return the ends at which a player is paid anything, in groups.

    Parameters
    ----------
    payee
        The player. None: ends at which either player is paid anything are asked for, and `paid`
        has the sum of both amounts, made positive.
    """
    betting, found = game.betting, dict[tuple[int, bool, int, int], list[int]]()
    paid = np.abs(betting.paid).sum(axis=2) if payee is None else betting.paid[:, :, payee]
    paying = paid.any(axis=1)
    for node in np.flatnonzero(paying).tolist():
        mine, theirs = (of.dealt_at(of.line[node]) for of in players)
        key = int(betting.dealt[node]), bool(betting.is_showdown[node]), mine, theirs
        found.setdefault(key, []).append(node)
    return [_group(game, players, paid, key, nodes) for key, nodes in found.items()]


def _group(
    game: HandGame,
    players: Sequence[HandNumbering],
    paid: Index,
    key: tuple[int, bool, int, int],
    nodes: list[int],
) -> EndGroup:
    dealt, shown, mine, theirs = key
    further = perm(game.cards_left - dealt, game.betting.num_dealt - dealt)
    amounts = paid[nodes][:, [WIN, TIE, LOSS]].T.astype(object) * further
    lines = tuple(np.array([of.line[node] for node in nodes], dtype=np.int64) for of in players)
    at = np.array(nodes, dtype=np.int64)
    return EndGroup(dealt, shown, (mine, theirs), at, (lines[0], lines[1]), amounts)


def denominator(game: HandGame) -> int:
    """Return what the numbers of payoffs are over."""
    ways = perm(game.cards_left, game.betting.num_dealt)
    return game.betting.denominator * game.total_weight * ways
