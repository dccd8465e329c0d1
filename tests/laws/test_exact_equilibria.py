"""Exact equilibria: the value that enumeration gives, proven by walking the tree in fractions; and
never a proof of what is not so."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from games.random_games import random_game
from seqform import TreeBuilder, build_sequence_form, build_tree, solve
from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    SolverError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.exact.basis import Basis, IntegerProgram
from seqform.exact.plan_proof import prove_equilibrium
from seqform.solvers.linear import rational_vertex as exact
from seqform.solvers.linear.program import build_lp
from seqform.solvers.linear.rational_vertex import exact_equilibrium
from seqform.solvers.linear.solver import LPOptions, solve_program
from seqform.tree.tree import GameTree
from tests.intervals import LEDUC
from tests.one_choice import check_equilibrium, choice_of_floats, near_tie
from tests.rebuilt import rebuild
from tests.reference import oracles
from tests.reference.exact_values import exact_value
from tests.strategies import trees

NEAR = {
    "as they are": lambda u, _: Fraction(u),
    "large and nearly equal": lambda u, rng: (
        10**6 + Fraction(u) + Fraction(rng.randint(0, 3), 10**9)
    ),
    "apart by 1e-20": lambda u, rng: Fraction(u) + Fraction(rng.randint(-2, 2), 10**20),
    "over 2**30": lambda u, rng: Fraction(u) * Fraction(2) ** rng.randint(-15, 15),
}


def with_payoffs(tree: GameTree, kind: str, seed: int) -> GameTree:
    rng = random.Random(seed)

    def payoffs(_: int, row: Any) -> tuple[Fraction, Fraction]:
        value = NEAR[kind](row[0], rng)
        return value, -value

    return rebuild(tree, payoffs)


@given(
    trees(depth=4),
    st.sampled_from(sorted(NEAR)),
    st.integers(0, 10**6),
    st.sampled_from(["simplex", "ipx"]),
)
def test_the_value_is_that_of_enumeration(
    tree: GameTree, kind: str, seed: int, engine: str
) -> None:
    assume(all(oracles.num_pure_strategies(tree, player) <= 12 for player in (0, 1)))
    tree = with_payoffs(tree, kind, seed)
    value = exact_value(tree)
    try:
        solution = solve(tree, exact=True, solver="highs", engine=engine)
    except SolverError:
        assert kind != "as they are"  # HiGHS refuses entries that span too many magnitudes
        return
    if solution.exact is None:  # then nothing false may be said either
        assert kind != "as they are"
        assert solution.bracket is None or solution.bracket.lower <= value <= solution.bracket.upper
        assert solution.proof != "exact"
        return
    assert solution.exact.value == value
    assert solution.proof == "exact"
    check_equilibrium(solution.game, solution.exact)


@given(trees(depth=6))
def test_both_players_programs_give_one_value(tree: GameTree) -> None:
    game = build_sequence_form(tree)
    found = []
    for player in (0, 1):
        program = build_lp(game, player)
        found.append(exact_equilibrium(program, solve_program(program, "highs", LPOptions()).basis))
        check_equilibrium(game, found[-1])
    assert found[0].value == found[1].value


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("engine", ["simplex", "ipx"])
def test_leduc_digit_by_digit(player: int, engine: str) -> None:
    game = build_sequence_form(build_tree(leduc()))
    program = build_lp(game, player)
    found = exact_equilibrium(program, solve_program(program, "highs", LPOptions(engine)).basis)
    assert found.value == LEDUC
    check_equilibrium(game, found)


@pytest.mark.parametrize("player", [0, 1])
def test_the_optimum_of_either_program_is_the_value_to_its_player(player: int) -> None:
    """By the primal and by the dual, which are two systems."""
    program = build_lp(build_sequence_form(build_tree(kuhn())), player)
    basis = solve_program(program, "highs", LPOptions()).basis
    assert basis is not None
    integers = IntegerProgram(program.game, player)
    solution = integers.solve(basis)
    value = Fraction(-1 if player == 0 else 1, 18)
    below = [whole * integers.denominator for whole in solution.denominators]
    assert Fraction(solution.primal[program.num_plan], below[0]) == value
    assert Fraction(-solution.duals[0], below[1]) == value
    sums = (integers.matrix @ solution.primal)[: program.num_equalities]
    assert sums.tolist() == [solution.denominators[0]] + [0] * 6


def test_a_tie_that_floats_see_is_none() -> None:
    assert solve(near_tie(), method="lp").exact is not None
    program = build_lp(build_sequence_form(near_tie()))
    # each action's basis in turn: two of them are optimal to HiGHS, not here
    for first in range(3):
        columns = np.array([True, *(action == first for action in range(3)), True])
        basis = Basis(columns, np.zeros(program.num_rows, dtype=bool))
        assert exact_equilibrium(program, basis).value == 1 + Fraction(1, 10**12)


def test_a_basis_that_is_not_optimal_is_refined(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def refine(*arguments: Any) -> Basis:
        rounds.append(arguments)
        return original(*arguments)

    original = exact.refined_basis
    monkeypatch.setattr(exact, "refined_basis", refine)
    proven = 0
    for seed in range(30):
        for kind in ("large and nearly equal", "apart by 1e-20"):
            tree = with_payoffs(random_game(seed=seed, depth=6, max_payoff=3), kind, seed)
            before = len(rounds)
            try:
                program = build_lp(build_sequence_form(tree))
                found = exact_equilibrium(
                    program, solve_program(program, "highs", LPOptions()).basis
                )
            except SolverError:
                continue
            check_equilibrium(program.game, found)
            proven += len(rounds) > before
    assert proven > 1


def test_a_corrupted_basis_proves_nothing_false(monkeypatch: pytest.MonkeyPatch) -> None:
    program = build_lp(build_sequence_form(build_tree(kuhn())))
    basis = solve_program(program, "highs", LPOptions()).basis
    assert basis is not None
    monkeypatch.setattr(exact, "refined_basis", lambda _program, _integers, basis, _solution: basis)
    refused = 0
    for column in np.flatnonzero(basis.columns):
        for row in np.flatnonzero(~basis.rows):
            columns, rows = basis.columns.copy(), basis.rows.copy()
            columns[column], rows[row] = False, True
            try:
                assert exact_equilibrium(program, Basis(columns, rows)).value == Fraction(-1, 18)
            except SolverError:
                refused += 1
    assert refused > 100
    with pytest.raises(SolverError, match="without an optimal basis"):
        exact_equilibrium(program, None)


@given(trees(depth=5), st.integers(0, 10**6), st.sampled_from([1, -1]), st.sampled_from([0, 1]))
def test_a_plan_that_is_one_unit_off_is_refused(
    tree: GameTree, where: int, unit: int, player: int
) -> None:
    solution = solve(tree, method="lp")
    found = solution.exact
    assert found is not None
    plans = [plan.copy() for plan in found.plans]
    plans[player][where % len(plans[player])] += unit
    with pytest.raises(InvalidStrategyError, match=f"player {player}, "):
        prove_equilibrium(solution.game, (plans[0], plans[1]), found.denominators)
    wholes = [whole + unit * (player == index) for index, whole in enumerate(found.denominators)]
    with pytest.raises(InvalidStrategyError):
        prove_equilibrium(solution.game, found.plans, (wholes[0], wholes[1]))


def test_plans_that_are_not_optimal_are_refused() -> None:
    game = build_sequence_form(build_tree(kuhn()))
    even = [np.array([4] + [0] * 12, dtype=object) for _ in range(2)]
    for treeplex, plan in zip(game.treeplexes, even, strict=True):
        for h in range(treeplex.num_infosets):
            first = int(treeplex.first_sequence[h])
            plan[first] = plan[first + 1] = int(plan[treeplex.parent_sequence[h]]) // 2
    with pytest.raises(VerificationError, match="not an equilibrium"):
        prove_equilibrium(game, (even[0], even[1]), (4, 4))
    found = solve(kuhn()).exact
    assert found is not None
    with pytest.raises(VerificationError, match="not an equilibrium"):
        prove_equilibrium(game, (found.plans[0], even[1]), (found.denominators[0], 4))
    with pytest.raises(InvalidStrategyError, match="Python ints"):
        prove_equilibrium(game, (found.plans[0] + Fraction(0), found.plans[1]), found.denominators)


def test_what_cannot_be_proven_is_bracketed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise SolverError("no basis")

    monkeypatch.setattr("seqform.methods.when_exact.proven_equilibrium", fail)
    solution = solve(kuhn())
    assert (solution.exact, solution.proof) == (None, "bracketed")
    assert solution.bracket is not None
    assert solution.bracket.lower <= Fraction(-1, 18) <= solution.bracket.upper
    assert "no basis" in solution.message
    assert solution.status.name == "SOLVED"


def test_payoffs_that_highs_would_drop_are_bracketed() -> None:
    b = TreeBuilder(2)
    for row, node in enumerate(b.decision(b.root, 0, "rows", ["0", "1"])):
        for column, leaf in enumerate(b.decision(node, 1, "columns", ["0", "1"])):
            payoff = [10**40, 1][row] * (row == column)
            b.terminal(leaf, (payoff, -payoff))
    tree = b.freeze()
    for options in ({"exact": None}, {"exact": True, "solver": "highs"}):
        with pytest.raises(SolverError, match="too many magnitudes for HiGHS"):
            solve(tree, **options)
    solution = solve(tree, exact=True)
    assert (solution.proof, solution.method) == ("bracketed", "lp/clarabel")
    assert solution.bracket is not None
    assert solution.bracket.lower <= Fraction(10**40, 10**40 + 1) <= solution.bracket.upper
    assert "too many magnitudes" in solution.message


def test_floats_never_reach_the_lift(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> None:
        raise AssertionError("floats were to be made exact")

    monkeypatch.setattr("seqform.methods.when_exact.proven_equilibrium", never)
    solution = solve(choice_of_floats())
    assert (solution.status.name, solution.proof) == ("SOLVED", None)
    monkeypatch.setattr("seqform.solvers.linear.solver.solve_program", never)
    with pytest.raises(UnsupportedGameError, match="int or Fraction"):
        solve(choice_of_floats(), exact=True)
    with pytest.raises(UnsupportedGameError, match="R10"):
        solve(random_game(zero_sum=False), method="lp", exact=True)
    for number in (float("nan"), float("inf")):
        b = TreeBuilder(2)
        with pytest.raises(InvalidGameError, match="not finite"):
            b.terminal(b.root, (number, -number))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"method": "dcfr"}, "'dcfr' has no option 'exact'"),
        ({"polish": True}, "an exact equilibrium comes from"),
        ({"solver": "clarabel"}, "an exact equilibrium comes from"),
        ({"solver": "highs", "engine": "pdlp"}, "an exact equilibrium comes from"),
    ],
)
def test_options_that_lead_to_no_basis_are_refused(options: dict[str, Any], word: str) -> None:
    with pytest.raises(InvalidParameterError, match=word):
        solve(kuhn(), exact=True, **options)


def test_exact_is_left_out_where_it_was_not_asked_for() -> None:
    assert solve(kuhn(), exact=False).proof is None
    assert solve(kuhn(), method="dcfr").proof is None
    assert solve(kuhn(), solver="clarabel").proof is None
    assert solve(kuhn(), exact=True, time_limit=1e-9).proof is None
