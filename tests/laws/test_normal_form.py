"""Laws of the normal form: counts, tables and mixtures against slow and obvious ways."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform import (
    MixedStrategy,
    Treeplex,
    build_normal_form,
    build_sequence_form,
    count_strategies,
    mix,
    solve,
)
from seqform.base.errors import InvalidStrategyError
from seqform.exact.plan_proof import prove_equilibrium
from seqform.form.pure_strategies import pure_plans
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE
from seqform.tree.tree import GameTree
from tests.float_games import float_game
from tests.strategies import random_profile, seeds, trees

MOST = 3_000
"""Combinations of the strategies of games that are looked at."""


def all_pure(treeplex: Treeplex) -> list[tuple[int, ...]]:
    """Return all pure strategies: the sequence that each information set goes on with."""
    first = treeplex.first_sequence.tolist()
    return list(product(*(range(a, b) for a, b in pairwise(first))))


def played(treeplex: Treeplex, strategy: tuple[int, ...]) -> frozenset[int]:
    """Return the sequences that a pure strategy plays, the empty one included."""
    found = {0}
    for parent, sequence in zip(treeplex.parent_sequence.tolist(), strategy, strict=True):
        if parent in found:
            found.add(sequence)
    return frozenset(found)


def paid(tree: GameTree, form: SequenceForm, plans: list[Any]) -> tuple[Any, ...]:
    """Walk the tree along pure plans, in fractions."""
    numbers = [{h: place for place, h in enumerate(of.tolist())} for of in form.tree_infosets]
    total = [Fraction(0)] * tree.num_players
    stack = [(0, Fraction(1))]
    while stack:
        node, reach = stack.pop()
        if tree.payoff[node] >= 0:
            for player, pays in enumerate(tree.payoffs[tree.payoff[node]]):
                total[player] += reach * Fraction(pays)
        player, first = int(tree.player[node]), int(tree.first_child[node])
        for place in range(int(tree.num_children[node])):
            child = first + place
            if player == CHANCE:
                chance = tree.probabilities[tree.probability[child]]
                stack.append((child, reach * Fraction(chance)))
                continue
            h = numbers[player][int(tree.infoset[node])]
            if plans[player][form.treeplexes[player].first_sequence[h] + place]:
                stack.append((child, reach))
    return tuple(total)


def combinations(form: SequenceForm) -> int:
    return prod(count_strategies(treeplex).reduced for treeplex in form.treeplexes)


@given(trees(players=(1, 2), zero_sum=(True,)))
def test_counts_are_those_of_a_list(tree: GameTree) -> None:
    for treeplex in build_sequence_form(tree).treeplexes:
        counts = count_strategies(treeplex)
        if counts.pure > MOST:
            continue
        listed = all_pure(treeplex)
        distinct = {played(treeplex, strategy) for strategy in listed}
        assert (len(listed), len(distinct)) == (counts.pure, counts.reduced)
        rows = [frozenset(np.flatnonzero(row).tolist()) for row in pure_plans(treeplex)]
        assert len(rows) == len(distinct)
        assert set(rows) == distinct


@given(trees(players=(1, 2, 3), zero_sum=(True, False), depth=4))
def test_every_entry_is_what_the_tree_pays(tree: GameTree) -> None:
    form = build_sequence_form(tree)
    if combinations(form) > 300:
        return
    normal = build_normal_form(form)
    tables = [normal.payoffs(player) for player in range(form.num_players)]
    for strategies in np.ndindex(*normal.num_strategies):
        plans = [normal.plans[p][strategy] for p, strategy in enumerate(strategies)]
        expected = paid(tree, form, plans)
        assert normal.payoff(strategies) == expected
        assert tuple(table[strategies] for table in tables) == tuple(map(float, expected))


@given(seeds, st.sampled_from([2, 3]), st.booleans())
def test_floats_are_off_by_no_more_than_is_said(seed: int, players: int, zero_sum: bool) -> None:
    tree = float_game(seed, players, zero_sum)
    form = build_sequence_form(tree)
    if combinations(form) > 100:
        return
    normal = build_normal_form(form)
    for strategies in np.ndindex(*normal.num_strategies):
        plans = [normal.plans[p][strategy] for p, strategy in enumerate(strategies)]
        expected = paid(tree, form, plans)
        for table, true in zip(normal.tables, expected, strict=False):
            assert table.errors is not None
            assert abs(Fraction(float(table[strategies])) - true) <= table.errors[strategies]


@settings(max_examples=30)
@given(trees(zero_sum=(True,), depth=4))
def test_the_table_has_the_value_of_the_sequence_form(tree: GameTree) -> None:
    form = build_sequence_form(tree)
    if combinations(form) > MOST:
        return
    normal = build_normal_form(form)
    exact, table = solve(form, method="lp").exact, solve(normal.one_shot, method="lp").exact
    assert exact is not None
    assert table is not None
    assert exact.value == table.value
    plans = []
    for player in (0, 1):
        weights = [Fraction(int(n), table.denominators[player]) for n in table.plans[player][1:]]
        plans.append(normal.mixed(player, np.array(weights, dtype=object)).to_plan())
    common = [np.lcm.reduce([Fraction(n).denominator for n in plan]) for plan in plans]
    integers = [
        np.array([int(n * whole) for n in plan], dtype=object)
        for plan, whole in zip(plans, common, strict=True)
    ]
    assert prove_equilibrium(form, integers, [int(c) for c in common]).value == exact.value


@given(trees(players=(2, 3), zero_sum=(True, False)), seeds, st.booleans())
def test_a_plan_is_played_by_a_mixture_of_few_strategies(
    tree: GameTree, seed: int, sparse: bool
) -> None:
    form = build_sequence_form(tree)
    profile = random_profile(form, seed, sparse)
    for treeplex, plan in zip(form.treeplexes, profile.plans, strict=True):
        mixed = mix(treeplex, plan)
        assert len(mixed.weights) <= treeplex.num_sequences - treeplex.num_infosets
        assert (mixed.weights > 0).all()
        assert np.allclose(mixed.to_plan(), plan, rtol=0, atol=1e-12)
        for row in mixed.plans:
            assert treeplex.residuals(row.astype(float)) == (0.0, 0.0)


@given(trees(players=(1, 2), zero_sum=(True,)), seeds)
def test_kuhn_s_theorem_in_fractions(tree: GameTree, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for treeplex in build_sequence_form(tree).treeplexes:
        count = count_strategies(treeplex).reduced
        if count > MOST:
            continue
        integers = rng.integers(0, 4, count) * (rng.random(count) < 0.5)
        integers[0] += 1
        weights = np.array([Fraction(int(n), int(integers.sum())) for n in integers], dtype=object)
        plan = MixedStrategy(pure_plans(treeplex), weights).to_plan()
        back = mix(treeplex, plan)
        assert back.weights.sum() == 1
        assert back.to_plan().tolist() == plan.tolist()


def test_a_part_that_rounding_puts_at_the_end_is_no_strategy() -> None:
    treeplex = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 3], dtype=np.int32))
    mixed = mix(treeplex, np.array([1.0, 1.0, 1e-20]))
    assert mixed.weights.tolist() == [1.0]
    assert mixed.plans.tolist() == [[True, True, False]]


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ([1.0, 0.5, 0.6], "information set 0 the weights do not add up"),
        ([1, Fraction(1, 3), Fraction(1, 3)], "information set 0 the weights do not add up"),
        ([0.5, 0.25, 0.25], "empty sequence must have weight 1"),
        ([1.0, 1.5, -0.5], "a weight is negative"),
        ([1.0, float("nan"), 1.0], "information set 0"),
        ([1.0, 1.0], r"shape \(3,\), not \(2,\)"),
    ],
)
def test_what_is_no_plan_is_refused(plan: list[Any], words: str) -> None:
    treeplex = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 3], dtype=np.int32))
    with pytest.raises(InvalidStrategyError, match=words):
        mix(treeplex, np.array(plan))


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([0.5, 0.25], "need as many weights, not 2|sum to 1"),
        ([1.5, -0.5], "must be probabilities"),
        ([1.0], "2 strategies need as many weights, not 1"),
        ([float("nan"), 1.0], "must be probabilities"),
    ],
)
def test_weights_that_are_no_probabilities_are_refused(weights: list[float], words: str) -> None:
    treeplex = Treeplex(np.zeros(1, dtype=np.int32), np.array([1, 3], dtype=np.int32))
    with pytest.raises(InvalidStrategyError, match=words):
        MixedStrategy(pure_plans(treeplex), np.array(weights)).to_plan()
