"""Sparsified payoffs are the same payoffs: the factors multiply out to the same integers, and the
programs have the same optimum."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from abstraction.suit import suit
from games.kuhn import kuhn
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree, certify, make, solve
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.form.kronecker import KroneckerPayoff
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import form_lp_size
from seqform.form.sparse_payoff import SparsePayoff
from seqform.game.observations import SignalStructure
from seqform.methods.which_program import choose_program
from seqform.solvers.linear.clarabel import solve_clarabel
from seqform.solvers.linear.cvxpy import solve_cvxpy
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import LinearProgram, build_lp
from seqform.solvers.linear.row_differences import Factors, factor_rows
from seqform.solvers.linear.sparsified_program import (
    build_sparsified_lp,
    sparsified_lp_size,
    structured,
)
from seqform.solvers.linear.sparsify import sparsify
from tests.examples import examples
from tests.random_signal_games import POKER, POKER_BY_SIZE, random_classes, random_signal_game

Integers = NDArray[np.int64]


def solve_sums(links: sp.csr_array, right: sp.csr_array) -> sp.csr_array:
    """Return ``inv(I - links) @ right`` by repeated substitution, which has no end if links go in a
    circle."""
    found = right
    for _ in range(links.shape[0] + 1):
        found, before = right + links @ found, found
        if (found != before).nnz == 0:
            return found
    raise AssertionError("links go in a circle")


def multiplied_out(factors: Factors) -> Integers:
    found = factors.remainder + factors.inputs @ solve_sums(factors.links, factors.outputs)
    return found.toarray()  # type: ignore[no-any-return]


def numerators(operator: KroneckerPayoff) -> sp.csr_array:
    sparse = operator.to_sparse()
    return sp.csr_array(
        (sparse.numerators, sparse.matrix.indices, sparse.matrix.indptr), shape=operator.shape
    )


def check_exact(operator: KroneckerPayoff) -> None:
    """Eliminate the auxiliary variables in integers, and compare with the payoffs entry by
    entry."""
    sparse, num = sparsify(operator), operator.shape[0]
    payoffs, definitions = numerators(sparse.payoffs), numerators(sparse.definitions)
    links = sp.eye_array(sparse.num_auxiliary, dtype=np.int64, format="csr") - definitions[num:]
    assert sparse.payoffs.denominator == operator.denominator
    assert sparse.num_nonzeros == payoffs.count_nonzero() + definitions.count_nonzero()
    assert (
        payoffs[:num] - definitions[:num] @ solve_sums(links, payoffs[num:]) != numerators(operator)
    ).nnz == 0


def as_csr(matrix: Integers) -> sp.csr_array:
    return sp.csr_array(matrix)


@given(st.integers(0, 100_000))
def test_factors_of_any_integer_matrix_multiply_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, columns, most = rng.integers(1, 9), rng.integers(1, 9), rng.integers(1, 4)
    matrix = rng.integers(-most, most + 1, (rows, columns)) * (
        rng.random((rows, columns)) < rng.random()
    )
    matrix = matrix[rng.integers(0, rows, 12)] * rng.integers(1, 4, (12, 1))
    factors = factor_rows(as_csr(matrix))
    assert (multiplied_out(factors) == matrix).all()
    direct = factors.remainder.nnz + factors.inputs.nnz + factors.links.nnz + factors.outputs.nnz
    assert direct <= np.count_nonzero(matrix) + 3 * len(matrix)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (4, 4)])
def test_a_matrix_of_zeros_has_no_sums(shape: tuple[int, int]) -> None:
    factors = factor_rows(sp.csr_array(shape, dtype=np.int64))
    assert factors.num_sums == 0
    assert multiplied_out(factors).shape == shape
    assert not multiplied_out(factors).any()


def test_a_showdown_takes_a_sum_for_each_rank() -> None:
    """With ranks of several cards, whoever has the higher rank wins: the sums over all ranks up to
    each are found."""
    rank = np.repeat(np.arange(20), 3)
    wins = np.sign(rank[:, None] - rank[None, :]).astype(np.int64)
    factors = factor_rows(as_csr(wins))
    assert (multiplied_out(factors) == wins).all()
    assert factors.num_sums == 20
    assert factors.links.nnz <= 20
    # against 20 * 57 in as many different rows
    assert factors.outputs.nnz <= 2 * len(rank) + 3 * 19


def test_a_fold_takes_one_sum() -> None:
    """All hands but one's own: one sum of all, and two entries for each hand."""
    others = (1 - np.eye(30)).astype(np.int64)
    factors = factor_rows(as_csr(others))
    assert (multiplied_out(factors) == others).all()
    assert factors.num_sums == 1
    assert factors.remainder.nnz == 2 * 29
    assert factors.outputs.nnz == 29


@examples(15, 60)
@given(st.integers(0, 100_000))
def test_sparsified_payoffs_of_random_signal_games_are_the_payoffs(seed: int) -> None:
    structure = SignalStructure(random_signal_game(seed))
    for classes in (structure.identity, random_classes(structure, seed)):
        form = build_signal_form(structure, classes)
        assert isinstance(form.operator, KroneckerPayoff)
        check_exact(form.operator)
        check_exact(form.operator.exchanged())
        for player in (0, 1):
            assert build_sparsified_lp(form, player).size == sparsified_lp_size(form, player)


@pytest.mark.parametrize("name", POKER_BY_SIZE)
def test_sparsified_payoffs_of_poker_are_the_payoffs(name: str) -> None:
    structure = SignalStructure(POKER[name])
    classes = (
        structure.identity
        if structure.deals.count(structure.stages[-1]) < 500
        else random_classes(structure, 1)
    )
    operator = build_signal_form(structure, classes).operator
    assert isinstance(operator, KroneckerPayoff)
    check_exact(operator)


