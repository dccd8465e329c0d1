"""Sequential equilibria: published examples, and laws on random games."""

from __future__ import annotations

import json
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import (
    TreeBuilder,
    build_sequence_form,
    check_sequential_equilibrium,
    make,
    save_game,
    solve,
)
from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.exact.feasibility import Feasible, feasible
from seqform.form.profile import Profile
from seqform.strategies.evaluate import consistency as room
from seqform.strategies.evaluate.assessment import behavior_of
from seqform.strategies.evaluate.consistency import consistency, leading
from seqform.strategies.evaluate.sequential_equilibrium import _gain
from tests.command_line import call
from tests.reference.after_mistakes import Play
from tests.reference.after_mistakes import _gain as slow_gain
from tests.strategies import random_profile

THIRD, QUARTER = Fraction(1, 3), Fraction(1, 4)


def horse():
    """Selten's horse (IJGT 4, 1975, Figure 1): three players, who move once each at most."""
    b = TreeBuilder(3)
    down, across = b.decision(b.root, 0, "one", ["D", "C"])
    further, end = b.decision(across, 1, "two", ["d", "c"])
    b.terminal(end, (1, 1, 1))
    for node, (left, right) in (
        (down, ((3, 3, 2), (0, 0, 0))),
        (further, ((4, 4, 0), (0, 0, 1))),
    ):
        after_left, after_right = b.decision(node, 2, "three", ["L", "R"])
        b.terminal(after_left, left)
        b.terminal(after_right, right)
    return build_sequence_form(b.freeze())


HORSE = {
    "D, c, L is Nash, and two would rather play d": ([0, 1], [1, 0], "not rational"),
    "C, c, R": ([1, 0], [0, 1], "sequential"),
    "C, c, and L as often as it may be": ([1, 0], [QUARTER, 1 - QUARTER], "sequential"),
    "L so often that one leaves": ([1, 0], [THIRD, 1 - THIRD], "not rational"),
}


@pytest.mark.parametrize("case", HORSE)
def test_seltens_horse(case):
    across, three, verdict = HORSE[case]
    one = [1, 1 - across[0], across[0]]
    found = check_sequential_equilibrium(horse(), [one, [1, 0, 1], [1, *three]])
    assert found.verdict == verdict
    assert bool(found) is (verdict == "sequential")
    assert found.is_exact


@pytest.mark.parametrize(("left", "verdict"), [(THIRD, "sequential"), (QUARTER, "sequential")])
def test_the_third_player_of_the_horse_may_believe_in_any_mistake(left, verdict):
    strategies = [[1, 0, 1]] * 3
    beliefs = {(2, "three"): [left, 1 - left]}
    found = check_sequential_equilibrium(horse(), strategies, beliefs)
    assert found.verdict == verdict
    assert found.gains[2, "three"] == 0


def test_more_than_a_third_is_not_rational():
    beliefs = {(2, "three"): [Fraction(1, 2), Fraction(1, 2)]}
    found = check_sequential_equilibrium(horse(), [[1, 0, 1]] * 3, beliefs)
    assert found.verdict == "not rational"
    assert found.gains[2, "three"] == Fraction(1, 2)


def two_witnesses():
    """Two players see that player 0 erred, and not how: the same mistakes for both (Kreps & Wilson
    1982, Section 5, on beliefs that have to agree)."""
    b = TreeBuilder(3)
    left, middle, end = b.decision(b.root, 0, "one", ["L", "M", "R"])
    b.terminal(end, (5, 0, 0))
    for node in (left, middle):
        for child in b.decision(node, 1, "two", ["u", "d"]):
            for leaf in b.decision(child, 2, "three", ["x", "y"]):
                b.terminal(leaf, (0, 0, 0))
    return build_sequence_form(b.freeze())


