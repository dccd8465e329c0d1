"""Every solver on every small game, judged by the certificate; and solvers that are wrong, found
out by it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.textbook import matching_pennies, rock_paper_scissors, von_stengel
from seqform import Solution, Status, build_sequence_form, build_tree, solve
from seqform.base.errors import InvalidParameterError, SolverError, UnknownNameError
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.linear import solver as solvers
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus

GAMES = {
    "kuhn": kuhn(),
    "kuhn, 4 cards": kuhn(4),
    "kuhn, 6 cards": kuhn(6),
    "leduc": leduc(),
    "leduc, suits merged": leduc(merge_suits=True),
    "leduc, 2 ranks, 3 bets": leduc(2, 2, 3),
    "liar's dice, 3 sides": liars_dice(1, 3),
    "liar's dice, 4 sides": liars_dice(1, 4),
    "liar's dice, 2 dice of 2 sides": liars_dice(2, 2),
    "goofspiel 2": goofspiel(2),
    "goofspiel 3": goofspiel(3),
    "goofspiel 4": goofspiel(4),
    "matching pennies": matching_pennies(),
    "rock, paper, scissors": rock_paper_scissors(),
    "von Stengel": von_stengel(),
}
SOLVERS: dict[str, dict[str, Any]] = {
    "simplex": {"solver": "highs"},
    "ipx": {"solver": "highs", "engine": "ipx"},
    "clarabel": {"solver": "clarabel"},
    "cvxpy": {"solver": "cvxpy"},
    "default": {},
}
GAP = {"simplex": 1e-9, "ipx": 1e-9, "clarabel": 1e-9, "default": 1e-9, "cvxpy": 1e-6}
"""Allowed nash_gap in the game's unit: vertices and Clarabel at our tolerance; cvxpy leaves its
solver at 1e-8."""

FORMS = {name: build_sequence_form(build_tree(game)) for name, game in GAMES.items()}
REFERENCE = {name: solve(form, solver="highs") for name, form in FORMS.items()}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_solves_every_game(name: str, solver: str) -> None:
    solution = solve(FORMS[name], **SOLVERS[solver])
    reference = REFERENCE[name]
    assert solution.status is Status.SOLVED
    assert 0 <= solution.nash_gap < GAP[solver]
    assert solution.lower <= solution.value <= solution.upper
    # both intervals are proven for the same number, so they meet
    assert max(solution.lower, reference.lower) <= min(solution.upper, reference.upper)
    assert solution.certificate is not None
    assert max(max(pair) for pair in solution.certificate.residuals) < 1e-14


@pytest.mark.parametrize(
    ("name", "most"), [("kuhn", 2), pytest.param("leduc", 13, marks=pytest.mark.long)]
)
def test_pdlp_is_judged_by_its_certificate(name: str, most: int) -> None:
    """`most` is what can be lost in the game."""
    solution = solve(FORMS[name], solver="highs", engine="pdlp")
    reference = REFERENCE[name]
    assert solution.status in (Status.SOLVED, Status.INACCURATE)
    assert solution.lower <= reference.upper
    assert reference.lower <= solution.upper
    assert (solution.status is Status.SOLVED) == (solution.nash_gap <= 1e-6 * most)


def test_a_missing_engine_is_named_and_nothing_else_runs() -> None:
    import highspy

    if highspy.Highs().setOptionValue("solver", "hipo") == highspy.HighsStatus.kOk:
        assert solve(FORMS["leduc"], solver="highs", engine="hipo").status is Status.SOLVED
    else:
        with pytest.raises(SolverError, match="hipo"):
            solve(FORMS["leduc"], solver="highs", engine="hipo")


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("solver", ["simplex", "ipx", "clarabel"])
def test_a_time_limit_leaves_nothing_or_what_is_certified(solver: str) -> None:
    form = build_sequence_form(build_tree(liars_dice(1, 5)))
    solution = solve(form, time_limit=1e-6, **SOLVERS[solver])
    assert solution.status is Status.LIMIT
    if solution.profile is None:
        assert solution.certificate is None
        gaps = (solution.nash_gap, solution.exploitability)
        assert all(map(math.isnan, (solution.value, solution.lower, solution.upper, *gaps)))
    else:  # an interior point, before the first steps
        assert solution.lower < 1 / 125 < solution.upper
        assert solution.nash_gap > solution.tolerance * form.payoff_scale


def solve_with(monkeypatch: pytest.MonkeyPatch, form: SequenceForm, change: Any) -> Solution:
    """Solve with a solver whose answer was changed before anybody looks at it."""
    honest = solvers.solve_program

    def wrong(program: LinearProgram, *rest: Any) -> LPSolution:
        return change(program, honest(program, *rest))  # type: ignore[no-any-return]

    monkeypatch.setattr(solvers, "solve_program", wrong)
    return solve(form)


def claim_uniform(program: LinearProgram, answer: LPSolution) -> LPSolution:
    one, two = (t.to_plan(t.uniform()) for t in program.game.treeplexes)
    primal = np.concatenate([one, answer.primal[program.num_plan :]])  # type: ignore[index]
    return LPSolution(
        LPStatus.OPTIMAL,
        primal,
        np.concatenate([np.zeros(program.num_equalities), two]),
        "Optimal",
        "wrong",
    )


def claim_perturbed(program: LinearProgram, answer: LPSolution) -> LPSolution:
    noise = np.random.default_rng(0).random(program.num_columns)
    return LPSolution(
        LPStatus.OPTIMAL, answer.primal + 0.01 * noise, answer.duals, "Optimal", "wrong"
    )  # type: ignore[operator]


def claim_reversed(program: LinearProgram, answer: LPSolution) -> LPSolution:
    return LPSolution(
        LPStatus.OPTIMAL, answer.primal, answer.duals[::-1].copy(), "Optimal", "wrong"
    )  # type: ignore[index]


@pytest.mark.parametrize("change", [claim_uniform, claim_perturbed, claim_reversed])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "liar's dice, 3 sides"])
def test_a_wrong_solver_is_caught(monkeypatch: pytest.MonkeyPatch, name: str, change: Any) -> None:
    solution = solve_with(monkeypatch, FORMS[name], change)
    assert solution.status is Status.INACCURATE
    assert solution.nash_gap > 1e-3
    assert solution.lower <= REFERENCE[name].value <= solution.upper


def test_a_solver_that_fails_gives_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve_with(
        monkeypatch,
        FORMS["kuhn"],
        lambda _, __: LPSolution(LPStatus.FAILED, None, None, "broke down", "wrong"),
    )
    assert solution.status is Status.FAILED
    assert math.isnan(solution.value)


@pytest.mark.parametrize(
    ("options", "error", "word"),
    [
        ({"solver": "gurobi"}, UnknownNameError, "gurobi"),
        ({"method": "guess"}, UnknownNameError, "guess"),
        ({"solver": "clarabel", "engine": "ipx"}, InvalidParameterError, "engine"),
        ({"engine": "ipx"}, InvalidParameterError, "engine"),
        ({"solver": "highs", "engine": "warp"}, UnknownNameError, "warp"),
        ({"solver": "cvxpy", "engine": "nosuch"}, UnknownNameError, "nosuch"),
        ({"solver": "cvxpy", "time_limit": 1}, InvalidParameterError, "time limit"),
        ({"time_limit": 0}, InvalidParameterError, "time_limit"),
        ({"time_limit": math.nan}, InvalidParameterError, "time_limit"),
        ({"tolerance": -1}, InvalidParameterError, "tolerance"),
        ({"threads": 0}, InvalidParameterError, "threads"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: dict[str, Any], error: type[Exception], word: str
) -> None:
    with pytest.raises(error, match=word):
        solve(FORMS["kuhn"], **options)
