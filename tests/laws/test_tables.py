"""Limit poker for any number of players: rule by rule, and the same game where two play."""

from __future__ import annotations

from dataclasses import fields
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from games.limit_betting import LimitBetting
from games.limit_poker import limit_poker
from games.limit_poker_for_many import LimitPokerForMany
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree, certify, solve
from seqform.base.arrays import Ints
from seqform.form.profile import Profile
from seqform.game.deals import Deck
from tests.examples import examples
from tests.random_signal_games import LARGE, POKER
from tests.reference.exact_gains import gains
from tests.reference.oracles import exact_behavior, tree_behavior
from tests.reference.plain_table import PlainTable, leduc_strength, rhode_island_strength
from tests.same_game import assert_same_game

TWO = {name: game for name, game in POKER.items() if isinstance(game, LimitBetting)} | {
    "leduc, no bets": leduc(max_bets=0),
    "leduc, 3 bets": leduc(2, max_bets=3),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LARGE)) for name in TWO]
)
def test_two_at_a_table_play_the_two_player_game(name: str) -> None:
    two = build_tree(TWO[name])
    given = {field.name: getattr(TWO[name], field.name) for field in fields(TWO[name])}
    many = build_tree(LimitPokerForMany(**given))
    columns = "parent first_child num_children player infoset label probability node_payoffs"
    for column in columns.split():
        assert np.array_equal(getattr(two, column), getattr(many, column)), column
    assert (two.labels, two.probabilities, two.unit) == (many.labels, many.probabilities, many.unit)
    assert list(two.infoset_labels) == list(many.infoset_labels)


def plain_leduc(ranks: int, suits: int, max_bets: int, players: int) -> PlainTable:
    strength = partial(leduc_strength, suits=suits)
    return PlainTable(players, [*range(ranks * suits)], strength, 1, (2, 4), max_bets)


def plain_rhode_island(ranks: int, suits: int, max_bets: int, players: int) -> PlainTable:
    strength = partial(rhode_island_strength, ranks=ranks, suits=suits)
    return PlainTable(players, [*range(ranks * suits)], strength, 5, (10, 20, 20), max_bets)


def plain_kuhn(cards: int, players: int) -> PlainTable:
    return PlainTable(players, [*range(cards)], lambda card, _: card, 1, (1,), 1)


TWICE, PAIRED = [0, 0, 1, 1], partial(leduc_strength, suits=1)
"""A deck of two ranks without suits, and its hands."""

AABBB = Deck(("a", "b"), (2, 3))


def matching(hands: Ints) -> Ints:
    """Return how many cards on the table are the player's own."""
    return (hands[:, 1:] == hands[:, :1]).sum(axis=1)  # type: ignore[no-any-return]


LONG = (
    "leduc, 3 players",
    "leduc, 3 players, 3 bets",
    "rhode island, 3 players",
    "rhode island, straights",
)
PAIRS: dict[str, tuple[Any, PlainTable]] = {
    "kuhn, 4 players": (kuhn(players=4), plain_kuhn(5, 4)),
    "leduc, 2 players": (leduc(), plain_leduc(3, 2, 2, 2)),
    "leduc, 3 players": (leduc(2, 2, 2, players=3), plain_leduc(2, 2, 2, 3)),
    "leduc, 3 players, 3 bets": (
        leduc(2, 2, 3, True, 3),
        PlainTable(3, TWICE, PAIRED, 1, (2, 4), 3),
    ),
    "leduc, 3 of a rank": (leduc(2, 3, 0, players=3), plain_leduc(2, 3, 0, 3)),
    "leduc, 4 players": (leduc(5, 1, 0, players=4), plain_leduc(5, 1, 0, 4)),
    "rhode island, 2 players": (rhode_island(3, 2, 1), plain_rhode_island(3, 2, 1, 2)),
    "three rounds, 3 players": (
        limit_poker(3, AABBB, matching, ante=5, bets=(10, 20, 20), max_bets=1),
        PlainTable(3, [0, 0, 1, 1, 1], lambda card, table: table.count(card), 5, (10, 20, 20), 1),
    ),
    "rhode island, 3 players": (rhode_island(5, 1, 1, 3), plain_rhode_island(5, 1, 1, 3)),
    "rhode island, flushes": (rhode_island(3, 2, 0, 3), plain_rhode_island(3, 2, 0, 3)),
    "rhode island, straights": (rhode_island(4, 2, 0, 3), plain_rhode_island(4, 2, 0, 3)),
    "rhode island, three of a rank": (rhode_island(2, 3, 0, 3), plain_rhode_island(2, 3, 0, 3)),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in PAIRS]
)
def test_tables_follow_the_plain_rules(name: str) -> None:
    game, plain = PAIRS[name]
    assert_same_game(build_tree(game), build_tree(plain), labels=False, infoset_labels=False)


TABLES = {
    "kuhn": (kuhn(players=3), kuhn(players=5)),
    "leduc": (leduc(2, players=3), leduc(merge_suits=True, players=3), leduc(4, 2, 0, False, 5)),
    "rhode island": (rhode_island(5, 1, 1, 3), rhode_island(3, 2, 0, 4)),
}


@pytest.mark.parametrize("name", TABLES)
def test_nobody_brings_money_and_nobody_forgets(name: str) -> None:
    for game in TABLES[name]:
        tree = build_tree(game)
        assert {sum(payoffs) for payoffs in tree.payoffs} == {0}
        assert not build_sequence_form(tree).merged  # which raises where somebody forgets


@cache
def small_table() -> Any:
    return build_sequence_form(build_tree(leduc(4, 1, 1, players=3)))


@given(st.integers(0, 2**32 - 1))
@examples(2, 5)
def test_certified_gains_are_those_in_fractions(seed: int) -> None:
    form, rng = small_table(), np.random.default_rng(seed)
    behaviors = []
    for treeplex in form.treeplexes:
        behavior = rng.random(treeplex.num_sequences) ** 4
        sums = np.add.reduceat(behavior, treeplex.first_sequence[:-1])
        behavior[1:] /= np.repeat(sums, treeplex.num_actions)
        behavior[0] = 1.0
        behaviors.append(behavior)
    profile = Profile.from_behaviors(form.treeplexes, behaviors)
    exact = gains(form.tree, exact_behavior(tree_behavior(form, profile.behaviors)))
    assert certify(form, profile).gains == pytest.approx([*map(float, exact)], abs=1e-12)


def test_what_regret_minimization_finds_is_what_a_walk_of_the_tree_finds() -> None:
    solution = solve(leduc(4, 1, 1, players=3), method="cfr+", iterations=100, polish=False)
    form = solution.game
    behavior = exact_behavior(tree_behavior(form, solution.profile.behaviors))
    exact = [*map(float, gains(form.tree, behavior))]
    assert solution.certificate.gains == pytest.approx(exact, abs=1e-12)
    assert min(solution.certificate.gains) >= 0
