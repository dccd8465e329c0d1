"""The status follows from the certified nash_gap and the tolerance alone, whatever the solver
says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.signalling import signalling
from seqform import Status, build_sequence_form, build_tree, load, solve
from seqform.solvers.linear import solver as solvers
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus

LARGEST_PAYOFF = 2
"""Of Kuhn poker, in chips."""


@pytest.mark.parametrize("claim", [LPStatus.OPTIMAL, LPStatus.UNPROVEN])
def test_the_tolerance_is_on_the_nash_gap_as_a_share_of_the_largest_payoff(
    monkeypatch: pytest.MonkeyPatch, claim: LPStatus
) -> None:
    def uniform(program: LinearProgram, *_: Any) -> LPSolution:
        one, two = (t.to_plan(t.uniform()) for t in program.game.treeplexes)
        primal = np.concatenate([one, np.zeros(program.num_columns - program.num_plan)])
        return LPSolution(
            claim,
            primal,
            np.concatenate([np.zeros(program.num_equalities), two]),
            "I think so",
            "wrong",
        )

    monkeypatch.setattr(solvers, "solve_program", uniform)
    form = build_sequence_form(build_tree(kuhn()))
    gap = solve(form).nash_gap
    # against a uniform opponent player 0 can win 1/2 and player 1 can win 5/12: each bets its good
    # cards and calls with the right ones
    assert gap == pytest.approx(11 / 12, abs=1e-12)
    assert solve(form, tolerance=1.001 * gap / LARGEST_PAYOFF).status is Status.SOLVED
    assert solve(form, tolerance=0.999 * gap / LARGEST_PAYOFF).status is Status.INACCURATE


@pytest.mark.parametrize(("game", "method"), [(kuhn(), "lp"), (signalling(), "lcp")])
def test_an_equilibrium_in_fractions_is_within_every_tolerance(
    tmp_path: Path, game: Any, method: str
) -> None:
    solution = solve(game, method=method, tolerance=1e-25)
    assert solution.exact is not None
    assert solution.status is Status.SOLVED
    solution.save(tmp_path / "result")
    assert load(tmp_path / "result").status is Status.SOLVED


def test_the_answer_is_the_equilibrium_in_fractions_where_floats_are_not_near(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    well = solvers.solve_program

    def badly(program: LinearProgram, *arguments: Any, **options: Any) -> LPSolution:
        found, uniform = well(program, *arguments, **options), program.game.treeplexes[0]
        assert found.primal is not None
        primal = found.primal.copy()
        plan = primal[: program.num_plan]
        plan += 0.01 * (uniform.to_plan(uniform.uniform()) - plan)
        return replace(found, primal=primal)

    monkeypatch.setattr(solvers, "solve_program", badly)
    form = build_sequence_form(build_tree(kuhn()))
    inexact = solve(form, method="lp", solver="highs", exact=False)
    assert inexact.status is Status.INACCURATE
    assert inexact.nash_gap > 1e-4
    solution = solve(form, method="lp", solver="highs", exact=True)
    assert solution.exact is not None
    assert solution.status is Status.SOLVED
    assert solution.nash_gap < 1e-12
    solution.save(tmp_path / "result")
    assert load(tmp_path / "result").status is Status.SOLVED
