"""The experiment on linear programs: its quick version, its table, and what is kept of a table that
is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import linear_programs
from experiments.linear_programs import DEFAULT, LARGE, QUICK, Case, merged, rows_in, solved
from experiments.tables import RESULTS, Row, save, save_markdown


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("linear_programs")
    linear_programs.main(["--quick", "--out", str(folder)])
    return folder


def test_all_programs_of_a_deck_have_one_value(made: Path) -> None:
    rows = rows_in(made / "linear_programs.csv")
    assert [row["form"] for row in rows] == ["materialised"] * 2 + ["sparsified"] * 2
    assert [row["claim"] for row in rows] == ["Optimal", "Solved"] * 2
    for row in rows:
        lower, upper, gap = (
            float(row[name] or 0) for name in ("value_lower", "value_upper", "nash_gap")
        )
        assert 0 <= gap < 1e-9
        assert upper - lower <= gap + 1e-15
        assert row["objective"] == pytest.approx(-0.162257496, abs=1e-8)
        assert row["rows"] == row["columns"]
        assert float(row["peak_mb"] or 0) > 10
    assert len((made / "linear_programs.md").read_text().splitlines()) == 2 + len(rows)


def test_a_solver_that_is_stopped_proves_what_its_point_proves() -> None:
    stopped = solved(Case(3, 2, "sparsified", "simplex", 1e-9, time_limit=1e-6, max_bets=1))
    assert (stopped["claim"], stopped["objective"], stopped["nash_gap"]) == (
        "Time limit reached",
        None,
        None,
    )
    loose = solved(Case(3, 2, "sparsified", "clarabel", 1e-2, max_bets=1))
    assert loose["claim"] == "Solved"
    assert float(loose["nash_gap"] or 0) > 1e-3


def test_rows_are_replaced_and_ordered(tmp_path: Path) -> None:
    new: list[Row] = [
        case.key | {"claim": "new", "nash_gap": None, "rows": 7, "cpu_seconds": 0.5}
        for case in (DEFAULT[4], QUICK[0])
    ]
    rows = merged(merged([], new[0]), new[1])
    assert rows == new[::-1]
    assert merged(rows, new[0] | {"claim": "newer"}) == [new[1], new[0] | {"claim": "newer"}]
    save(tmp_path / "x.csv", rows)
    assert rows_in(tmp_path / "x.csv") == rows
    assert rows_in(tmp_path / "none.csv") == []
    save_markdown(tmp_path / "x.md", rows, ("deck", "cpu_seconds", "nash_gap"))
    assert (tmp_path / "x.md").read_text().splitlines()[2] == "| 3x2, 1 bet | 0.5 |  |"


def test_cases_are_told_apart() -> None:
    keys = [tuple(case.key.items()) for case in (*DEFAULT, *LARGE)]
    assert len(set(keys)) == len(keys)


def test_committed_results_have_the_columns_that_are_written_now(made: Path) -> None:
    assert list(rows_in(RESULTS / "linear_programs.csv")[0]) == list(
        rows_in(made / "linear_programs.csv")[0]
    )
