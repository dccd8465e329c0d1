"""The sequence form of a game of hands, whose vectors and entries may never be made."""

from __future__ import annotations

from math import perm
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.memory import require_memory
from seqform.form.hand_boards import HandBoards
from seqform.form.hand_ends import denominator, end_groups
from seqform.form.hand_entries import BYTES_PER_ENTRY, entries, gathered
from seqform.form.hand_numbering import CountedHands, HandNumbering
from seqform.form.hand_origin import HandOrigin
from seqform.form.hand_payoff import HandPayoff
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.payoff_sums import ratios
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.profile import Profile
from seqform.form.protocol import Passage
from seqform.form.sequence_form import SequenceForm, ZeroSumForm

if TYPE_CHECKING:
    from seqform.form.hands import HandGame


class HandForm(ZeroSumForm):
    """The sequence form of a game of hands in which payoffs have a constant sum."""

    @property
    def payoff(self) -> HandPayoff:
        """Player 0's payoffs, with boards and numbering."""
        operator = self.operator
        if not isinstance(operator, HandPayoff):
            raise TypeError("the operator of this form was exchanged")
        return operator

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through for a profile: by boards where it is kept so."""
        from seqform.form.hand_strategy import HandStrategy

        kept = profile.kept
        if not isinstance(kept, HandStrategy) or not kept.is_of(self.payoff.boards.structure):
            return super().through(profile, in_integers=in_integers)
        from seqform.form.hand_passage import HandPassage

        return HandPassage(self, kept)


def hand_form(game: HandGame) -> SequenceForm:
    """Return the sequence form of a game of hands.

    Where payoffs have no constant sum, as with rake, they are listed by pairs of hands.

    Raises
    ------
    GameTooLargeError
        If that does not fit into memory: of constant sum when vectors are asked for.
    """
    boards = HandBoards(game)
    players = HandNumbering(boards, 0), HandNumbering(boards, 1)
    of_game = {
        "treeplexes": (CountedHands(players[0]), CountedHands(players[1])),
        "origin": HandOrigin(boards, players),
        "unit": game.unit,
        "largest_payoff": _largest_payoff(game),
        "num_nodes": _count_nodes(boards),
    }
    if game.constant_sum is None:
        return SequenceForm(payoffs=_general(boards, players), **of_game)  # type: ignore[arg-type]
    payoffs = ZeroSumPayoffs(HandPayoff(boards, players), game.constant_sum)
    return HandForm(payoffs=payoffs, **of_game)  # type: ignore[arg-type]


def _largest_payoff(game: HandGame) -> float:
    return float(np.abs(game.betting.paid).max(initial=0)) / game.betting.denominator


def _count_nodes(boards: HandBoards) -> int:
    """Return the nodes of the game's tree: the root, where both hands are dealt, and all deals."""
    game, shared = boards.game, boards.shared[0]
    pairs = int(shared.num_disjoint().sum())
    return 1 + pairs * sum(perm(game.cards_left, count) for count in game.betting.dealt.tolist())


def _general(boards: HandBoards, players: tuple[HandNumbering, HandNumbering]) -> PayoffTensor:
    """Return what both players are paid, with every entry stored.

    Raises
    ------
    GameTooLargeError
        If they do not fit into memory.
    """
    payoffs = [HandPayoff(boards, players, end_groups(boards.game, players, of)) for of in (0, 1)]
    count = sum(payoff.num_nonzeros for payoff in payoffs)
    require_memory(
        BYTES_PER_ENTRY * count,
        f"a table of {count:,} payoffs by pairs of hands",
        "leave out hands, boards or lines, or rake: without it no table is needed",
    )
    found = [gathered(entries(payoff)) for payoff in payoffs]
    width, over = players[1].num_sequences, denominator(boards.game)
    keys = [of.rows * width + of.columns for of in found]
    every = np.unique(np.concatenate(keys))
    numerators = []
    for key, of in zip(keys, found, strict=True):
        numbers = np.zeros(len(every), dtype=of.numerators.dtype)
        numbers[np.searchsorted(every, key)] = of.numerators
        numerators.append(numbers)
    return PayoffTensor(
        sequences=np.stack(np.divmod(every, width), axis=1).astype(np.int32),
        weights=np.stack([ratios(of, over) for of in numerators], axis=1),
        numerators=tuple(numerators),
        denominators=(over, over),
    )