def test_two_who_saw_the_same_believe_the_same():
    form = two_witnesses()
    strategies = [[1, 0, 0, 1], [1, 1, 0], [1, 1, 0]]
    nodes = behavior_of(form, strategies).nodes
    labels = [form.tree.infoset_labels[h] for h in range(form.tree.num_infosets)]
    size = len(nodes[labels.index("three")])
    assert size == 4

    def check(two, three):
        beliefs = {(1, "two"): [two, 1 - two], (2, "three"): three}
        return check_sequential_equilibrium(form, strategies, beliefs)

    assert check(THIRD, [THIRD, 0, 1 - THIRD, 0])
    found = check(THIRD, [QUARTER, 0, 1 - QUARTER, 0])
    assert found.verdict == "inconsistent"
    assert "contradict" in found.reason
    assert check(Fraction(1), [1, 0, 0, 0])
    found = check(Fraction(1), [THIRD, 0, 1 - THIRD, 0])
    assert found.verdict == "inconsistent"
    assert "no orders of mistakes" in found.reason
    found = check(THIRD, [0, THIRD, 0, 1 - THIRD])  # that player two errs as well is less likely
    assert found.verdict == "inconsistent"


def three_pairs():
    """Player 0 errs in one of three ways, and each other player sees which of two it was not."""
    b = TreeBuilder(4)
    left, middle, right, end = b.decision(b.root, 0, "zero", ["L", "M", "R", "stop"])
    b.terminal(end, (1, 0, 0, 0))
    for node, seen_by in ((left, (1, 3)), (middle, (1, 2)), (right, (2, 3))):
        for child in b.decision(node, seen_by[0], f"{seen_by[0]}", ["u"]):
            for leaf in b.decision(child, seen_by[1], f"{seen_by[1]}", ["u"]):
                b.terminal(leaf, (0, 0, 0, 0))
    return build_sequence_form(b.freeze())


@pytest.mark.parametrize("weights", [(1, 2, 4), (3, 1, 1), (5, 7, 2)])
def test_ratios_go_round_in_a_circle(weights):
    """L to M, and M to R, say how L is to R."""
    left, middle, right = map(Fraction, weights)
    form, strategies = three_pairs(), [[1, 0, 0, 0, 1], [1, 1], [1, 1], [1, 1]]

    def check(last):
        beliefs = {
            (1, "1"): [left / (left + middle), middle / (left + middle)],
            (2, "2"): [right / (middle + right), middle / (middle + right)],
            (3, "3"): [last / (last + right), right / (last + right)],
        }
        return check_sequential_equilibrium(form, strategies, beliefs)

    found = check(left)
    assert found.verdict == "sequential", found.reason
    behavior = behavior_of(form, strategies)
    made = found.mistakes.strategies(behavior, 1e-3)[0]
    assert made[0] / made[1] == pytest.approx(weights[0] / weights[1])
    assert made[1] / made[2] == pytest.approx(weights[1] / weights[2])
    wrong = check(left * 2)
    assert wrong.verdict == "inconsistent"
    assert all(f"'{player}'" in wrong.reason for player in (1, 2, 3))


@given(st.integers(0, 2_000), st.integers(0, 2_000))
def test_limits_of_mistakes_are_consistent_and_bring_their_mistakes_back(seed, draw):
    form = build_sequence_form(random_game(seed, players=2 + seed % 2, depth=4, chance=0.0))
    behavior = behavior_of(form, random_profile(form, draw, sparse=True))
    rng = np.random.default_rng(draw)
    never = room.unplayed(behavior)
    orders = {action: int(rng.integers(1, 4)) for action in never}
    weights = {action: Fraction(int(rng.integers(1, 5)), 3) for action in never}
    beliefs = _limit(behavior, orders, weights)
    found = consistency(behavior, beliefs, 1e-9)
    assert found.mistakes is not None, found.reason
    again = found.mistakes
    assert all(type(order) is int and order >= 1 for order in again.orders.values())
    reach = leading(behavior)
    for nodes, believed in zip(behavior.nodes, beliefs, strict=True):
        levels = [sum(again.orders[a] for a in reach[n][1]) for n in nodes]
        least = min(levels)
        shares = [
            float(reach[n][0]) * prod(again.weights[a] for a in reach[n][1]) * (level == least)
            for n, level in zip(nodes, levels, strict=True)
        ]
        now = [share / sum(shares) for share in shares]
        assert now == pytest.approx([float(belief) for belief in believed], abs=1e-6)


