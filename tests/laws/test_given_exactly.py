"""Strategies in fractions on random games, against slow arithmetic in fractions on the tree."""

from __future__ import annotations

import io
import random
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import (
    MixedStrategy,
    TreeBuilder,
    analyze,
    build_normal_form,
    build_sequence_form,
    build_tree,
    count_strategies,
    evaluate,
    given_from,
    make,
    matrix_game,
    respond,
)
from seqform.base.errors import InvalidStrategyError
from seqform.concepts.best_response import best_response
from seqform.form.pure_strategies import pure_plans
from seqform.form.sequence_form import SequenceForm
from seqform.io import efg_text, from_gambit_profile, gambit_profiles, parse_efg
from seqform.strategies.given import GivenStrategy
from seqform.strategies.mixed import pure_plan
from seqform.strategies.nodes import node_at
from tests.examples import examples
from tests.reference import exact_gains, oracles
from tests.reference.walked_analysis import walked
from tests.strategies import games, seeds

ANY = {"players": (1, 2, 3), "zero_sum": (True, False), "depth": 4}


def random_fractions(form: SequenceForm, seed: int) -> list[list[Fraction]]:
    """Return a behaviour strategy for each player; many actions are never played."""
    draw, found = random.Random(seed), []
    for treeplex in form.treeplexes:
        behavior = [Fraction(1)]
        for count in treeplex.num_actions.tolist():
            weights = [draw.choice([0, 0, 1, 2, 3]) for _ in range(count)]
            weights[draw.randrange(count)] += 1
            behavior += [Fraction(weight, sum(weights)) for weight in weights]
        found.append(behavior)
    return found


def said(form: SequenceForm, behaviors: list[list[Fraction]]) -> GivenStrategy:
    """Return the strategies as somebody gives them, by names."""
    return given_from(
        {
            (player, form.infoset_label(player, h), action): behaviors[player][first + place]
            for player, treeplex in enumerate(form.treeplexes)
            for h, first in enumerate(treeplex.first_sequence[:-1].tolist())
            for place, action in enumerate(form.actions(player, h))
        },
        form,
    )


@settings(max_examples=60)
@given(games(**ANY), seeds)
def test_values_and_gains_are_those_of_the_tree(form: SequenceForm, seed: int) -> None:
    behaviors = random_fractions(form, seed)
    found = evaluate(form, said(form, behaviors))
    table = oracles.tree_behavior(form, behaviors)
    assert found.exact is not None
    assert list(found.exact.seats[0]) == oracles.expected_values(form.tree, table)
    assert list(found.exact.gains) == exact_gains.gains(form.tree, table)
    for player, gain in enumerate(found.exact.gains):  # what is claimed in floats holds
        assert found.profile.gains[player] >= gain


@settings(max_examples=40)
@given(games(**ANY), seeds)
def test_head_to_head_is_what_the_seats_together_get(form: SequenceForm, seed: int) -> None:
    mine, theirs = random_fractions(form, seed), random_fractions(form, seed + 1)
    found = evaluate(form, said(form, mine), said(form, theirs))
    assert found.exact is not None
    seats = [seat.player for seat in found.seats]
    for seat, values in zip(seats, found.exact.seats, strict=True):
        together = [mine[p] if p == seat else theirs[p] for p in range(form.num_players)]
        table = oracles.tree_behavior(form, together)
        assert list(values) == oracles.expected_values(form.tree, table)
    table = oracles.tree_behavior(form, theirs)
    assert list(found.exact.against_gains or ()) == exact_gains.gains(form.tree, table)


