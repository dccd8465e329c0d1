"""The experiment on bankrolls: what bets are counted, and what models lose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.bankroll import against_model, first_bets
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
    for does in ("fold", "call"):
        maximal, optimal = against_model(solution, does)
        least = np.array([float(row[0]) for row in solution.proof.lower])
        assert (optimal >= least - 1e-8).all()
        assert (maximal >= optimal - 1e-8).all()
    assert (maximal > least + 0.01).any()


def test_rows_and_picture(tmp_path: Path) -> None:
    rows: list[Any] = run_experiment("bankroll", out=tmp_path, quick=True).rows
    assert [row["chips"] for row in rows] == [1, 2, 3, 4, 5]
    assert all(row["status"] == "done" for row in rows)
    assert (tmp_path / "bankroll.png").read_bytes().startswith(b"\x89PNG")
