"""Locked games: their values are those of trees in which chance plays what is locked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import GameTree, build_sequence_form, build_tree, certify, expected_values, solve
from seqform.form.lock import Lock
from seqform.form.multiples import Multiples, counted
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.links.lifting import lift_profile
from seqform.links.locked_game import lock_game
from seqform.results.status import Status
from seqform.strategies.exploit.lock import lock_from
from tests.examples import examples
from tests.random_locks import random_lock
from tests.reference.locked_tree import LockedTree
from tests.strategies import random_profile, seeds, trees


def as_tree(lock: Lock) -> GameTree:
    """Return the locked game as a tree of its own."""
    tree, fixed = lock.form.tree, {}
    assert tree is not None
    for player, treeplex in enumerate(lock.form.treeplexes):
        first = treeplex.first_sequence.tolist()
        for infoset, number in enumerate(lock.form.tree_infosets[player].tolist()):
            here = lock.fixed[player][first[infoset] : first[infoset + 1]]
            given = {place: p for place, p in enumerate(here) if p is not None}
            if given:
                fixed[number] = given
    return build_tree(LockedTree(tree, fixed))


@examples(15, 30)
@given(trees(depth=4), seeds)
def test_the_value_is_that_of_the_tree_in_which_chance_plays_the_lock(
    tree: GameTree, seed: int
) -> None:
    form = build_sequence_form(tree)
    lock = random_lock(form, seed)
    solution = solve(form, lock=lock, method="lp", exact=True)
    expected = solve(build_sequence_form(as_tree(lock)), method="lp", exact=True)
    assert solution.locked is not None
    assert solution.locked.exact is not None
    assert expected.exact is not None
    assert solution.locked.exact.value == expected.exact.value
    check_gains(solution, as_tree(lock))


def check_gains(solution: Any, tree: GameTree) -> None:
    """Check that lifted answers keep to the lock and pay what they do in the locked game."""
    locked = solution.locked
    assert solution.values == pytest.approx(locked.values, abs=1e-9 * solution.game.payoff_scale)
    assert build_sequence_form(tree).num_players == solution.game.num_players
    assert all(
        free >= there - 1e-9 * solution.game.payoff_scale
        for free, there in zip(solution.certificate.gains, locked.certificate.gains, strict=True)
    )


@given(trees(players=(2, 3), zero_sum=(False,), depth=4), seeds)
def test_plans_of_the_locked_form_are_paid_what_they_are_in_the_game(
    tree: GameTree, seed: int
) -> None:
    form = build_sequence_form(tree)
    locked = lock_game(random_lock(form, seed))
    profile = random_profile(locked.form, seed)
    lifted = lift_profile(profile, locked.inverse)
    scale = 1e-12 * form.payoff_scale
    there, here = expected_values(locked.form, profile), expected_values(form, lifted)
    assert there == pytest.approx(here, abs=scale)
    for player, lock in enumerate(random_lock(form, seed).fixed):
        said = [s for s, number in enumerate(lock) if number is not None]
        numbers = np.array([float(lock[s] or 0) for s in said])
        assert lifted.behaviors[player][said] == pytest.approx(numbers, abs=1e-15)


@given(trees(players=(2, 3), zero_sum=(True, False), depth=4), seeds)
def test_locking_everything_is_evaluation(tree: GameTree, seed: int) -> None:
    form = build_sequence_form(tree)
    profile = random_profile(form, seed, sparse=True)
    solution = solve(form, lock=profile.behaviors)
    assert solution.locked is not None
    assert all(treeplex.num_infosets == 0 for treeplex in solution.locked.game.treeplexes)
    scale = 1e-12 * form.payoff_scale
    assert solution.values == pytest.approx(expected_values(form, profile), abs=scale)
    assert solution.gap == pytest.approx(certify(form, profile).gap, abs=10 * scale)


@settings(max_examples=15)
@given(trees(depth=4, zero_sum=(True, False)))
def test_locking_nothing_is_the_plain_solve(tree: GameTree) -> None:
    form = build_sequence_form(tree)
    nothing = [np.full(treeplex.num_sequences, np.nan) for treeplex in form.treeplexes]
    method = "lp" if solve(form).is_constant_sum else "lcp"
    plain, locked = solve(form, method=method), solve(form, method=method, lock=nothing)
    assert locked.status is plain.status is Status.SOLVED
    assert locked.values == plain.values


def behaviors_in_fractions(form: SequenceForm, plans: Any) -> list[list[Fraction | float]]:
    """Return the behaviour of plans in integers, exactly; NaN where they do not come."""
    found = []
    for treeplex, plan in zip(form.treeplexes, plans, strict=True):
        above = [int(plan[s]) for s in treeplex.sequence_parent]
        found.append(
            [
                Fraction(int(x), whole) if whole else float("nan")
                for x, whole in zip(plan, above, strict=True)
            ]
        )
    return found


@pytest.mark.parametrize("player", [0, 1])
def test_locking_the_sets_of_an_equilibrium_keeps_the_value(player: int) -> None:
    plain = solve(leduc(), exact=True)
    assert plain.exact is not None
    lock = behaviors_in_fractions(plain.game, plain.exact.plans)
    lock[1 - player] = [float("nan")] * len(lock[1 - player])
    locked = solve(plain.game, lock=lock, exact=True).locked
    assert locked is not None
    assert locked.exact is not None
    assert locked.exact.value == plain.exact.value


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("dcfr", {"gap": 1e-3}),
        ("cfr+", {"gap": 1e-3}),
        ("pdhg", {"gap": 1e-3}),
        ("lcp", {}),
        ("lp", {"solver": "clarabel"}),
    ],
)
def test_every_method_finds_the_value_of_the_locked_game(
    method: str, options: dict[str, Any]
) -> None:
    lock = {(0, "J:", "bet"): "1/2", (1, "K:bet", "call"): "0.25"}
    exact = solve(kuhn(), lock=lock, exact=True).locked
    assert exact is not None
    found = solve(kuhn(), lock=lock, method=method, **options)
    assert found.locked is not None
    assert found.locked.status is Status.SOLVED
    assert found.status is Status.LOCKED
    assert found.values == pytest.approx(exact.values, abs=2e-3)
    assert found.locked.certificate.lower <= exact.exact.value <= found.locked.certificate.upper  # type: ignore[union-attr]


def test_a_lock_with_more_digits_than_fractions_hold_is_certified_in_floats() -> None:
    form = build_sequence_form(build_tree(leduc()))
    profile = random_profile(form, 1)
    floats = [profile.behaviors[0], np.full(form.treeplexes[1].num_sequences, np.nan)]
    locked = solve(form, lock=floats).locked
    assert locked is not None
    assert locked.exact is None
    assert locked.game.payoffs.denominator(0) is None
    rounded = profile.rounded(form.treeplexes, 8).behaviors[0]
    few = solve(form, lock=[rounded, floats[1]]).locked
    assert few is not None
    assert few.exact is not None
    answer, _ = form.treeplexes[1].best_response(form.gradient(1, profile.plans))
    assert locked.value == pytest.approx(-answer, abs=1e-9)
    assert locked.lower <= -answer + 1e-12
    assert locked.upper >= -answer - 1e-12


@given(seeds, st.sampled_from([1.0, 1e-150, 1e-305]))
def test_products_of_floats_are_within_their_errors(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    numbers, places = rng.normal(size=20) * unit, [rng.integers(0, 5, 20, dtype=np.int32)] * 3
    shares = [[Fraction(int(n), 3**9) ** 20 for n in rng.integers(0, 3**9, 5)] for _ in places]
    floats = [Multiples(np.array([float(of) for of in each]), None) for each in shares]
    found = counted(numbers, None, None, places, floats)
    assert found.errors is not None
    for i, number in enumerate(numbers.tolist()):
        exact = Fraction(number)
        for place, each in zip(places, shares, strict=True):
            exact *= each[place[i]]
        assert abs(exact - Fraction(found.numbers[i])) <= Fraction(found.errors[i])


def test_a_lock_lifts_like_what_it_says(tmp_path: Any) -> None:
    file = tmp_path / "lock.json"
    file.write_text('{"0": {"J:": {"bet": "1/2"}}}')
    form = build_sequence_form(build_tree(kuhn()))
    solution = solve(kuhn(), lock=str(file))
    assert isinstance(solution.profile, Profile)
    jack = lock_from(str(file), form).fixed[0].index(Fraction(1, 2))
    assert solution.profile.behaviors[0][jack] == 0.5


@settings(max_examples=20)
@given(trees(depth=4), seeds)
def test_solutions_keep_to_the_lock_where_play_never_comes(tree: GameTree, seed: int) -> None:
    form = build_sequence_form(tree)
    lock = random_lock(form, seed)
    profile = solve(form, lock=lock).profile
    assert profile is not None
    for behavior, fixed in zip(profile.behaviors, lock.fixed, strict=True):
        said = [(s, float(p)) for s, p in enumerate(fixed) if p is not None]
        assert [behavior[s] for s, _ in said] == pytest.approx([p for _, p in said], abs=1e-12)