@examples(30, 60)
@given(games(**ANY), seeds)
def test_of_equally_good_actions_the_first_is_taken_in_fractions_and_in_floats(
    form: SequenceForm, seed: int
) -> None:
    """Payoffs are small integers, so that actions are worth the same often, and else far apart."""
    behaviors = random_fractions(form, seed)
    strategies = said(form, behaviors)
    table = oracles.tree_behavior(form, behaviors)
    for player, treeplex in enumerate(form.treeplexes):
        exact = respond(form, strategies, player)
        assert exact.exact is not None
        assert exact.exact.best == exact_gains.best_value(form.tree, table, player)
        chosen = exact.profile.behaviors[player].tolist()
        answer = [list(behavior) for behavior in behaviors]
        answer[player] = list(map(Fraction, chosen))
        paid = oracles.expected_values(form.tree, oracles.tree_behavior(form, answer))[player]
        assert paid == exact.exact.best
        floats = respond(form, strategies, player, exact=False)
        assert floats.profile.behaviors[player].tolist() == chosen
        _, plan = best_response(form, strategies.completed(), player)
        assert plan.tolist() == treeplex.to_plan(np.array(chosen)).tolist()
        _check_first(form, strategies, player, chosen)


def _check_first(
    form: SequenceForm, given: GivenStrategy, player: int, chosen: list[float]
) -> None:
    """Check in the analysis of the answer that no earlier action is as good as the chosen one."""
    answer = {
        (p, form.infoset_label(p, h), action): (
            int(chosen[first + place]) if p == player else given.fractions[p][first + place]
        )
        for p, treeplex in enumerate(form.treeplexes)
        for h, first in enumerate(treeplex.first_sequence[:-1].tolist())
        for place, action in enumerate(form.actions(p, h))
    }
    seen = analyze(form, answer).exact
    assert seen is not None
    for h in range(form.treeplexes[player].num_infosets):
        of = seen[player, form.infoset_label(player, h)]
        if of.value is not None:
            values = list(of.action_values.values())
            mine = list(of.probabilities.values()).index(1)
            assert values[mine] == max(values)
            assert values.index(max(values)) == mine


def test_rounding_does_not_choose_between_equal_actions() -> None:
    """Two actions of the same worth, of which the second one is ahead in floats."""
    weights = [Fraction(1, 10), Fraction(2, 10), Fraction(7, 10)]
    tried = 0
    for low, high in combinations(product(range(5), repeat=3), 2):
        if sum(w * a for w, a in zip(weights, low, strict=True)) != sum(
            w * a for w, a in zip(weights, high, strict=True)
        ):
            continue
        form = build_sequence_form(matrix_game([low, high]))
        mine = {(1, "strategy", str(1 + i)): weight for i, weight in enumerate(weights)}
        plans = given_from(mine, form).completed().plans
        gradient = form.gradient(0, plans)
        if gradient[1] >= gradient[2]:
            continue
        tried += 1
        for exact in (None, False):
            assert respond(form, mine, 0, exact=exact).profile[0, "strategy", "1"] == 1.0
    assert tried > 5


@settings(max_examples=40)
@given(games(**ANY), seeds)
def test_the_analysis_is_what_walking_the_tree_finds(form: SequenceForm, seed: int) -> None:
    behaviors = random_fractions(form, seed)
    seen = analyze(form, said(form, behaviors))
    assert seen.exact is not None
    table = oracles.tree_behavior(form, behaviors)
    for player, treeplex in enumerate(form.treeplexes):
        for h, number in enumerate(form.tree_infosets[player].tolist()):
            truth = walked(form.tree, table, number)
            of = seen.exact[player, form.infoset_label(player, h)]
            assert (of.own_reach, of.others_reach, of.reach) == truth[:3]
            assert of.value == truth.value
            assert list(of.action_values.values()) == (
                truth.action_values or [None] * int(treeplex.num_actions[h])
            )
            assert list((of.beliefs or {}).values()) == (
                truth.beliefs or [None] * len(of.beliefs or ())
            )
            if truth.value is not None and truth.action_values is not None:
                assert of.regret == max(truth.action_values) - truth.value
                for value, lost in zip(
                    truth.action_values, of.action_regrets.values(), strict=True
                ):
                    assert lost == value - truth.value
    _check_floats(seen)


