"""Leduc and Rhode Island hold'em, written as games of hands of one card, are what they are as
signal games: entry by entry."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.limit_poker import LimitPoker
from games.rhode_island import rhode_island
from seqform.base.arrays import Ints
from seqform.form.from_any import form_from
from seqform.form.hand_form import hand_form
from seqform.form.hands import HandGame, HandRange
from seqform.form.sequence_form import SequenceForm
from seqform.form.whole_form import whole_form
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE, TERMINAL


def as_hands(game: LimitPoker) -> HandGame:
    """Return limit poker as a game of hands of one card."""
    cards = len(game.deck.cards)
    every = HandRange(np.arange(cards, dtype=np.int16)[:, None], np.ones(cards, dtype=np.int64))

    def strength(hands: Ints, board: Ints) -> Ints:
        table = np.broadcast_to(board, (len(hands), len(board)))
        return game.strength(np.concatenate([hands, table], axis=1).astype(np.int32))

    deck = tuple(map(str, game.deck.cards))
    symmetries = tuple(map(tuple, game.deck.symmetries))
    return HandGame(deck, (), (every, every), betting_of(game), strength, symmetries)


def betting_of(game: LimitPoker) -> BettingTree:
    builder = BettingTreeBuilder()

    def grow(node: int, state: Any) -> None:
        player = game.player(state)
        if player == CHANCE:
            grow(builder.deal(node), game.child(state, None))
        elif player == TERMINAL:
            stake = game.stake(state)
            if game.outcome(state) == "showdown":
                builder.showdown(node, stake)
            else:
                builder.end(node, (stake, -stake))
        else:
            actions = game.actions(state)
            for child, action in zip(builder.act(node, player, actions), actions, strict=True):
                grow(child, game.child(state, action))

    dealt = game.child(game.child(game.root(), None), None)
    grow(builder.root, dealt)
    return builder.build()


def names_of(form: SequenceForm, player: int, is_hands: bool, deck: set[str]) -> list[Any]:
    """Return the name of each sequence: the hand, the board, and what was done."""
    found: list[Any] = [()]
    for infoset in range(form.treeplexes[player].num_infosets):
        before, line = str(form.infoset_label(player, infoset)).split(":")
        parts = [part for part in line.split("/") if part]
        seen = [before, *(part for part in parts if part in deck)] if is_hands else before.split()
        done = tuple(part for part in parts if part not in deck)
        found += [(*seen, done, action) for action in form.actions(player, infoset)]
    return found


GAMES = {
    "kuhn": kuhn(5),
    "leduc": leduc(),
    "leduc, 3 x 3": leduc(3, 3),
    "rhode island, 3 x 2": rhode_island(3, 2, 1),
    "rhode island, 4 x 2": rhode_island(4, 2, 1),
}


@pytest.mark.parametrize("name", GAMES)
def test_they_are_the_same_entry_by_entry(name: str) -> None:
    game = GAMES[name]
    assert isinstance(game, LimitPoker)
    deck = set(map(str, game.deck.cards))
    found = []
    for form, is_hands in ((hand_form(as_hands(game)), True), (form_from(game), False)):
        mine, theirs = (names_of(form, player, is_hands, deck) for player in (0, 1))
        assert len(set(mine)) == len(mine)
        sparse = form.zero_sum_operator().to_sparse()
        assert form.zero_sum_operator().num_nonzeros == sparse.num_nonzeros
        assert sparse.numerators is not None
        rows, columns = sparse.matrix.tocoo().coords
        entries = {
            (mine[row], theirs[column]): Fraction(number, sparse.denominator)
            for row, column, number in zip(
                rows.tolist(), columns.tolist(), sparse.numerators.tolist(), strict=True
            )
        }
        found.append((set(mine), set(theirs), entries))
    assert found[0] == found[1]


def test_rhode_island_is_counted_without_arrays() -> None:
    """Of 52 cards: each player has 91,224,226 information sets and sequences, with one more row."""
    game = rhode_island()
    assert isinstance(game, LimitPoker)
    nodes = 52 + 7 * 52 * 51 + 49 * 52 * 51 * 50  # a hand and a board, by lines that go on
    for treeplex in hand_form(as_hands(game)).treeplexes:
        assert treeplex.num_infosets == 4 * nodes
        assert treeplex.num_sequences == 10 * nodes + 1
        assert treeplex.num_sequences + treeplex.num_infosets + 1 == 91_224_226


def test_counts_are_those_of_the_signal_game() -> None:
    game = rhode_island(3, 2, 2)
    assert isinstance(game, LimitPoker)
    forms = hand_form(as_hands(game)), whole_form(SignalStructure(game))
    for mine, theirs in zip(*(of.treeplexes for of in forms), strict=True):
        for count in ("num_infosets", "num_sequences", "most_following", "most_actions"):
            assert getattr(mine, count) == getattr(theirs, count)
