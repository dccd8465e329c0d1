"""Hands of a game of hands played at random: no tree, and no vectors over all sequences.

The luck that is taken out is that of the cards that the strategy is dealt: what its hand gets if it
plays against itself, less what it gets with all hands. See `seqform.strategies.play.sample`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
from seqform.form.hand_policies import Policies
from seqform.form.hand_structure import HandStructure
from seqform.form.hand_symmetries import Symmetry
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE, TERMINAL
from seqform.strategies.line.walk import Walk
from seqform.strategies.play.hand_table import HandTable, Held
from seqform.strategies.play.sampled import Sample


class Seated(NamedTuple):
    """Strategies of which each player has one of another pair."""

    players: tuple[Policies, Policies]

    @property
    def structure(self) -> HandStructure:
        """The game."""
        return self.players[0].structure

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Those that both have: all of the game, or the identity."""
        return min((of.symmetries for of in self.players), key=len)

    def on(self, player: int, nodes: Sequence[int], board: int, hands: Index) -> Floats:
        """Return what hands do; see `Policies.on`."""
        return self.players[player].on(player, nodes, board, hands)


def sample_hands(
    form: SequenceForm, mine: Policies, others: Policies, seats: Index, seed: int
) -> Sample:
    """Play hands of a game of hands.

    Parameters
    ----------
    form
        The game.
    mine
        The strategy that is judged.
    others
        Who plays the other seat.
    seats
        int64 (num_hands,): the seat of the strategy in each hand.
    seed
        The same one gives the same hands.
    """
    rng = np.random.default_rng(seed)
    pairs = Seated((mine, others)), Seated((others, mine))
    tables = [HandTable(form, of) for of in pairs]
    ends = []
    for seat in seats.tolist():
        check_time("playing hands")
        ends.append(_played(tables[seat], rng))
    payoffs = np.array([tables[0].payoffs(end) for end in ends])
    expected = [_worth(pairs[seat], seat)[1] for seat in (0, 1)]
    known = [_worth(mine, seat) for seat in (0, 1)]
    luck = [
        known[seat][0][end.hands[seat]] - known[seat][1]
        for seat, end in zip(seats.tolist(), ends, strict=True)
    ]
    return Sample(
        form.unit,
        seats,
        payoffs,
        payoffs[np.arange(len(seats)), seats] - np.array(luck),
        (expected[0], expected[1]),
        lambda hand: _texts(tables[0], ends[hand]),
    )


def _played(table: HandTable, rng: np.random.Generator) -> Held:
    """Play a hand to its end."""
    state = table.deal(rng)
    while (mover := table.player(state)) != TERMINAL:
        if mover == CHANCE:
            state = table.by_chance(state, rng)
        else:
            up_to = np.cumsum(table.policy(state))
            place = int((rng.random() * up_to[-1] >= up_to[:-1]).sum())
            state = table.after(state, place)
    return state


def _worth(policies: Policies, player: int) -> tuple[Floats, float]:
    """Return what each hand of a player gets, float64 (num_hands,), and what all get on average."""
    game = policies.structure.game
    weights = [held.weights.astype(float) for held in game.ranges]
    walk, first = Walk(policies, 0, (), weights), np.zeros(1, dtype=np.int64)
    values, met = walk.worth(first).values[player][0], walk.matching(first)[player][0]
    of_hands = np.divide(values, met, out=np.zeros_like(values), where=met > 0)
    return of_hands, float(weights[player] @ values) / float(game.total_weight)


def _texts(table: HandTable, end: Held) -> tuple[str, str]:
    """Return both hands, and what was done, with the cards that were dealt face up."""
    return f"{table.hand(end, 0)} {table.hand(end, 1)}", table.line(end)
