"""A symmetry that a deck declares is believed for what it is: checked on every deal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from abstraction.equitable import equitable
from abstraction.suit import NO_SUITS, SUIT, suit
from games.kuhn import kuhn
from games.limit_poker import LimitPoker
from games.rhode_island import rhode_island
from seqform.base.errors import InvalidGameError, UnsupportedGameError
from seqform.form.counts_from_signals import count_signal_game
from seqform.game.observations import SignalStructure
from seqform.game.signals import EVERYONE
from tests.random_signal_games import marked


class SeenByOne(LimitPoker):
    """Poker in which player 0 sees the cards of both, and player 1 none."""

    def recipient(self, state: Any) -> int:
        return 0 if state.round == 0 else EVERYONE


@pytest.mark.parametrize("deal", [(0, 1, 2, 3), (11, 10, 9, 7), (4, 8, 1, 0)])
def test_one_deal_of_eleven_thousand_is_enough_to_refuse_it(deal: tuple[int, ...]) -> None:
    game = marked(3, 4, deal)
    assert suit(SignalStructure(rhode_island(3, 4, 1)))
    with pytest.raises(InvalidGameError, match=r"symmetry \d of the deck changes what 'showdown'"):
        suit(SignalStructure(game))


def test_cards_with_other_numbers_of_copies_are_not_exchanged() -> None:
    game: Any = rhode_island(3, 2, 1)
    copies = (2, *(1,) * 5)
    with pytest.raises(InvalidGameError, match="does not exchange cards with equally many copies"):
        suit(SignalStructure(replace(game, deck=replace(game.deck, copies=copies))))


def test_sizes_do_not_depend_on_what_a_deck_declares() -> None:
    game = marked(3, 2, (0, 1, 2, 3))
    found = count_signal_game(SignalStructure(game))
    plain: Any = replace(game, deck=replace(game.deck, symmetries=()))
    object.__setattr__(plain, "marked", game.marked)
    assert found == count_signal_game(SignalStructure(plain))
    whole = count_signal_game(SignalStructure(rhode_island(3, 2, 1)))
    assert found["payoff_nonzeros"] > whole["payoff_nonzeros"]


@pytest.mark.parametrize("criterion", [suit, equitable])
def test_each_player_has_classes_of_what_that_player_sees(criterion: Any) -> None:
    game: Any = rhode_island(3, 2, 1)
    fields = {name: getattr(game, name) for name in type(game).__dataclass_fields__}
    classes = criterion(SignalStructure(SeenByOne(**fields)))
    assert [len(of_player[0]) for of_player in classes] == [6 * 5, 1]
    num_classes = len(set(classes[0][0].tolist()))
    assert num_classes == 6 * 5 // 2 if criterion is suit else num_classes <= 6 * 5 // 2


def test_a_deck_without_symmetries_has_no_suits() -> None:
    assert SUIT.accepts(kuhn()) == NO_SUITS
    with pytest.raises(UnsupportedGameError, match="needs a deck with suits to exchange"):
        suit(SignalStructure(kuhn()))
