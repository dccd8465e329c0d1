"""Laws of the linear program on random zero-sum games: how its value changes, and who agrees on
it."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seqform import TreeBuilder, build_sequence_form, build_tree, expand, make, solve
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import TERMINAL
from seqform.solvers.linear import highs
from seqform.solvers.linear.program import build_lp, scaled_payoffs
from seqform.solvers.linear.slide_program import build_slide_lp
from seqform.tree.tree import NODE_COLUMNS, GameTree
from tests.examples import examples
from tests.rebuilt import rebuild
from tests.reference import oracles
from tests.strategies import games, trees

SIMPLEX = 1e-9
"""HiGHS's simplex method ends at a vertex, exact up to rounding on payoffs of at most a few
thousand."""


def value(tree: GameTree) -> float:
    solution = solve(tree, solver="highs")
    assert solution.nash_gap < SIMPLEX
    return solution.value


@given(trees(), st.sampled_from([Fraction(1, 3), 2, 7, Fraction(22, 7)]))
def test_scaling_payoffs_scales_the_value(tree: GameTree, factor: Fraction) -> None:
    assert value(rebuild(tree, lambda _, row: [factor * u for u in row])) == pytest.approx(
        float(factor) * value(tree), abs=SIMPLEX
    )


@given(trees(), st.integers(-50, 50), st.integers(-50, 50))
def test_shifting_payoffs_shifts_the_value_and_leaves_a_constant_sum(
    tree: GameTree, first: int, second: int
) -> None:
    shifted = rebuild(
        tree,
        lambda node, row: (
            [row[0] + first, row[1] + second] if tree.player[node] == TERMINAL else row
        ),
    )
    solution = solve(shifted, solver="highs")
    assert solution.game.constant_sum == first + second
    assert solution.value == pytest.approx(value(tree) + first, abs=SIMPLEX)
    assert solution.certificate is not None
    assert sum(solution.certificate.values) == pytest.approx(first + second, abs=SIMPLEX)


@given(trees())
def test_exchanging_the_players_negates_the_value(tree: GameTree) -> None:
    exchanged = rebuild(tree, lambda _, row: row[::-1], lambda p: 1 - p)
    assert value(exchanged) == pytest.approx(-value(tree), abs=SIMPLEX)


@given(trees(), st.integers(0, 100))
def test_the_order_of_actions_does_not_matter(tree: GameTree, seed: int) -> None:
    permuted = rebuild(
        tree,
        order=lambda infoset, n: np.random.default_rng([seed, infoset]).permutation(n).tolist(),
    )
    assert value(permuted) == pytest.approx(value(tree), abs=SIMPLEX)


@given(trees())
def test_what_an_inner_node_pays_is_what_all_its_leaves_pay(tree: GameTree) -> None:
    assert value(rebuild(tree, interior=False)) == pytest.approx(value(tree), abs=SIMPLEX)


def test_an_outcome_on_an_interior_node_adds_up() -> None:
    b = TreeBuilder(2)
    left, right = b.decision(b.root, 0, "h", ["left", "right"])
    b.reward(b.root, (Fraction(1, 2), Fraction(-1, 2)))
    b.reward(left, (10, -10))
    (end,) = b.decision(left, 1, "k", ["on"])
    b.terminal(end, (-3, 3))
    b.terminal(right, (5, -5))
    assert value(b.freeze()) == pytest.approx(7.5, abs=1e-12)


@given(games())
def test_both_players_programs_have_the_same_optimum(game: SequenceForm) -> None:
    from seqform.solvers.linear.highs import solve_highs

    optima = []
    for player in (0, 1):
        program = build_lp(game, player)
        answer = solve_highs(program)
        assert answer.primal is not None
        optima.append(program.objective @ answer.primal / program.scale)
        x, y = program.plans(answer)
        assert (len(x), len(y)) == program.game.zero_sum_operator().shape
    assert optima[0] == pytest.approx(-optima[1], abs=SIMPLEX)


@given(games())
def test_programs_as_slides_print_them_are_duals_worth_the_value(game: SequenceForm) -> None:
    from seqform.solvers.linear.highs import solve_highs

    first, second = (build_slide_lp(game, player) for player in (0, 1))
    assert first.scale == second.scale
    turned = second.matrix.toarray().T
    turned[: second.game.treeplexes[1].num_sequences] *= -1  # rows of y are printed as >= 0
    assert (first.matrix.toarray() == turned).all()
    assert (first.row_names(), first.column_names()) == (
        second.column_names(),
        second.row_names(),
    )
    worth = solve(game, solver="highs").value
    for program, sign in ((first, 1), (second, -1)):
        answer = solve_highs(program)
        assert answer.primal is not None
        optimum = sign * (program.objective @ answer.primal) / program.scale
        assert optimum == pytest.approx(worth, abs=SIMPLEX)
        plan = answer.primal[: game.treeplexes[program.player].num_sequences]
        E, e = game.treeplexes[program.player].constraints()
        assert pytest.approx(e, abs=SIMPLEX) == E @ plan


@given(trees(depth=4))
def test_the_value_is_that_of_the_normal_form(tree: GameTree) -> None:
    assume(all(oracles.num_pure_strategies(tree, player) <= 64 for player in (0, 1)))
    # the tolerance is scipy's own for feasibility, on payoffs of 1,000
    assert value(tree) == pytest.approx(oracles.normal_form_value(tree), abs=1e-7)


@examples(12, 25)
@given(trees())
def test_all_backends_agree(tree: GameTree) -> None:
    exact = solve(tree, solver="highs")
    scale = max([1.0, *(abs(float(u)) for row in tree.payoffs for u in row)])
    for options in (
        {"solver": "clarabel"},
        {"solver": "cvxpy"},
        {"solver": "highs", "engine": "ipx"},
    ):
        other = solve(tree, **options)  # type: ignore[arg-type]
        # intervals are proven, so they must meet; interior points at cvxpy's 1e-8 are a little less
        # sharp
        assert max(exact.lower, other.lower) <= min(exact.upper, other.upper)
        assert other.nash_gap <= 1e-5 * scale


@given(games())
def test_programs_of_exact_games_hold_integers_only(game: SequenceForm) -> None:
    matrix, scale = scaled_payoffs(game.zero_sum_operator())
    assert (matrix.data == np.round(matrix.data)).all()
    assert matrix.data / scale == pytest.approx(game.zero_sum_operator().to_csr().data, rel=1e-15)


@pytest.mark.parametrize("magnitude", [1e-290, 1e-12, 1.0, 1e12, 1e290])
def test_scaling_keeps_entries_where_solvers_keep_them(magnitude: float) -> None:
    b = TreeBuilder(2)
    for i, first in enumerate(b.decision(b.root, 0, "x", ["a", "b"])):
        for j, second in enumerate(b.decision(first, 1, "y", ["c", "d"])):
            payoff = magnitude * (1 + i + j) * (-1) ** (i + j)
            b.terminal(second, (payoff, -payoff))
    tree = b.freeze()
    solution = solve(tree, solver="highs")
    # [[1, -2], [-2, 3]] has value -1/8
    assert solution.value == pytest.approx(-magnitude / 8, rel=1e-9)


class AsRules:
    """A tree read back as the rules of an implicit game; states are node numbers."""

    def __init__(self, tree: GameTree) -> None:
        self.tree, self.num_players = tree, tree.num_players

    def root(self) -> int:
        return 0

    def player(self, node: int) -> int:
        return int(self.tree.player[node])

    def actions(self, node: int) -> list[Any]:
        return [self.tree.labels[self.tree.label[c]] for c in self.tree.children(node)]

    def chance(self, node: int) -> list[Any]:
        return [
            (
                self.tree.labels[self.tree.label[c]],
                self.tree.probabilities[self.tree.probability[c]],
            )
            for c in self.tree.children(node)
        ]

    def child(self, node: int, action: object) -> int:
        return self.tree.children(node)[self.actions(node).index(action)]

    def infoset(self, node: int) -> int:
        return int(self.tree.infoset[node])

    def payoffs(self, node: int) -> Any:
        return self.tree.payoffs[self.tree.payoff[node]]

    def rewards(self, node: int) -> Any:
        return self.tree.payoffs[self.tree.payoff[node]] if self.tree.payoff[node] >= 0 else None


@given(trees(players=(1, 2, 3), zero_sum=(True, False)))
def test_expanding_the_rules_of_a_tree_gives_the_tree(tree: GameTree) -> None:
    again = expand(AsRules(tree))
    for column in ("parent", "first_child", "num_children", "player", "level_start"):
        assert np.array_equal(getattr(again, column), getattr(tree, column))
    assert len(NODE_COLUMNS) == 8
    for node in range(tree.num_nodes):
        assert again.path(node) == tree.path(node)
        assert (again.payoff[node] < 0) == (tree.payoff[node] < 0)
        if tree.payoff[node] >= 0:
            assert again.payoffs[again.payoff[node]] == tree.payoffs[tree.payoff[node]]
        if tree.player[node] >= 0:
            assert again.infoset_labels[again.infoset[node]] == tree.infoset[node]
        if tree.probability[node] >= 0:
            expected = tree.probabilities[tree.probability[node]]
            assert again.probabilities[again.probability[node]] == expected
    assert [t.num_sequences for t in build_sequence_form(again).treeplexes] == [
        t.num_sequences for t in build_sequence_form(tree).treeplexes
    ]


@given(trees())
@settings(max_examples=20)
def test_a_brief_program_is_solved_alike_in_this_thread_and_in_another(tree: GameTree) -> None:
    program = build_lp(build_sequence_form(tree))
    with patch.object(highs, "BRIEFLY", {}):
        here = highs.solve_highs(program)
    with patch.object(highs, "BRIEF", -1):
        beside = highs.solve_highs(program)
    assert (here.status, here.iterations) == (beside.status, beside.iterations)
    np.testing.assert_array_equal(here.primal, beside.primal)
    np.testing.assert_array_equal(here.duals, beside.duals)


def test_a_brief_program_needs_no_thread_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    beside = highs.run_highs
    monkeypatch.setattr(highs, "run_highs", lambda model: begun.append(1) or beside(model))
    highs.solve_highs(build_lp(build_sequence_form(build_tree(make("kuhn")))))
    assert not begun
    highs.solve_highs(build_lp(build_sequence_form(build_tree(make("leduc")))))
    assert begun == [1]


@given(trees())
@settings(max_examples=20)
def test_entries_of_constraints_come_sorted_by_rows_or_by_columns(tree: GameTree) -> None:
    for treeplex in build_sequence_form(tree).treeplexes:
        expected, _ = treeplex.constraints()
        for by_row in (True, False):
            rows, columns, values = treeplex.constraint_entries(by_row)
            dense = np.zeros(expected.shape)
            dense[rows, columns] = values
            np.testing.assert_array_equal(dense, expected.toarray())
            major, minor = (rows, columns) if by_row else (columns, rows)
            for line in range(expected.shape[0 if by_row else 1]):
                assert (np.diff(minor[major == line]) > 0).all()


FORK = """
import os, signal
from seqform import make, solve
solve(make("kuhn"), threads=2)
child = os.fork()
if not child:
    signal.alarm(8)
    solve(make("kuhn"))
    solve(make("leduc"), abstract=None)
    solve(make("kuhn"), threads=2)
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""


def test_a_process_that_is_forked_after_a_brief_program_solves_another() -> None:
    """Threads are not forked: HiGHS would wait for those of its pool for ever."""
    command = [sys.executable, "-W", "ignore", "-c", FORK]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


@pytest.mark.parametrize(
    "by",
    [
        {"method": "lp", "solver": "highs"},
        {"method": "lp", "solver": "cvxpy"},
        {"method": "lp", "solver": "cvxpy", "engine": "HIGHS"},
        {"method": "mip", "solver": "highs"},
    ],
)
def test_nothing_is_printed(by: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    """HiGHS 1.16 prints its name as soon as one is made, by whomever."""
    solve(make("kuhn"), **by)
    assert capfd.readouterr() == ("", "")
