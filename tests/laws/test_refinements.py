"""Refined equilibria: they are equilibria and stand after a mistake; nothing else is proven."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from games.goofspiel import goofspiel
from games.guess_the_ace import guess_the_ace
from games.kuhn import kuhn
from games.leduc import leduc
from games.random_games import random_game
from seqform import build_sequence_form, build_tree, solve
from seqform.base.errors import InvalidStrategyError, VerificationError
from seqform.exact.trembles import Trembles, prove_refinement, times
from seqform.results.solution import Solution
from tests.examples import examples
from tests.reference.after_mistakes import who_does_it
from tests.reference.single_mistakes import behaviors_of, losses

GAMES = {
    "kuhn": kuhn,
    "guess the ace": guess_the_ace,
    "goofspiel": lambda: goofspiel(cards=3),
    "leduc with two ranks": lambda: leduc(ranks=2),
}


def refined(game: Any, name: str = "quasi-perfect") -> Solution:
    found = solve(game, refine=name, abstract=None)
    assert found.refinement is not None, found.message
    assert found.refinement.name == name
    return found


def check(found: Solution) -> None:
    """See that a refinement is an equilibrium that stands after any single mistake."""
    form = found.game
    for player, treeplex in enumerate(form.treeplexes):
        behavior = found.refinement.behaviors[player]
        assert (np.add.reduceat(behavior, treeplex.first_sequence[:-1]) == 1).all()
        assert (found.profile.behaviors[player] == behavior.astype(float)).all()
    assert found.exact.as_gains().nash_gap == 0
    behaviors = behaviors_of(form, found.refinement.behaviors)
    for player in (0, 1):
        lost = losses(form.tree, behaviors, player)
        assert not any(lost.values()), lost


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * ("leduc" in name)) for name in GAMES]
)
def test_known_games_stand_after_a_mistake(name: str) -> None:
    check(refined(build_sequence_form(build_tree(GAMES[name]()))))


@examples(5, 20)
@given(st.integers(0, 10**6), st.integers(2, 6))
@example(1061, 6)  # found from the basis of a presolve only
@example(1124, 6)
def test_random_games_stand_after_a_mistake(seed: int, depth: int) -> None:
    tree = random_game(seed, depth=depth, nodes=60, max_payoff=3)
    assume(all(np.isin((0, 1), tree.infoset_player)))
    check(refined(build_sequence_form(tree)))


@examples(7, 15)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_complementary_pivots_stand_after_a_mistake(seed: int, depth: int, zero_sum: bool) -> None:
    tree = random_game(seed, depth=depth, nodes=50, max_payoff=3, zero_sum=zero_sum)
    assume(all(np.isin((0, 1), tree.infoset_player)))
    form = build_sequence_form(tree)
    found = solve(form, refine="quasi-perfect", method="lcp")
    check(found)
    if zero_sum:
        assert found.exact.values == solve(form, exact=True).exact.values


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(2, 4), st.booleans())
def test_extensive_form_perfect_ones_stand_after_a_mistake(
    seed: int, depth: int, zero_sum: bool
) -> None:
    tree = random_game(seed, depth=depth, nodes=30, max_payoff=3, zero_sum=zero_sum)
    assume(all(np.isin((0, 1), tree.infoset_player)))
    check(refined(build_sequence_form(tree), "extensive-form-perfect"))


@pytest.mark.long
def test_extensive_form_perfect_ones_of_larger_games_stand_after_a_mistake() -> None:
    check(refined(build_sequence_form(build_tree(goofspiel(cards=4))), "extensive-form-perfect"))


def test_only_extensive_form_perfection_fears_own_mistakes() -> None:
    """Mertens, "Two examples of strategic equilibrium", GEB 8 (1995), in small: whoever errs more
    often than the other lets the other do it, unless own mistakes are not foreseen."""
    game, y = who_does_it(), np.array([[1, 1, 0], [0, -1, 1]], dtype=object)
    yours = np.array([[1, 0, 1, 0, 0], [0, 1, -1, 1, 0], [0, 0, 0, -2, 2]], dtype=object)
    proven = prove_refinement(game, "extensive-form-perfect", Trembles((yours, y), (1, 1)))
    assert proven.behaviors[0].tolist() == [1, 0, 1, 1, 0]
    with pytest.raises(VerificationError, match="player 0, information set 0"):
        prove_refinement(game, "quasi-perfect", Trembles((yours, y), (1, 1)))
    mine = np.array([[1, 1, 0, 1, 0], [0, -1, 1, -3, 2], [0, 0, 0, 2, -2]], dtype=object)
    assert prove_refinement(game, "quasi-perfect", Trembles((mine, y), (1, 1)))
    with pytest.raises(VerificationError, match="player 0, information set 0"):
        prove_refinement(game, "extensive-form-perfect", Trembles((mine, y), (1, 1)))
    assert refined(game).refinement.behaviors[0].tolist() == [1, 1, 0, 1, 0]
    assert refined(game, "extensive-form-perfect").exact.values == (1, 1)


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_where_nothing_is_hidden_every_subgame_pays_its_value(seed: int) -> None:
    tree = random_game(seed, depth=6, nodes=80, max_payoff=3, hidden=0)
    assume(all(np.isin((0, 1), tree.infoset_player)))
    found = refined(build_sequence_form(tree))
    behaviors = behaviors_of(found.game, found.refinement.behaviors)
    for node in where_chance_leads(tree):
        assert worth(tree, behaviors, node) == minimax(tree, node)


def where_chance_leads(tree: Any) -> list[int]:
    """Return the nodes that do not follow an outcome of probability 0."""
    found = {0}
    for node in range(1, tree.num_nodes):
        chance = tree.probability[node]
        if tree.parent[node] in found and (chance < 0 or tree.probabilities[chance] > 0):
            found.add(node)
    return sorted(found)


def worth(tree: Any, behaviors: Any, node: int) -> Fraction:
    """Return what behaviours pay player 0 in the subgame at a node."""
    total, player = paid(tree, node), tree.player[node]
    for position, child in enumerate(children(tree, node)):
        if player >= 0:
            share = behaviors[player][int(tree.infoset[node]), position]
        else:
            share = Fraction(tree.probabilities[tree.probability[child]])
        total += share * worth(tree, behaviors, child)
    return total


def minimax(tree: Any, node: int) -> Fraction:
    """Return the value of the subgame at a node to player 0."""
    below = [minimax(tree, child) for child in children(tree, node)]
    if tree.player[node] >= 0:
        return paid(tree, node) + (min if tree.player[node] else max)(below)
    first = tree.first_child[node]
    chances = (Fraction(tree.probabilities[p]) for p in tree.probability[first:][: len(below)])
    return paid(tree, node) + sum(p * value for p, value in zip(chances, below, strict=True))


def children(tree: Any, node: int) -> range:
    return range(tree.first_child[node], tree.first_child[node] + tree.num_children[node])


def paid(tree: Any, node: int) -> Fraction:
    return Fraction(tree.payoffs[tree.payoff[node]][0]) if tree.payoff[node] >= 0 else Fraction(0)


def test_the_sensible_guess_is_the_only_quasi_perfect_one() -> None:
    found = refined(guess_the_ace())
    assert found.profile.behaviors[0].tolist() == [1, 1, 0]
    assert found.profile.behaviors[1].tolist() == [1, 0, 1]


def test_the_reference_sees_what_a_silly_guess_loses() -> None:
    found = refined(guess_the_ace())
    silly = (found.refinement.behaviors[0], np.array([1, 1, 0], dtype=object))
    lost = losses(found.game.tree, behaviors_of(found.game, silly), 1)
    assert list(lost.values()) == [Fraction(50, 52)]


def test_kuhn_player_one_plays_the_only_equilibrium_and_player_zero_one_of_the_family() -> None:
    behaviors = refined(kuhn()).refinement.behaviors
    bluff, call, bet = behaviors[0][2], behaviors[0][10], behaviors[0][6]
    assert (call, bet) == (bluff + Fraction(1, 3), 3 * bluff)
    assert behaviors[1][[2, 10]].tolist() == [Fraction(1, 3), Fraction(1, 3)]


def test_an_insensible_equilibrium_is_not_proven_to_be_quasi_perfect() -> None:
    found = refined(guess_the_ace()).refinement
    stop = np.array([[1, 1, 0], [0, -1, 1]], dtype=object)
    silly = np.array([[1, 1, 0], [0, -1, 1]], dtype=object)
    with pytest.raises(VerificationError, match="player 1, information set 0"):
        prove_refinement(found.game, "quasi-perfect", Trembles((stop, silly), (1, 1)))
    sensible = silly[:, [0, 2, 1]]
    proven = prove_refinement(found.game, "quasi-perfect", Trembles((stop, sensible), (1, 1)))
    assert proven.behaviors[1].tolist() == [1, 0, 1]


def changed(plan: Any, row: int, column: int, by: int) -> Any:
    other = plan.copy()
    other[row, column] += by
    return other


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [(0, 0, "tends to 1 at the empty"), (1, 0, "do not add up"), (1, 2, "do not add up")],
)
def test_polynomials_that_are_no_plan_are_refused(row: int, column: int, words: str) -> None:
    found = refined(guess_the_ace()).refinement
    plans = found.trembles.plans
    wrong = replace(found.trembles, plans=(changed(plans[0], row, column, 1), plans[1]))
    with pytest.raises(InvalidStrategyError, match=words):
        prove_refinement(found.game, "quasi-perfect", wrong)


def test_a_plan_that_leaves_something_unplayed_is_refused() -> None:
    found = refined(guess_the_ace()).refinement
    pure = np.array([[1, 1, 0], [0, 0, 0]], dtype=object)
    wrong = Trembles((pure, found.trembles.plans[1]), (1, 1))
    with pytest.raises(InvalidStrategyError, match=r"sequence 2: .* not positive"):
        prove_refinement(found.game, "quasi-perfect", wrong)


def test_an_unknown_refinement_is_refused() -> None:
    found = refined(guess_the_ace()).refinement
    with pytest.raises(VerificationError, match="no refinement 'nice'"):
        prove_refinement(found.game, "nice", found.trembles)


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=4),
    st.lists(st.integers(-9, 9), min_size=1, max_size=4),
)
def test_products_are_those_of_numpy(first: list[int], second: list[int]) -> None:
    assert times(tuple(first), tuple(second)) == tuple(np.convolve(first, second).tolist())
