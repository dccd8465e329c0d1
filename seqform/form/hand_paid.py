"""What one player of a game of hands is paid on a board, for all lines of betting at once.

Each public end where the board lies there is a lane: the other player's plan at the line that leads
there, times the weights of hands, is summed up over hands by `seqform.form.hand_products`.

Running sums cancel, so what rounding does to them is no share of the result. It is bounded by a
share of the sum of all weights, for each end: `HandProducts.roundings` says how large a share of
the sums without signs, of which there is one for each set of cards of a hand, none larger than that
of all hands.
"""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Numbers
from seqform.form.hand_products import HandProducts, shared_cards
from seqform.form.hand_strategy import HandStrategy
from seqform.form.treeplex import UNIT_ROUNDOFF
from seqform.game.betting_tree import LOSS, TIE, WIN

if TYPE_CHECKING:
    from seqform.form.hand_passage import HandBlock

SCALING = 4
"""Roundings of what is summed up and of what comes out: products with weights of hands, and those
of the weights themselves."""


class Ends(NamedTuple):
    """Ends on a street, folds or showdowns, as a player is paid there."""

    mine: Index
    """int64 (num_ends,): the rows of the player's lines."""
    theirs: Index
    stakes: Index
    """int64 (3, num_ends), times the tree's denominator: `HandProducts.ranked` has what they are. A
    fold is paid the last of the three."""
    most_meeting: int
    """The most ends that have one line of the player's."""

    def weighed(self, plan: Numbers, weights: Index) -> tuple[Numbers, Numbers]:
        """Return the other's plan at each end, times what hands weigh, and what that adds up to.

        (num_ends, num_other_hands), transposed as `HandProducts` likes it, and (num_ends,).
        """
        if plan.dtype == object:
            found = plan[self.theirs] * weights
            return found, found.sum(axis=1)
        from seqform.form.hand_row_kernels import weigh  # it loads numba

        lanes = np.empty((len(weights), len(self.theirs)), dtype=plan.dtype)
        totals = np.empty(len(self.theirs), dtype=plan.dtype)
        weigh(plan, self.theirs, weights, lanes, totals)
        return lanes.T, totals

    def paid(self, products: HandProducts, lanes: Numbers) -> Numbers:
        """Return what each hand is paid at each end: (num_ends, num_hands)."""
        stakes = self.stakes.astype(lanes.dtype)
        if (self.stakes[:2] != 0).any():
            return products.ranked(lanes, stakes)
        found: Numbers = products.fold(lanes)
        found *= stakes[2, :, None]
        return found

    def most(self) -> Index:
        """Return what cannot be exceeded by any of what is summed up: (num_ends,)."""
        found: Index = np.abs(self.stakes).sum(axis=0)
        return found


