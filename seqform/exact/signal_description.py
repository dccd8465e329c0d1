"""A signal game as JSON: its deck, its public tree, and what each outcome pays in every deal."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from seqform.base.arrays import Ints
from seqform.base.errors import UnsupportedGameError
from seqform.exact.certificate import number, numbers
from seqform.exact.products import FLOATS
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE

MOST_DEALS = 5_000_000
"""Outcomes are listed deal by deal up to here."""


def describe(structure: SignalStructure) -> dict[str, Any]:
    """Return all that a signal game is (docs/data-model.md).

    Raises
    ------
    UnsupportedGameError
        If it has floats, or outcomes to be listed deal by deal that have too many deals.
    """
    deck = structure.game.deck
    return {
        "deck": {
            "cards": [str(card) for card in deck.cards],
            "copies": list(deck.copies),
            "replacement": deck.replacement,
        },
        "nodes": [_node(structure, node) for node in range(len(structure.public.parent))],
        "outcomes": [_outcome(structure, row) for row in range(len(structure.outcomes))],
    }


def _node(structure: SignalStructure, node: int) -> dict[str, Any]:
    public = structure.public
    action, player = public.action[node], public.player[node]
    above = {
        "parent": public.parent[node],
        "action": None if action < 0 else str(public.labels.values()[action]),
    }
    if player == TERMINAL:
        stake = public.stake[node]
        if isinstance(stake, float):
            raise UnsupportedGameError(FLOATS)
        exactly = Fraction(stake)
        pair = [number(exactly.numerator), number(exactly.denominator)]
        return {**above, "outcome": public.outcome[node], "stake": pair}
    if player == CHANCE:
        recipient = structure.recipients[public.num_signals[node]]
        return {**above, "deal": "everyone" if recipient == EVERYONE else recipient}
    return {**above, "player": player}


def _outcome(structure: SignalStructure, row: int) -> dict[str, Any]:
    outcome, stage = structure.outcomes[row]
    payoffs = structure.payoffs[row]
    if payoffs.dtype.kind not in "iu":
        raise UnsupportedGameError(FLOATS)
    named = {"name": str(outcome), "signals": structure.stages[stage]}
    strengths = _strengths(structure, row)
    if strengths is not None:
        return {**named, "strengths": [each.tolist() for each in strengths]}
    if (payoffs == payoffs[0]).all():
        return {**named, "pays": number(int(payoffs[0]))}
    if len(payoffs) > MOST_DEALS:
        raise UnsupportedGameError(
            f"outcome {outcome!r} has {len(payoffs):,} deals, too many to be listed; give the game "
            "`strengths`, if its payoffs compare hands (seqform/game/signals.py)"
        )
    return {**named, "payoffs": numbers(payoffs)}


def _strengths(structure: SignalStructure, row: int) -> tuple[Ints, Ints] | None:
    """Return how strong each observation of either player is, by rank from 0 on.

    None if the game does not say so. What it says is compared with what it pays.
    """
    outcome, stage = structure.outcomes[row]
    compare = getattr(structure.game, "strengths", None)
    signals = structure.deals.signals[structure.stages[stage]]
    said = None if compare is None else compare(outcome, signals)
    if said is None:
        return None
    of_deal = [each[structure.representatives[player][stage]] for player, each in enumerate(said)]
    ranks = np.unique(np.concatenate(of_deal), return_inverse=True)[1].astype(np.int32)
    mine, theirs = ranks[: len(of_deal[0])], ranks[len(of_deal[0]) :]
    in_deal = [
        of[structure.observations[player][stage]] for player, of in enumerate((mine, theirs))
    ]
    if (np.sign(in_deal[0] - in_deal[1]) != structure.payoffs[row]).any():
        raise UnsupportedGameError(
            f"`strengths` of outcome {outcome!r} are not what its payoffs compare: the stronger "
            "hand must win 1, by what its player has seen"
        )
    return mine, theirs