def _check_floats(seen: Any) -> None:
    """Check that floats and fractions say the same, row by row and node by node."""
    for mine, theirs in zip(seen.rows(), seen.exact.rows(), strict=True):
        assert mine.keys() == theirs.keys()
        for name, number in mine.items():
            exact = theirs[name]
            if isinstance(number, float):
                assert number == pytest.approx(
                    float("nan") if exact is None else float(exact), abs=1e-9, nan_ok=True
                )
            else:
                assert number == exact
    for mine, theirs in zip(seen.nodes, seen.exact.nodes, strict=True):
        assert (mine.path, mine.player, mine.infoset) == (
            theirs.path,
            theirs.player,
            theirs.infoset,
        )
        assert mine.reach == pytest.approx(float(theirs.reach), abs=1e-9)
        assert mine.values == pytest.approx(list(map(float, theirs.values)), abs=1e-9)


@settings(max_examples=30)
@given(games(**ANY), seeds)
def test_nodes_are_worth_the_mean_of_their_children(form: SequenceForm, seed: int) -> None:
    seen = analyze(form, said(form, random_fractions(form, seed))).exact
    assert seen is not None
    tree, nodes = form.tree, list(seen.nodes)
    assert nodes[0].reach == 1
    assert nodes[0].values == tuple(
        evaluate(form, said(form, random_fractions(form, seed))).exact.seats[0]
    )
    for number, node in enumerate(nodes):
        assert seen.nodes[node.path] == node
        children = [nodes[child] for child in tree.children(number)]
        if not children:
            continue
        assert sum(child.reach for child in children) == node.reach
        if node.reach:
            for player, value in enumerate(node.values):
                parts = (child.reach * child.values[player] for child in children)
                assert sum(parts) == node.reach * value


@st.composite
def mixtures(draw: st.DrawFn) -> tuple[SequenceForm, list[list[Fraction]]]:
    """Return a small game, and a weight for each reduced pure strategy of each player."""
    form = draw(games(players=(1, 2, 3), zero_sum=(True, False), depth=3))
    counts = [count_strategies(treeplex).reduced for treeplex in form.treeplexes]
    weights = []
    for count in counts:
        parts = [draw(st.integers(0, 3)) for _ in range(min(count, 40))]
        parts[0] += 1
        parts += [0] * (count - len(parts))
        weights.append([Fraction(part, sum(parts)) for part in parts])
    return form, weights


@settings(max_examples=40)
@given(mixtures())
def test_mixtures_are_worth_what_their_pure_strategies_are(case) -> None:
    form, weights = case
    normal = build_normal_form(form)
    if np.prod(normal.num_strategies) > 2_000:
        return
    mixed = [normal.mixed(p, np.array(of, dtype=object)) for p, of in enumerate(weights)]
    found = evaluate(form, mixed)
    assert found.exact is not None
    expected = [Fraction(0)] * form.num_players
    for strategies in product(*map(range, normal.num_strategies)):
        chance = np.prod([weights[p][s] for p, s in enumerate(strategies)])
        for player, paid in enumerate(normal.payoff(strategies)):
            expected[player] += Fraction(chance) * paid
    assert list(found.exact.seats[0]) == expected


def test_mixtures_of_who_forgets_are_refused() -> None:
    builder = TreeBuilder(1)
    for child in builder.decision(builder.root, 0, "first", ["a", "b"]):
        for leaf in builder.decision(child, 0, "forgot", ["c", "d"]):
            builder.terminal(leaf, [1])
    plans = np.array([[1, 1, 0, 1, 0]], dtype=np.bool_)
    with pytest.raises(InvalidStrategyError, match=r"if nobody forgets \(Kuhn's theorem\), and he"):
        evaluate(builder.freeze(), [MixedStrategy(plans, np.array([1.0]))])


def of_gambit(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))


def gambits_game(seed: int) -> tuple[Any, SequenceForm]:
    pygambit = pytest.importorskip("pygambit")
    players = 2 + seed % 2
    tree = random_game(seed=seed, players=players, depth=4, chance=0.3, zero_sum=False)
    text = efg_text(build_tree(tree))
    return pygambit.read_efg(io.StringIO(text)), build_sequence_form(parse_efg(text))


