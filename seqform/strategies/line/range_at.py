"""What a player may hold at a public node of a game of hands, and what each hand does and wins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Floats, Ints, Mask


@dataclass(frozen=True, eq=False)
class RangeAt:
    """What one player may hold at a node, and what each hand does and gets.

    Arrays are over the hands of the player's range that avoid the board, in the order of the range.

    Parameters
    ----------
    player
        Whose.
    cards
        int16 (num_hands, k): positions of cards in the deck; k is 0 of games that say only what
        hands are called.
    names
        How the hands are written.
    weights
        float64 (num_hands,): how much of each hand comes there by the player's own actions; 1 is
        all of a hand that weighs most in the range.
    opponent
        float64 (num_hands,): the probability with which the other player's actions lead there,
        given the hand; NaN where the game knows no cards.
    shares
        float64 (num_hands,): the probability of each hand, given that play came there. NaN if it
        never does.
    values
        float64 (num_hands,): expected payoffs given hand and line, with what payoffs are counted
        beyond. NaN where the other player never comes there with any hand beside this one.
    equity
        float64 (num_hands,): the probability to win a showdown against the hands with which the
        other player comes there, ties by half; NaN as `values`, and where the game knows no cards.
    probabilities
        float64 (num_hands, num_actions) for the player who acts; None for the other.
    action_values
        The same of expected payoffs, if the action is taken.
    is_reached
        bool (num_hands,): whether play ever comes there with the hand; actions below `PLAYED_FROM`
        count as never played.
    """

    player: int
    cards: Ints
    names: tuple[str, ...]
    weights: Floats
    opponent: Floats
    shares: Floats
    values: Floats
    equity: Floats
    probabilities: Floats | None
    action_values: Floats | None
    is_reached: Mask

    @property
    def hands(self) -> Ints | tuple[str, ...]:
        """The hands as the game holds them: by their cards, or by names where it knows no cards."""
        return self.cards if self.cards.shape[1] else self.names

    @property
    def counts(self) -> Floats:
        """What each hand counts in means over the range: its share; evenly if play never comes."""
        if np.isnan(self.shares).any():
            return np.full(len(self.shares), 1 / max(len(self.shares), 1))
        return self.shares

    @property
    def value(self) -> float:
        """What the range can expect, over its hands."""
        return mean(self.values, self.counts)

    @property
    def chance(self) -> float:
        """The equity of the range."""
        return mean(self.equity, self.counts)

    @property
    def frequencies(self) -> Floats | None:
        """How often each action is taken: float64 (num_actions,); None of who does not act."""
        if self.probabilities is None:
            return None
        found: Floats = self.counts @ self.probabilities
        return found


def mean(numbers: Floats, counts: Floats) -> float:
    """Return a weighted mean of numbers that are defined; NaN if nothing of that counts."""
    some = (counts > 0) & ~np.isnan(numbers)
    total = float(counts[some].sum())
    return float(counts[some] @ numbers[some]) / total if total > 0 else float("nan")
