"""Color refinement of a game of hands whose cards are all dealt: which hands are alike up to scale.

Hands of a player get one color if they meet the same, up to a factor: of each color of the other
player as much weight that they beat, tie with and lose to. That is the projective refinement of
`abstraction.color_refinement`, with one color for a hand wherever it acts, and so is the proof.
What a hand meets is added up by shared cards (`seqform.form.hand_products`), so that no pair of
hands is looked at.

On a river without a flush hands of the same ranks are alike, so that 1,081 of them have about 90
colors.
"""

from __future__ import annotations

import numpy as np

from abstraction.color_refinement import Coloring, smaller_treeplexes
from abstraction.equal_rows import combine
from seqform.base.arrays import Index, Ints
from seqform.base.deadline import check_time
from seqform.form.followed import Followed
from seqform.form.hand_form import HandForm
from seqform.form.hand_numbering import HandNumbering
from seqform.form.hand_payoff import HandPayoff
from seqform.form.merged_hands import members, payoff_by_classes
from seqform.form.origin import QuotientOrigin
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.restricted_hands import RestrictedHandForm
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.links.link import SequenceMap
from seqform.strategies.exploit.model import model_from
from seqform.strategies.exploit.restricted_response import restricted_form

Classes = tuple[Ints, Ints]
"""For each player the class of each hand, numbered by first appearance: int32 (num_hands,)."""


def refine_hands(form: HandForm) -> tuple[SequenceForm, SequenceMap]:
    """Return the quotient by the coarsest coloring of hands, and the way back.

    Hands of one color play alike, so plans of the quotient are copied.
    """
    smaller, images = _merged(form, hand_colors(form.payoff))
    return smaller, SequenceMap(form, images, copies_plans=True)


def refine_restricted_hands(form: RestrictedHandForm) -> tuple[SequenceForm, SequenceMap]:
    """Return the same of a game that is restricted by a model, and so is the quotient.

    Hands of one color do the same by the model, too.
    """
    player, strategy, p = form.followed
    smaller, images = _merged(form, hand_colors(form.payoff, _by_model(form.followed)))
    behavior = np.empty(smaller.treeplexes[player].num_sequences)
    behavior[images[player]] = strategy.in_form(form).behaviors[player]
    behaviors = [treeplex.uniform() for treeplex in smaller.treeplexes]
    behaviors[player] = behavior
    model = model_from(smaller.profile(behaviors), smaller, player)
    return restricted_form(model, p), SequenceMap(form, images)


def _by_model(followed: Followed) -> Classes:
    """Return the classes of hands that do the same by a model wherever they act."""
    held = followed.structure.game.ranges
    found = [np.zeros(of.num_hands, dtype=np.int32) for of in held]
    for table in followed.strategy.behaviors[followed.player].values():
        does = np.unique(table[0], axis=1, return_inverse=True)[1].ravel()
        found[followed.player] = combine(found[followed.player], does)
    return found[0], found[1]


def _merged(
    form: HandForm | RestrictedHandForm, classes: Classes
) -> tuple[ZeroSumForm, tuple[Ints, ...]]:
    """Return the game, without a model, by classes of hands, and the image of each sequence."""
    payoff = form.payoff
    coloring = coloring_of_hands(payoff.players, classes)
    first, second = coloring.sequences
    treeplexes, chosen = smaller_treeplexes(form, coloring)
    smaller = ZeroSumForm(
        treeplexes=treeplexes,
        payoffs=ZeroSumPayoffs(
            payoff_by_classes(payoff, classes, (first, second)), form.constant_sum
        ),
        origin=QuotientOrigin(form.origin, chosen),
        unit=form.unit,
        largest_payoff=form.largest_payoff,
        num_nodes=form.num_nodes,
    )
    return smaller, coloring.sequences


def hand_colors(payoff: HandPayoff, told_apart: Classes | None = None) -> Classes:
    """Return the coarsest classes of hands that meet the same classes, up to a factor each.

    From one class a player on, classes are split until nothing splits.

    Parameters
    ----------
    told_apart
        Classes to begin with, instead.
    """
    ranges = payoff.boards.game.ranges
    first, second = told_apart or (np.zeros(held.num_hands, dtype=np.int32) for held in ranges)
    before = -1
    while (now := int(first.max()) + int(second.max())) != before:
        before = now
        first = combine(first, _alike(payoff, 0, second))
        second = combine(second, _alike(payoff, 1, first))
    return first, second


def _alike(payoff: HandPayoff, player: int, theirs: Ints) -> Index:
    """Return a number for each hand of a player, the same for hands that meet the same.

    Parameters
    ----------
    theirs
        The class of each hand of the other player.
    """
    check_time("looking for classes of hands")
    boards = payoff.boards
    weights = members(theirs) * boards.game.ranges[1 - player].weights
    meets = np.concatenate(boards.products(player, 0, 0).compared(weights)).T
    share = np.maximum(np.gcd.reduce(meets, axis=1), 1)
    numbers: Index = np.unique(meets // share[:, None], axis=0, return_inverse=True)[1].ravel()
    return numbers


def coloring_of_hands(players: tuple[HandNumbering, HandNumbering], classes: Classes) -> Coloring:
    """Return the coloring in which hands of a class have one color, wherever they act."""
    infosets, sequences = zip(*map(_of_player, players, classes), strict=True)
    return Coloring(infosets, sequences)


def _of_player(numbering: HandNumbering, classes: Ints) -> tuple[Ints, Ints]:
    """Return the color of each information set and sequence of a player: int32 each."""
    count = int(classes.max()) + 1
    infosets = [at * count + classes for at in range(len(numbering.nodes))]
    sequences, first = [np.zeros(1, dtype=np.int32)], 1
    for actions in numbering.num_actions:
        sequences.append((first + actions * classes[:, None] + np.arange(actions)).ravel())
        first += actions * count
    none = [np.zeros(0, dtype=np.int32)]
    return (
        np.concatenate(none + infosets).astype(np.int32),
        np.concatenate(sequences).astype(np.int32),
    )
