"""Laws of eliminating dominated actions, in fractions; and games in which it is known what goes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from abstraction.adversary import Adversary
from games.random_games import random_game
from seqform import (
    TreeBuilder,
    build_normal_form,
    build_sequence_form,
    build_tree,
    certify,
    count_strategies,
    make,
    reduce,
    solve,
)
from seqform.base.errors import InvalidStrategyError, OutOfTimeError
from seqform.exact.plan_proof import prove_gains
from seqform.exact.plans import round_plan
from seqform.form.origin import QuotientOrigin
from seqform.form.sequence_form import SequenceForm
from seqform.io import parse_nfg
from seqform.links.lifting import compose, lift_profile
from seqform.links.link import Inverse
from tests.examples import examples
from tests.float_games import float_game
from tests.strategies import games, random_profile, seeds, trees

KINDS = ("dominated", "strictly-dominated")
ANY: dict[str, Any] = {"players": (1, 2, 3), "zero_sum": (True, False), "depth": 5}


def lifted_plan(inverse: Inverse, player: int, plan: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the whole game's plan in integers that one of the smaller game is."""
    treeplex = inverse.original.treeplexes[player]
    images, found = inverse.sequences[player].tolist(), [int(plan[0])]
    for h, parent in enumerate(treeplex.parent_sequence.tolist()):
        for s in range(*treeplex.first_sequence[h : h + 2].tolist()):
            image = images[s]
            weight = found[parent] if image == 0 else int(plan[image])
            found.append(weight if image >= 0 and found[parent] else 0)
    return np.array(found, dtype=object)


def eliminated(inverse: Inverse, player: int) -> list[int]:
    """Return the sequences that the lift never plays."""
    plan = inverse.original.treeplexes[player].uniform()
    behavior = np.where(inverse.sequences[player] < 0, 0.0, plan)
    return np.flatnonzero(inverse.original.treeplexes[player].to_plan(behavior) == 0).tolist()


def without_tree(game: SequenceForm) -> SequenceForm:
    """Return a form that knows no tree, so that sets to which others never come are kept."""
    members = tuple(np.arange(treeplex.num_infosets) for treeplex in game.treeplexes)
    return replace(game, origin=QuotientOrigin(game.origin, members))


