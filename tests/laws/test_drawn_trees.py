"""What a picture shows is the game: every node once, information sets as they are, values and moves
as they were solved."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.goofspiel import goofspiel
from games.random_games import random_game
from seqform import (
    TERMINAL,
    GameTree,
    build_sequence_form,
    build_tree,
    expand,
    expected_values,
    solve,
)
from seqform.base.errors import GameTooLargeError
from seqform.drawing import DrawnTree, draw_tree
from seqform.drawing.answers import PLAYED_FROM, edge_weights, node_values
from seqform.form.profile import Profile
from seqform.game.catalogue import make
from seqform.perfect_information import backward_induction_tree
from tests.perfect_games import Coin, TwoCoins
from tests.random_signal_games import random_signal_game
from tests.reference.plain_games import plain_kuhn
from tests.strategies import games, random_profile, seeds, trees

ALL = 10**6
"""More nodes than any game here has."""


def paired(drawn: DrawnTree, tree: GameTree, root: int = 0) -> list[tuple[int, int]]:
    """Go down a picture and the tree that it shows at once, moves in the same order; return the
    nodes in pairs."""
    pairs, stack = [], [(0, root)]
    while stack:
        a, b = stack.pop()
        pairs.append((a, b))
        if not drawn.nodes[a].is_cut:
            stack += zip(drawn.children[a], tree.children(b), strict=True)
    return pairs


def check_same(drawn: DrawnTree, tree: GameTree, root: int = 0) -> None:
    """Compare everything that a picture says of its nodes with the tree."""
    pairs = paired(drawn, tree, root)
    assert sorted(a for a, _ in pairs) == list(range(len(drawn.nodes)))
    for a, b in pairs:
        node = drawn.nodes[a]
        assert node.parent < a
        assert node.player == tree.player[b]
        assert node.payoffs == (tree.payoffs[tree.payoff[b]] if tree.payoff[b] >= 0 else None)
        if a:
            assert node.label == tree.labels[tree.label[b]]
            assert node.probability == (
                tree.probabilities[tree.probability[b]] if tree.probability[b] >= 0 else None
            )
            assert node.depth == drawn.nodes[node.parent].depth + 1
    assert {frozenset(members) for members in drawn.infosets.values()} == grouped(pairs, tree)


def grouped(pairs: list[tuple[int, int]], tree: GameTree) -> set[frozenset[int]]:
    """Return the drawn nodes of each information set."""
    members: dict[int, set[int]] = {}
    for a, b in pairs:
        if tree.player[b] >= 0:
            members.setdefault(int(tree.infoset[b]), set()).add(a)
    return set(map(frozenset, members.values()))


@given(trees(players=(1, 2, 3), zero_sum=(True, False)), st.integers(0, 6))
def test_a_picture_of_a_tree_is_the_tree_down_to_its_depth(tree: GameTree, max_depth: int) -> None:
    check_same(draw_tree(tree, max_nodes=ALL), tree)
    cut = draw_tree(tree, max_depth=max_depth, max_nodes=ALL)
    check_same(cut, tree)
    assert cut == draw_tree(tree, max_nodes=ALL).cut(max_depth)
    assert len(cut.levels) == min(max_depth, tree.depth) + 1
    assert all(
        node.is_cut == (node.depth == max_depth and node.player != TERMINAL) for node in cut.nodes
    )


@pytest.mark.parametrize(
    "game",
    [
        make("kuhn"),
        make("leduc"),
        make("leduc", merge_suits=True),
        make("liars-dice", sides=3),
        make("rhode-island", ranks=2, suits=2, max_bets=1),
    ],
    ids=["kuhn", "leduc", "leduc, suits merged", "dice", "two suits"],
)
def test_signals_dealt_one_at_a_time_make_the_assembled_tree(game: Any) -> None:
    tree = build_tree(game)
    drawn = draw_tree(game, max_nodes=ALL)
    check_same(drawn, tree)
    for a, b in paired(drawn, tree):
        if tree.player[b] >= 0:
            assert drawn.nodes[a].infoset == tree.infoset_labels[int(tree.infoset[b])]


@pytest.mark.parametrize("seed", range(15))
def test_random_signal_games_too(seed: int) -> None:
    game = random_signal_game(seed)
    check_same(draw_tree(game, max_nodes=ALL), build_tree(game))


@pytest.mark.parametrize("game", [goofspiel(3), plain_kuhn()], ids=["goofspiel", "kuhn"])
def test_rules_walked_make_the_expanded_tree(game: Any) -> None:
    check_same(draw_tree(game, max_nodes=ALL), expand(game))


def test_rewards_of_rules_are_drawn() -> None:
    class Rewarded(Coin):
        def rewards(self, state: str) -> list[int] | None:
            return [7] if state == "h" else None

    game = Rewarded(True)
    drawn = draw_tree(game, values=True)
    check_same(drawn, expand(game))
    assert [node.payoffs for node in drawn.nodes[:3]] == [None, (7,), None]
    assert drawn.nodes[0].value == (1 + Fraction(7, 3),)


@given(trees(players=(1, 2, 3), zero_sum=(True, False)), seeds)
def test_a_picture_from_a_state_is_the_tree_below(tree: GameTree, seed: int) -> None:
    node = seed % tree.num_nodes
    start = ",".join(map(str, tree.path(node)))
    check_same(draw_tree(tree, start=start, max_nodes=ALL), tree, node)


@given(trees(), st.integers(1, 60))
def test_the_depth_offered_is_the_greatest_that_fits(tree: GameTree, max_nodes: int) -> None:
    try:
        assert len(draw_tree(tree, max_nodes=max_nodes).nodes) == tree.num_nodes <= max_nodes
        return
    except GameTooLargeError as error:
        depth = int(str(error).split("max_depth=")[1].split(",")[0])
    assert len(draw_tree(tree, max_depth=depth, max_nodes=max_nodes).nodes) <= max_nodes
    with pytest.raises(GameTooLargeError):
        draw_tree(tree, max_depth=depth + 1, max_nodes=max_nodes)


@given(games(players=(1, 2, 3), zero_sum=(True, False)), seeds)
def test_values_of_nodes_under_a_profile_add_up_to_its_expected_values(
    form: Any, seed: int
) -> None:
    profile = random_profile(form, seed, sparse=True)
    weights = edge_weights(form, profile)
    values = node_values(form.tree, weights, form.tree.node_payoffs)
    assert values[0] == pytest.approx(
        expected_values(form, profile), abs=1e-9 * max(1.0, form.largest_payoff)
    )
    below = np.zeros_like(values)
    share = (weights * form.tree.edge_probabilities)[1:, None]
    np.add.at(below, form.tree.parent[1:], np.where(share == 0, 0.0, share * values[1:]))
    assert np.allclose(values, below + form.tree.node_payoffs, equal_nan=True)


@given(games(players=(1, 2), zero_sum=(True, False)), seeds)
def test_nothing_is_said_where_own_moves_never_lead(form: Any, seed: int) -> None:
    profile = random_profile(form, seed, sparse=True)
    weights = edge_weights(form, profile)
    for node in range(1, form.tree.num_nodes):
        above = int(form.tree.parent[node])
        if (player := int(form.tree.player[above])) < 0:
            assert weights[node] == 1
            continue
        own, place = 1.0, above
        while place > 0:  # by what the player did on the way
            if form.tree.player[form.tree.parent[place]] == player:
                own *= 0.0 if np.isnan(weights[place]) else weights[place]
            place = int(form.tree.parent[place])
        assert np.isnan(weights[node]) == (own == 0)


def test_moves_weigh_what_the_equilibrium_gives_them() -> None:
    tree = build_tree(make("kuhn"))
    form = build_sequence_form(tree)
    solution = solve(form)
    drawn = draw_tree(tree, solution=True, values=True)
    names = {
        (player, form.infoset_label(player, h)): h
        for player in (0, 1)
        for h in range(form.treeplexes[player].num_infosets)
    }
    decisions = [number for number, node in enumerate(drawn.nodes) if node.player >= 0]
    assert len(decisions) == tree.count("decision")
    for number in decisions:
        node = drawn.nodes[number]
        treeplex = form.treeplexes[node.player]
        first = treeplex.first_sequence[names[node.player, node.infoset]]
        behavior = solution.profile.behaviors[node.player][
            first : first + len(drawn.children[number])
        ]
        assert [drawn.nodes[child].weight for child in drawn.children[number]] == pytest.approx(
            behavior.tolist(), abs=PLAYED_FROM
        )
    assert [drawn.nodes[child].weight for child in drawn.children[0]] == [None] * 3
    assert drawn.nodes[0].value == pytest.approx((-1 / 18, 1 / 18))
    assert not drawn.is_pure
    values = [number for node in drawn.nodes if node.value is not None for number in node.value]
    assert 0.0 in values
    # a zero that rounding has changed is shown as zero
    assert all(number == 0 or abs(number) > PLAYED_FROM for number in values)


def test_moves_that_are_as_good_as_never_or_surely_played_are_shown_so() -> None:
    form = build_sequence_form(build_tree(make("kuhn")))
    nearly = [np.where(treeplex.infoset_of < 0, 1.0, 1e-9) for treeplex in form.treeplexes]
    for treeplex, behavior in zip(form.treeplexes, nearly, strict=True):
        behavior[treeplex.first_sequence[:-1]] = 1 - 1e-9
    assert set(edge_weights(form, Profile.from_behaviors(form.treeplexes, nearly))) == {0.0, 1.0}


@given(st.integers(0, 1000), st.sampled_from([1, 2, 3]))
@settings(max_examples=30)
def test_where_nothing_is_hidden_the_best_moves_and_exact_values_are_shown(
    seed: int, players: int
) -> None:
    tree = random_game(seed=seed, players=players, hidden=0.0, zero_sum=False, rewards=True)
    induction = backward_induction_tree(tree, exact=True)
    drawn = draw_tree(tree, solution=True, values=True)
    for a, b in paired(drawn, tree):
        assert drawn.nodes[a].value == tuple(induction.values[b])
        if tree.player[b] >= 0:
            best = [child for child in drawn.children[a] if drawn.nodes[child].weight == 1.0]
            shown = [tree.children(b)[drawn.children[a].index(child)] for child in best]
            assert shown == [induction.best_child[b]]
            assert all(drawn.nodes[child].weight in (0.0, 1.0) for child in drawn.children[a])


@pytest.mark.parametrize(
    ("game", "value"),
    [(TwoCoins(True), 1), (TwoCoins(False), 2 / 3), (Coin(True), 1)],
    ids=["seen", "hidden", "alone"],
)
def test_states_are_drawn_solved_or_not(game: Any, value: float) -> None:
    for options in ({}, {"solution": True, "values": True}):
        drawn = draw_tree(game, **options)
        assert [node.board for node in drawn.nodes] == [
            "[]",
            "[h]",
            "[t]",
            "[hh]",
            "[ht]",
            "[th]",
            "[tt]",
        ]
        assert len(drawn.infosets) == (2 if game.is_seen else 1)
    assert drawn.nodes[0].value is not None
    assert drawn.nodes[0].value[0] == pytest.approx(value)
