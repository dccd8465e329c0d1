"""Payoffs of a game of hands whose cards are all dealt, by classes of hands: Kronecker products.

What two lines of betting pay is a stake times how often hands of two classes meet, and who wins
then. So a river has a small matrix or two for all that is at stake in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Index, Ints
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import largest
from seqform.form.hand_numbering import NO_LINE
from seqform.form.kronecker import KroneckerPayoff, Lines, Term

if TYPE_CHECKING:
    from seqform.form.hand_ends import EndGroup
    from seqform.form.hand_payoff import HandPayoff
    from seqform.form.sequence_form import SequenceForm

ALL_AT_ONCE = (1, 1, 1)
"""What is paid, over a stake, where nobody shows."""


def merges_hands(form: SequenceForm) -> bool:
    """Return whether hands of a form can be merged: all cards are dealt, and the sum is constant.

    And sums of payoffs have to fit into int64. The game may be restricted by a model.
    """
    from seqform.form.hand_form import HandForm, SecurityHandForm
    from seqform.form.restricted_hands import RestrictedHandForm

    if not isinstance(form, (HandForm, RestrictedHandForm)) or isinstance(form, SecurityHandForm):
        return False
    return not form.structure.num_dealt and _fits(form.payoff)


def _fits(payoff: HandPayoff) -> bool:
    """Return whether sums of payoffs over any hands fit into int64."""
    game = payoff.boards.game
    most = max((largest(group.paid.ravel()) for group in payoff.groups), default=0)
    return most * game.total_weight < 2**62


def payoff_by_classes(
    payoff: HandPayoff, classes: tuple[Ints, Ints], images: tuple[Ints, Ints]
) -> KroneckerPayoff:
    """Return player 0's payoffs with one sequence for all hands of a class, added up.

    Parameters
    ----------
    payoff
        Of a game in which no card is dealt any more.
    classes
        For each player int (num_hands,): the class of each hand, numbered by first appearance.
    images
        For each player int32 (num_sequences,): the sequence that stands for each one. Those of a
        line are as far apart as they were, by class.

    Raises
    ------
    UnsupportedGameError
        If sums of payoffs do not fit into int64.
    """
    if not _fits(payoff):
        raise UnsupportedGameError("payoffs times weights of hands do not fit into 63 bits")
    met = _meetings(payoff, classes)
    terms = [term for group in payoff.groups for term in _terms(payoff, group, images, met)]
    shape = int(images[0].max()) + 1, int(images[1].max()) + 1
    return KroneckerPayoff(shape, [t for t in terms if t.num_nonzeros], payoff.denominator)


def _meetings(payoff: HandPayoff, classes: tuple[Ints, Ints]) -> Index:
    """Return how much pairs weigh that player 0 wins, ties and loses, by classes of hands.

    int64 (3, classes of player 0, classes of player 1).
    """
    check_time("adding up payoffs")
    boards = payoff.boards
    theirs = members(classes[1]) * boards.game.ranges[1].weights
    mine = members(classes[0]) * boards.game.ranges[0].weights
    compared = boards.products(0, 0, 0).compared(theirs)
    added = sp.csr_array(mine)  # a hand is in one class, and dense integers multiply slowly
    return np.stack([added @ by_hand.T for by_hand in compared])


def members(classes: Ints) -> Index:
    """Return which hands are in each class: int64 (num_classes, num_hands), zeros and ones."""
    found: Index = (np.arange(int(classes.max()) + 1)[:, None] == classes).astype(np.int64)
    return found


def _terms(
    payoff: HandPayoff, group: EndGroup, images: tuple[Ints, Ints], met: Index
) -> Iterator[Term]:
    """Yield the terms of a group of ends: one for all whose payoffs are in the same ratio."""
    lines, places = zip(*(_lines(payoff, group, images, p, met) for p in (0, 1)), strict=True)
    shape = len(lines[0].first), len(lines[1].first)
    for ratio, (ends, stakes) in _ratios(group).items():
        values = np.array(stakes, dtype=np.int64)
        at = tuple(place[ends] for place in places)
        signals = np.tensordot(np.array(ratio, dtype=np.int64), met, axes=1)
        for player in (0, 1):
            if group.earlier[player] < 0:  # all hands meet in the empty sequence
                signals = signals.sum(axis=player, keepdims=True)
        yield Term(lines, sp.csr_array((values, at), shape=shape), sp.csr_array(signals))


def _lines(
    payoff: HandPayoff, group: EndGroup, images: tuple[Ints, Ints], player: int, met: Index
) -> tuple[Lines, Index]:
    """Return a player's lines at the ends of a group, and which of them each end is on."""
    distinct, places = np.unique(group.lines[player], return_inverse=True)
    of = payoff.players[player]
    first, stride = np.array([of.where(line) for line in distinct.tolist()], dtype=np.int64).T
    count = 1 if distinct[0] == NO_LINE else met.shape[1 + player]
    return Lines(images[player][first].astype(np.int64), np.maximum(stride, 1), count), places


def _ratios(group: EndGroup) -> dict[tuple[int, ...], tuple[list[int], list[int]]]:
    """Return the ends of a group by the ratio of what they pay for a win, a tie and a loss.

    With each ratio come the ends, and by what it is to be multiplied.
    """
    found: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
    for end, paid in enumerate(group.paid.T.tolist()):
        stake = gcd(*paid) if group.shown else paid[0]
        ratio = tuple(of // stake for of in paid) if group.shown else ALL_AT_ONCE
        ends, stakes = found.setdefault(ratio, ([], []))
        ends.append(end)
        stakes.append(stake)
    return found