@pytest.mark.parametrize("kind", KINDS)
@given(game=games(**ANY), seed=seeds, sparse=st.booleans())
def test_what_players_gain_is_what_they_gain_in_the_whole_game(
    kind: str, game: SequenceForm, seed: int, sparse: bool
) -> None:
    smaller, inverse = reduce(game, kind)
    profile = random_profile(smaller, seed, sparse)
    pairs = zip(smaller.treeplexes, profile.behaviors, strict=True)
    plans = [round_plan(treeplex, behavior, 20) for treeplex, behavior in pairs]
    wholes = [2**20] * game.num_players
    lifted = [lifted_plan(inverse, player, plan) for player, plan in enumerate(plans)]
    small, large = prove_gains(smaller, plans, wholes), prove_gains(game, lifted, wholes)
    assert small.values == large.values
    assert small.gains == large.gains
    for mine, plan in zip(lift_profile(profile, inverse).plans, lifted, strict=True):
        assert np.allclose(mine, plan.astype(float) / 2**20, rtol=0, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
@given(game=games(**ANY))
def test_the_tree_is_that_of_the_smaller_game(kind: str, game: SequenceForm) -> None:
    """The same, but for sets to which nobody comes, is made without it."""
    smaller, inverse = reduce(game, kind)
    assert smaller.tree is not None
    assert smaller.num_nodes == smaller.tree.num_nodes <= game.num_nodes
    other, other_inverse = reduce(without_tree(game), kind)
    assert other.tree is None
    for player, images in enumerate(inverse.sequences):
        others = other_inverse.sequences[player]
        for h in range(game.treeplexes[player].num_infosets):
            here = slice(*game.treeplexes[player].first_sequence[h : h + 2].tolist())
            if (images[here] > 0).any():
                assert ((images[here] > 0) == (others[here] > 0)).all()
                image = int(images[here].max())
                g = int(smaller.treeplexes[player].infoset_of[image])
                left = [
                    a for a, i in zip(game.actions(player, h), images[here], strict=True) if i > 0
                ]
                assert smaller.actions(player, g) == tuple(left)
                assert smaller.infoset_label(player, g) == game.infoset_label(player, h)


@pytest.mark.parametrize("kind", KINDS)
@examples(20, 40)
@given(tree=trees(zero_sum=(True,)))
def test_the_value_stays_and_equilibria_do_not_play_what_is_strictly_dominated(
    kind: str, tree: Any
) -> None:
    game = build_sequence_form(tree)
    smaller, inverse = reduce(without_tree(game), kind)
    exact, small = solve(game, method="lp").exact, solve(smaller, method="lp").exact
    assert exact is not None
    assert small is not None
    assert exact.value == small.value
    if kind == "strictly-dominated":
        for player, plan in enumerate(exact.plans):
            assert not plan[eliminated(inverse, player)].any()


def pure_equilibria(form: SequenceForm) -> list[list[np.ndarray[Any, Any]]]:
    """Return the plans of all equilibria of the normal form in pure strategies."""
    normal = build_normal_form(form)
    tables = [normal.payoffs(player) for player in range(form.num_players)]
    found = [table == table.max(axis=player, keepdims=True) for player, table in enumerate(tables)]
    return [
        [plans[s] for plans, s in zip(normal.plans, where, strict=True)]
        for where in zip(*np.nonzero(np.logical_and.reduce(found)), strict=True)
    ]


@settings(max_examples=60)
@given(game=games(players=(2, 3), zero_sum=(False,), depth=4))
def test_no_pure_equilibrium_is_lost_by_strict_dominance(game: SequenceForm) -> None:
    if prod(count_strategies(treeplex).reduced for treeplex in game.treeplexes) > 2_000:
        return
    smaller, inverse = reduce(without_tree(game), "strictly-dominated")
    before, after = pure_equilibria(game), pure_equilibria(smaller)
    assert len(before) == len(after)
    for plans in before:
        for player, plan in enumerate(plans):
            assert not plan[eliminated(inverse, player)].any()


def strictly_dominated_rows(table: np.ndarray[Any, Any]) -> list[int]:
    """Return the rows that a mixture of the others beats in every column, by linear programs."""
    found = []
    for row in range(len(table)):
        rest = np.delete(table, row, axis=0)
        if not len(rest):
            continue
        # max t: weights @ rest - row >= t
        size = len(rest)
        answer = linprog(
            np.append(np.zeros(size), -1.0),
            A_ub=np.hstack([-rest.T, np.ones((rest.shape[1], 1))]),
            b_ub=-table[row],
            A_eq=np.append(np.ones(size), 0.0)[None],
            b_eq=[1.0],
            bounds=[(0, None)] * size + [(None, None)],
        )
        if -answer.fun > 1e-7:
            found.append(row)
    return found


@given(seed=seeds)
@examples(15, 30)
def test_tables_are_reduced_as_by_iterated_strict_dominance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(2, 6, 2).tolist())
    tables = [rng.integers(0, 4, shape), rng.integers(0, 4, shape)]
    numbers = " ".join(
        f"{tables[0][i, j]} {tables[1][i, j]}" for j in range(shape[1]) for i in range(shape[0])
    )
    game = parse_nfg(f'NFG 1 R "" {{ "A" "B" }} {{ {shape[0]} {shape[1]} }} {numbers}')
    kept = [list(range(size)) for size in shape]
    while True:
        part = [table[np.ix_(*kept)] for table in tables]
        gone = [strictly_dominated_rows(part[0]), strictly_dominated_rows(part[1].T)]
        if not any(gone):
            break
        for rows, out in zip(kept, gone, strict=True):
            for row in reversed(out):
                del rows[row]
    _, inverse = reduce(game, "strictly-dominated")
    for player, images in enumerate(inverse.sequences):
        assert np.flatnonzero(images[1:] >= 0).tolist() == kept[player]


def test_a_row_that_only_a_mixture_dominates() -> None:
    game = parse_nfg('NFG 1 R "" { "A" "B" } { 3 2 } 3 -3 0 0 1 -1  0 0 3 -3 1 -1')
    for kind in KINDS:
        smaller, inverse = reduce(game, kind)
        assert inverse.sequences[0].tolist() == [0, 1, 2, -1]
        assert smaller.actions(0, 0) == ("1", "2")


