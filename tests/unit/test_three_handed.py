"""Tournaments of three players: chips in prizes, pots, lines of a hand, seats, and an answer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from games.all_in_pots import Ranking, settle
from games.icm import icm
from games.three_handed import ThreeHanded, hand_of, posts
from games.three_handed_one_card import three_handed_one_card
from seqform.base.errors import InvalidParameterError
from seqform.game.recursive import End, Leaf, Next
from seqform.recursive.search import search_recursive
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status

PAYOUTS = (50, 30, 20)


def test_chips_in_prizes_as_published() -> None:
    assert icm((13, 6, 8), PAYOUTS) == (
        Fraction(135910, 3591),
        Fraction(35510, 1197),
        Fraction(6140, 189),
    )


def by_orders(chips: tuple[int, ...], payouts: tuple[int, ...]) -> list[Fraction]:
    """Return what chips are worth by all orders in which players may come in."""
    worth = [Fraction(0)] * len(chips)
    for order in permutations(range(len(chips))):
        likely, left = Fraction(1), sum(chips)
        for player in order:
            likely *= Fraction(chips[player], left)
            left -= chips[player]
        for player, prize in zip(order, payouts, strict=False):
            worth[player] += likely * prize
    return worth


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_chips_in_prizes_are_those_of_all_orders(players: int) -> None:
    rng = Random(players)
    chips = tuple(rng.randint(1, 20) for _ in range(players))
    for places in range(1, players + 1):
        payouts = tuple(rng.randint(0, 50) for _ in range(places))
        assert list(icm(chips, payouts)) == by_orders(chips, payouts)


@pytest.mark.parametrize(
    ("chips", "payouts", "words"),
    [
        ((3, 0), (1,), "above 0"),
        ((3, -1), (1,), "above 0"),
        ((3, 1), (3, 2, 1), "leave out"),
        ((), (), "one or more"),
        ((1.5, 2), (1,), "int or Fraction"),
        ((1, 2), (float("nan"),), "int or Fraction"),
        (("a", 2), (1,), "int or Fraction"),
        ((1,) * 17, (1,), "16"),
    ],
)
def test_chips_that_cannot_be_are_refused(chips: Any, payouts: Any, words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        icm(chips, payouts)


@pytest.mark.parametrize(
    ("chips", "ranking", "after"),
    [
        ((9, 9, 9), (2, 0, 1), (0, 0, 27)),
        ((9, 4, 6), (1, 2, 0), (3, 12, 4)),  # main pot 12, side pot 4, and 3 come back
        ((9, 4, 6), (2, 1, 0), (3, 0, 16)),
        ((9, 4, 6), (1, 0), (5, 10, 4)),  # the big blind leaves its 2
        ((9, 4, 6), (2,), (9, 3, 7)),
        ((9, 4, 6), (0, 1, 2), (19, 0, 0)),
    ],
)
def test_pots_go_layer_by_layer(
    chips: tuple[int, int, int], ranking: tuple[int, ...], after: tuple[int, ...]
) -> None:
    assert settle(chips, posts(chips), strictly(ranking)) == after


def strictly(ranking: tuple[int, ...]) -> Ranking:
    """Return the groups of a ranking in which no hands are alike."""
    return tuple((seat,) for seat in ranking)


@pytest.mark.parametrize(
    ("chips", "ranking", "after"),
    [
        ((9, 9, 9), ((0, 1, 2),), (9, 9, 9)),
        ((5, 5, 5), ((0, 1),), (6, 6, 3)),  # both share what the big blind leaves
        ((5, 9, 5), ((0, 2),), (5, 8, 6)),  # 11 chips: the odd one goes to the left of the button
        ((5, 4, 9), ((0, 1),), (6, 5, 7)),  # the main pot is shared, and a chip comes back
        ((9, 4, 6), ((0, 1), (2,)), (13, 6, 0)),  # both share 12 chips; the side pot is one's alone
        ((9, 4, 6), ((1,), (0, 2)), (5, 12, 2)),
        ((4, 6, 9), ((0, 1, 2),), (4, 6, 9)),
        ((5, 5, 0), ((0, 1),), (5, 5, 0)),
    ],
)
def test_equal_hands_share(chips: tuple[int, int, int], ranking: Ranking, after: Any) -> None:
    assert settle(chips, posts(chips), ranking) == after


def test_no_chips_are_lost() -> None:
    rng = Random(34)
    for _ in range(300):
        chips = (rng.randint(1, 6), rng.randint(1, 6), rng.randint(0, 6))
        for line in hand_of(chips):
            for ranking in rankings(line.staying):
                after = settle(chips, posts(chips), ranking)
                assert sum(after) == sum(chips)
                assert min(after) >= 0


def rankings(seats: tuple[int, ...]) -> Iterator[Ranking]:
    """Yield all orders of some seats, those in which hands are equal too."""
    for order in permutations(seats):
        for cuts in product((False, True), repeat=len(order) - 1):
            groups = [[order[0]]]
            for seat, cut in zip(order[1:], cuts, strict=True):
                if cut:
                    groups.append([])
                groups[-1].append(seat)
            yield tuple(map(tuple, groups))


@pytest.mark.parametrize(
    ("chips", "lines"),
    [
        ((9, 9, 9), 7),
        ((5, 5, 2), 4),  # the big blind is all in: only the others decide
        ((5, 1, 9), 3),  # so is the small blind, which the big blind covers
        ((2, 9, 9), 6),  # the big blind has matched the button, and decides after small blinds only
        ((9, 9, 0), 3),
        ((9, 2, 0), 2),
        ((9, 1, 0), 1),
        ((1, 9, 0), 1),
    ],
)
def test_who_pays_nothing_more_has_no_decision(chips: tuple[int, int, int], lines: int) -> None:
    assert len(hand_of(chips)) == lines


def table(first: tuple[int, int, int]) -> ThreeHanded:
    return ThreeHanded(lambda hand: hand, first, PAYOUTS)


def after(chips: tuple[int, int, int], ranking: tuple[int, ...]) -> Any:
    return table((9, 9, 9)).leads_to(chips, Leaf(strictly(ranking), ()))


def test_players_move_on_and_go_out_as_the_rules_say() -> None:
    assert after((9, 9, 9), (2,)) == Next((8, 10, 9), (1, 2, 0))
    # the small blind is out: the button has the next big blind
    assert after((9, 4, 9), (0, 1)) == Next((7, 15, 0), (2, 0, 1))
    # the button is out: the small blind has the next big blind
    assert after((4, 9, 9), (1, 0)) == Next((7, 15, 0), (2, 1, 0))
    # the big blind is out: the button is next, and the small blind stays one
    assert after((9, 9, 4), (0, 2)) == Next((8, 14, 0), (1, 0, 2))
    assert after((8, 14, 0), (1,)) == Next((15, 7, 0), (1, 0, 2))
    assert after((11, 11, 0), (1, 0)) == End((30, 50, 20))
    assert after((9, 9, 9), (1, 0, 2)) == End((25, 50, 25))
    assert after((10, 12, 5), (1, 2, 0)) == End((30, 50, 20))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"chips": 10}, "multiple of 3"),
        ({"chips": 9, "button": 5, "small_blind": 4}, "no chips"),
        ({"chips": 9, "button": -1}, "too small"),
        ({"cards": 2}, "too small"),
        ({"cards": 14}, "too large"),
        ({"third": -1}, "too small"),
    ],
)
def test_stacks_that_cannot_be_are_refused(parameters: Any, words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        three_handed_one_card(**parameters)


def test_a_small_tournament_is_solved_and_prizes_add_up() -> None:
    game = three_handed_one_card(chips=6, cards=4)
    graph = stage_graph(game)
    assert len(list(game.keys())) == 15
    assert len(graph.stages) == 14  # nobody comes to sit in (1, 1, 4)
    assert graph.constant_sum == 100
    solution = search_recursive(graph)
    assert solution.status is Status.SOLVED
    assert float(solution.width) <= 3e-4 * 30
    assert sum(map(float, solution.proof.lower[0])) == pytest.approx(100, abs=0.01)
    assert "% of the entry fee" in dict(solution.rows())["certainty"]


def test_labels_say_the_card_and_what_was_done() -> None:
    form = three_handed_one_card(cards=3).stage((9, 9, 9))
    assert form.origin.infoset_label(0, 2) == "A:"
    assert form.origin.infoset_label(2, 0) == "Q:fold-push"
    assert form.origin.actions(0, 0) == ("fold", "push")
    assert form.origin.actions(2, 0) == ("fold", "call")
