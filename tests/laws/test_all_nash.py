"""All extreme equilibria of two-player games, and best ones: the laws that they obey."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import SequenceForm, Status, TreeBuilder, build_sequence_form, solve
from seqform.base.objectives import OBJECTIVES
from seqform.exact import nash_subsets
from seqform.exact.extreme_equilibria import Equilibria, all_equilibria
from seqform.exact.plan_proof import prove_gains
from seqform.form.sequence_form import ZeroSumForm
from seqform.methods import mip
from seqform.results import best_nash
from tests.examples import examples
from tests.reference.extreme_equilibria import Pairs, extreme_equilibria
from tests.reference.mixed_cvxpy import ENGINES, solved_by
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
@examples(5, 10)
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


@dataclass(frozen=True)
class Listed:
    """A game, all of whose equilibria are known, and what the best one is worth."""

    form: SequenceForm
    objective: str
    best: Fraction


@st.composite
def listed_games(draw: st.DrawFn) -> Listed:
    """Draw games of a dozen nodes or so with payoffs that often tie, and an objective."""
    drawn = random_game(
        draw(st.integers(0, 10**6)),
        depth=draw(st.integers(3, 5)),
        branching=draw(st.integers(2, 3)),
        zero_sum=False,
        max_payoff=draw(st.sampled_from([1, 3, 10, 10**6])),
        chance=draw(st.sampled_from([0.0, 0.2])),
        hidden=draw(st.sampled_from([0.5, 0.8, 1.0])),
    )
    form = build_sequence_form(drawn)
    assume(6 <= sum(t.num_sequences for t in form.treeplexes) <= 40)
    found = all_equilibria(form)
    assume(found.is_complete)
    objective = draw(st.sampled_from([name for name in OBJECTIVES if name != "none"]))
    (first, second) = OBJECTIVES[objective] or (0, 0)
    return Listed(form, objective, max(first * e.values[0] + second * e.values[1] for e in found))


def is_proven(listed: Listed, **by: str) -> bool:
    """Check all that is said of a best equilibrium; return whether it is proven to be one."""
    solution = solve(listed.form, optimize=listed.objective, **by)
    best = solution.optimum
    assert solution.exact is not None
    assert best is not None
    assert best.value <= listed.best
    assert (solution.status is Status.SOLVED) == best.is_best
    assert (solution.status is Status.BEST_FOUND) == (not best.is_best)
    assert best.value == listed.best or not best.is_best
    assert best.proven is None or best.proven.most >= listed.best
    return best.is_best


@given(listed_games())
@examples(20, 200)
def test_a_best_equilibrium_is_the_best_of_all(listed: Listed) -> None:
    assert is_proven(listed)


@pytest.mark.long
@given(listed_games())
@settings(max_examples=3000)
def test_a_best_equilibrium_is_the_best_of_all_in_thousands_of_games(listed: Listed) -> None:
    assert is_proven(listed)


@given(listed_games(), st.sampled_from((None, *ENGINES)))
@examples(15, 30)
def test_solvers_that_are_named_say_nothing_else(listed: Listed, engine: str | None) -> None:
    with solved_by(engine):
        assert is_proven(listed, solver="highs")


@given(listed_games(), st.sampled_from((None, *ENGINES)))
@examples(15, 30)
def test_the_integer_program_alone_claims_nothing(listed: Listed, engine: str | None) -> None:
    with pytest.MonkeyPatch.context() as patch, solved_by(engine):
        patch.setattr(best_nash, "MOST_PAIRS", 0)
        patch.setattr(mip, "ENUMERATION_STEPS", 0)
        assert is_proven(listed, solver="highs") == isinstance(listed.form, ZeroSumForm)


Payoffs = list[list[tuple[Fraction, Fraction]]]


def bimatrix(payoffs: Payoffs) -> Any:
    """Return the sequence form of a game in which both players move once."""
    b, names = TreeBuilder(2), (range(len(payoffs)), range(len(payoffs[0])))
    rows = b.decision(b.root, 0, "row", [f"r{i}" for i in names[0]])
    for node, row in zip(rows, payoffs, strict=True):
        children = b.decision(node, 1, "column", [f"c{j}" for j in names[1]])
        for child, pays in zip(children, row, strict=True):
            b.terminal(child, pays)
    return build_sequence_form(b.freeze())


PAYOFFS = st.lists(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=3),
    min_size=2,
    max_size=3,
)


@given(PAYOFFS)
@examples(6, 12)
def test_players_exchanged_and_payoffs_scaled(payoffs: Payoffs) -> None:
    found = set(plans_of(all_equilibria(bimatrix(payoffs))))
    exchanged = bimatrix([[(b, a) for a, b in column] for column in zip(*payoffs, strict=True)])
    assert {(x, y) for y, x in plans_of(all_equilibria(exchanged))} == found
    thirds = [[(a * Fraction(7, 3) - 5, b * Fraction(2, 9) + 1) for a, b in r] for r in payoffs]
    assert set(plans_of(all_equilibria(bimatrix(thirds)))) == found
    best = solve(bimatrix(thirds), optimize="player0").optimum
    same = solve(bimatrix(payoffs), optimize="player0").optimum
    assert best is not None
    assert same is not None
    assert best.value == same.value * Fraction(7, 3) - 5


@given(st.integers(0, 10**6))
@settings(max_examples=12)
def test_in_zero_sum_games_all_have_the_value(seed: int) -> None:
    form = build_sequence_form(random_game(seed, depth=4, branching=2))
    value = solve(form, method="lp", exact=True).exact
    assert value is not None
    found = all_equilibria(form)
    assert {each.value for each in found} == {value.value}
    assert len(set(found.components or ())) == 1  # optimal plans are convex
    assert solve(form, optimize="player0").optimum.value == value.value  # type: ignore[union-attr]


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=12)
def test_maximal_subsets_are_products_and_none_is_in_another(seed: int, zero_sum: bool) -> None:
    """Mixtures within one are equilibria, and what they pay fills a rectangle."""
    form = tiny(seed, zero_sum=zero_sum)
    found = all_equilibria(form)
    subsets = found.subsets
    assert subsets is not None
    assert {number for part in subsets for number in part.members} == set(range(len(found)))
    sets = [set(part.members) for part in subsets]
    assert not any(
        one < other or (one == other and one is not other) for one in sets for other in sets
    )
    plans = plans_of(found)
    for part in subsets:
        own = [{plans[number][player] for number in part.members} for player in (0, 1)]
        assert {(x, y) for x in own[0] for y in own[1]} == {plans[n] for n in part.members}
        paid = {found[number].values for number in part.members}
        corners = {(x, y) for x in (part.low[0], part.high[0]) for y in (part.low[1], part.high[1])}
        assert corners <= paid
        middle = [np.array([sum(c) for c in zip(*mine, strict=True)], dtype=object) for mine in own]
        wholes = [lcm(*(Fraction(c).denominator for c in plan)) for plan in middle]
        scaled = [
            np.array([int(c * whole) for c in plan.tolist()], dtype=object)
            for plan, whole in zip(middle, wholes, strict=True)
        ]
        assert prove_gains(form, scaled, [int(plan[0]) for plan in scaled]).gains == (0, 0)
    # of no two subsets' plans can more be paired than are
    edges = set(plans)
    for part in subsets:
        own = [{plans[number][player] for number in part.members} for player in (0, 1)]
        for x, y in edges - {plans[n] for n in part.members}:
            assert not (all((x, b) in edges for b in own[1]) and x not in own[0])
            assert not (all((a, y) in edges for a in own[0]) and y not in own[1])


def test_too_many_subsets_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nash_subsets, "MOST_SUBSETS", 2)
    form = bimatrix([[(Fraction(i == j),) * 2 for j in range(3)] for i in range(3)])
    found = all_equilibria(form)
    assert (found.is_complete, found.subsets) == (True, None)
    assert "subset" not in found.rows()[0][1]
    assert found.record()["subsets"] is None
