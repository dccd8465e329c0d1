"""The experiment on bankrolls: what bets are counted, and what models lose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.bankroll import against, first_bets
from experiments.bankroll_models import MODELS, tight
from seqform import make, run_experiment, solve_recursive
from seqform.recursive.solution import RecursiveSolution


@pytest.fixture(scope="module")
def solution() -> RecursiveSolution:
    return solve_recursive(make("one-card-tournament", chips=12, cards=4))


def test_bets_over_all_hands_are_their_mean(solution: RecursiveSolution) -> None:
    for stage, (mine, theirs) in zip(
        solution.graph.stages, solution.profile.behaviors, strict=True
    ):
        hands, often = first_bets(stage, mine, theirs)
        mean = np.mean(list(hands.values())) if hands else 0.0  # all are as likely
        assert often == pytest.approx(mean, abs=1e-8)


def test_models_lose(solution: RecursiveSolution) -> None:
    least = np.array([float(row[0]) for row in solution.proof.lower])
    for make_model in MODELS.values():
        maximal, optimal = against(solution, make_model(solution))
        assert (optimal >= least - 1e-8).all()
        assert (maximal >= optimal - 1e-8).all()
        assert (maximal > least + 1e-3).any()


def test_who_calls_too_seldom_folds_with_the_rest(solution: RecursiveSolution) -> None:
    number = solution.number(6)
    stage = solution.graph.stages[number]
    own, found = (of.behaviors[number][1] for of in (solution.profile, tight(solution)))
    actions = [a for h in range(4) for a in stage.form.origin.actions(1, h)]
    assert actions == ["fold", "call"] * 4
    assert found[2::2] == pytest.approx(own[2::2] / 2)
    assert found[1::2] == pytest.approx(1 - own[2::2] / 2)
    assert (found[2::2] < own[2::2]).any()


def test_rows_and_picture(tmp_path: Path) -> None:
    rows: list[Any] = run_experiment("bankroll", out=tmp_path, quick=True).rows
    assert [row["chips"] for row in rows] == [1, 2, 3, 4, 5]
    assert all(row["status"] == "done" for row in rows)
    assert (tmp_path / "bankroll.png").read_bytes().startswith(b"\x89PNG")
