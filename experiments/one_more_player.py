"""How is a strategy of Kuhn poker used at a table with one more player?

At each of its information sets a player of n + 1 acts as in one of the game of n: of a card of
that game, and of what was done there if one opponent had not sat at the table.

**Definition** (who is left out). Facing no bet it is the first player, who has checked; for the
first player itself it is the last one. Facing a bet it is the first who has folded to it; if nobody
has, the last one who has yet to answer it; if nobody has, the first who has called. The player who
bets, and the one who decides, stay.

**Definition** (cards). There is one more. Counted from 0 for the lowest, card r becomes r - 1, and
0 stays 0 (`low`: the two lowest are one); or it becomes r, and the highest becomes the second
highest (`high`); or, as r / (n + 1) is how many of the others it beats, r n / (n + 1): that is
between two cards, whose probabilities are mixed in that proportion (`between`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm

Weighted = list[tuple[int, Fraction]]
"""Cards, and in what proportion they count."""

BET = "bet"


def left_out(history: Sequence[str], players: int) -> int:
    """Return the seat of the player without whom a situation of Kuhn poker is looked at.

    Parameters
    ----------
    history
        What was done until now: checks, perhaps a bet, folds and calls.
    players
        How many there are.
    """
    seat = to_decide(history, players)
    if BET not in history:
        return 0 if seat else players - 1
    bettor = history.index(BET)
    answering = [(bettor + 1 + turn) % players for turn in range(players - 1)]
    answers = history[bettor + 1 :]
    for answer in ("fold", "call"):
        if answer in answers and (answer == "fold" or len(answers) == players - 2):
            return answering[answers.index(answer)]
    return answering[-1]


def to_decide(history: Sequence[str], players: int) -> int:
    """Return whose turn it is."""
    return len(history) % players


def without(history: Sequence[str], players: int, out: int) -> tuple[int, tuple[str, ...]]:
    """Return whose turn it is, and what was done, had a player not sat at the table."""
    seat = to_decide(history, players)
    kept = [action for turn, action in enumerate(history) if turn % players != out]
    return seat - (seat > out), tuple(kept)


def low(card: int, cards: int) -> Weighted:
    """Return the card of the smaller deck: the two lowest of so many are one."""
    return [(max(card - 1, 0), Fraction(1))]


def high(card: int, cards: int) -> Weighted:
    """Return the card of the smaller deck: the two highest of so many are one."""
    return [(min(card, cards - 2), Fraction(1))]


def between(card: int, cards: int) -> Weighted:
    """Return the two cards of the smaller deck between which one of so many lies."""
    place = Fraction(card * (cards - 2), cards - 1)
    below = int(place)
    share = place - below
    return [(below, 1 - share), *([(below + 1, share)] if share else [])]


CARDS: dict[str, Callable[[int, int], Weighted]] = {"low": low, "high": high, "between": between}
"""The ways to map cards, by name."""


def one_more(smaller: SequenceForm, profile: Profile, larger: SequenceForm, cards: str) -> Profile:
    """Return a profile of Kuhn poker for n players as one for n + 1.

    Parameters
    ----------
    smaller, profile
        The game of n, and what is done there.
    larger
        The game of n + 1.
    cards
        How cards are mapped, one of `CARDS`.
    """
    known = {
        (seat, card, history): profile.behaviors[seat][first:last]
        for seat, card, history, first, last in situations(smaller)
    }
    behaviors: list[Floats] = [np.ones(t.num_sequences) for t in larger.treeplexes]
    players = larger.num_players
    for seat, card, history, first, last in situations(larger):
        there, before = without(history, players, left_out(history, players))
        behaviors[seat][first:last] = sum(
            float(share) * known[there, same, before]
            for same, share in CARDS[cards](card, players + 1)
        )
    return Profile.from_behaviors(larger.treeplexes, behaviors)


def situations(form: SequenceForm) -> Iterator[tuple[int, int, tuple[str, ...], int, int]]:
    """Yield seat, card, history and the sequences, from and to, of all information sets."""
    origin: Any = form.origin
    order = [
        card
        for card, history in (
            str(origin.infoset_label(0, infoset)).split(":")
            for infoset in range(form.treeplexes[0].num_infosets)
        )
        if not history
    ]
    for seat, treeplex in enumerate(form.treeplexes):
        for infoset in range(treeplex.num_infosets):
            card, history = str(origin.infoset_label(seat, infoset)).split(":")
            done = tuple(filter(None, history.split("-")))
            first, last = treeplex.first_sequence[infoset : infoset + 2].tolist()
            yield seat, order.index(card), done, first, last
