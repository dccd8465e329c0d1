"""Leduc with two ranks, by hand: what is dealt, who observes what, and which classes there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.leduc import leduc
from games.limit_poker import LimitPoker
from seqform.base.errors import ImperfectRecallError, UnsupportedGameError
from seqform.form.from_signals import build_signal_form, pair_table, sequence_maps
from seqform.game.deals import Deck
from seqform.game.observations import (
    SignalStructure,
    num_classes,
    parent_classes,
)
from seqform.game.rules import CHANCE, TERMINAL
from tests.random_signal_games import Public, RandomSignalGame
from tests.rebuilt import staked

LEDUC = SignalStructure(leduc(2, merge_suits=True))
"""Two queens and two kings: one to each player, then one for all, who pairs it wins."""


def test_signals_are_seen_by_their_recipients() -> None:
    assert (LEDUC.stages, LEDUC.num_stages, LEDUC.recipients) == ((2, 3), 2, (0, 1, -1))
    assert [LEDUC.seen(0, stage) for stage in (0, 1)] == [(0,), (0, 2)]
    assert [LEDUC.seen(1, stage) for stage in (0, 1)] == [(1,), (1, 2)]
    stages = {0: -1, 1: -1, 2: 0, 3: 1}
    assert LEDUC.stage_of_node == [stages[dealt] for dealt in LEDUC.public.num_signals]


def test_observations_are_numbered_by_what_is_seen() -> None:
    """Deals are QQ, QK, KQ, KK, and then QQK, QKQ, QKK, KQQ, KQK, KKQ."""
    assert [stage.tolist() for stage in LEDUC.observations[0]] == [[0, 0, 1, 1], [1, 0, 1, 2, 3, 2]]
    assert [stage.tolist() for stage in LEDUC.observations[1]] == [[0, 1, 0, 1], [1, 2, 3, 0, 1, 2]]
    for player in (0, 1):
        assert [LEDUC.num_observations(player, stage) for stage in (0, 1)] == [2, 4]
        assert LEDUC.signals(player, 0).tolist() == [[0], [1]]
        assert LEDUC.signals(player, 1).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
        assert LEDUC.earlier(player, 1).tolist() == [0, 0, 1, 1]
        assert LEDUC.ways(player, 0).tolist() == [6, 6]
        assert LEDUC.ways(player, 1).tolist() == [4, 8, 8, 4]
    assert LEDUC.ancestor(1, 0).tolist() == [0, 1, 1, 2, 2, 3]
    assert LEDUC.ancestor(1, 1).tolist() == list(range(6))


def test_ways_are_counted_where_every_card_is_one() -> None:
    structure = SignalStructure(leduc(2, merge_suits=False))
    assert structure.ways(0, 0).tolist() == [3] * 4
    assert structure.ways(0, 1).tolist() == [2] * 12
    unequal = SignalStructure(staked(1, deck=Deck(("J", "Q", "K"), (2, 1, 1))))
    assert unequal.ways(0, 0).tolist() == [6, 3, 3]
    code = np.array([0, 0, 0, 2, 2, 2, 2], dtype=np.int32)
    assert unequal.count(0, code, 4).tolist() == [6, 0, 6, 0]


def test_outcomes_inform_if_they_pay_by_the_deal() -> None:
    assert LEDUC.outcomes == (("fold", 0), ("showdown", 1), ("fold", 1))
    paid = [payoffs.tolist() for payoffs in LEDUC.payoffs]
    assert paid == [[1] * 4, [0, 1, -1, -1, 1, 0], [1] * 6]
    assert [LEDUC.informative(stage) for stage in (0, 1)] == [[], [1]]


def classes(*of: list[int]) -> Any:
    """Return classes of player 0 and stages 0 and 1; player 1 tells everything apart."""
    return (tuple(np.array(stage, dtype=np.int32) for stage in of), LEDUC.identity[1])


def test_classes_may_merge_what_came_from_one_class() -> None:
    merged = classes([0, 0], [0, 1, 1, 0])
    LEDUC.check_classes(merged)
    assert num_classes(merged) == [[1, 2], [2, 4]]
    assert parent_classes(LEDUC, merged, 0, 1).tolist() == [0, 0]
    assert parent_classes(LEDUC, LEDUC.identity, 1, 1).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("stage", "of"),
    [
        (0, ([0, 2], [0, 1, 2, 3])),
        (0, ([1, 2], [0, 1, 2, 3])),
        (0, ([0], [0, 1, 2, 3])),
        (0, ([], [0, 1, 2, 3])),
        (1, ([0, 1], [0, 1, 2, 4])),
        (1, ([0, 1], [0, 1, 2, 2, 3])),
        (1, ([0, 1], [-1, 0, 1, 2])),
    ],
)
def test_classes_with_gaps_or_of_another_game_are_refused(stage: int, of: Any) -> None:
    shape = [2, 4][stage]
    with pytest.raises(UnsupportedGameError) as caught:
        LEDUC.check_classes(classes(*of))
    assert str(caught.value).startswith(f"player 0, stage {stage}: ")
    assert f"shape ({shape},), without gaps from 0" in str(caught.value)


def test_classes_that_forget_are_refused() -> None:
    with pytest.raises(ImperfectRecallError) as caught:
        LEDUC.check_classes(classes([0, 1], [0, 1, 1, 2]))
    assert "R9: class 1 of player 0 at stage 1" in str(caught.value)
    assert "from classes 1 and 0" in str(caught.value)


def test_the_ways_to_meet_are_counted_by_classes() -> None:
    """Of 24 ways to deal three cards: QQ and KK in four each, QK and KQ in eight."""
    everything = LEDUC.identity
    met = pair_table(LEDUC, everything, None, [0, 0])
    assert met.toarray().tolist() == [[4, 8], [8, 4]]
    late = pair_table(LEDUC, everything, None, [0, 1])
    assert late.toarray().tolist() == [[0, 4, 4, 4], [4, 4, 4, 0]]
    nobody = pair_table(LEDUC, everything, 2, [-1, -1])
    assert nobody.toarray().tolist() == [[24]]
    early = pair_table(LEDUC, everything, 0, [0, -1])
    assert early.toarray().tolist() == [[12], [12]]
    paid = pair_table(LEDUC, everything, 1, [1, 0])
    assert paid.nnz == np.count_nonzero(paid.toarray())
    assert paid.toarray().tolist() == [[0, 4], [0, -4], [-4, 0], [4, 0]]


def test_sequences_of_fine_classes_lie_in_those_of_coarse_ones() -> None:
    merged = classes([0, 0], [0, 1, 1, 0])
    maps = sequence_maps(LEDUC, LEDUC.identity, merged)
    fine, coarse = build_signal_form(LEDUC), build_signal_form(LEDUC, merged)
    assert maps[1].tolist() == list(range(fine.treeplexes[1].num_sequences))
    assert len(maps[0]) == fine.treeplexes[0].num_sequences
    assert maps[0][:5].tolist() == [0, 1, 2, 1, 2]
    assert set(maps[0].tolist()) == set(range(coarse.treeplexes[0].num_sequences))


def test_two_signals_may_be_dealt_at_once() -> None:
    """Player 0 sees the first card and moves, and then the third one too."""
    end = Public(TERMINAL, dealt=3, end="u", stake=1)
    late = Public(CHANCE, (Public(CHANCE, (end,), 2),), 1)
    tree = Public(CHANCE, (Public(0, (late,), 1),), 0)
    deck, weights = Deck(("x", "y"), (2, 1)), {"u": np.zeros(4, dtype=np.int32)}
    game = RandomSignalGame(deck, tree, (0, 1, 0), weights, np.ones(1, dtype=np.int32))
    structure = SignalStructure(game)
    assert structure.stages == (1, 3)
    assert structure.deals.signals[3].tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert structure.ancestor(1, 0).tolist() == [0, 0, 1]
    assert structure.signals(0, 1).tolist() == [[0, 0], [0, 1], [1, 0]]
    assert structure.earlier(0, 1).tolist() == [0, 0, 1]


def test_a_game_that_is_zero_sum_in_most_deals_only_is_not_taken_apart() -> None:
    class Almost(LimitPoker):
        def payoffs(self, outcome: str, signals: Any) -> Any:
            paid = super().payoffs(outcome, signals).copy()
            paid[-1, 0] += 1
            return paid

    names = ("deck", "strength", "ante", "bets", "max_bets")
    game = Almost(**{name: getattr(LEDUC.game, name) for name in names})
    with pytest.raises(UnsupportedGameError, match=r"R10: .* zero-sum, and 'fold' is not"):
        _ = SignalStructure(game).payoffs


def test_a_game_of_three_players_is_not_taken_apart() -> None:
    class Three:
        num_players = 3

        def __getattr__(self, name: str) -> Any:
            return getattr(LEDUC.game, name)

    with pytest.raises(UnsupportedGameError, match="for 2 players and this one has 3"):
        SignalStructure(Three())  # type: ignore[arg-type]