def test_player_1s_payoffs() -> None:
    operator = build_signal_form(SignalStructure(kuhn())).operator
    assert isinstance(operator, KroneckerPayoff)
    assert (numerators(operator.exchanged()) != -numerators(operator).T).nnz == 0


@pytest.fixture(scope="module")
def small() -> SequenceForm:
    structure = SignalStructure(rhode_island(3, 2, 1))
    return build_signal_form(structure, suit(structure))


@pytest.mark.parametrize("player", [0, 1])
def test_both_programs_have_the_same_answer(small: SequenceForm, player: int) -> None:
    direct, program = build_lp(small, player), build_sparsified_lp(small, player)
    assert program.size == sparsified_lp_size(small, player)
    assert program.num_auxiliary > 0 == direct.num_auxiliary
    assert (
        program.num_rows - direct.num_rows
        == program.num_columns - direct.num_columns
        == program.num_auxiliary
    )
    optimum = optimum_of(direct, solve_clarabel(direct).primal)
    for answer in (
        solve_highs(program),
        solve_highs(program, "ipx"),
        solve_clarabel(program),
        solve_cvxpy(program),
    ):
        assert optimum_of(program, answer.primal) == pytest.approx(optimum, abs=1e-6)
        profile = Profile.from_plans(small.treeplexes, program.plans(answer))
        assert certify(small, profile).nash_gap < 1e-5


def optimum_of(program: LinearProgram, primal: NDArray[np.float64] | None) -> float:
    assert primal is not None
    return float(program.objective @ primal / program.scale)


def test_names_of_columns_and_rows(small: SequenceForm) -> None:
    program = build_sparsified_lp(small)
    columns, rows = program.column_names(), program.row_names()
    assert len(columns) == len(set(columns)) == program.num_columns
    assert len(rows) == len(set(rows)) == program.num_rows
    assert [columns[program.num_plan], columns[program.num_plan + program.num_auxiliary]] == [
        "u_0",
        "q_empty",
    ]
    assert [rows[program.num_equalities - 1], rows[program.num_equalities]] == [
        f"sum_{program.num_auxiliary - 1}",
        "best_empty",
    ]


@pytest.mark.parametrize("suits", [3, 4])
def test_larger_decks_become_smaller(suits: int) -> None:
    structure = SignalStructure(rhode_island(8, suits))
    form = build_signal_form(structure, suit(structure))
    assert sparsified_lp_size(form).nonzeros < build_nonzeros(form) / 3


def build_nonzeros(form: SequenceForm) -> int:
    return form.zero_sum_operator().num_nonzeros + sum(
        t.num_infosets + t.num_sequences for t in form.treeplexes
    )


def test_solve_sparsifies_large_programs_of_signal_games_by_itself(
    monkeypatch: pytest.MonkeyPatch, small: SequenceForm
) -> None:
    direct = solve(small, method="lp", exact=False)
    monkeypatch.setattr("seqform.base.thresholds.SPARSIFY_FROM", 1_000)
    sparse = solve(small, method="lp", exact=False)
    assert sparse.sizes["solver_rows"] > direct.sizes["solver_rows"] == direct.sizes["lp_rows"]
    assert sparse.sizes["lp_rows"] == direct.sizes["lp_rows"]
    assert sparse.nash_gap < 1e-6
    assert sparse.value == pytest.approx(direct.value, abs=1e-6)
    form = build_sequence_form(build_tree(POKER["leduc"]))
    size, build = choose_program(form)
    assert size == build().size == build_lp(form).size


@pytest.mark.parametrize("seed", range(8))
def test_games_of_trees_are_sparsified_by_their_rows(seed: int) -> None:
    form = build_sequence_form(build_tree(make("random", seed=seed, max_payoff=3, hidden=1.0)))
    operator = structured(form.zero_sum_operator())
    assert operator is not None
    check_exact(operator)
    for player in range(2):
        direct, sparse = build_lp(form, player), build_sparsified_lp(form, player)
        values = []
        for program in (direct, sparse):
            found = solve_highs(program)
            assert found.primal is not None
            values.append(program.objective @ found.primal / program.scale)
            assert certify(form, form.profile_of_plans(program.plans(found))).nash_gap < 1e-9
        assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_floats_are_not_sparsified() -> None:
    form = build_sequence_form(build_tree(make("random", seed=1)))
    payoff = form.zero_sum_operator().to_sparse()
    floats = form.zero_sum().with_operator(SparsePayoff(payoff.matrix))
    with pytest.raises(UnsupportedGameError, match="use the plain program"):
        build_sparsified_lp(floats)


def test_long_rows_that_share_much_are_sparsified_by_themselves() -> None:
    """Of 90 cards against each other a showdown has prefix sums; HiGHS is given what it prefers."""
    form = build_sequence_form(build_tree(kuhn(90)))
    size, build = choose_program(form)
    assert size.nonzeros < form_lp_size(form).nonzeros / 5
    assert build().size == size
    assert choose_program(form, solver="highs")[0] == form_lp_size(form)
    assert choose_program(form, wants_basis=True)[0] == form_lp_size(form)


def test_a_player_that_is_none_is_refused(small: SequenceForm) -> None:
    for function in (build_sparsified_lp, sparsified_lp_size):
        with pytest.raises(InvalidParameterError, match="there is no player 2; use an integer"):
            function(small, 2)