class HandPayments:
    """What one player is paid.

    Parameters
    ----------
    strategy
        The game, and its lines of betting.
    player
        Whose hands and lines it is by.
    payee
        Whose payoffs are looked at: the player's own, or those of the other, which the player pays.
    """

    def __init__(self, strategy: HandStrategy, player: int, payee: int) -> None:
        self._strategy, self._player, self._constant = strategy, player, 0.0
        game = strategy.structure.game
        paid = game.betting.paid[:, :, payee]
        self._paid = paid if player == 0 else paid[:, [LOSS, TIE, WIN]]
        if player != payee:
            self._paid = -self._paid
        own, other = game.ranges[player], game.ranges[1 - player]
        self.shared = shared_cards(own.hands, other.hands)
        dealt = range(game.betting.num_dealt + 1)
        self._ends = [self._of_street(street) for street in dealt]
        self._ways = [perm(game.cards_left, street) for street in dealt]
        """In how many ways so many cards are dealt, once both hands are known."""
        self.denominator = game.total_weight * self._ways[-1] * game.betting.denominator

    def beside(self, constant: float) -> HandPayments:
        """Return the same with a constant that the player is paid besides."""
        other = copy(self)
        other._constant = constant
        return other

    def _of_street(self, dealt: int) -> tuple[Ends, ...]:
        """Return folds and showdowns, where there are any."""
        betting = self._strategy.structure.game.betting
        found = []
        for kind in (betting.is_fold, betting.is_showdown):
            nodes = np.flatnonzero(kind & (betting.dealt == dealt))
            if len(nodes):
                found.append(self._of_nodes(dealt, nodes))
        return tuple(found)

    def _of_nodes(self, dealt: int, nodes: Index) -> Ends:
        betting, player = self._strategy.structure.game.betting, self._player
        mine, theirs = (
            np.array(
                [self._strategy.streets[who][dealt].row[line] for line in lines.tolist()],
                dtype=np.int64,
            )
            for who in (player, 1 - player)
            for lines in [betting.last_own(who)[nodes]]
        )
        paid = self._paid[nodes]
        stakes = np.stack(
            [paid[:, WIN] - paid[:, TIE], paid[:, TIE] - paid[:, LOSS], paid[:, LOSS]]
        )
        return Ends(mine, theirs, stakes, int(np.bincount(mine).max()))

    @cached_property
    def _scales(self) -> list[Floats]:
        """By cards dealt, what each own hand's sums are multiplied by: float64 (num_hands,)."""
        game = self._strategy.structure.game
        weights, found = game.ranges[self._player].weights.tolist(), []
        for ways in self._ways:
            whole = game.total_weight * ways * game.betting.denominator
            found.append(np.array([float(Fraction(weight, whole)) for weight in weights]))
        return found

    def against(
        self, plan: Floats, block: HandBlock, products: HandProducts
    ) -> tuple[Floats, Floats, Floats]:
        """Return gradient, magnitude, and bounds on errors: (num_rows, num_own_hands) each."""
        player, dealt = self._player, block.dealt
        weights = self._weights(block)
        scale = self._scales[dealt][block.alive[player]]
        street = block.streets[player]
        gradient = np.zeros((street.num_rows, len(scale)))
        sizes = np.zeros((2, street.num_rows))
        for ends in self._ends[dealt]:
            lanes, totals = ends.weighed(plan, weights)
            _add(gradient, ends, ends.paid(products, lanes), scale)
            np.add.at(sizes[0], ends.mine, ends.most() * totals)
        share = self._roundings(products, block) * UNIT_ROUNDOFF * len(products.signs)
        sizes[1] = share * sizes[0]
        magnitude, errors = (np.multiply.outer(size, scale) for size in sizes)
        if block.is_last:
            gradient[0, 0] += self._constant
            magnitude[0, 0] += abs(self._constant)
        return gradient, magnitude, errors

    def _roundings(self, products: HandProducts, block: HandBlock) -> int:
        """Count the roundings of what an end pays, with its way up to the line that it is paid to.

        Ends of a line are added up, and boards that go on from where it was ended.
        """
        boards = block.dealt * len(self._strategy.structure.cards)
        most = sum(ends.most_meeting for ends in self._ends[block.dealt])
        return products.roundings + SCALING + most + boards

    def _weights(self, block: HandBlock) -> Index:
        other = 1 - self._player
        held = self._strategy.structure.game.ranges[other]
        return held.weights[block.alive[other]]

    def numerators(self, plan: Exact, block: HandBlock, products: HandProducts) -> Exact:
        """Return the gradient times `denominator` in integers; the constant is left out."""
        player, dealt = self._player, block.dealt
        weights = self._weights(block)
        own = self._strategy.structure.game.ranges[player].weights[block.alive[player]]
        scale = own.astype(plan.dtype) * (self._ways[-1] // self._ways[dealt])
        total = np.zeros((block.streets[player].num_rows, len(scale)), dtype=plan.dtype)
        for ends in self._ends[dealt]:
            lanes, _ = ends.weighed(plan, weights)
            _add(total, ends, ends.paid(products, lanes), scale)
        return total

    def bound(self) -> int:
        """Return what products in integers do not exceed, times the largest entry of the plan.

        Integers of 64 bits may wrap around on the way to a product. Of a line it is what all its
        ends pay against all hands of the other, on all boards; and no less than the boards are.
        """
        game = self._strategy.structure.game
        others = int(game.ranges[1 - self._player].weights.sum())
        own = int(game.ranges[self._player].weights.max())
        most = max((self._most_of_line(dealt) for dealt in range(len(self._ends))), default=0)
        boards = self._strategy.structure.num_boards(len(self._ends) - 1)
        return max(most * others * own * self._ways[-1], boards, 1)

    def _most_of_line(self, dealt: int) -> int:
        """Return the most that the ends of a line on a street, and on those after it, add up."""
        return sum(int(ends.most().sum()) for after in self._ends[dealt:] for ends in after)

    def total(self) -> int:
        """Return what a plan's expected payoff does not exceed in integers, times its whole."""
        game = self._strategy.structure.game
        most = int(np.abs(self._paid).max(initial=0))
        return max(1, most * game.total_weight * self._ways[-1])


def _add(rows: Numbers, ends: Ends, paid: Numbers, scale: Numbers) -> None:
    """Add what ends pay, times what own hands weigh, to the rows of their lines."""
    if rows.dtype == object:
        np.add.at(rows, ends.mine, paid * scale)
        return
    from seqform.form.hand_row_kernels import add_scaled  # it loads numba

    add_scaled(paid.T, ends.mine, scale, rows)
