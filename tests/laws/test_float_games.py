"""What a certificate says of a game of floats is true of the game with the floats as given, each
a rational number: compared with fractions, with no tolerance."""

from __future__ import annotations

from fractions import Fraction

import pytest

from abstraction.color_refinement import refine_colors
from seqform import Status, TreeBuilder, build_sequence_form, certify, solve
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from tests.float_games import (
    Entries,
    exact_best,
    exact_plans,
    exact_value,
    float_game,
    merged_entries,
    wild_profile,
)
from tests.rebuilt import entries


def check(form: SequenceForm, exact: Entries, seed: int) -> None:
    """Compare the certificate of a random profile with best responses in fractions."""
    profile = wild_profile(form, seed)
    certificate, plans = certify(form, profile), exact_plans(form.treeplexes, profile)
    for player, gain in enumerate(certificate.gains):
        best = exact_best(form.treeplexes, exact, plans, player)
        assert Fraction(gain) >= best - exact_value(exact, plans, player)
    if isinstance(form, ZeroSumForm):
        upper = exact_best(form.treeplexes, exact, plans, 0)
        lower = -exact_best(form.treeplexes, exact, plans, 1, paid=-1)
        assert Fraction(certificate.lower) <= lower
        assert upper <= Fraction(certificate.upper)
        slack = Fraction(certificate.upper - certificate.lower) - (upper - lower)
        assert slack <= Fraction(1, 10**12) * Fraction(form.largest_payoff)


def check_game(seed: int) -> None:
    form = build_sequence_form(float_game(seed))
    assert form.constant_sum is not None
    check(form, entries(form), seed)


@pytest.mark.parametrize("start", range(0, 300, 30))
def test_bounds_hold_for_the_floats_as_given(start: int) -> None:
    for seed in range(start, start + 30):
        check_game(seed)


@pytest.mark.long
def test_bounds_hold_in_3000_games() -> None:
    for seed in range(300, 3000):
        check_game(seed)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_gains_hold_with_any_payoffs(players: int) -> None:
    for seed in range(60):
        form = build_sequence_form(float_game(seed, players, zero_sum=False))
        check(form, entries(form), seed)


@pytest.mark.parametrize("zero_sum", [True, False])
def test_bounds_hold_in_quotients(zero_sum: bool) -> None:
    for seed in range(60):
        form = build_sequence_form(float_game(seed, zero_sum=zero_sum))
        smaller, inverse = refine_colors(form)
        check(smaller, merged_entries(entries(form), inverse.sequences), seed)


def test_an_entry_that_nearly_cancels_is_what_its_floats_add_up_to() -> None:
    """Added up in floats, the entry is off by 3.6e-9, and nothing later can know it."""
    chances, payoffs = (0.1, 0.7, 0.2), (1e9, -1e9 / 7, 0.3)
    b = TreeBuilder(2)
    for node, payoff in zip(
        b.chance(b.root, list(zip("abc", chances, strict=True))), payoffs, strict=True
    ):
        b.terminal(node, (payoff, -payoff))
    value = sum(Fraction(p) * Fraction(u) for p, u in zip(chances, payoffs, strict=True))
    solution = solve(b.freeze(), method="lp")
    assert solution.status is Status.SOLVED
    assert Fraction(solution.lower) <= value <= Fraction(solution.upper)
    assert solution.upper - solution.lower < 1e-14