def test_the_prisoners_of_the_dilemma_confess_and_three_of_them_do() -> None:
    game = parse_nfg('NFG 1 R "" { "A" "B" } { 2 2 } 2 2 3 0 0 3 1 1')
    payoffs = []
    for moves in product((0, 1), repeat=3):  # player 0's changes last, and first in the file
        c, b, a = moves
        payoffs += [3 * sum(x == 0 for x in (a, b, c)) + 2 * mine for mine in (a, b, c)]
    three = parse_nfg(
        'NFG 1 R "" { "A" "B" "C" } { 2 2 2 } ' + " ".join(str(3 * n) for n in payoffs)
    )
    for tree, image in ((game, [0, -1, 0]), (three, [0, 0, -1])):
        _, inverse = reduce(tree, "strictly-dominated")
        assert [images.tolist() for images in inverse.sequences] == [image] * tree.num_players


def test_a_threat_that_nobody_would_carry_out_is_lost_by_conditional_dominance_only() -> None:
    """Selten's chain store with one store: fight if somebody enters."""
    b = TreeBuilder(2)
    stays_out, enters = b.decision(b.root, 0, "entrant", ["out", "in"])
    b.terminal(stays_out, [1, 4])
    fights, yields = b.decision(enters, 1, "store", ["fight", "yield"])
    b.terminal(fights, [0, 0])
    b.terminal(yields, [2, 2])
    tree = b.freeze()
    smaller, inverse = reduce(tree, "dominated")
    assert [images.tolist() for images in inverse.sequences] == [[0, -1, 0], [0, -1, 0]]
    assert len(pure_equilibria(smaller)) == 1
    smaller, _ = reduce(tree, "strictly-dominated")
    assert len(pure_equilibria(smaller)) == len(pure_equilibria(build_sequence_form(tree))) == 2
    solution = solve(tree, abstract="dominated")
    assert solution.values == (2.0, 2.0)
    assert solution.status.name == "SOLVED"


def test_kuhn_poker_without_what_nobody_would_do() -> None:
    """The jack never calls and the king never folds; then the queen need not bet first."""
    smaller, inverse = reduce(make("kuhn"), "dominated")
    gone = [
        {
            (str(inverse.original.infoset_label(player, h)), str(action))
            for h in range(treeplex.num_infosets)
            for s, action in enumerate(
                inverse.original.actions(player, h), int(treeplex.first_sequence[h])
            )
            if inverse.sequences[player][s] < 0
        }
        for player, treeplex in enumerate(inverse.original.treeplexes)
    ]
    assert gone[0] == {("J:check-bet", "call"), ("K:check-bet", "fold"), ("Q:", "bet")}
    assert gone[1] == {
        ("J:bet", "call"), ("K:bet", "fold"), ("K:check", "check"), ("Q:check", "bet"),
    }  # fmt: skip
    assert [treeplex.num_sequences for treeplex in smaller.treeplexes] == [7, 5]
    assert solve(make("kuhn"), abstract="dominated").value == pytest.approx(-1 / 18)


def test_what_floats_cannot_tell_apart_is_decided_in_integers() -> None:
    """In one place each action is better, by one part in a million millions."""
    large = 10**12
    game = f'NFG 1 R "" {{ "A" "B" }} {{ 2 2 }} {large} 0 {large + 1} 0 {large + 1} 0 {large} 0'
    _, inverse = reduce(parse_nfg(game), "strictly-dominated")
    assert inverse.sequences[0].tolist() == [0, 1, 2]
    more, less = f"{large + 1} {-large - 1}", f"{large} {-large}"
    pennies = f'NFG 1 R "" {{ "A" "B" }} {{ 2 2 }} {less} {more} {more} {less}'
    _, inverse = reduce(parse_nfg(pennies), "dominated")
    assert [images.tolist() for images in inverse.sequences] == [[0, 1, 2], [0, 1, 2]]
    game = game.replace(f"{large + 1} 0 {large} 0", f"{large} 0 {large + 1} 0")
    _, inverse = reduce(parse_nfg(game), "strictly-dominated")
    assert inverse.sequences[0].tolist() == [0, -1, 0]


