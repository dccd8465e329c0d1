"""What an expected payoff is made of, by hands, whose contributions add up to it.

A *hand* is what chance dealt to one player alone, in a signal game. Its contribution is its
probability times the mean payoff once it has been dealt.
"""

from __future__ import annotations

from math import isnan
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import SequenceNumbering, build_signal_form, sequence_maps
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure, num_classes
from seqform.game.signals import EVERYONE, is_taken_apart
from seqform.strategies.evaluate.lines import signals_in, structure_in


class Hand(NamedTuple):
    """What chance dealt to one player alone."""

    cards: str
    """Or in words, of what is paid before the player's first move."""
    probability: float
    """Of its being dealt; NaN where more cards than these are dealt to the player alone."""
    contribution: float
    """What it adds to the player's expected payoff, in the game's unit."""

    def record(self) -> dict[str, Any]:
        """Return the hand as JSON values."""
        probability = None if isnan(self.probability) else self.probability
        return {
            "hand": self.cards,
            "probability": probability,
            "contribution": self.contribution,
        }


NO_MOVE = "(before a move)"


def hands_of(
    form: SequenceForm, profile: Profile, player: int, structure: SignalStructure | None = None
) -> list[Hand]:
    """Return the hands of a player of a signal game, in the order of the deck.

    Parameters
    ----------
    structure
        The signal game, where the form was made of its tree.

    Raises
    ------
    UnsupportedGameError
        If the game has no hands.
    """
    if form.signals is not None:
        form, profile = _with_hands_apart(form, profile, player)
    structure = structure or structure_in(form)
    classes = structure.identity if form.signals is None else form.signals[1]
    numbering = SequenceNumbering(structure, classes, player)
    if numbering.treeplex.num_sequences != form.treeplexes[player].num_sequences:
        raise UnsupportedGameError("this form takes several hands for one; use the whole game's")
    earned = form.gradient(player, profile.plans) * profile.plans[player]
    cards, of_sequence = _hands_of_sequences(structure, numbering, classes[player])
    sums = np.bincount(of_sequence, weights=earned[1:], minlength=len(cards)).tolist()
    hands = list(map(Hand, cards, _chances(structure, player, cards), sums))
    return [*hands, Hand(NO_MOVE, float("nan"), float(earned[0]))] if earned[0] else hands


def _with_hands_apart(
    form: SequenceForm, profile: Profile, player: int
) -> tuple[SequenceForm, Profile]:
    """Return a form of the same game whose classes hold one hand of a player, with the profile.

    What is paid there is the same, since nobody plays members of a class apart. It is larger than
    the form of the strategies' own classes, but a small part of the whole game's.
    """
    form, profile = profile.in_signals or (form, profile)
    structure, classes = signals_in(form)
    divided = apart_by_hand(structure, classes[player], player)
    finer = tuple(divided if p == player else of for p, of in enumerate(classes))
    if num_classes(finer) == num_classes(classes):
        return form, profile
    maps = sequence_maps(structure, finer, classes)
    larger = build_signal_form(structure, finer)
    behaviors = zip(profile.behaviors, maps, strict=True)
    return larger, larger.profile([behavior[images] for behavior, images in behaviors])


def apart_by_hand(
    structure: SignalStructure, classes: tuple[Ints, ...], player: int
) -> tuple[Ints, ...]:
    """Return a player's classes at each stage, divided until no two hands share one."""
    finer = []
    for stage, of in enumerate(classes):
        _, hands = _hands_of_observations(structure, player, stage)
        both = of.astype(np.int64) * (int(hands.max()) + 1) + hands
        finer.append(np.unique(both, return_inverse=True)[1].ravel().astype(np.int32))
    return tuple(finer)


def _hands_of_observations(
    structure: SignalStructure, player: int, stage: int
) -> tuple[list[tuple[int, ...]], Index]:
    """Return the hands that are held at a stage, and which of them each observation has."""
    private = _private(structure, player, stage)
    rows, inverse = np.unique(
        structure.signals(player, stage)[:, private], axis=0, return_inverse=True
    )
    return [tuple(row) for row in rows.tolist()], inverse.ravel()


def _hands_of_sequences(
    structure: SignalStructure, of: SequenceNumbering, classes: tuple[Ints, ...]
) -> tuple[list[str], Index]:
    """Return the hands, and the hand of each sequence but the empty one."""
    numbers: dict[tuple[int, ...], int] = {}
    by_stage: dict[int, Index] = {}
    parts: list[Index] = []
    for at, stage in enumerate(of.stage):
        if stage not in by_stage:
            hands, hand_of = _hands_of_observations(structure, of.player, stage)
            known = [numbers.setdefault(hand, len(numbers)) for hand in hands]
            by_stage[stage] = _by_class(np.array(known, dtype=np.int64)[hand_of], classes[stage])
        parts.append(np.repeat(by_stage[stage], of.num_actions[at]))
    cards = structure.game.deck.cards
    names = [" ".join(str(cards[signal]) for signal in hand) for hand in numbers]
    return names, np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _by_class(hands: Index, classes: Ints) -> Index:
    """Return the hand of each class, from that of each observation."""
    found = np.zeros(int(classes.max()) + 1, dtype=np.int64)
    found[classes] = hands
    return found


def _private(structure: SignalStructure, player: int, stage: int) -> list[int]:
    """Return which of the signals that a player has seen at a stage nobody else sees."""
    seen = structure.seen(player, stage)
    return [i for i, signal in enumerate(seen) if structure.recipients[signal] != EVERYONE]


def _chances(structure: SignalStructure, player: int, names: list[str]) -> list[float]:
    """Return the probability of each hand; NaN of one that is not complete at the first stage."""
    private = _private(structure, player, 0)
    cards, deck = structure.game.deck.cards, structure.game.deck
    chances: dict[str, float] = {}
    ways = structure.ways(player, 0) / deck.num_ways(structure.stages[0])
    for signals, chance in zip(
        structure.signals(player, 0)[:, private].tolist(), ways.tolist(), strict=True
    ):
        name = " ".join(str(cards[signal]) for signal in signals)
        chances[name] = chances.get(name, 0.0) + chance
    return [chances.get(name, float("nan")) for name in names]


def structure_of(form: SequenceForm, game: Any) -> SignalStructure | None:
    """Return the signal game that a form stands for; None if it has no hands."""
    if form.signals is not None:
        return form.signals[0]
    if not is_taken_apart(game):
        return None
    try:
        return SignalStructure(game)
    except UnsupportedGameError:  # who sees a signal depends on what was done before
        return None