def _limit(behavior, orders, weights):
    """Return the beliefs to which mistakes lead."""
    reach, beliefs = leading(behavior), []
    for nodes in behavior.nodes:
        levels = [sum(orders[a] for a in reach[n][1]) for n in nodes]
        shares = [
            reach[n][0] * prod((weights[a] for a in reach[n][1]), start=Fraction(1))
            if level == min(levels)
            else Fraction(0)
            for n, level in zip(nodes, levels, strict=True)
        ]
        beliefs.append([share / sum(shares) for share in shares])
    return beliefs


@given(st.integers(0, 2_000))
def test_other_beliefs_than_bayes_are_inconsistent(seed):
    form = build_sequence_form(random_game(seed, depth=4, chance=0.0, hidden=1.0))
    behavior = behavior_of(form, random_profile(form, seed))
    sets = [h for h, nodes in enumerate(behavior.nodes) if len(nodes) > 1]
    assume(sets)
    beliefs = _limit(behavior, {}, {})
    beliefs[sets[0]] = [Fraction(1)] + [Fraction(0)] * (len(beliefs[sets[0]]) - 1)
    found = consistency(behavior, beliefs, 1e-9)
    own = {len(set(map(str, leading(behavior)[n]))) for n in behavior.nodes[sets[0]]}
    assert found.mistakes is None or own == {1}
    assert "Bayes" in found.reason or found.mistakes is not None


@given(st.integers(0, 2_000), st.integers(0, 2_000))
def test_gains_are_those_of_every_pure_way_to_go_on(seed, draw):
    form = build_sequence_form(random_game(seed, players=2 + seed % 2, depth=4, chance=0.0))
    profile = random_profile(form, draw, sparse=True)
    behavior, play = behavior_of(form, profile), Play(form, profile)
    rng = np.random.default_rng(draw)
    for infoset, nodes in enumerate(behavior.nodes):
        weights = [Fraction(int(w)) for w in rng.integers(0, 3, len(nodes))]
        weights[0] += 1
        believed = [w / sum(weights) for w in weights]
        player = int(form.tree.infoset_player[infoset])
        starts = [(n, float(b)) for n, b in zip(nodes, believed, strict=True)]
        free = {
            int(form.tree.infoset[n])
            for start in nodes
            for n in play.below(start)
            if form.tree.player[n] == player
        }
        assume(len(free) < 8)
        expected = slow_gain(play, player, starts, free)
        assert float(_gain(behavior, infoset, believed)) == pytest.approx(expected, abs=1e-9)


def test_a_mixed_equilibrium_that_plays_everything_is_sequential():
    form = build_sequence_form(make("rock-paper-scissors"))
    found = check_sequential_equilibrium(form, [[1, THIRD, THIRD, THIRD]] * 2)
    assert found
    assert found.is_exact
    assert found.beliefs[1, "player 1"] == (THIRD, THIRD, THIRD)


def test_kuhns_quasi_perfect_equilibrium_is_sequential_and_one_with_a_silly_threat_is_not():
    solution = solve(make("kuhn"), refine="quasi-perfect")
    found = check_sequential_equilibrium(solution.game, solution.profile)
    assert found.verdict == "sequential"
    assert not found.is_exact  # floats
    silly = [behavior.copy() for behavior in solution.profile.behaviors]
    treeplex = solution.game.treeplexes[1]
    for infoset in range(treeplex.num_infosets):
        if solution.game.infoset_label(1, infoset).startswith("K:bet"):
            first = treeplex.first_sequence[infoset]
            silly[1][first : first + 2] = [1.0, 0.0]  # folds the best card
    changed = Profile.from_behaviors(solution.game.treeplexes, silly)
    assert check_sequential_equilibrium(solution.game, changed).verdict == "not rational"


def test_mistakes_are_strategies_that_tend_to_the_assessment():
    form = horse()
    strategies = [[1, 0, 1]] * 3
    found = check_sequential_equilibrium(form, strategies, {(2, "three"): [THIRD, 1 - THIRD]})
    behavior = behavior_of(form, strategies)
    one, two, _ = found.mistakes.strategies(behavior, 1e-6)
    believed = one[0] / (one[0] + one[1] * two[0])
    assert believed == pytest.approx(1 / 3, rel=1e-4)
    assert one[1] > 1 - 1e-4