def test_floats_whose_integers_are_no_floats() -> None:
    tiny = 1e-290
    b = TreeBuilder(2)
    payoffs = [[(tiny, 1e290), (0.0, 0.0)], [(2 * tiny, 0.0), (tiny, tiny)]]
    for node, row in zip(b.decision(b.root, 0, "row", ["a", "b"]), payoffs, strict=True):
        for end, paid in zip(b.decision(node, 1, "column", ["c", "d"]), row, strict=True):
            b.terminal(end, paid)
    small, _ = reduce(b.freeze(), "strictly-dominated")
    assert [treeplex.num_infosets for treeplex in small.treeplexes] == [0, 0]


@pytest.mark.parametrize("name", ["centipede", "ultimatum", "two-player-tree"])
def test_games_without_secrets_are_solved(name: str) -> None:
    tree = build_tree(make(name))
    smaller, _ = reduce(tree, "dominated")
    assert [treeplex.num_infosets for treeplex in smaller.treeplexes] == [0, 0]
    solution = solve(tree, abstract="dominated")
    assert solution.status.name == "SOLVED"
    assert solution.nash_gap < 1e-9


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 3])
def test_any_game_is_solved_by_what_is_left_of_it(kind: str, players: int) -> None:
    for seed in range(4):
        game = random_game(seed, players, depth=5, zero_sum=False)
        solution = solve(game, abstract=kind)
        assert solution.status.name == "SOLVED"
        assert solution.profile is not None
        assert certify(build_sequence_form(game), solution.profile).nash_gap < 1e-6


def test_payments_on_the_way_in_floats_are_not_added_up() -> None:
    game = float_game(3, players=2, zero_sum=False)
    floats = replace(game, payoffs=tuple(tuple(map(float, row)) for row in game.payoffs))
    has_rewards = ((floats.payoff >= 0) & (floats.player >= -1)).any()
    smaller, _ = reduce(floats, "dominated")
    assert (smaller.tree is None) == bool(has_rewards)


@given(game=games(players=(3,), zero_sum=(False,), depth=4), seed=seeds)
@settings(max_examples=40)
def test_the_adversary_does_what_the_others_can_do(game: SequenceForm, seed: int) -> None:
    """No less: some strategies of the others give any sum that it calls the least, or more."""
    others = list(game.treeplexes[1:])
    places, numbers = game.payoffs.entries(0)
    adversary = Adversary(others)
    columns = adversary.numbers_of(np.array(places[1:]).T)
    sums = np.zeros((adversary.num_sequences, 1), dtype=object)
    np.add.at(sums, columns, np.asarray(numbers, dtype=object)[:, None])
    least = Fraction(int(adversary.least(sums)[0]))
    for profile in (random_profile(game, seed, True), random_profile(game, seed + 1, False)):
        first, second = ([Fraction(w) for w in plan.tolist()] for plan in profile.plans[1:])
        total = sum(
            (int(n) * first[s] * second[t] for n, s, t in zip(numbers, *places[1:], strict=True)),
            Fraction(0),
        )
        assert total >= least * (1 - Fraction(1, 10**9)) - Fraction(1, 10**6)


def test_compositions_keep_what_is_never_played() -> None:
    middle, first = reduce(make("leduc", ranks=2), "suit")
    smallest, second = reduce(middle, "dominated")
    assert smallest.treeplexes[0].num_sequences < middle.treeplexes[0].num_sequences
    profile, both = random_profile(smallest, 3), compose([first, second])
    in_steps = lift_profile(lift_profile(profile, second), first)
    for a, b in zip(lift_profile(profile, both).behaviors, in_steps.behaviors, strict=True):
        assert (a == b).all()
    with pytest.raises(InvalidStrategyError, match=r"player 0: the profile has .* the reduced"):
        lift_profile(random_profile(middle, 3), both)


def test_a_time_limit_ends_the_search() -> None:
    with pytest.raises(OutOfTimeError, match=r"the time limit of 0\.2 s was over while"):
        reduce(build_tree(make("leduc")), "dominated", time_limit=0.2)
