"""Sampled hands: what is taken out of them is luck and nothing else."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree, form_of, make, sample, solve
from seqform.base.errors import InvalidParameterError, ResultFileError, UnsupportedGameError
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE
from seqform.strategies.evaluate.played_tree import PlayedTree
from seqform.strategies.play.sample import known_luck, walk
from seqform.strategies.play.sample_signals import Known
from tests.command_line import call
from tests.strategies import games, random_profile, seeds

SEVERAL = {"players": (1, 2, 3), "zero_sum": (True, False)}


@given(game=games(**SEVERAL), seed=seeds)
def test_known_luck_is_nothing_on_average_whatever_nodes_are_said_to_be_worth(
    game: Any, seed: int
) -> None:
    tree, rng = game.tree, np.random.default_rng(seed)
    played = PlayedTree.of(game, random_profile(game, seed, sparse=True))
    worth = rng.normal(size=(tree.num_nodes, tree.num_players))
    ends = np.flatnonzero(tree.num_children == 0)
    for seat in range(game.num_players):
        luck = known_luck(played, worth, seat)
        assert played.reach[ends] @ luck[ends] == pytest.approx(0, abs=1e-9)


@given(game=games(**SEVERAL), seed=seeds)
def test_luck_is_that_of_chance_and_of_the_seat_move_by_move(game: Any, seed: int) -> None:
    tree = game.tree
    played = PlayedTree.of(game, random_profile(game, seed))
    worth = played.values
    luck = known_luck(played, worth, 0)
    for node in np.flatnonzero(tree.num_children == 0).tolist():
        total, here = 0.0, node
        while here:
            above = int(tree.parent[here])
            if tree.player[above] in (CHANCE, 0):
                mean = sum(played.step[c] * worth[c, 0] for c in tree.children(above))
                total += worth[here, 0] - mean
            here = above
        assert luck[node] == pytest.approx(total, abs=1e-9)


@given(game=games(players=(1,)), seed=seeds)
def test_nothing_is_left_to_luck_where_all_of_it_is_known(game: Any, seed: int) -> None:
    found = sample(game, random_profile(game, seed), hands=5)
    assert found.reduced == pytest.approx(np.full(5, found.expected[0]), rel=1e-9, abs=1e-9)


def test_nodes_are_come_to_as_often_as_they_should_be() -> None:
    form = build_sequence_form(build_tree(make("kuhn")))
    played = PlayedTree.of(form, random_profile(form, 4, sparse=True))
    ends = walk(played, 200_000, np.random.default_rng(1))
    counts = np.bincount(ends, minlength=form.tree.num_nodes) / len(ends)
    leaves = form.tree.num_children == 0
    assert counts[leaves] == pytest.approx(played.reach[leaves], abs=5e-3)
    assert not counts[~leaves].any()
    assert not counts[played.reach == 0].any()


@pytest.mark.parametrize("against", [None, 9])
def test_means_lie_within_their_intervals_as_often_as_is_said(against: int | None) -> None:
    form = build_sequence_form(build_tree(leduc(merge_suits=True)))
    mine = random_profile(form, 8)
    other = None if against is None else random_profile(form, against)
    runs = 200
    inside = np.zeros(2)
    for seed in range(runs):
        found = sample(form, mine, other, hands=400, seed=seed, player=1)
        for at, mean in enumerate((found.plain(1), found.corrected(1))):
            inside[at] += abs(mean.mean - found.expected[1]) <= mean.half
        assert found.corrected(1).half < found.plain(1).half
    # 95% of 200 is 190, give or take 3.1
    assert inside == pytest.approx([190, 190], abs=12)


@pytest.mark.parametrize("against", [None, 9])
def test_hands_by_classes_of_cards_are_those_of_the_tree(against: int | None) -> None:
    game = leduc()
    structure = SignalStructure(game)
    form = build_sequence_form(build_tree(game))
    mine, other = (
        SignalStrategy(structure, structure.identity, random_profile(form, seed).behaviors)
        for seed in (8, against or 8)
    )
    runs, inside = 60, np.zeros(2)
    for seed in range(runs):
        found = sample(game, mine, None if against is None else other, hands=400, seed=seed)
        for at, mean in enumerate((found.plain(0), found.corrected(0))):
            inside[at] += abs(mean.mean - found.expected[0]) <= mean.half
        assert found.corrected(1).half < found.plain(1).half
    assert inside == pytest.approx([57, 57], abs=6)  # 95% of 60, give or take 1.7
    pair = mine.in_form(form), other.in_form(form)
    on_tree = sample(game, pair[0], pair[1], hands=1)
    assert found.expected == pytest.approx(on_tree.expected)
    rows = list(found.rows())[1:]
    wins = [float(payoff) for _, _, _, actions, payoff, *_ in rows if actions == "bet-fold"]
    assert set(wins) == {1.0}


def test_luck_by_classes_of_cards_is_nothing_on_average() -> None:
    game = rhode_island(3, 2, 1)
    strategy = solve(game, abstract="suit", max_nodes=100).strategy
    known, structure = Known(strategy), strategy.structure
    for player in (0, 1):
        classes = strategy.classes[player][0][structure.observations[player][0]]
        ways = structure.deals.ways(structure.stages[0])
        assert known.cards(player, classes.astype(np.int64)) @ ways == pytest.approx(0, abs=1e-9)
        of = strategy.in_form(form_of(game, 100)).reduced.treeplexes[player]
        first = of.first_sequence[:-1][of.num_actions == 2].astype(np.int64)
        chances = np.tile([0.25, 0.75], (len(first), 1))
        luck = [known.moves(player, first, chances, np.full(len(first), at)) for at in (0, 1)]
        assert 0.25 * luck[0] + 0.75 * luck[1] == pytest.approx(np.zeros(len(first)), abs=1e-12)
        assert np.abs(luck[0]).max() > 0.1


@pytest.mark.parametrize("merged", [False, True])  # merged: cards are not equally likely
def test_luck_in_later_cards_is_nothing_on_average_whatever_was_dealt_before(merged: bool) -> None:
    game = leduc(merge_suits=merged)
    structure = SignalStructure(game)
    form = build_sequence_form(build_tree(game))
    strategy = SignalStrategy(structure, structure.identity, random_profile(form, 3).behaviors)
    known, deals = Known(strategy), structure.deals
    every = np.arange(deals.count(structure.stages[-1]))
    ways, before = deals.ways(structure.stages[-1]), deals.parent[structure.stages[-1]]
    later = [
        node
        for node, player in enumerate(structure.public.player)
        if player == CHANCE and structure.public.num_signals[node] == 2
    ]
    for player in (0, 1):
        lucks = [known.later_cards(player, node, every) for node in later]
        for luck in lucks:
            assert np.bincount(before, ways * luck) == pytest.approx(0, abs=1e-9)
        assert max(np.abs(luck).max() for luck in lucks) > 0.1


def test_the_largest_games_are_sampled_by_classes(tmp_path: Path) -> None:
    game = rhode_island(3, 2, 1)
    path = tmp_path / "strategy.npz"
    solve(game, abstract="suit", max_nodes=100).strategy.save(path)
    size = ("-p", "ranks=3", "-p", "suits=2", "-p", "max_bets=1", "--max-nodes", "100")
    asked = ("--profile", str(path), "--hands", "50", "--json")
    record = json.loads(call("sample", "rhode-island", *size, *asked))
    first, second = (seat["expected"] for seat in record["seats"])
    assert first == pytest.approx(-second)
    with pytest.raises(UnsupportedGameError, match="rhode-island is too large to be solved while"):
        call("sample", "rhode-island", *size)


def test_the_same_seed_gives_the_same_hands_and_another_does_not() -> None:
    game = make("kuhn")
    solution = solve(game)
    one, same, other = (sample(game, solution, seed=seed, hands=50) for seed in (1, 1, 2))
    assert list(one.rows()) == list(same.rows())
    assert list(one.rows()) != list(other.rows())


def test_seats_are_taken_in_turn_or_as_asked() -> None:
    game = make("kuhn", players=3)
    assert sample(game, lambda *_: None, hands=7).seats.tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert sample(game, lambda *_: None, hands=3, player=2).seats.tolist() == [2, 2, 2]
    (name, text) = sample(game, lambda *_: None, hands=1).summary()[1]
    assert name == "mean as player 0, 95%"
    assert text.endswith("(of one hand) chips")


def test_the_table_says_what_happened(tmp_path: Path) -> None:
    out = tmp_path / "hands.csv"
    call("sample", "kuhn", "--hands", "20", "--seed", "3", "--out", str(out))
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert len(rows) == 20
    for row in rows:
        first, second = row["deal"].split()
        won = {"J": 0, "Q": 1, "K": 2}[first] > {"J": 0, "Q": 1, "K": 2}[second]
        stake = 2 if "call" in row["actions"] else 1
        if row["actions"].endswith("fold"):
            won = row["actions"].count("-") == 1  # after a bet; else after check and bet
        assert float(row["payoff0"]) == (stake if won else -stake) == -float(row["payoff1"])
    text = call("sample", "kuhn", "--hands", "20", "--seed", "3")
    assert text.splitlines() == out.read_text().splitlines()


def test_hands_of_files_and_of_games_of_perfect_information(tmp_path: Path) -> None:
    path = tmp_path / "half.csv"
    path.write_text("player,infoset,action,probability\n")
    record = json.loads(
        call("sample", "kuhn", "--profile", str(path), "--hands", "9", "--player", "1", "--json")
    )
    assert record["hands"] == 9
    assert [seat["player"] for seat in record["seats"]] == [1]
    record = json.loads(call("sample", "centipede", "--hands", "2", "--json"))
    assert record["seats"][0]["mean"] == record["seats"][0]["expected"] == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": 0}, r"hands=0: use a whole number, 1 to 100,000,000"),
        ({"hands": 1.5}, r"hands=1.5: use"),
        ({"seed": -1}, r"seed=-1: use a whole number, at least 0"),
        ({"player": 2}, r"there is no player 2"),
    ],
)
def test_wrong_numbers_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        sample(make("kuhn"), lambda *_: None, **options)


def test_games_without_a_tree_and_files_that_cannot_be_written_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match=r"on the game's tree, and [\d,]+ nodes are too"):
        sample(rhode_island(3, 2, 1), lambda *_: None, max_nodes=10)
    with pytest.raises(ResultFileError, match="cannot write to /dev/null/x"):
        sample(make("kuhn"), lambda *_: None, hands=1).save("/dev/null/x")