def test_a_large_system_is_not_decided_and_says_so(monkeypatch):
    monkeypatch.setattr(room, "MOST_ENTRIES", 0)
    beliefs = {(2, "three"): [THIRD, 1 - THIRD]}
    found = check_sequential_equilibrium(horse(), [[1, 0, 1]] * 3, beliefs)
    assert found.verdict == "undecided"
    assert "too many" in found.reason


WRONG = [
    ([[1, 0, 1]] * 2, None, "2 strategies given for 3 players"),
    ([[1, 0, 1], [1, 0], [1, 0, 1]], None, "2 probabilities given for 3"),
    ([[1, 0, 1], [1, THIRD, THIRD], [1, 0, 1]], None, "sum to 2/3"),
    ([[1, 0, 1], [1, -1, 2], [1, 0, 1]], None, "not probabilities"),
    ([[1, 0, 1], [1, "x", 2], [1, 0, 1]], None, "not probabilities"),
    ([[1, 0, 1]] * 3, {(2, "four"): [1]}, "no .*information set"),
    ([[1, 0, 1]] * 3, {}, "0 given for 2 nodes"),
    ([[1, 0, 1]] * 3, {(2, "three"): [THIRD, THIRD]}, "sum to 2/3"),
]


@pytest.mark.parametrize(("strategies", "beliefs", "told"), WRONG)
def test_what_is_no_assessment_is_refused(strategies, beliefs, told):
    with pytest.raises(InvalidStrategyError, match=told):
        check_sequential_equilibrium(horse(), strategies, beliefs)


def test_a_game_without_a_tree_or_with_impossible_chances_is_refused():
    small = solve(make("leduc"), abstract="suit").abstract
    with pytest.raises(UnsupportedGameError, match="has none"):
        check_sequential_equilibrium(small.game, small.profile)
    b = TreeBuilder(1)
    for node in b.chance(b.root, [("never", 0), ("always", 1)]):
        b.terminal(node, (0,))
    with pytest.raises(UnsupportedGameError, match="chance never leads"):
        check_sequential_equilibrium(build_sequence_form(b.freeze()), [[1]])


@given(st.integers(0, 10_000))
def test_systems_are_solved_or_refuted(seed):
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 6, 2)
    rows = rng.integers(-2, 3, (height, width)).tolist()
    rhs = rng.integers(-3, 4, height).tolist()
    found = feasible(rows, rhs)
    if isinstance(found, Feasible):
        assert min(found.solution) >= 0
        for row, number in zip(rows, rhs, strict=True):
            assert sum(a * y for a, y in zip(row, found.solution, strict=True)) == number
    else:
        columns = zip(*rows, strict=True)
        assert all(sum(f * a for f, a in zip(found.conflict, c, strict=True)) >= 0 for c in columns)
        assert sum(f * n for f, n in zip(found.conflict, rhs, strict=True)) < 0


def test_the_command_line_says_it_of_a_file(tmp_path):
    """The horse's Nash equilibrium that is not sequential, from a game file and a table."""
    form = horse()
    save_game(form.tree, tmp_path / "horse.efg")
    table = ["player,infoset,action,probability"]
    played = {"one": (1, 0), "two": (0, 1), "three": (1, 0)}
    for player, label in enumerate(played):
        actions = form.actions(player, 0)
        shares = zip(actions, played[label], strict=True)
        table += [f"{player},{label},{action},{share}" for action, share in shares]
    (tmp_path / "profile.csv").write_text("\n".join(table) + "\n")
    words = ["evaluate", str(tmp_path / "horse.efg"), "--profile", str(tmp_path / "profile.csv")]
    record = json.loads(call(*words, "--sequential", "--json"))
    assert record["sequential_equilibrium"] == "not rational"
    assert record["reason"].startswith("3 units are gained at 'two'")
    assert "sequential equilibrium" in call(*words, "--sequential")
    assert "sequential" not in call(*words)
