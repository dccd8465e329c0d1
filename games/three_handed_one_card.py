"""A tournament of three players with one card each, who go all in or fold.

The smallest poker tournament in which the prizes of a second and a third place matter. The rules of
stacks are those of `games.three_handed`.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from games.parameters import require
from games.three_handed import Hand, Line, ThreeHanded
from seqform.base.arrays import Exact, Index, Ints
from seqform.base.errors import InvalidParameterError
from seqform.form.origin import Origin
from seqform.game.catalogue import GameEntry

if TYPE_CHECKING:  # they load scipy, which a list of games does without
    from seqform.form.treeplex import Treeplex
    from seqform.recursive.stage_form import StageForm

RANKS = "23456789TJQKA"


def three_handed_one_card(
    chips: int = 27,
    button: int = 0,
    small_blind: int = 0,
    cards: int = 13,
    first: int = 50,
    second: int = 30,
    third: int = 20,
) -> ThreeHanded:
    """Return a tournament of three players with one card each, who go all in or fold.

    Blinds are 1 and 2 chips. The highest card wins.

    Parameters
    ----------
    chips
        All that are on the table.
    button
        Those of the button in the first hand; 0 for a third of all.
    small_blind
        Those of the small blind in the first hand; 0 for a third of all.
    cards
        How many, from the ace down, one of each rank.
    first
        What the winner gets.
    second
        What the second place gets.
    third
        What the third place gets.
    """
    require("chips", chips, 3)
    require("cards", cards, 3, len(RANKS))
    for name, prize in (("first", first), ("second", second), ("third", third)):
        require(name, prize, 0)
    stacks = _stacks(chips, button, small_blind)
    return ThreeHanded(lambda hand: one_card_hand(hand, cards), stacks, (first, second, third))


def _stacks(chips: int, button: int, small_blind: int) -> tuple[int, int, int]:
    """Return the chips of each seat in the first hand."""
    for name, own in (("button", button), ("small_blind", small_blind)):
        require(name, own, 0)
        if own == 0 and chips % 3:
            raise InvalidParameterError(
                f"chips={chips} are no three equal stacks: give a multiple of 3, or button and "
                "small_blind"
            )
    mine, next_one = button or chips // 3, small_blind or chips // 3
    if mine + next_one >= chips:
        raise InvalidParameterError(
            f"button={mine} and small_blind={next_one} leave the big blind no chips of {chips}"
        )
    return mine, next_one, chips - mine - next_one


class OneCardOrigin(Origin):
    """The names of information sets: a card, and what was done before.

    Parameters
    ----------
    turns
        For each seat the situations in which it decides: what was done before, and both actions.
    cards
        The names of the cards, low ones first.
    """

    def __init__(
        self, turns: list[list[tuple[tuple[str, ...], tuple[str, str]]]], cards: str
    ) -> None:
        super().__init__()
        self.turns, self.cards = turns, cards

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        """Return the card and what was done before."""
        turn, card = divmod(infoset, len(self.cards))
        return f"{self.cards[card]}:{'-'.join(self.turns[player][turn][0])}"

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        """Return both actions."""
        return self.turns[player][infoset // len(self.cards)][1]


@lru_cache(maxsize=200)
def one_card_hand(hand: Hand, cards: int) -> StageForm:
    """Return a hand with one card each as a stage, whose leaves are named by who stays.

    Parameters
    ----------
    hand
        All lines.
    cards
        How many there are.
    """
    from seqform.recursive.stage_form import outcome_stage  # noqa: PLC0415

    dealt = np.array(list(permutations(range(cards), 3)), dtype=np.int64)
    turns = [_turns(hand, seat) for seat in range(3)]
    outcomes = []
    for line in hand:
        places = np.stack([_places(line, seat, turns[seat], dealt, cards) for seat in range(3)])
        for ranking in permutations(line.staying):
            strengths = dealt[:, list(ranking)]
            wins = (strengths[:, :-1] > strengths[:, 1:]).all(axis=1)
            outcomes.append((ranking, *_merged(places[:, wins])))
    treeplexes = [_treeplex(cards * len(own)) for own in turns]
    return outcome_stage(
        treeplexes, OneCardOrigin(turns, RANKS[-cards:]), outcomes, denominator=len(dealt)
    )


def _turns(hand: Hand, seat: int) -> list[tuple[tuple[str, ...], tuple[str, str]]]:
    """Return the situations in which a seat decides, and its actions there, fold first."""
    found: dict[tuple[str, ...], list[str]] = {}
    for line in hand:
        action = line.actions[seat]
        if action is not None:
            actions = found.setdefault(line.before(seat), [])
            if action not in actions:
                actions.append(action)
    return [(before, (actions[0], actions[1])) for before, actions in found.items()]


def _places(
    line: Line,
    seat: int,
    turns: list[tuple[tuple[str, ...], tuple[str, str]]],
    dealt: Index,
    cards: int,
) -> Index:
    """Return a seat's sequence in a line for each deal."""
    action = line.actions[seat]
    if action is None:
        return np.zeros(len(dealt), dtype=np.int64)
    turn = [before for before, _ in turns].index(line.before(seat))
    infosets = turn * cards + dealt[:, seat]
    return 1 + 2 * infosets + turns[turn][1].index(action)


def _merged(places: Index) -> tuple[Ints, Exact]:
    """Return where sequences meet, each place once, and how many deals come there."""
    distinct, counts = np.unique(places, axis=1, return_counts=True)
    return distinct.astype(np.int32), counts.astype(np.int64)


def _treeplex(infosets: int) -> Treeplex:
    """Return the treeplex of decisions between two actions, none after another."""
    from seqform.form.treeplex import Treeplex  # noqa: PLC0415

    parent = np.zeros(infosets, dtype=np.int32)
    return Treeplex(parent, np.arange(1, 2 * infosets + 2, 2, dtype=np.int32))


THREE_HANDED_ONE_CARD = GameEntry(
    "three-handed-one-card",
    "A tournament of three players with one card each, all in or fold",
    three_handed_one_card,
)
