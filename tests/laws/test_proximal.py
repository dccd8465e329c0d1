"""Laws of proximal programs: they agree with the same program written as a model, in any unit, and
stop when told to."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.leduc import leduc
from seqform import build_sequence_form, build_tree
from seqform.base.errors import SolverError
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.proximal import Cut, Floats, nearest_better
from tests.strategies import games, random_profile, seeds

LEDUC = build_sequence_form(build_tree(leduc()))


def never() -> bool:
    return False


def whole(form: SequenceForm) -> list[Cut]:
    return [Cut.of(treeplex, np.arange(treeplex.num_sequences)) for treeplex in form.treeplexes]


def modelled(form: SequenceForm, player: int, base: Floats, weight: float) -> Floats:
    """Return the plan found from a model: minimise the opponent's best response, by its dual, and
    the distance."""
    (mine, e), (theirs, f) = (form.treeplexes[i].constraints() for i in (player, 1 - player))
    payoff = form.zero_sum_operator().to_csr() * (1 if player == 0 else -1)
    x, q = cvxpy.Variable(len(base)), cvxpy.Variable(len(f))
    guaranteed = (payoff.T if player == 0 else payoff) @ x >= theirs.T @ q
    objective = cvxpy.Maximize(f @ q - weight / 2 * cvxpy.sum_squares(x - base))
    cvxpy.Problem(objective, [mine @ x == e, x >= 0, guaranteed]).solve(
        solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
    )
    return np.array(x.value)


@settings(max_examples=30)
@given(games(), seeds, st.sampled_from([0.03, 1.0]))
def test_the_program_is_that_of_the_model(form: SequenceForm, seed: int, weight: float) -> None:
    base = random_profile(form, seed).plans
    payoff = form.zero_sum_operator().to_csr()
    for player, matrix in ((0, payoff), (1, -payoff.T.tocsr())):
        mine, theirs = whole(form)[player], whole(form)[1 - player]
        found = nearest_better(mine, theirs, matrix, base[player], weight, never)
        np.testing.assert_allclose(found, modelled(form, player, base[player], weight), atol=2e-5)
        assert (found >= 0).all()
        assert max(form.treeplexes[player].residuals(found)) <= 1e-8


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1e3, 1e9])
def test_units_of_payoffs_do_not_matter(unit: float) -> None:
    base, payoff = random_profile(LEDUC, 1).plans[0], LEDUC.zero_sum_operator().to_csr()
    found = nearest_better(*whole(LEDUC), payoff, base, 1e-3, never)
    same = nearest_better(*whole(LEDUC), payoff * unit, base, 1e-3 * unit, never)
    np.testing.assert_allclose(found, same, atol=1e-7)


def test_with_nothing_to_gain_the_plan_stays() -> None:
    base = random_profile(LEDUC, 1).plans[0]
    found = nearest_better(*whole(LEDUC), 0 * LEDUC.zero_sum_operator().to_csr(), base, 1.0, never)
    np.testing.assert_allclose(found, base, rtol=0, atol=1e-7)


@given(games(), seeds)
def test_cuts_leave_the_constraints_of_what_can_be_reached(form: SequenceForm, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for treeplex in form.treeplexes:
        kept = rng.random(treeplex.num_sequences) < 0.6
        kept[0] = True
        kept[treeplex.first_sequence[:-1]] = True  # one of each information set
        for _, sequences in treeplex.runs:
            kept[sequences] &= kept[treeplex.sequence_parent[sequences]]
        cut = Cut.of(treeplex, np.flatnonzero(kept))
        behavior = np.where(kept, rng.random(treeplex.num_sequences), 0.0)
        plan = treeplex.to_plan(treeplex.to_behavior(treeplex.to_plan(behavior)))
        plan[~kept] = 0.0
        there = kept[treeplex.parent_sequence]
        assert cut.constraints.shape == (1 + there.sum(), kept.sum())
        np.testing.assert_allclose(cut.constraints @ plan[cut.sequences], cut.e, atol=1e-12)
        assert cut.constraints.nnz == 1 + there.sum() + kept[1:].sum()


def test_a_program_that_is_to_stop_stops() -> None:
    asked = []

    def soon() -> bool:
        asked.append(None)
        return len(asked) > 3

    base, payoff = random_profile(LEDUC, 1).plans[0], LEDUC.zero_sum_operator().to_csr()
    early = nearest_better(*whole(LEDUC), payoff, base, 1e-3, soon)
    assert 3 < len(asked) < 10
    assert np.isfinite(early).all()
    assert not np.allclose(
        early, nearest_better(*whole(LEDUC), payoff, base, 1e-3, never), atol=1e-6
    )


def test_a_program_without_an_answer_is_an_error() -> None:
    base, payoff = random_profile(LEDUC, 1).plans[0], LEDUC.zero_sum_operator().to_csr()
    with pytest.raises(SolverError, match="Clarabel says"):
        nearest_better(*whole(LEDUC), payoff, base * np.nan, 1e-3, never)
