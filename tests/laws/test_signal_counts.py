"""Signal games are counted right without being built."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree
from seqform.form.counts_from_signals import count_signal_game, is_too_large
from seqform.form.from_signals import build_signal_form, count_nodes
from seqform.form.sizes import form_lp_size, lp_size
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE
from seqform.methods.describe import describe
from seqform.solvers.linear.program import build_lp
from tests.random_signal_games import (
    POKER,
    POKER_BY_SIZE,
    Public,
    RandomSignalGame,
    random_signal_game,
)
from tests.reference.brute_counts import brute_counts
from tests.reference.plain_games import PlainRhodeIsland

SHORT = {
    "nobody acts": (0, 1),
    "player 1 never acts": (0, 1, "0"),
    "player 0 never acts": (0, 1, "1"),
    "player 1 acted before the last deal": (0, "1", 1, "0"),
    "player 0 acted before the last deal": (1, "0", 0, "1"),
    "both acted at the end": (0, 1, "0", "1"),
    "both acted before the last deal": (0, 1, "0", "1", 0),
    "some ends are before any deal": ("0", "1", 0, 1, "0", "1"),
}
"""Small games: whom chance deals a card, and who then acts."""

CARD_DECKS = [(3, 2, 1), (4, 1, 2), (5, 1, 1), (6, 1, 1), (3, 2, 0)]


def counts_of_tree(game: Any) -> dict[str, Any]:
    tree = build_tree(game)
    form = build_sequence_form(tree)
    assert form.operator is not None
    return {
        "nodes": tree.num_nodes,
        **{f"{kind}_nodes": tree.count(kind) for kind in ("decision", "chance", "terminal")},
        "infosets_per_player": [treeplex.num_infosets for treeplex in form.treeplexes],
        "sequences_per_player": [treeplex.num_sequences for treeplex in form.treeplexes],
        "payoff_nonzeros": form.operator.num_nonzeros,
    }


@pytest.mark.parametrize("name", POKER_BY_SIZE)
def test_counts_of_poker_and_dice_are_those_of_the_tree(name: str) -> None:
    structure = SignalStructure(POKER[name])
    counts = count_signal_game(structure)
    assert counts == counts_of_tree(POKER[name])
    assert count_nodes(structure) == counts["nodes"]
    form = build_signal_form(structure)
    size = lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )
    assert size == form_lp_size(form) == build_lp(form).size


@given(st.integers(0, 100_000))
def test_counts_of_random_signal_games_are_those_of_the_tree(seed: int) -> None:
    game = random_signal_game(seed)
    assert count_signal_game(SignalStructure(game)) == counts_of_tree(game)


def short_game(steps: tuple[int | str, ...], cards: int) -> RandomSignalGame:
    """Return a game in which all steps are made one after the other; it may end where all have
    acted since the last deal who ever act, and one of the ends pays nothing."""
    actors = {step for step in steps if isinstance(step, str)}

    def below(done: int) -> Public:
        dealt = sum(isinstance(step, int) for step in steps[:done])
        if done == len(steps):
            return Public(TERMINAL, (), dealt, "u", 1)
        step = steps[done]
        if isinstance(step, int):
            return Public(CHANCE, (below(done + 1),), dealt)
        ends = tuple(Public(TERMINAL, (), dealt, "v", stake) for stake in (2, 0))
        since = max(i for i in range(-1, done) if i < 0 or isinstance(steps[i], int)) + 1
        may_end = actors <= set(steps[since : done + 1])
        return Public(int(step), (below(done + 1), *(ends if may_end else ())), dealt)

    recipients = tuple(step for step in steps if isinstance(step, int))
    weights = {"u": np.array([1, 2, 1, 2], np.int32), "v": np.array([2, 1, 2, 1], np.int32)}
    deck = Deck(tuple("wxyz"[:cards]), (len(recipients),) * cards)
    return RandomSignalGame(deck, below(0), recipients, weights, np.array([1, 3, 0, 2], np.int32))


@pytest.mark.parametrize("cards", [1, 4])
@pytest.mark.parametrize("name", SHORT)
def test_entries_are_counted_wherever_players_acted_last(name: str, cards: int) -> None:
    game = short_game(SHORT[name], cards)
    assert count_signal_game(SignalStructure(game)) == counts_of_tree(game)


@pytest.mark.parametrize("name", ["both acted at the end", "some ends are before any deal"])
def test_no_payoffs_are_added_up_where_every_deal_has_an_entry_of_its_own(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = short_game(SHORT[name], 4)
    monkeypatch.delattr("seqform.form.counts_from_signals.build_signal_form")
    assert count_signal_game(SignalStructure(game)) == counts_of_tree(game)


def test_only_signal_games_of_two_players_are_counted_without_a_tree() -> None:
    game = short_game(SHORT["both acted at the end"], 4)
    size = count_nodes(SignalStructure(game))
    assert is_too_large(game, max_nodes=size - 1)
    assert not is_too_large(game, max_nodes=size)
    assert not is_too_large(game)
    assert not is_too_large(replace(game, num_players=3), max_nodes=20)
    assert not is_too_large(build_tree(game), max_nodes=20)


@pytest.mark.parametrize(("ranks", "suits", "max_bets"), CARD_DECKS)
def test_counts_are_those_of_every_history(ranks: int, suits: int, max_bets: int) -> None:
    counts = count_signal_game(SignalStructure(rhode_island(ranks, suits, max_bets)))
    brute = brute_counts(PlainRhodeIsland(ranks, suits, max_bets))
    assert counts == brute
    size = lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )
    assert (
        size.rows
        == size.columns
        == 1 + brute["infosets_per_player"][0] + brute["sequences_per_player"][1]
    )


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rhode island, 4x2"])
def test_a_game_described_by_counting_has_the_counts_of_its_tree(name: str) -> None:
    built, counted = describe(POKER[name]), describe(POKER[name], max_nodes=20)
    assert counted["depth"] == built["depth"]
    assert "exact" in built
    assert "exact" not in counted
    assert counted.pop("branching_factor") == pytest.approx(built["branching_factor"])
    differ = {key for key in counted if counted[key] != built[key]}
    assert differ <= {"memory_estimate_mb"}


@given(st.integers(0, 100_000))
def test_without_going_through_the_deals_payoffs_are_at_most_so_many(seed: int) -> None:
    game = random_signal_game(seed)
    counts, whole = count_signal_game(SignalStructure(game)), counts_of_tree(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seqform.form.counts_from_signals.MOST_DEALS", 0)
        patch.delattr("seqform.form.counts_from_signals.Deals")
        patch.delattr("seqform.form.counts_from_signals.build_signal_form")
        bounded = count_signal_game(SignalStructure(game))
    assert "too many to go through" in bounded.pop("note")
    assert "note" not in counts
    assert bounded.pop("payoff_nonzeros") >= whole.pop("payoff_nonzeros")
    assert bounded == whole


def test_where_every_deal_pays_the_bound_is_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def paid(_: object, outcome: object, signals: Any) -> Any:
        return np.tile(np.array([1, -1]), (len(signals), 1))

    monkeypatch.setattr(RandomSignalGame, "payoffs", paid)
    game = short_game(SHORT["both acted at the end"], 4)
    exact = count_signal_game(SignalStructure(game))
    monkeypatch.setattr("seqform.form.counts_from_signals.MOST_DEALS", 0)
    found = count_signal_game(SignalStructure(game))
    assert found["payoff_nonzeros"] == exact["payoff_nonzeros"]


class TwoCardsAndTable:
    """Two private cards each, a round, a card on the table, a round; nobody is asked what pays."""

    num_players = 2
    deck = Deck(tuple(range(52)), (1,) * 52)

    def root(self) -> tuple[int, str]:
        return 0, ""

    def player(self, state: tuple[int, str]) -> int:
        dealt, round_ = state
        if dealt < 4 or (dealt == 4 and len(round_) == 2):
            return CHANCE
        return TERMINAL if len(round_) == 2 else len(round_)

    def recipient(self, state: tuple[int, str]) -> int:
        return state[0] % 2 if state[0] < 4 else EVERYONE

    def actions(self, state: tuple[int, str]) -> list[str]:
        return ["x", "y"]

    def child(self, state: tuple[int, str], action: Any) -> tuple[int, str]:
        return (state[0] + 1, "") if action is None else (state[0], state[1] + action)

    def outcome(self, state: tuple[int, str]) -> str:
        return "end"

    def stake(self, state: tuple[int, str]) -> int:
        return 1

    def payoffs(self, outcome: str, signals: Any) -> Any:
        raise AssertionError("311,875,200 deals are gone through")


def test_a_game_of_two_cards_each_is_described_without_going_through_its_deals() -> None:
    record = describe(TwoCardsAndTable())
    pairs, table = 52 * 51 * 50 * 49, 52 * 51 * 50 * 49 * 48
    dealing = 1 + 52 + 52 * 51 + 52 * 51 * 50 + pairs * 4
    assert record["nodes"] == dealing + pairs * 3 + 4 * table * 7
    assert record["payoff_nonzeros"] == 16 * table
    assert "311,875,200 deals are too many" in record["note"]
    hands, seen = 52 * 51, 52 * 51 * 50
    assert record["infosets_per_player"] == [hands + 4 * seen, 2 * hands + 8 * seen]