@pytest.mark.parametrize("seed", range(8))
def test_gambits_mixed_strategies_pay_here_what_they_pay_there(seed: int, tmp_path) -> None:
    theirs, form = gambits_game(seed)
    if sum(count_strategies(treeplex).reduced for treeplex in form.treeplexes) > 300:
        return
    draw, data = random.Random(seed), []
    for player in theirs.players:
        weights = [draw.randrange(4) for _ in theirs.get_strategies(player)]
        weights[draw.randrange(len(weights))] += 1
        data.append([Fraction(weight, sum(weights)) for weight in weights])
    profile = theirs.mixed_strategy_profile(data, rational=True)
    path = tmp_path / "printed"
    path.write_text("NE," + ",".join(str(p) for of in data for p in of) + "\n")
    paid = [of_gambit(profile.payoffs[player]) for player in theirs.players]
    assert list(evaluate(form, from_gambit_profile(profile, form)).exact.seats[0]) == paid
    needed = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
    if needed != sum(map(len, data)):  # else the line may be one of behaviours
        (printed,) = gambit_profiles(path, form)
        assert list(evaluate(form, printed).exact.seats[0]) == paid


@pytest.mark.parametrize("seed", range(8))
def test_gambit_finds_the_same_at_every_node_and_set(seed: int) -> None:
    theirs, form = gambits_game(seed)
    behaviors = random_fractions(form, seed)
    data = []
    for of, player in enumerate(theirs.players):
        rows = []
        for history in theirs.get_infosets(player):
            node = _node_of(form, history)
            h = form.tree_infosets[of].tolist().index(int(form.tree.infoset[node]))
            rows.append(behaviors[of][slice(*form.treeplexes[of].first_sequence[h : h + 2])])
        data.append(rows)
    profile = theirs.mixed_behavior_profile(data, rational=True)
    seen = analyze(form, said(form, behaviors)).exact
    assert seen is not None
    nodes = list(seen.nodes)
    for history, reach in profile.realiz_probs:
        assert of_gambit(reach) == nodes[_node_of(form, history)].reach
    for player, (_, values) in enumerate(profile.history_values):
        for history, value in values:
            assert of_gambit(value) == nodes[_node_of(form, history)].values[player]
    for history, value in profile.infoset_values:
        node = nodes[_node_of(form, history)]
        if seen[node.player, node.infoset].reach:  # Gambit says 0 of others
            assert of_gambit(value) == seen[node.player, node.infoset].value
    for history, belief in profile.beliefs:
        node = nodes[_node_of(form, history)]
        if isinstance(node.player, int) and seen[node.player, node.infoset].reach:
            assert of_gambit(belief) == node.belief


def _node_of(form: SequenceForm, history: Any) -> int:
    return node_at(form.tree, tuple(step.action for step in history))


def test_strategies_of_kuhn_in_fractions_are_an_equilibrium_exactly() -> None:
    third = Fraction(1, 3)
    bets = {
        (0, "J:"): third, (0, "Q:"): 0, (0, "K:"): 1,
        (0, "J:check-bet"): 0, (0, "Q:check-bet"): 2 * third, (0, "K:check-bet"): 1,
        (1, "J:check"): third, (1, "Q:check"): 0, (1, "K:check"): 1,
        (1, "J:bet"): 0, (1, "Q:bet"): third, (1, "K:bet"): 1,
    }  # fmt: skip
    found = evaluate(make("kuhn"), lambda p, name, actions: [1 - bets[p, name], bets[p, name]])
    assert found.exact is not None
    assert found.exact.seats[0] == (Fraction(-1, 18), Fraction(1, 18))
    assert found.exact.nash_gap == 0
    assert ("nash_gap (sum of the gains)", "0 chips: an equilibrium") in found.summary()


def test_pure_plans_are_those_that_names_stand_for() -> None:
    form = build_sequence_form(build_tree(make("kuhn")))
    normal = build_normal_form(form)
    for player in (0, 1):
        for number, plan in enumerate(pure_plans(form.treeplexes[player])):
            assert (pure_plan(form, player, normal.name(player, number)) == plan).all()
