"""All extreme equilibria of two-player games, and best ones: the laws that they obey."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import build_sequence_form, solve
from seqform.base.objectives import OBJECTIVES
from seqform.exact.extreme_equilibria import Equilibria, all_equilibria
from seqform.exact.gains import prove_gains
from tests.reference.extreme_equilibria import Pairs, extreme_equilibria
from tests.reference.pure_plans import pure_plans


def plans_of(found: Equilibria) -> list[tuple[tuple[Fraction, ...], ...]]:
    return [
        tuple(
            tuple(Fraction(entry, whole) for entry in plan.tolist())
            for plan, whole in zip(each.plans, each.denominators, strict=True)
        )
        for each in found
    ]


def tiny(seed: int, plans: int = 4, **options: Any) -> Any:
    """Return a game of which each player has few pure plans."""
    form = build_sequence_form(random_game(seed, depth=4, branching=2, max_payoff=3, **options))
    counts = [len(pure_plans(form, player)) for player in (0, 1)]
    sizes = [t.num_sequences - t.num_infosets for t in form.treeplexes]
    assume(max(counts) <= plans and max(sizes) <= 3 and min(counts) > 1)
    return form


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=15)
def test_they_are_what_brute_force_finds(seed: int, zero_sum: bool) -> None:
    form = tiny(seed, zero_sum=zero_sum)
    found = all_equilibria(form)
    listed = plans_of(found)
    expected: Pairs = extreme_equilibria(form)
    assert found.is_complete
    assert set(listed) == expected
    assert len(listed) == len(expected)
    for each in found:
        assert prove_gains(form, each.plans, each.denominators).gains == (0, 0)


@given(st.integers(0, 10**6), st.sampled_from([name for name in OBJECTIVES if name != "none"]))
@settings(max_examples=25)
def test_the_integer_program_finds_the_best_of_them(seed: int, objective: str) -> None:
    form = build_sequence_form(random_game(seed, depth=4, branching=3, zero_sum=False, hidden=1.0))
    found = all_equilibria(form)
    assume(found.is_complete)
    weights = OBJECTIVES[objective]
    assert weights is not None
    best = max(sum(w * v for w, v in zip(weights, e.values, strict=True)) for e in found)
    solution = solve(form, optimize=objective)
    assert solution.status.name == "SOLVED"
    assert solution.exact is not None
    assert solution.optimum is not None
    assert solution.optimum.value == best
    assert solution.optimum.bound == pytest.approx(float(best), abs=1e-6)
