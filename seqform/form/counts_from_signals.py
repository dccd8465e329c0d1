"""The sizes of a signal game by counting: no tree, no sequence form, few deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from seqform.form.from_signals import build_signal_form, count_nodes, last_moves
from seqform.game.deals import Deals, num_deals
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import is_taken_apart, outcome_payoffs
from seqform.tree.from_signals import MAX_NODES

MOST_DEALS = 20_000_000
"""Deals that are gone through to see in which of them players are paid; some seconds. Two cards
each and one on the table are 311,875,200 deals of 52 cards."""


def count_signal_game(structure: SignalStructure) -> dict[str, Any]:
    """Return nodes by kind, infosets and sequences of each player, and payoff nonzeros.

    Of the game as it is, unabstracted. Payoff nonzeros are those of the deals in which players are
    paid. Where there are more than `MOST_DEALS`, all of them are taken to pay, and ``note`` says
    so: payoff nonzeros are then at most that many.
    """
    public, deck = structure.public, structure.game.deck
    nodes: Counter[str] = Counter()
    for node, player in enumerate(public.player):
        kind = {CHANCE: "chance_nodes", TERMINAL: "terminal_nodes"}.get(player, "decision_nodes")
        nodes[kind] += num_deals(deck, public.num_signals[node])
    infosets, sequences = count_sequences(structure)
    most = num_deals(deck, structure.stages[-1])
    payoffs = _count_payoffs(structure) if most <= MOST_DEALS else _most_payoffs(structure)
    return {
        "nodes": sum(nodes.values()),
        **{kind: nodes[kind] for kind in ("decision_nodes", "chance_nodes", "terminal_nodes")},
        "infosets_per_player": infosets,
        "sequences_per_player": sequences,
        "payoff_nonzeros": payoffs,
        **({"note": NOT_GONE_THROUGH.format(most)} if most > MOST_DEALS else {}),
    }


def count_sequences(structure: SignalStructure) -> tuple[list[int], list[int]]:
    """Return the infosets and the sequences of each player in the game as it is, unabstracted."""
    public, infosets, sequences = structure.public, [0, 0], [1, 1]
    for node, player in enumerate(public.player):
        if player >= 0:
            observations = num_deals(
                structure.game.deck, len(structure.seen(player, structure.stage_of_node[node]))
            )
            infosets[player] += observations
            sequences[player] += observations * public.num_children[node]
    return infosets, sequences


NOT_GONE_THROUGH = (
    "nonzeros are at most as many as given, which is the number if every deal pays: "
    "{:,} deals are too many to go through"
)


def _most_payoffs(structure: SignalStructure) -> int:
    """Return the nonzeros of the payoff matrix if every end paid in every deal; at least as many.

    An entry is the sum of what some deals pay at some ends.
    """
    public, deck = structure.public, structure.game.deck
    stages = {row: structure.stages[stage] for row, (_, stage) in enumerate(structure.outcomes)}
    return sum(
        num_deals(deck, stages[row])
        for node, row in enumerate(public.outcome)
        if public.stake[node] != 0
    )


def _count_payoffs(structure: SignalStructure) -> int:
    """Return the nonzeros of the payoff matrix.

    They are the deals in which terminal nodes pay, if the players have seen all of each deal.
    """
    public = structure.public
    lines = [last_moves(structure, player)[0] for player in (0, 1)]
    ends: Counter[int] = Counter()
    for node, row in enumerate(public.outcome):
        if public.stake[node] == 0:  # as where the game goes on
            continue
        acted = [line[node] for line in lines]
        if any(
            line is None or structure.stage_of_node[line[0]] != structure.outcomes[row][1]
            for line in acted
        ):
            # entries of many deals add up
            return build_signal_form(structure).operator.num_nonzeros
        ends[row] += 1
    # deals by their first signal, so that few of them are in memory at once
    return sum(
        ends[row] * paying
        for first in range(len(structure.game.deck.cards))
        for row, paying in _paying_deals(structure, first)
    )


def _paying_deals(structure: SignalStructure, first: int) -> Iterator[tuple[int, int]]:
    """Yield outcomes, and how many of the deals that begin with a signal they pay on."""
    deals = Deals(structure.game.deck, structure.stages[-1], structure.max_deals, (first,))
    for row, (outcome, stage) in enumerate(structure.outcomes):
        signals = deals.signals[structure.stages[stage]]
        if signals.shape[1] or first == 0:
            payoffs = outcome_payoffs(structure.game, outcome, signals)[:, 0]
            yield row, int(np.count_nonzero(payoffs))


def is_too_large(game: Any, max_nodes: int | None = None) -> bool:
    """Return whether a game has more than `max_nodes` nodes and can do without a tree.

    Two-player signal games can.
    """
    if not is_taken_apart(game):
        return False
    return has_more_nodes(SignalStructure(game), max_nodes)


def has_more_nodes(structure: SignalStructure, max_nodes: int | None = None) -> bool:
    """Tell whether a signal game's tree has more than `max_nodes` nodes."""
    return count_nodes(structure) > (MAX_NODES if max_nodes is None else max_nodes)
