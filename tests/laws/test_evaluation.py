"""What strategies are worth: laws on random games, against slow and obvious sums."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree, certify, make, solve
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.game.rules import CHANCE
from seqform.strategies.evaluate.contributions_by_hand import hands_of
from seqform.strategies.evaluate.evaluate import evaluate
from seqform.strategies.evaluate.lines import lines_of
from seqform.strategies.evaluate.played_tree import PlayedTree
from seqform.strategies.evaluate.respond import respond
from seqform.strategies.read_given import given_from, read_given
from tests.random_signal_games import random_signal_game
from tests.strategies import games, random_profile, seeds

NEAR = {"rel": 1e-9, "abs": 1e-9}
SEVERAL = {"players": (1, 2, 3), "zero_sum": (True, False)}


def walk(game: Any, profile: Any) -> dict[tuple[str, ...], tuple[float, list[float]]]:
    """Go down to every end of a tree; return the chance and payments of each line, as written."""
    tree, found = game.tree, {}
    sets = [{int(t): h for h, t in enumerate(mine)} for mine in game.tree_infosets]
    stack = [(0, 1.0, (), np.zeros(tree.num_players))]
    while stack:
        node, reach, line, paid = stack.pop()
        if tree.payoff[node] >= 0:
            paid = paid + np.array([float(u) for u in tree.payoffs[tree.payoff[node]]])
        player = int(tree.player[node])
        children = tree.children(node)
        if not children:
            chance, total = found.get(line, (0.0, np.zeros(tree.num_players)))
            found[line] = chance + reach, total + reach * paid
        for place, child in enumerate(children):
            if player == CHANCE:
                step, move = float(tree.probabilities[tree.probability[child]]), "/"
            else:
                h = sets[player][int(tree.infoset[node])]
                first = game.treeplexes[player].first_sequence[h]
                step = profile.behaviors[player][first + place]
                move = str(tree.labels[tree.label[child]])
            stack.append((child, reach * step, (*line, move), paid))
    return found


@given(game=games(**SEVERAL), seed=seeds)
def test_payoffs_and_lines_are_those_of_a_walk_to_every_end(game: Any, seed: int) -> None:
    profile = random_profile(game, seed, sparse=True)
    ends = walk(game, profile)
    found = evaluate(game, profile, lines=True)
    values = found.seats[0].values
    assert values == pytest.approx(sum(paid for _, paid in ends.values()), **NEAR)
    lines = found.seats[0].lines
    assert np.sum([line.contributions for line in lines], axis=0) == pytest.approx(values, **NEAR)
    played = PlayedTree.of(game, profile)
    assert played.values[0] == pytest.approx(values, **NEAR)
    assert played.reach[game.tree.num_children == 0].sum() == pytest.approx(1)


@given(game=games(**SEVERAL), seed=seeds)
def test_head_to_head_with_oneself_is_ones_value(game: Any, seed: int) -> None:
    profile = random_profile(game, seed)
    alone, both = evaluate(game, profile), evaluate(game, profile, profile)
    assert len(both.seats) == game.num_players
    for seat in both.seats:
        assert seat.values == pytest.approx(alone.seats[0].values, **NEAR)
    for certificate in (both.against, both.profile):
        assert certificate.record() == certify(game, profile).record()


@given(game=games(**SEVERAL), seed=seeds)
def test_a_seat_is_the_profile_there_and_the_other_elsewhere(game: Any, seed: int) -> None:
    one, other = random_profile(game, seed), random_profile(game, seed + 1)
    for seat in evaluate(game, one, other).seats:
        chosen = [one if p == seat.player else other for p in range(game.num_players)]
        mixed = game.profile([of.behaviors[p] for p, of in enumerate(chosen)])
        assert seat.values == pytest.approx(evaluate(game, mixed).seats[0].values, **NEAR)


@given(game=games(**SEVERAL), seed=seeds)
def test_best_responses_get_what_they_say_and_nobody_gains_more(game: Any, seed: int) -> None:
    profile = random_profile(game, seed, sparse=True)
    gains = certify(game, profile).gains
    for player in range(game.num_players):
        found = respond(game, profile, player)
        values = evaluate(game, found.profile).seats[0].values
        assert values[player] == pytest.approx(found.value, **NEAR)
        assert found.value >= found.before - 1e-9
        assert found.value <= found.bound
        assert found.gain <= gains[player] + 1e-9
        again = respond(game, found.profile, player)
        assert again.gain == pytest.approx(0, abs=1e-8)
        for other in set(range(game.num_players)) - {player}:
            np.testing.assert_array_equal(found.profile.behaviors[other], profile.behaviors[other])


@given(number=seeds, seed=seeds)
def test_lines_and_hands_of_signal_games_are_those_of_their_trees(number: int, seed: int) -> None:
    game = random_signal_game(number)
    structure = SignalStructure(game)
    form, on_tree = build_signal_form(structure), build_sequence_form(build_tree(game))
    profile = random_profile(form, seed)
    lines, theirs = lines_of(form, profile), lines_of(on_tree, profile)
    as_dict = {line.name: line for line in theirs}
    assert len(as_dict) == len(theirs)
    for line in lines:
        if line.name not in as_dict:  # on a tree, only lines that pay are listed
            assert not any(line.contributions)
            continue
        assert line.probability == pytest.approx(as_dict[line.name].probability, **NEAR)
        assert line.contributions == pytest.approx(as_dict[line.name].contributions, **NEAR)
    values = evaluate(form, profile).seats[0].values
    for player in (0, 1):
        hands = hands_of(form, profile, player)
        assert sum(hand.contribution for hand in hands) == pytest.approx(values[player], **NEAR)
        assert hands == hands_of(on_tree, profile, player, structure) or all(
            mine == pytest.approx(other, nan_ok=True, **NEAR)
            for (_, *mine), (_, *other) in zip(
                hands, hands_of(on_tree, profile, player, structure), strict=True
            )
        )


@pytest.mark.parametrize("game", [kuhn(), leduc(merge_suits=True), rhode_island(3, 2, 1)])
def test_hands_are_dealt_with_the_chance_that_is_said(game: Any) -> None:
    found = evaluate(game, lambda *_: None, hands=True)
    for hands in found.seats[0].hands:
        assert [hand.cards for hand in hands] == [str(card) for card in game.deck.cards]
        assert sum(hand.probability for hand in hands) == pytest.approx(1)
    assert found.seats[0].lines is None


def test_the_jack_of_kuhn_loses_and_the_king_wins() -> None:
    found = evaluate(kuhn(), solve(kuhn()), lines=True, hands=True)
    first, second = found.seats[0].hands
    by_hand = {hand.cards: hand.contribution / hand.probability for hand in second}
    # player 1's mean with each card in any equilibrium: see Kuhn 1950
    assert by_hand["K"] > by_hand["Q"] > by_hand["J"]
    assert sum(hand.contribution for hand in first) == pytest.approx(-1 / 18)
    names = [line.name for line in found.seats[0].lines]
    assert names == ["check-check", "bet-fold", "bet-call", "check-bet-fold", "check-bet-call"]


@pytest.mark.parametrize("name", ["kuhn", "chicken", "matching-pennies"])
def test_an_equilibrium_gains_nothing(name: str) -> None:
    solution = solve(make(name))
    found = evaluate(solution, solution, solution)
    assert found.profile.nash_gap < 1e-9
    assert found.mean == pytest.approx(0 if solution.is_constant_sum else found.mean, abs=1e-9)


def test_a_partial_strategy_takes_only_the_seats_of_which_it_speaks() -> None:
    form = build_sequence_form(build_tree(kuhn()))
    mine = given_from(lambda p, _, actions: (0,) * (len(actions) - 1) + (1,) if p else None, form)
    found = evaluate(form, mine, solve(form))
    assert [seat.player for seat in found.seats] == [1]
    nothing = evaluate(form, given_from({}, form), solve(form))
    assert [seat.player for seat in nothing.seats] == [0, 1]


def test_a_profile_of_another_game_is_refused() -> None:
    other = solve(leduc(merge_suits=True))
    form = build_sequence_form(build_tree(leduc(merge_suits=True)))
    with pytest.raises(InvalidStrategyError, match="it belongs to another game"):
        evaluate(kuhn(), other)
    with pytest.raises(InvalidStrategyError, match="the strategy was given for another game"):
        evaluate(kuhn(), given_from({}, form))
    with pytest.raises(InvalidParameterError, match=r"a strategy is a profile, .* not int"):
        evaluate(kuhn(), 3)
    with pytest.raises(InvalidStrategyError, match="holds no profile: it is of the concept efce"):
        evaluate(kuhn(), solve(kuhn(), method="efce"))
    with pytest.raises(InvalidParameterError, match="there is no player 2"):
        respond(kuhn(), other, 2)


def test_hands_need_a_signal_game() -> None:
    form = build_sequence_form(build_tree(make("matching-pennies")))
    with pytest.raises(UnsupportedGameError, match=r"only signal games, .* have hands"):
        hands_of(form, random_profile(form, 0), 0)
    assert evaluate(liars_dice(1, 2), lambda *_: None, hands=True).seats[0].hands is not None
    assert evaluate(form, random_profile(form, 0), hands=True).seats[0].hands is None


def test_a_lifted_profile_is_answered_by_classes_where_that_loses_nothing(tmp_path) -> None:
    game = rhode_island(3, 2, 1)
    structure = SignalStructure(game)
    whole = build_signal_form(structure)
    solution = solve(game, abstract="suit", max_nodes=1)
    lifted = solution.strategy.in_form(whole)
    found = respond(whole, lifted, 1)
    assert found.bound - found.value < 1e-9
    found.save(tmp_path / "answer.npz")
    read = SignalStrategy.load(tmp_path / "answer.npz", structure)
    assert len(read.behaviors[1]) < whole.treeplexes[1].num_sequences
    values = evaluate(whole, read).seats[0].values
    assert values[1] == pytest.approx(found.value)
    found.save(tmp_path / "answer.csv")
    table = evaluate(whole, read_given(tmp_path / "answer.csv", whole))
    assert table.seats[0].values == pytest.approx(values)
    found = respond(whole, random_profile(whole, 0), 1)
    found.save(tmp_path / "answer.npz")
    assert respond(whole, SignalStrategy.load(tmp_path / "answer.npz", structure), 1).gain < 1e-9


def test_a_lifted_profile_is_answered_card_by_card_where_classes_lose_something() -> None:
    game = rhode_island(4, 2, 1)
    whole = build_signal_form(SignalStructure(game))
    lifted = solve(game, abstract="outcome", max_nodes=1).strategy.in_form(whole)
    within = respond(lifted.reduced, lifted.small, 0)
    found = respond(whole, lifted, 0)
    assert found.form is whole
    assert found.value > within.value + 1e-3
    assert found.bound - found.value < 1e-9


def test_strategies_by_classes_are_worth_what_their_profiles_are() -> None:
    game = rhode_island(3, 2, 1)
    whole = build_signal_form(SignalStructure(game))
    # no equilibria: which of several is found would decide what the seats are worth
    searched: dict[str, Any] = {"max_nodes": 1, "method": "dcfr", "iterations": 3}
    mine = solve(game, abstract="suit", **searched).strategy
    rough = solve(game, abstract="outcome", **searched).strategy
    small = evaluate(whole, mine, rough, lines=True, hands=True)
    large = evaluate(whole, mine.in_form(whole), rough.in_form(whole), lines=True, hands=True)
    assert small.profile.record() == large.profile.record()
    assert small.against.record() == large.against.record()
    for one, other in zip(small.seats, large.seats, strict=True):
        assert one.values == pytest.approx(other.values, **NEAR)
        for line, wanted in zip(one.lines, other.lines, strict=True):
            assert line.name == wanted.name
            assert line.contributions == pytest.approx(wanted.contributions, **NEAR)
        for hand, wanted in zip(chain(*one.hands), chain(*other.hands), strict=True):
            assert hand == (wanted.cards, wanted.probability, pytest.approx(wanted[2], **NEAR))
    assert small.seats[0].values != small.seats[1].values
    alone = evaluate(whole, mine, hands=True)
    assert alone.seats[0].values == small.profile.values
    lifted = mine.in_form(whole)
    card_by_card = hands_of(whole, Profile(lifted.behaviors, lifted.plans), 0)
    for found in (alone.seats[0].hands[0], hands_of(whole, lifted, 0)):
        assert found == [(*hand[:2], pytest.approx(hand[2], **NEAR)) for hand in card_by_card]


def test_a_response_is_read_again_from_its_table(tmp_path) -> None:
    form = build_sequence_form(build_tree(leduc(merge_suits=True)))
    found = respond(form, random_profile(form, 5), 0)
    found.save(tmp_path / "answer.csv")
    read = read_given(tmp_path / "answer.csv", form)
    assert respond(form, read, 0).gain == pytest.approx(0, abs=1e-12)
