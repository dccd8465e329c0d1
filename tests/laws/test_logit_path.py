"""The path of logit equilibria: against a slow response by walking the tree, and Gambit's."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from games.kuhn import kuhn
from games.random_games import random_game
from seqform import TreeBuilder, build_sequence_form, build_tree, make, solve
from seqform.base.errors import InvalidParameterError, NotForThisGameError
from seqform.form.sequence_form import SequenceForm
from seqform.methods.problem import Problem
from seqform.methods.qre import QRE
from seqform.results.status import Status
from seqform.solvers.continuation import DENSE_UP_TO, Bordered, follow, start
from seqform.solvers.logit_response import LogitResponse
from seqform.tree.tree import GameTree
from tests.command_line import call, process
from tests.examples import examples
from tests.one_shot_games import one_shot
from tests.reference.logit import logit_response
from tests.reference.oracles import tree_behavior
from tests.strategies import games, trees


def at(tree: GameTree, lam: float) -> Any:
    """Return the logit equilibrium of the path at a lambda, laid out on the tree."""
    solution = solve(tree, method="qre", lambda_end=lam)
    assert solution.message.startswith(f"logit path to lambda {lam:.6g}"), solution.message
    return tree_behavior(solution.game, solution.profile.behaviors)


def assert_same(mine: Any, theirs: Any, accuracy: float) -> None:
    for ours, other in zip(mine, theirs, strict=True):
        assert ours == pytest.approx(other, abs=accuracy)


@given(trees(players=(1, 2, 3), zero_sum=(True, False), depth=4), st.sampled_from([0.0, 0.3, 2.0]))
@examples(12, 25)
def test_points_are_responses_to_themselves(tree: GameTree, share: float) -> None:
    lam = share / (tree.largest_payoff or 1.0)
    found = at(tree, lam)
    assert_same(found, logit_response(tree, found, lam), 1e-8)


def test_at_zero_everybody_is_uniform() -> None:
    tree = random_game(4, players=3, zero_sum=False)
    assert_same(at(tree, 0.0), [[1 / n] * n for n in tree.infoset_num_actions.tolist()], 1e-15)


@given(trees(players=(2, 3), zero_sum=(True, False), depth=4), st.integers(0, 1000))
@settings(max_examples=15)
def test_derivatives_are_those_of_the_residual(tree: GameTree, seed: int) -> None:
    curve = LogitResponse(build_sequence_form(tree))
    z = curve.start() + 0.1 * np.random.default_rng(seed).standard_normal(curve.size + 1)
    matrix = curve.derivative(z).toarray()
    for column in range(len(z)):
        step = np.zeros(len(z))
        step[column] = 1e-6
        difference = (curve.residual(z + step) - curve.residual(z - step)) / 2e-6
        assert matrix[:, column] == pytest.approx(difference, abs=1e-6)


def pennies(win: int) -> GameTree:
    """Return matching pennies in which player 0 wins more by one side."""
    return one_shot(
        (2, 2), lambda moves: (win if moves == (0, 0) else 1, 0) if moves[0] == moves[1] else (0, 1)
    )


def test_asymmetric_matching_pennies() -> None:
    """Of a 2 x 2 game one equation is left (Goeree & Holt, AER 91, 2001, play this one)."""
    lam, win = 0.7, 9

    def q(p: float) -> float:
        return float(1 / (1 + np.exp(-lam * ((1 - p) - p))))

    p = brentq(lambda p: p - 1 / (1 + np.exp(-lam * (win * q(p) - (1 - q(p))))), 0, 1, xtol=1e-15)
    assert_same(at(pennies(win), lam), [[p, 1 - p], [q(p), 1 - q(p)]], 1e-10)


def test_gambit_finds_the_same() -> None:
    pygambit = pytest.importorskip("pygambit", minversion="17.0.0b2")
    from tests.reference.gambit import game_of

    for tree in (build_tree(kuhn()), random_game(11, players=3, depth=4, zero_sum=False)):
        game = game_of(tree)
        for lam in (0.2, 1.0):
            theirs = pygambit.qre.logit_solve_lambda(game, lam)[0].profile
            mine = at(tree, lam)
            assert_same(mine, logit_response(tree, mine, lam), 1e-9)
            values = [theirs.payoffs[p] for p in game.players]
            ours = solve(tree, method="qre", lambda_end=lam).values
            assert ours == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("factor", [Fraction(1, 3), 1000])
def test_scaled_payoffs_scale_lambda(factor: Any) -> None:
    plain = one_shot((2, 2), lambda m: (m[0] * 3 + m[1], 5 * m[0] * m[1]))
    scaled = one_shot((2, 2), lambda m: (factor * (m[0] * 3 + m[1]), factor * 5 * m[0] * m[1]))
    assert_same(at(plain, 1.0), at(scaled, 1.0 / float(factor)), 1e-9)


def test_permuted_players_play_the_same() -> None:
    def payoffs(moves: tuple[int, ...]) -> tuple[int, ...]:
        a, b, c = moves
        return (a * b - c, 2 * b * (1 - c), 3 * a * c - b)

    def turned(moves: tuple[int, ...]) -> tuple[int, ...]:
        b, c, a = moves
        first, second, third = payoffs((a, b, c))
        return second, third, first

    mine, theirs = at(one_shot((2, 2, 2), payoffs), 1.5), at(one_shot((2, 2, 2), turned), 1.5)
    assert_same(mine, [theirs[2], theirs[0], theirs[1]], 1e-9)


def test_a_bifurcation_is_said() -> None:
    """Pure coordination: from lambda 2 on the uniform equilibrium is one of three."""
    game = one_shot((2, 2), lambda moves: (int(moves[0] == moves[1]),) * 2)
    solution = solve(game, method="qre")
    where = solution.message.split("a bifurcation between lambda ")[1].split(",")[0]
    before, after = map(float, where.split(" and "))
    assert before <= 2 <= after
    assert solution.exact.values == (Fraction(1, 2),) * 2


def test_turning_points_are_passed_and_said() -> None:
    game = random_game(3, depth=7, zero_sum=False)
    solution = solve(game, method="qre")
    assert solution.message.count("a turning point") == 2
    assert solution.exact is not None


def test_dense_and_sparse_factors_agree() -> None:
    rng = np.random.default_rng(0)
    import scipy.sparse as sp

    for size in (5, 40):
        matrix = sp.random_array((size, size + 1), density=0.4, rng=rng) + sp.eye_array(
            size, size + 1
        )
        border = rng.standard_normal(size + 1)
        dense, sparse = Bordered(sp.csr_array(matrix), border), object.__new__(Bordered)
        sparse._sparse(sp.csc_array(sp.vstack([matrix, border[None, :]])))
        right = rng.standard_normal(size + 1)
        assert dense.solve(right) == pytest.approx(sparse.solve(right), abs=1e-9)
        full = np.vstack([matrix.toarray(), border])
        assert dense.sign == sparse.sign == np.sign(np.linalg.det(full))


def test_a_large_game_goes_by_sparse_factors() -> None:
    game = random_game(2, players=3, depth=11, zero_sum=False)
    form = build_sequence_form(game)
    curve = LogitResponse(form)
    assert curve.size > DENSE_UP_TO
    points = follow(curve, start(curve, curve.start()))
    last = [next(points) for _ in range(4)][-1]
    lam = last.parameter / form.payoff_scale
    found = tree_behavior(form, curve.behaviors(last.z))
    assert_same(found, logit_response(game, found, lam), 1e-8)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"lambda_end": -1}, "lambda_end=-1"),
        ({"lambda_end": float("nan")}, "lambda_end=nan"),
        ({"lambda_end": "far"}, "lambda_end='far'"),
        ({"steps": 0}, "steps=0"),
        ({"gap": 0}, "gap=0"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        solve(kuhn(), method="qre", **options)


def test_a_form_without_a_tree_is_refused() -> None:
    solution = solve(kuhn(), abstract="equitable")
    small: SequenceForm = solution.abstract.game
    assert small.tree is None
    assert "needs the game's tree" in str(QRE.accepts(Problem(small)))
    with pytest.raises(NotForThisGameError, match="needs the game's tree"):
        solve(small, method="qre")


def test_limits_end_the_path() -> None:
    solution = solve(build_tree(kuhn(players=3)), method="qre", steps=3)
    assert solution.iterations == 3
    assert "stopped by the limit of steps" in solution.message
    assert solution.status in (Status.LIMIT, Status.SOLVED)


def test_a_path_without_moves() -> None:
    builder = TreeBuilder(3)
    builder.terminal(builder.root, (1, 2, 3))
    assert solve(builder.freeze(), method="qre").values == pytest.approx((1, 2, 3))


@examples(5, 15)
@given(games(players=(2, 3), zero_sum=(True, False), depth=3), st.permutations([0.0, 0.3, 0.31, 2]))
def test_several_lambdas_are_met_on_one_path(form, lambdas) -> None:
    """Each as if it were asked for alone, in the order in which they were given."""
    together = solve(form, method="qre", lambda_end=lambdas)
    if together.status.name == "LIMIT":
        return
    assert [point.parameter for point in together.path] == lambdas
    for point in together.path:
        alone = solve(form, method="qre", lambda_end=point.parameter)
        assert alone.path == ()
        for mine, theirs in zip(point.profile.behaviors, alone.profile.behaviors, strict=True):
            assert mine == pytest.approx(theirs, abs=1e-8)
        assert point.values == pytest.approx(alone.values, abs=1e-7)
    last = together.path[lambdas.index(2)].profile
    for mine, theirs in zip(together.profile.behaviors, last.behaviors, strict=True):
        assert mine.tolist() == theirs.tolist()


def test_several_lambdas_on_the_command_line() -> None:
    record = json.loads(call("solve", "kuhn", "--method", "qre", "--lambda", "2,0.5", "--json"))
    assert [point["lambda"] for point in record["path"]] == [2.0, 0.5]
    assert record["asked"]["lambda_end"] == "2.0,0.5"
    assert record["status"] == "reached"
    bets = [point["strategies"]["0"]["J:"]["bet"] for point in record["path"]]
    alone = solve(make("kuhn"), method="qre", lambda_end=2.0)
    assert bets[0] == pytest.approx(alone.profile[0, "J:", "bet"], abs=1e-8)
    for wrong in ("1,x", ""):
        answer = process("solve", "kuhn", "--method", "qre", "--lambda", wrong)
        assert answer.returncode == 2
    with pytest.raises(InvalidParameterError, match=r"lambda_end=\(\): give a number"):
        solve(make("kuhn"), method="qre", lambda_end=())
    with pytest.raises(InvalidParameterError, match="use a number from 0 on"):
        solve(make("kuhn"), method="qre", lambda_end=[1, -1])


def test_the_short_answer_has_a_row_for_each_lambda() -> None:
    text = call("solve", "kuhn", "--method", "qre", "--lambda", "2,0.5")
    assert [line.split()[2] for line in text.splitlines() if "at lambda" in line] == ["2", "0.5"]
