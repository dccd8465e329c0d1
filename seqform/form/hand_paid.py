"""What one player of a game of hands is paid on a board, for all lines of betting at once.

Each public end where the board lies there is a lane: the other player's plan at the line that leads
there, times the weights of hands, is summed up over hands by `seqform.form.hand_products`.

Running sums cancel, so what rounding does to them is no share of the result. It is bounded by a
share of the sum of all weights, for each end: `HandProducts.lost` says how large a share. So bounds
are the same for all hands, times what a hand weighs, and no table of them is made.
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
from seqform.form.listed_paid import ListedPaid
from seqform.form.protocol import Parts
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF
from seqform.game.betting_tree import LOSS, TIE, WIN

if TYPE_CHECKING:
    from seqform.form.hand_passage import HandBlock

SCALING = 4
"""Roundings of what is summed up and of what comes out: products with weights of hands, and those
of the weights themselves."""


ROWS = 0
"""The key of the one part that a vector on a board has."""


class HandPaid(NamedTuple):
    """What a player's lines are paid on a board; see `seqform.form.protocol.Paid`.

    Parameters
    ----------
    rows
        float64 (num_rows, num_hands): what each line is paid with each hand.
    sizes
        float64 (num_rows,): what it would be if all were positive, over what a hand weighs.
    lost
        float64 (num_rows,): what sums that cancel may lose, over what a hand weighs.
    scale
        float64 (num_hands,): what each hand weighs.
    """

    rows: Floats
    sizes: Floats
    lost: Floats
    scale: Floats

    @property
    def gradient(self) -> Parts:
        """What each line is paid with each hand."""
        return {ROWS: self.rows}

    def raised(self, share: float) -> Parts:
        """Return the gradient with bounds on its errors added."""
        from seqform.form.hand_row_kernels import raised  # it loads numba

        return {ROWS: raised(self.rows, self._bounds(share), self.scale)}

    def off(self, share: float, plan: Parts) -> float:
        """Bound how far off the product with a plan is."""
        return float(self._bounds(share) @ weighed(plan[ROWS], self.scale))

    def _bounds(self, share: float) -> Floats:
        return share * self.sizes + HIGHER_ORDERS * self.lost

    def listed(self) -> ListedPaid:
        """Return the same with each bound in a table."""
        magnitude, errors = (np.multiply.outer(of, self.scale) for of in (self.sizes, self.lost))
        return ListedPaid(self.gradient, {ROWS: magnitude}, {ROWS: errors})


def weighed(rows: Floats, weights: Floats) -> Floats:
    """Return what hands weigh in each row, added up: (num_rows,)."""
    found: Floats = np.einsum("rh,h->r", rows, weights)
    return found


class Ends(NamedTuple):
    """Ends on a street, folds or showdowns, as a player is paid there."""

    mine: Index
    """int64 (num_ends,): the rows of the player's lines."""
    theirs: Index
    stakes: Index
    """int64 (3, num_ends), times the tree's denominator: `HandProducts.ranked` has what they are. A
    fold is paid the last of the three."""

    @property
    def most_meeting(self) -> int:
        """The most ends that have one line of the player's."""
        return int(np.bincount(self.mine).max())

    def add(
        self, plan: Numbers, weights: Index, products: HandProducts, scale: Numbers, total: Numbers
    ) -> None:
        """Add to the player's rows what the ends pay against a plan of the other."""
        if plan.dtype == object:
            paid = products.paid(plan[self.theirs] * weights, self.stakes.astype(object))
            np.add.at(total, self.mine, paid * scale)
            return
        from seqform.form.hand_kernels import FILLED, MOST_LANES  # they load numba
        from seqform.form.hand_row_kernels import add_scaled, weigh

        weighing = weights.astype(plan.dtype)
        for begin in range(0, len(self.mine), MOST_LANES):
            some = slice(begin, begin + MOST_LANES)
            mine, theirs, stakes = self.mine[some], self.theirs[some], self.stakes[:, some]
            width = len(mine) + -len(mine) % FILLED
            lanes = np.empty((len(weights), width), dtype=plan.dtype)
            weigh(plan, theirs, weighing, lanes)
            factors = np.zeros((len(stakes), width), dtype=plan.dtype)
            factors[:, : len(mine)] = stakes
            add_scaled(products.paid(lanes.T, factors).T, mine, scale, total)

    def most(self) -> Exact:
        """Return what cannot be exceeded by any of what is summed up: Python ints (num_ends,).

        Three stakes may add up to more than 64 bits hold.
        """
        found: Exact = np.abs(self.stakes.astype(object)).sum(axis=0)
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
        return Ends(mine, theirs, stakes)

    @cached_property
    def _scales(self) -> list[Floats]:
        """By cards dealt, what each own hand's sums are multiplied by: float64 (num_hands,)."""
        game = self._strategy.structure.game
        weights, found = game.ranges[self._player].weights, []
        distinct, which = np.unique(weights, return_inverse=True)
        for ways in self._ways:
            whole = game.total_weight * ways * game.betting.denominator
            shares = [float(Fraction(weight, whole)) for weight in distinct.tolist()]
            found.append(np.array(shares)[which])
        return found

    def against(self, plan: Floats, block: HandBlock, products: HandProducts) -> HandPaid:
        """Return what the player is paid against a plan of the other, on a board."""
        dealt, street = block.dealt, block.streets[self._player]
        weights, scale = self._weights(block), self._scales[dealt][block.alive[self._player]]
        rows, sizes = np.zeros((street.num_rows, len(scale))), np.zeros(street.num_rows)
        totals = weighed(plan, weights.astype(np.float64))
        for ends in self._ends[dealt]:
            ends.add(plan, weights, products, scale, rows)
            most = ends.most().astype(np.float64)
            np.add.at(sizes, ends.mine, most * totals[ends.theirs])
        lost = self._roundings(products, block) * UNIT_ROUNDOFF * sizes
        if block.is_last:
            rows[0, 0] += self._constant
            sizes[0] += abs(self._constant) / scale.sum()  # all hands have the empty sequence
        return HandPaid(rows, sizes, lost, scale)

    def _roundings(self, products: HandProducts, block: HandBlock) -> int:
        """Count the roundings of what an end pays, each of all that hands weigh there.

        With its way up to the line that it is paid to.

        Ends of a line are added up, and boards that go on from where it was ended.
        """
        boards = block.dealt * len(self._strategy.structure.cards)
        most = sum(ends.most_meeting for ends in self._ends[block.dealt])
        return products.lost + len(products.signs) * (SCALING + most + boards)

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
            ends.add(plan, weights, products, scale, total)
        return total

    def bound(self) -> int:
        """Return what products in integers do not exceed, times the largest entry of the plan.

        Integers of 64 bits may wrap around on the way to a product. Of a line it is what all its
        ends pay against all hands of the other, on all boards; and no less than the boards are.
        """
        game = self._strategy.structure.game
        others: int = sum(game.ranges[1 - self._player].weights.tolist())
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
